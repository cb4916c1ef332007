import { Code } from "../../assembler/code.js";
import type { Precision } from "../../kernels/precision.js";
import type { Step } from "../../loop.js";
import type { Capabilities } from "../capabilities.js";
import { descriptor, field, words } from "../descriptor.js";
import type { Library } from "../library.js";
import { overflowRetryCode } from "../overflow-retry.js";
import { addressOf, type Contraction, descriptionOf, isDot, writeDescriptor } from "../step.js";
import { type LinesKernel, lineTileCode, sumsAcross } from "./line-tile.js";
import { linesKernelOf } from "./lines-kernel.js";

/**
 * One sum alone, such as a dot product: most have a few hundred cells, and take less time than it takes to find out which
 * parts, rows and columns of how many products there are.
 */

export const isSingleDot = (contraction: Contraction): boolean =>
  isDot(contraction) && contraction.shape.sizes.batch === 1;

/** A module of one function, `dot(descriptor, left, right, target, sums)`. */
function dotCodes(kernel: LinesKernel, target: Precision): Code[] {
  const { arithmetic, left, right } = kernel;
  const { term } = arithmetic;
  const retryTerm = term === "hamming" ? "product" : term;
  return [
    lineTileCode(kernel),
    overflowRetryCode({ term: retryTerm, left, right, target }),
    dotCode(target, arithmetic.sums === "f32x4"),
  ];
}

function dotCode(target: Precision, checksOverflow: boolean): Code {
  const [tile, retry] = [0, 1];
  const [left, right, to, sums] = [1, 2, 3, 4];
  const code = new Code("dot", words(5));
  const sum = code.local("f64");
  field(code, "sum").get(sums).get(left).get(right).call(tile);
  code.get(sums).memory("f64.load").set(sum);
  code.get(to).get(sum);
  if (target === "float") code.do("f32.demote_f64").memory("f32.store");
  else code.memory("f64.store");
  // The difference of a number and itself is zero, unless it is infinite or no number.
  if (checksOverflow)
    code
      .get(sum)
      .get(sum)
      .do("f64.sub")
      .f64(0)
      .do("f64.ne")
      .if(() => code.get(descriptor).i32(0).i32(1).get(left).get(right).get(to).call(retry));
  return code;
}

export function dotStep(
  library: Library,
  capabilities: Capabilities,
  contraction: Contraction,
): Step | undefined {
  const { left, right, target } = contraction.terms;
  const kernel = linesKernelOf(capabilities, contraction);
  const to = target.cellType as Precision; // recognised only with a target of float or double
  const kernels =
    kernel && library.kernels(`dot ${kernel.arithmetic.name} ${to}`, () => dotCodes(kernel, to));
  const dot = kernels?.functions.dot;
  const blocks = writeDescriptor(library, contraction, { panelRows: 1, panels: 1 });
  const sums = kernel && library.arena.allocate("double", sumsAcross(kernel));
  if (dot === undefined || blocks === undefined || sums === undefined) return undefined;
  return {
    extent: 1,
    work: contraction.shape.sizes.sum * 2,
    description: `${descriptionOf(contraction)}, in place`,
    // The descriptor and its tables are referenced here, so that they live as long as the step.
    run: () =>
      void dot(blocks[0].address, addressOf(left), addressOf(right), addressOf(target), sums.address),
  };
}
