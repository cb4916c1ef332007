import type { Tensor } from "../../index.js";
import type { CellId, DocumentCell } from "../document/page-document.js";

/** The values of a cell, by their keys; none where it has problems. */
export type CellResults = (id: CellId) => readonly CellResult[];

export interface CellResult {
  readonly key: string;
  readonly tensor: Tensor;
  /** Whether the text of the cell is just this value. */
  readonly isLiteral: boolean;
}

/** An expression as it stands in a text, with its name. */
export function cellText(cell: Exclude<DocumentCell, { readonly kind: "remark" }>): string {
  if (cell.kind === "program" || cell.name === "") return cell.text.trim();
  return `${cell.name} = ${cell.text.trim()}`;
}
