import { SphexError } from "../../index.js";
import { notebookCells, notebookText } from "../../vespa/compat/compat.js";
import type { NewCell } from "../document/page-document.js";
import type { Converted, ConvertRequest } from "../protocol.js";
import { statementCount } from "./cell-statements.js";
import { pageProblem } from "./page-problem.js";

/** The cells of a document in the other mode: cells as one program, or the statements of a program as cells. */
export function converted({ to, cells }: ConvertRequest): Converted {
  try {
    return { cells: to === "program" ? [programOf(cells)] : cells.flatMap(cellsOf), problems: [] };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { cells: [], problems: error.problems.map((each) => pageProblem(each)) };
  }
}

type WrittenCell = Parameters<typeof notebookText>[0][number];

function programOf(cells: ConvertRequest["cells"]): NewCell {
  const written = cells.flatMap((cell): readonly WrittenCell[] => {
    if (cell.kind === "remark") return [{ kind: "remark", text: cell.text }];
    if (cell.kind === "program" || (cell.text.trim() === "" && cell.name === "")) return [];
    return [{ kind: "formula", name: cell.name.trim(), expression: cell.text }];
  });
  return { kind: "program", text: notebookText(written, statementsOf) };
}

/** A program that somebody wrote into a cell. */
const statementsOf = (cell: WrittenCell): string | undefined =>
  cell.kind === "formula" && cell.name === "" && statementCount(cell.expression) > 0
    ? cell.expression.trimEnd()
    : undefined;

function cellsOf(cell: ConvertRequest["cells"][number]): readonly NewCell[] {
  if (cell.kind !== "program") return [cell];
  return notebookCells({ name: "program", text: cell.text }).map(
    (each): NewCell =>
      each.kind === "remark" ? each : { kind: "expression", name: each.name, text: each.expression },
  );
}
