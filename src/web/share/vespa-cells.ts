import { type Cell, notebookCells, notebookText } from "../../vespa/compat/compat.js";
import type { DocumentCell } from "../document/page-document.js";

/** Cells as the playground of Vespa's documentation has them, and back. It knows remarks and expressions, and no programs. */

/**
 * @throws SphexError where a program has something that no cell can say.
 */
export const vespaCells = (cells: readonly DocumentCell[]): readonly Cell[] =>
  cells.flatMap((cell): readonly Cell[] => {
    if (cell.kind === "remark") return [{ kind: "remark", text: cell.text }];
    if (cell.kind === "program") return notebookCells({ name: "program", text: cell.text });
    return [{ kind: "formula", name: cell.name, expression: cell.text }];
  });

/** The cells as one program. Empty ones, which a page may have and a program may not, are left out. */
export function programText(cells: readonly DocumentCell[]): string {
  const [only] = cells;
  if (only?.kind === "program") return only.text;
  const written = vespaCells(cells).flatMap((cell): readonly Cell[] => {
    if (cell.kind === "remark") return [cell];
    return cell.expression.trim() === "" ? [] : [{ ...cell, name: cell.name.trim() }];
  });
  return notebookText(written);
}
