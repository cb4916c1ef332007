import type { CellType } from "../../../language/types/cell.js";
import type { Precision } from "../kernels/precision.js";
import type { Finish } from "./finish.js";
import { columnsOf, type TileKernel, tileBytes } from "./tiles/tile-kernel.js";

/** What the module of a matrix product is compiled for; sizes and strides are passed when it runs. */
export interface ProductOptions {
  readonly precision: Precision;
  readonly kernel: TileKernel;
  readonly left: CellType;
  readonly right: CellType;
  readonly target: Precision;
  /** Whether sums are so short that they are added up in the target's floats alone. */
  readonly isShallow: boolean;
  /** What is computed of the sums before they are stored; they are floats then. */
  readonly finish: Finish | undefined;
  /** Whether tiles are a few columns by vectors of rows: of shallow products only. */
  readonly isAlongRows: boolean;
}

/** The rows that are computed together, and the columns, in numbers. */
export function tileSizes({
  kernel,
  precision,
  isAlongRows,
}: Pick<ProductOptions, "kernel" | "precision" | "isAlongRows">): {
  readonly rows: number;
  readonly columns: number;
} {
  const across = columnsOf(kernel, precision);
  return isAlongRows ? { rows: across, columns: kernel.rows } : { rows: kernel.rows, columns: across };
}

/** Rows that are packed together, a multiple of each kernel's rows: a part of a product. */
export const rowsOfPart = 108;

/** How much of a sum a tile adds up at once: a panel of it stays in the first cache. Floats may be added up so far in floats. */
export const tileDepth = 256;
/** How long sums may be that need no doubles: those of one panel. */
export const shallowDepth = tileDepth;
/** How much of a sum is packed at once: all of a part stays in the second cache, beside the panels that it is multiplied by. */
export const packedDepth: Readonly<Record<Precision, number>> = { double: tileDepth, float: 3 * tileDepth };
/** Columns that a part goes through at once where the sum takes several turns, so that its totals stay near. */
export const slabColumns = 512;

/** Where a tile leaves its sums: doubles where they are stored from, floats where they do not overwrite those. */
export const tileSumsAt: Readonly<Record<Precision, number>> = { double: 0, float: 2048 };
export const packedAt = 4096;
/** Rows of the left operand that are packed together: of the last ones there may be just one. */
export const rowsTogether = 16;
/** Bytes of a part's rows as they are packed, but for what the last ones take together. */
export const partBytes = rowsOfPart * packedDepth.float * 4;
export const totalsAt = packedAt + partBytes + rowsTogether * packedDepth.float * 4 + 64;
/** Where products along rows note where their rows are. */
export const linesAt = totalsAt;

/** Bytes of a tile's totals: a double for each cell, and what it lost where cells are doubles themselves. */
export const totalBytes = (kernel: TileKernel, precision: Precision): number =>
  tileBytes(kernel, precision) * (precision === "double" ? 2 : 1);

/** Bytes that each thread needs for itself. */
export function scratchBytes({ kernel, precision }: ProductOptions, columns: number, sum: number): number {
  if (sum <= tileDepth) return linesAt + 4096;
  const across = columnsOf(kernel, precision);
  const panels = sum <= packedDepth[precision] ? 1 : Math.ceil(Math.min(columns, slabColumns) / across);
  const tiles = (rowsOfPart / kernel.rows) * panels;
  return totalsAt + tiles * totalBytes(kernel, precision);
}
