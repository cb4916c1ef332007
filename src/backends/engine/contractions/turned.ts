import type { DivisibleStep, Slot } from "../loop.js";
import { offsetsOf } from "./axes.js";
import type { Capabilities } from "./capabilities.js";
import type { Library } from "./library.js";
import type { Contraction } from "./step.js";
import { unpackedStep } from "./unpacked.js";

/**
 * Products of a vector with a matrix that is the same in all runs, and lies so that each column has to be added up in the
 * lanes of a vector and then across them. A copy of it lies the other way, so that products go down the matrix.
 */

/** The contraction with its right operand turned: the columns of the target lie next to each other in it. */
export function withOperandTurned({ terms, shape }: Contraction, slot: Slot = terms.right.slot): Contraction {
  const { columns } = shape.sizes;
  const right = { batch: 0, rows: 0, columns: 1, sum: columns };
  return {
    terms: { ...terms, right: { ...terms.right, slot, offset: 0 } },
    shape: { ...shape, strides: { ...shape.strides, right } },
  };
}

/** The operand is turned in the first run, and anew where its slot has another block. */
export function turnedStep(
  library: Library,
  capabilities: Capabilities,
  contraction: Contraction,
): DivisibleStep | undefined {
  const { right } = contraction.terms;
  const { columns, sum } = contraction.shape.sizes;
  const strides = contraction.shape.strides.right;
  const block = library.arena.allocate(right.cellType, columns * sum);
  if (block === undefined) return undefined;
  const step = unpackedStep(library, capabilities, "across", withOperandTurned(contraction, { block }));
  if (step === undefined) return undefined;
  const [ofColumns, ofSum] = [offsetsOf(strides.columns, columns), offsetsOf(strides.sum, sum)];
  let turned: unknown;
  const turn = (): void => {
    if (turned === right.slot.block) return;
    turned = right.slot.block;
    // Both are of one cell type.
    const [from, to] = [right.slot.block.cells, block.cells] as [Float64Array, Float64Array];
    for (const [k, below] of ofSum.entries())
      for (const [column, beside] of ofColumns.entries())
        to[k * columns + column] = from[right.offset + below + beside] as number; // within the operand
  };
  return {
    ...step,
    run: (from, to) => {
      turn();
      step.run(from, to);
    },
    division: { ...step.division, prepare: turn },
  };
}
