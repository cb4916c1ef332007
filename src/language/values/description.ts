import type { CellType } from "../types/cell.js";

/**
 * How the cells of a tensor lie in memory (the descriptions of nGraph and MLVM): all of it is known without reading a
 * cell. Each combination of mapped labels is a row; its dense block begins `rowStride` cells after the previous one,
 * unless the rows are read in another order.
 */
export interface TensorDescription {
  readonly cellType: CellType;
  /** The indexed dimensions, in canonical order. */
  readonly dimensions: readonly string[];
  /** The size of each indexed dimension. */
  readonly shape: readonly number[];
  /** Cells of all rows. */
  readonly size: number;
  /** How many dimensions there are, mapped and indexed. */
  readonly rank: number;
  /** For each indexed dimension, the distance in cells from one index to the next; 0 where all are one cell. */
  readonly strides: readonly number[];
  /** The first cell, in cells from the start of the buffer. */
  readonly offset: number;
  /** Combinations of mapped labels; 1 for a dense tensor. */
  readonly rows: number;
  /** In cells; nothing where rows are read in another order than they lie. */
  readonly rowStride: number | undefined;
  readonly readOnly: true;
  /** Whether the buffer is the tensor's own, or another's of which it is a view. */
  readonly mode: "owner" | "view";
}
