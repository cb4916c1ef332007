import { arithmeticOf } from "../arithmetic.js";
import type { Capabilities } from "../capabilities.js";
import { type Contraction, isDot } from "../step.js";
import type { LinesKernel } from "./line-tile.js";

/** Tiles of lines: no more sums than registers, and enough of them that additions need not wait for each other. */
const forms = {
  dot: { rows: 1, columns: 1, unroll: 4, sets: 4 },
  vector: { rows: 1, columns: 4, unroll: 2, sets: 1 },
  fusedVector: { rows: 1, columns: 4, unroll: 2, sets: 2 },
  matrix: { rows: 2, columns: 4, unroll: 1, sets: 1 },
} as const;

/** The kernel of a contraction whose rows are read where they are; nothing where its cells have to be made numbers one by one. */
export function linesKernelOf(
  { relaxed: fused }: Capabilities,
  contraction: Contraction,
): LinesKernel | undefined {
  const { term, precision, left, right } = contraction.terms;
  const types = { left: left.cellType, right: right.cellType };
  const arithmetic = arithmeticOf({ term, ...types, precision, fused });
  if (arithmetic === undefined) return undefined;
  const vector = fused ? forms.fusedVector : forms.vector;
  const manyRows = contraction.shape.sizes.rows === 1 ? vector : forms.matrix;
  return { ...(isDot(contraction) ? forms.dot : manyRows), arithmetic, ...types };
}
