import { type Precision, precisions } from "../kernels/precision.js";
import type { DivisibleStep, Slot } from "../loop.js";
import { type AccessedFinish, finishKey } from "./finish.js";
import type { Library } from "./library.js";
import { packedOperand, paddedTo } from "./packing/packed-operand.js";
import { panelsOf, productCodes } from "./product.js";
import {
  type ProductOptions,
  packedDepth,
  partBytes,
  scratchBytes,
  shallowDepth,
  slabColumns,
  tileSizes,
} from "./product-options.js";
import { addressOf, type Contraction, descriptionOf, pace, writeDescriptor } from "./step.js";
import { columnsOf, type TileKernel } from "./tiles/tile-kernel.js";

const scratchWorkspace = "scratch";

/** A batch of matrix products whose operands are packed. */
export function productStep(
  library: Library,
  kernel: TileKernel,
  contraction: Contraction,
  isFixed: (slot: Slot) => boolean,
  finish: AccessedFinish | undefined,
): DivisibleStep | undefined {
  const { left, right, target } = contraction.terms;
  const { batch, rows, columns, sum } = contraction.shape.sizes;
  const options = optionsFor(contraction, kernel, finish);
  const packed = packedOperand(library, contraction, options, isFixed(right.slot));
  if (packed === undefined) return undefined;
  const work = batch * rows * columns * sum * 2;
  const { panels, panelRows } = panelsFor(library, contraction, options, work);
  const blocks = writeDescriptor(library, contraction, {
    panelRows,
    panels,
    depth: packedDepth[options.precision],
    slab: slabColumns,
    padded: packed.padded,
    packedBatch: packed.batchBytes,
    ...finish?.strides,
  });
  const kernels = library.kernels(keyOf(options), () => productCodes(options));
  const scratch = scratchBytes(options, columns, sum);
  if (blocks === undefined || kernels === undefined) return undefined;
  if (!library.reserve(scratchWorkspace, scratch)) return undefined;

  const { prepare: pack, multiply } = kernels.functions;
  if (pack === undefined || multiply === undefined) return undefined;
  const finishing = finish?.accesses ?? [];
  const packCells = (cells: number, panels: number): void => void pack(blocks[0].address, cells, panels);
  const prepare = (from: number): void => packed.prepare(from, packCells);
  const values = (from: number, to: number, scratchAddress: number): number[] => [
    // The descriptor and its tables are referenced here, so that they live as long as the step.
    blocks[0].address,
    from,
    to,
    addressOf(left),
    packed.address(),
    addressOf(target),
    scratchAddress,
    ...finishing.map(addressOf),
  ];
  return {
    extent: batch * panels,
    work,
    description: `${descriptionOf(contraction)}${describedFinish(finish)}`,
    run: (from, to) => {
      prepare(from);
      multiply(...values(from, to, library.workspaceAddress(scratchWorkspace)));
    },
    division: {
      module: kernels.module,
      entry: "multiply",
      call: multiply,
      scratchBytes: scratch,
      pace,
      prepare,
      values,
    },
    packed: packed.isOwn ? right.slot : undefined,
  };
}

/** What decides which kernel computes a product. */
function optionsFor(
  contraction: Contraction,
  kernel: TileKernel,
  finish: AccessedFinish | undefined,
): ProductOptions {
  const { precision, left, right, target } = contraction.terms;
  const { sum } = contraction.shape.sizes;
  return {
    precision,
    kernel,
    left: left.cellType,
    right: right.cellType,
    target: target.cellType as Precision, // recognised only with a target of float or double
    isShallow: precision === "float" && target.cellType === "float" && sum <= shallowDepth,
    finish,
    isAlongRows: isFastAlongRows(contraction, kernel),
  };
}

/** The rows that are computed together, and how many times there are so many. */
function panelsFor(
  library: Library,
  { shape }: Contraction,
  options: ProductOptions,
  work: number,
): ReturnType<typeof panelsOf> {
  const { rows, sum } = shape.sizes;
  const tile = tileSizes(options);
  return options.isAlongRows
    ? panelsAlongRows(rows, sum, tile.rows)
    : panelsOf(rows, tile.rows, work, library.arena);
}

/** So much of the first cache is for the rows of a part. */
const cachedRowBytes = 24_576;

/** What is packed of the rows of a part stays in the first cache, while all columns pass by; and cells are stored in long lines. */
function panelsAlongRows(rows: number, sum: number, tileRows: number): ReturnType<typeof panelsOf> {
  const bytes = Math.min(cachedRowBytes, partBytes);
  const most = Math.floor(bytes / (sum * precisions.float.width) / tileRows) * tileRows;
  const panelRows = Math.max(tileRows, Math.min(most, 32 * tileRows));
  return { panels: Math.ceil(rows / panelRows), panelRows };
}

/** So much of a right operand stays in the second cache, beside the rows of a part. */
const secondCacheBytes = 2 ** 19;

/** Whether tiles should lie along the rows of the target: where storing them takes as long as computing them, and few rows would be computed in vain. */
function isFastAlongRows({ terms, shape }: Contraction, kernel: TileKernel): boolean {
  const { sizes, strides } = shape;
  const areFloats = terms.precision === "float" && terms.target.cellType === "float";
  if (!areFloats || sizes.sum > shallowDepth || strides.target.columns === 1) return false;
  if (typeof strides.target.rows === "number" && strides.target.rows !== 1) return false;
  const across = columnsOf(kernel, "float");
  return (
    paddedTo(sizes.rows, across) <= 1.1 * sizes.rows &&
    sizes.columns * sizes.sum * precisions.float.width <= secondCacheBytes
  );
}

/** ", and 3 operations" where something is computed of the sums. */
function describedFinish(finish: AccessedFinish | undefined): string {
  if (finish === undefined) return "";
  const operations = finish.body.filter(({ op }) => op === "apply").length;
  return `, and ${operations} operation${operations === 1 ? "" : "s"}`;
}

function keyOf({
  precision,
  kernel,
  left,
  right,
  target,
  isShallow,
  isAlongRows,
  finish,
}: ProductOptions): string {
  const { rows, vectors, fused } = kernel;
  const form = `${rows}×${vectors}${fused ? " fused" : ""}${isShallow ? " shallow" : ""}${isAlongRows ? " along rows" : ""}`;
  return `product ${precision} ${left} ${right} ${target} ${form}${finishKey(finish)}`;
}
