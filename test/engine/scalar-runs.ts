import fc from "fast-check";
import type { Instruction } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import type { ScalarName } from "../../src/language/scalar/functions.js";

/** Scalar functions as fused loops compute them, of lists of numbers, and the numbers that they are tried with. */
const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = fusedLoops(arena);

export const corners = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  -2,
  10,
  100,
  1000,
  1e15,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  2.225073858507201e-308,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  709.782712893384,
  709.7827128933841,
  -708.3964185322641,
  -745.1332191019411,
  -745.1332191019412,
  -746,
  88.72283,
  88.7229,
  -87.33655,
  -103.97207,
  -103.9721,
  1 - 2 ** -53,
  1 + 2 ** -52,
  Math.SQRT2,
  Math.SQRT1_2,
  Math.E,
  1e-8,
  -1e-8,
  19.0615,
  22,
  -22,
  710.4758600739439,
  710.475860073944,
  89.41598,
  89.416,
  2 ** -149,
  2 ** -126,
  3.4028234663852886e38,
];

/** From -1 up to 1, none likelier than another. */
export const evenly = fc
  .noBias(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }))
  .map((whole) => whole / 2 ** 31);

export const many = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(each, { minLength: 1, size: "max", maxLength: 2000 });

/** The values of a function, in lanes or one by one. */
export function run(
  name: ScalarName,
  cellType: "double" | "float",
  inputs: readonly (readonly number[])[],
  mayBeLanes = true,
): number[] {
  const size = inputs[0]?.length ?? 0;
  const blocks = inputs.map((numbers) => {
    const block = arena.allocate(cellType, size) as Block;
    for (const [at, number] of numbers.entries()) block.cells[at] = number;
    return block;
  });
  const target = arena.allocate(cellType, size) as Block;
  const reads = inputs.map((_, source): Instruction => ({ op: "read", source }));
  const step = lower({
    axes: mayBeLanes ? [{ size, isReduced: false }] : [],
    sources: blocks.map((block) => ({
      slot: { block },
      cellType,
      offset: 0,
      strides: mayBeLanes ? [1] : [],
    })),
    body: [
      ...reads,
      { op: "apply", function: name, arguments: [...reads.keys()] },
      { op: "store", cellType, value: reads.length },
    ],
    target: { slot: { block: target }, cellType, offset: 0, strides: mayBeLanes ? [1] : [] },
  });
  step?.run(0, step.extent);
  const results = Array.from(target.cells, Number);
  for (const block of [...blocks, target]) arena.dispose(block);
  return results;
}
