import type { CellType } from "../../../language/types/cell.js";
import type { Precision } from "../kernels/precision.js";
import { chains } from "../kernels/sums.js";
import type { Finish } from "./finish.js";
import { columnsOf, type TileKernel, tileBytes } from "./tile.js";

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

/** How long sums may be that need no doubles. */
export const shallowDepth = chains.float.stretch;

/** Rows that are packed together, a multiple of each kernel's rows: a part of a product. */
export const rowsOfPart = 96;

/** How much of the sum is packed at once: panels of it stay in the first cache, all of a part in the second. */
export const depthOf: Readonly<Record<Precision, number>> = { double: 256, float: 512 };
/** Columns that a part goes through at once where the sum takes several turns, so that its totals stay near. */
export const slabColumns = 512;

export const spareSumsAt = 2048;
export const packedAt = 4096;
export const totalsAt = packedAt + rowsOfPart * 2048 + 64;
/** Where products along rows note where their rows are. */
export const linesAt = totalsAt;

/** Bytes that each thread needs for itself. */
export function scratchBytes({ kernel, precision }: ProductOptions, columns: number, sum: number): number {
  if (sum <= depthOf[precision]) return linesAt + 4096;
  const across = columnsOf(kernel, precision);
  const tiles = (rowsOfPart / kernel.rows) * Math.ceil(Math.min(columns, slabColumns) / across);
  return totalsAt + 2 * tiles * tileBytes(kernel, precision);
}
