import type { CellType } from "../../../../language/types/cell.js";
import { type Precision, precisions } from "../../kernels/precision.js";

/** The shape of the innermost loop, which decides how fast it is; see capabilities.ts. */
export interface TileKernel {
  /** Rows of a tile, and vectors in each row. */
  readonly rows: number;
  readonly vectors: number;
  /** Whether it multiplies and adds in one instruction. */
  readonly fused: boolean;
}

/** Numbers in a row of a tile. */
export const columnsOf = (kernel: TileKernel, precision: Precision): number =>
  kernel.vectors * precisions[precision].count;

/** Where a tile's products are added up: one double for each cell. */
export const tileBytes = (kernel: TileKernel, precision: Precision): number =>
  kernel.rows * columnsOf(kernel, precision) * 8;

/**
 * Tiles of packed panels; or of up to four rows, and of columns that lie next to each other in memory, at a distance from
 * each index of the sum to the next. A short one, whose sum is no longer than a chain, is stored as it is, without
 * doubles. Panels are no deeper than so many chains as may be added up without care.
 */
export type TileForm =
  | { readonly kind: "packed" }
  | { readonly kind: "strided" | "short"; readonly left: CellType; readonly right: CellType };
