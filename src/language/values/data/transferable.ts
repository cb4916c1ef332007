import type { CellArray } from "../../types/cell.js";

/** A tensor as plain data: `structuredClone`, `postMessage` and databases of browsers take it, and programs do as an input. */
export interface TransferableTensor {
  /** What tells it from other data; later versions may have other numbers. */
  readonly sphexTensor: 1;
  readonly type: string;
  /** Of the indexed dimensions, in canonical order. */
  readonly sizes: readonly number[];
  /** The mapped labels of each row, in canonical order; `[[]]` without mapped dimensions. */
  readonly labels: readonly (readonly string[])[];
  /** All cells, row by row: an array of its own, whose buffer may be transferred. */
  readonly data: CellArray;
}
