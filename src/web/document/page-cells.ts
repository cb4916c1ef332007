import type { Cell } from "../../vespa/compat/compat.js";
import type { NewCell } from "./page-document.js";

/** Cells of the playground as cells of the page. */
export const pageCells = (cells: readonly Cell[]): readonly NewCell[] =>
  cells.map((cell) =>
    cell.kind === "remark" ? cell : { kind: "expression", name: cell.name, text: cell.expression },
  );
