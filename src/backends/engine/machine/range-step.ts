import type { CellArray } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import type { RangeStep } from "../ir/step.js";
import { compiled } from "../kernels/compilation.js";
import { countDown } from "../kernels/iteration.js";
import type { Block } from "../memory/arena.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** Whether each cell of some buffers is 0, or neither larger than a limit nor smaller than its reciprocal: products in another order do not overflow then. */

export function compiledRange(
  { buffers, limit, writes, span, isOnce }: RangeStep,
  context: StepContext,
): CompiledStep {
  const target = context.slotOf(writes);
  const slots = buffers.map(context.slotOf);
  const work = buffers.reduce((sum, { length }) => sum + length, 0);
  const areWithin = doublesWithin(context);
  const run = (): void => {
    const isWithin = slots.every(({ block }) => isWithinLimit(block, limit, areWithin));
    (target.block.cells as Float64Array)[0] = isWithin ? 1 : 0; // of cell type double
  };
  return {
    step: { extent: 1, work, description: `whether ${work} cells are of middling size`, run },
    span,
    isOnce,
  };
}

/** NaN is not within. What is left of doubles after whole turns of the kernel is looked at one by one. */
function isWithinLimit({ cells, address }: Block, limit: number, areWithin: Kernel | undefined): boolean {
  if (!(cells instanceof Float64Array)) return areCellsWithin(cells, limit);
  const turns = areWithin === undefined ? 0 : Math.floor(cells.length / cellsPerTurn);
  return areWithin?.(address, turns, limit) !== 0 && areDoublesWithin(cells, turns * cellsPerTurn, limit);
}

function areCellsWithin(cells: CellArray, limit: number): boolean {
  for (let at = 0; at < cells.length; at++)
    if (!isSizeWithin(Math.abs(Number(cells[at])), limit)) return false;
  return true;
}

/** A loop of its own: one that meets arrays of several kinds takes four times as long. */
function areDoublesWithin(cells: Float64Array, start: number, limit: number): boolean {
  for (let at = start; at < cells.length; at++)
    if (!isSizeWithin(Math.abs(cells[at] as number), limit)) return false; // within the array
  return true;
}

const isSizeWithin = (size: number, limit: number): boolean =>
  size <= limit && (size * limit >= 1 || size === 0);

/** Of an address, a number of turns and the limit: 0 where a cell is not within. */
type Kernel = ExportedFunction;

const vectorsPerTurn = 4;
const cellsPerTurn = 2 * vectorsPerTurn;

const kernels = new WeakMap<object, Kernel | undefined>();

/** The kernel on the memory of an arena; nothing where no code may be made. */
function doublesWithin({ arena, emitsCode }: StepContext): Kernel | undefined {
  if (!emitsCode) return undefined;
  if (!kernels.has(arena)) kernels.set(arena, compiled(arena, [kernelCode()])?.functions.within);
  return kernels.get(arena);
}

function kernelCode(): Code {
  const code = new Code("within", ["i32", "i32", "f64"], ["i32"]);
  const [address, turns, limit] = [0, 1, 2];
  const [most, size, all] = [code.local("v128"), code.local("v128"), code.local("v128")];
  code.get(limit).do("f64x2.splat").set(most);
  code.v128("i64x2", -1).set(all);
  countDown(code, turns, () => {
    for (let vector = 0; vector < vectorsPerTurn; vector++) {
      code
        .get(address)
        .memory("v128.load", 16 * vector)
        .do("f64x2.abs")
        .tee(size);
      code.get(most).do("f64x2.le");
      code.get(size).get(most).do("f64x2.mul").v128("f64x2", 1).do("f64x2.ge");
      code.get(size).v128("f64x2", 0).do("f64x2.eq", "v128.or", "v128.and");
      code.get(all).do("v128.and").set(all);
    }
    code.advance(address, 16 * vectorsPerTurn);
  });
  return code.get(all).do("i64x2.all_true");
}
