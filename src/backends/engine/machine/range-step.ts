import type { CellArray } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import type { RangeStep } from "../ir/step.js";
import { type CompiledKernels, compiledPerArena } from "../kernels/compilation.js";
import { countDown } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import type { Block } from "../memory/arena.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** Whether each cell of some buffers is 0, or smaller than a limit and larger than its reciprocal: products in another order do not overflow then. */
export function compiledRange(
  { buffers, limit, writes, span, isOnce }: RangeStep,
  context: StepContext,
): CompiledStep {
  const target = context.slotOf(writes);
  const slots = buffers.map(context.slotOf);
  const work = buffers.reduce((sum, { length }) => sum + length, 0);
  const kernels = context.emitsCode ? kernelsOn(context.arena) : undefined;
  const run = (): void => {
    const isWithin = slots.every(({ block }) => isWithinLimit(block, limit, kernels));
    (target.block.cells as Float64Array)[0] = isWithin ? 1 : 0; // of cell type double
  };
  return {
    step: {
      extent: 1,
      work,
      description: `whether ${work} cells are ${Number.isFinite(limit) ? "of middling size" : "finite"}`,
      run,
    },
    span,
    isOnce,
  };
}

/** NaN is not within. What is left after whole turns of a kernel is looked at one by one. */
function isWithinLimit(
  { cells, address }: Block,
  limit: number,
  kernels: CompiledKernels | undefined,
): boolean {
  const precision = cells instanceof Float64Array ? "double" : "float";
  if (precision === "float" && !(cells instanceof Float32Array)) return areWithin(cells, 0, limit);
  const { count } = precisions[precision];
  const turns = kernels === undefined ? 0 : Math.floor(cells.length / (vectorsPerTurn * count));
  const isWithin = kernels?.functions[precision]?.(address, turns, limit) !== 0;
  return isWithin && areWithin(cells, turns * vectorsPerTurn * count, limit);
}

function areWithin(cells: CellArray, start: number, limit: number): boolean {
  for (let at = start; at < cells.length; at++) {
    const size = Math.abs(Number(cells[at]));
    if (!(size === 0 || (size < limit && size * limit > 1))) return false;
  }
  return true;
}

const vectorsPerTurn = 4;

/** `(address, turns, limit)`: 0 where a cell is not within. */
const kernelsOn = compiledPerArena(() => [kernelCode("double"), kernelCode("float")]);

/**
 * Sizes are compared as whole numbers, of which NaN and infinity are the largest, and by their upper halves if they are doubles. A whole number
 * that is one less is the number before in size; for zero it is NaN, which is never the least.
 */
function kernelCode(precision: Precision): Code {
  const { vector, number } = precisions[precision];
  const lanes = precision === "double" ? "i64x2" : "i32x4";
  const code = new Code(precision, ["i32", "i32", "f64"], ["i32"]);
  const [address, turns, limit] = [0, 1, 2];
  const [limits, size, mask] = [code.local("v128"), code.local("v128"), code.local("v128")];
  const most = Array.from({ length: vectorsPerTurn }, () => code.local("v128"));
  const least = Array.from({ length: vectorsPerTurn }, () => code.local("v128"));
  code.get(limit);
  if (number === "f32") code.do("f32.demote_f64");
  code.do(`${vector}.splat`).set(limits);
  for (const each of least) code.get(limits).set(each);
  code.v128(lanes, -1).i32(1).do(`${lanes}.shr_u`).set(mask);
  countDown(code, turns, () => {
    for (const [at, each] of least.entries()) {
      code
        .get(address)
        .memory("v128.load", 16 * at)
        .get(mask)
        .do("v128.and")
        .tee(size)
        .get(element(most, at))
        .do("i32x4.max_s")
        .set(element(most, at));
      code.get(each).get(size).v128(lanes, -1).do(`${lanes}.add`, `${vector}.pmin`).set(each);
    }
    code.advance(address, 16 * vectorsPerTurn);
  });
  code.v128(lanes, -1);
  for (const each of most) code.get(each).get(limits).do(`${vector}.lt`, "v128.and");
  for (const each of least)
    code.get(each).get(limits).do(`${vector}.mul`).v128(vector, 1).do(`${vector}.ge`, "v128.and");
  return code.do(`${lanes}.all_true`);
}
