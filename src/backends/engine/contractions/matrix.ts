import { type Precision, precisions } from "../kernels/precision.js";
import type { DivisibleStep, Slot } from "../loop.js";
import type { Library } from "./library.js";
import {
  depthOf,
  type ProductOptions,
  panelsOf,
  productCodes,
  scratchBytes,
  shallowDepth,
  slabColumns,
} from "./product.js";
import { addressOf, type Contraction, descriptionOf, pace, writeDescriptor } from "./step.js";
import { columnsOf, type TileKernel } from "./tile.js";

const packedWorkspace = "packed operand";
const scratchWorkspace = "scratch";

/** More bytes are not packed; such products are left to other ways. */
const mostPacked = 2 ** 30;

/** A batch of matrix products whose operands are packed. */
export function productStep(
  library: Library,
  kernel: TileKernel,
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
    isShallow: precision === "float" && target.cellType === "float" && sum <= shallowDepth,
  };
  const across = columnsOf(kernel, precision);
  const padded = Math.ceil(columns / across) * across;
  const batchBytes = padded * sum * precisions[precision].width;
  const packings = shape.strides.right.batch === 0 ? 1 : batch;
  const packedBytes = packings * batchBytes + 64;
  if (packedBytes > mostPacked) return undefined;
  const work = batch * rows * columns * sum * 2;
  const { panels, panelRows } = panelsOf(rows, kernel.rows, work);
  const blocks = writeDescriptor(library, contraction, {
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
  const fixedBlock = isFixed(right.slot) ? library.arena.allocate("int8", packedBytes) : undefined;
  if (fixedBlock === undefined && !library.reserve(packedWorkspace, packedBytes)) return undefined;
  if (!library.reserve(scratchWorkspace, scratch)) return undefined;

  const { prepare: pack, multiply } = kernels.functions;
  if (pack === undefined || multiply === undefined) return undefined;
  let packedBlock: unknown;
  const packed = (): number => fixedBlock?.address ?? library.workspaceAddress(packedWorkspace);
  const prepare = (from: number): void => {
    // Another product may have packed its operand in the shared workspace since the last part.
    if (from > 0 && (fixedBlock !== undefined || !library.claim(packedWorkspace, step))) return;
    if (fixedBlock !== undefined && packedBlock === right.slot.block) return;
    packedBlock = right.slot.block;
    library.claim(packedWorkspace, step);
    pack(blocks[0].address, addressOf(right), packed());
  };
  const values = (from: number, to: number, scratchAddress: number): number[] => [
    // The descriptor and its tables are referenced here, so that they live as long as the step.
    blocks[0].address,
    from,
    to,
    addressOf(left),
    packed(),
    addressOf(target),
    scratchAddress,
    addressOf(right),
  ];
  const step: DivisibleStep = {
    extent: batch * panels,
    work,
    description: descriptionOf(contraction),
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
  };
  return step;
}

function keyOf({ precision, kernel, left, right, target, isShallow }: ProductOptions): string {
  const { rows, vectors, fused } = kernel;
  const form = `${rows}×${vectors}${fused ? " fused" : ""}${isShallow ? " shallow" : ""}`;
  return `product ${precision} ${left} ${right} ${target} ${form}`;
}
