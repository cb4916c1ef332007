import type { CompiledKernels } from "../kernels/compilation.js";
import type { Precision } from "../kernels/precision.js";
import type { DivisibleStep } from "../loop.js";
import { type AcrossKernel, acrossCodes, acrossScratchBytes } from "./across.js";
import type { Capabilities } from "./capabilities.js";
import type { Library } from "./library.js";
import { linesCodes, linesScratchBytes } from "./lines/lines.js";
import { linesKernelOf } from "./lines/lines-kernel.js";
import { panelsOf } from "./product.js";
import { addressOf, type Contraction, descriptionOf, pace, writeDescriptor } from "./step.js";

const scratchWorkspace = "scratch";

/** A batch of products whose operands are read where they are. */
export function unpackedStep(
  library: Library,
  capabilities: Capabilities,
  method: "lines" | "across",
  contraction: Contraction,
): DivisibleStep | undefined {
  const { terms, shape } = contraction;
  const { left, right, target } = terms;
  const { batch, rows, columns, sum } = shape.sizes;
  const kernels =
    method === "lines"
      ? linesKernels(library, capabilities, contraction)
      : acrossKernels(library, capabilities, contraction);
  const work = batch * rows * columns * sum * 2;
  const { panels, panelRows } = panelsOf(rows, 2, work, library.arena);
  const blocks = writeDescriptor(library, contraction, { panelRows, panels });
  const scratchBytes = Math.max(linesScratchBytes, acrossScratchBytes);
  if (blocks === undefined || kernels === undefined || !library.reserve(scratchWorkspace, scratchBytes))
    return undefined;
  const { multiply } = kernels.functions;
  if (multiply === undefined) return undefined;
  const values = (from: number, to: number, scratchAddress: number): number[] => [
    // The descriptor and its tables are referenced here, so that they live as long as the step.
    blocks[0].address,
    from,
    to,
    addressOf(left),
    addressOf(right),
    addressOf(target),
    scratchAddress,
  ];
  return {
    extent: batch * panels,
    work,
    description: `${descriptionOf(contraction)}, in place`,
    run: (from, to) => {
      const scratchAddress = library.workspaceAddress(scratchWorkspace);
      // Not by way of `values`: where there is little to do, an array is much.
      multiply(
        blocks[0].address,
        from,
        to,
        addressOf(left),
        addressOf(right),
        addressOf(target),
        scratchAddress,
      );
    },
    division: {
      module: kernels.module,
      entry: "multiply",
      call: multiply,
      scratchBytes,
      pace,
      prepare: () => {},
      values,
    },
  };
}

function linesKernels(
  library: Library,
  capabilities: Capabilities,
  contraction: Contraction,
): CompiledKernels | undefined {
  const kernel = linesKernelOf(capabilities, contraction);
  if (kernel === undefined) return undefined;
  const { arithmetic, rows, columns, unroll, sets } = kernel;
  const to = contraction.terms.target.cellType as Precision; // recognised only with a target of float or double
  const key = `lines ${arithmetic.name} ${rows}×${columns}×${unroll}/${sets} ${to}`;
  return library.kernels(key, () => linesCodes(kernel, to));
}

function acrossKernels(
  library: Library,
  { relaxed: fused, wide }: Capabilities,
  { terms, shape }: Contraction,
): CompiledKernels | undefined {
  const { precision, left, right, target } = terms;
  const tiles = acrossTiles(shape.sizes.rows, wide);
  const kernel: AcrossKernel = {
    tiles,
    fused,
    precision,
    left: left.cellType,
    right: right.cellType,
    target: target.cellType as Precision, // recognised only with a target of float or double
  };
  const key = `across ${kernel.left} ${kernel.right} ${precision} ${kernel.target} ${JSON.stringify(tiles)}`;
  return library.kernels(key, () => acrossCodes(kernel));
}

/** With 256 bits a pair of rows has too few sums at once where columns are few; without, four rows have too many addresses to go on with. */
function acrossTiles(rows: number, wide: boolean): AcrossKernel["tiles"] {
  if (rows === 1) return [{ rows: 1, breadths: wide ? [8, 4, 2, 1] : [7, 4, 2, 1] }];
  const pair = { rows: 2, breadths: wide ? [8, 4, 2, 1] : [4, 2, 1] } as const;
  return wide && rows >= 4 ? [{ rows: 4, breadths: [4, 2, 1] }, pair] : [pair];
}
