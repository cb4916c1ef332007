import type { DivisibleStep, Slot } from "../loop.js";
import { lanes, type Precision } from "./lanes.js";
import type { Library } from "./library.js";
import {
  depthOf,
  type ProductOptions,
  panelsOf,
  productCodes,
  scratchBytes,
  slabColumns,
} from "./product.js";
import { addressOf, type Contraction, describe, pace, saying } from "./step.js";
import { columnsOf, type Kernel } from "./tile.js";

const packedRoom = "packed operand";
const scratchRoom = "scratch";

/** More bytes are not packed; such products are left to other ways. */
const mostPacked = 2 ** 30;

/** A batch of matrix products whose operands are packed. */
export function productStep(
  library: Library,
  kernel: Kernel,
  contraction: Contraction,
  isFixed: (slot: Slot) => boolean,
): DivisibleStep | undefined {
  const { terms, shape } = contraction;
  const { precision, left, right, target } = terms;
  const { batch, rows, columns, sum } = shape.sizes;
  const options: ProductOptions = {
    precision,
    kernel,
    left: left.cellType,
    right: right.cellType,
    target: target.cellType as Precision, // recognised only with a target of float or double
  };
  const across = columnsOf(kernel, precision);
  const padded = Math.ceil(columns / across) * across;
  const batchBytes = padded * sum * lanes[precision].width;
  const packings = shape.ways.right.batch === 0 ? 1 : batch;
  const packedBytes = packings * batchBytes + 64;
  if (packedBytes > mostPacked) return undefined;
  const work = batch * rows * columns * sum * 2;
  const { panels, panelRows } = panelsOf(rows, kernel.rows, work);
  const blocks = describe(library, contraction, {
    panelRows,
    panels,
    depth: depthOf[precision],
    slab: slabColumns,
    padded,
    packedBatch: packings > 1 ? batchBytes : 0,
  });
  const kernels = library.kernels(keyOf(options), () => productCodes(options));
  const scratch = scratchBytes(options, columns, sum);
  if (blocks === undefined || kernels === undefined) return undefined;
  const own = isFixed(right.slot) ? library.arena.allocate("int8", packedBytes) : undefined;
  if (own === undefined && !library.reserve(packedRoom, packedBytes)) return undefined;
  if (!library.reserve(scratchRoom, scratch)) return undefined;

  const { prepare: pack, multiply } = kernels.functions;
  if (pack === undefined || multiply === undefined) return undefined;
  let packedBlock: unknown;
  const packed = (): number => own?.address ?? library.room(packedRoom);
  const prepare = (from: number): void => {
    // Another product may have packed its operand in the shared room since the last part.
    if (from > 0 && (own !== undefined || !library.take(packedRoom, step))) return;
    if (own !== undefined && packedBlock === right.slot.block) return;
    packedBlock = right.slot.block;
    library.take(packedRoom, step);
    pack(blocks[0].address, addressOf(right), packed());
  };
  const values = (from: number, to: number, room: number): number[] => [
    // The descriptor and its tables are kept for as long as the step is: nobody else has them.
    blocks[0].address,
    from,
    to,
    addressOf(left),
    packed(),
    addressOf(target),
    room,
    addressOf(right),
  ];
  const step: DivisibleStep = {
    extent: batch * panels,
    work,
    description: saying(contraction),
    run: (from, to) => {
      prepare(from);
      multiply(...values(from, to, library.room(scratchRoom)));
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
  };
  return step;
}

function keyOf({ precision, kernel, left, right, target }: ProductOptions): string {
  const { rows, vectors, unroll, fused } = kernel;
  return `product ${precision} ${left} ${right} ${target} ${rows}×${vectors}×${unroll}${fused ? " fused" : ""}`;
}
