import { numberText, type Tensor } from "../../index.js";
import type { ResultView } from "../document/page-document.js";
import type { TableWindow, ValueReport } from "../protocol.js";
import { cellList } from "./cell-list.js";
import { completeView } from "./table-view.js";
import { TensorTable } from "./tensor-table.js";

/** The first part of a table, which goes with the report of its cell. */
const firstRows = 24;
const firstColumns = 16;

/** A value that a cell has, and ways to look at it. */
export class CellValue {
  /** The table of the last view, and what it is of. */
  private cached: { readonly key: string; readonly table: TensorTable } | undefined;

  constructor(
    readonly key: string,
    readonly tensor: Tensor,
    /** Whether the text of the cell is just this value. */
    readonly isLiteral: boolean,
  ) {}

  /** The same value, held by another tensor that is equal. */
  of(tensor: Tensor): CellValue {
    return new CellValue(this.key, tensor, this.isLiteral);
  }

  report(view: ResultView): ValueReport {
    const { tensor, key, isLiteral } = this;
    const { type, data } = tensor;
    return {
      key,
      type: `${type}`,
      rank: type.rank,
      cells: data.length,
      number: type.isScalar ? wholeOrExact(tensor.asNumber(), type.cellType) : undefined,
      isLiteral,
      nonFinite: countNonFinite(tensor),
      table: type.isScalar ? undefined : this.table(view, [0, firstRows], [0, firstColumns]),
    };
  }

  table(view: ResultView, rows: readonly [number, number], columns: readonly [number, number]): TableWindow {
    if (view.kind === "list") return cellList(this.tensor, rows);
    const complete = completeView(this.tensor, view);
    const key = JSON.stringify(complete);
    if (this.cached?.key !== key) this.cached = { key, table: new TensorTable(this.tensor, complete) };
    return this.cached.table.window(rows, columns);
  }
}

/** A number with all its digits: a whole one without a point or an exponent, as far as it is exact. */
function wholeOrExact(value: number, cellType: Tensor["type"]["cellType"]): string {
  const isPlain = Number.isSafeInteger(value) && !Object.is(value, -0);
  return isPlain ? `${value}` : numberText(value, cellType);
}

/** How many cells are not finite. */
function countNonFinite(tensor: Tensor): number {
  let count = 0;
  for (let at = 0; at < tensor.data.length; at++) if (!Number.isFinite(tensor.at(at))) count++;
  return count;
}
