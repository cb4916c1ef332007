import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Arena } from "../../src/backends/engine/memory/arena.js";
import { countingIn } from "../../src/backends/engine/ranking/counting.js";
import { leadingPositions } from "../../src/backends/engine/ranking/leading.js";
import { medianOf } from "../../src/backends/engine/ranking/median.js";
import { type RankKernels, rankSlices } from "../../src/backends/engine/ranking/ranks.js";
import { seekingIn } from "../../src/backends/engine/ranking/seeking.js";
import { selectRank } from "../../src/backends/engine/ranking/select.js";
import { atOnce } from "../../src/language/limits/slices.js";
import { compileExpression } from "../../src/program/compile.js";
import { inputTypes, parseTensor } from "../../src/program/inputs/inputs.js";
import { disagreements, ways } from "../agreement.js";
import { holds } from "../chance.js";

/** Medians and ranks: without a sort of all cells where none is needed, and still what the definitions say. */

const special = [
  0,
  -0,
  1,
  -1,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  -5e-324,
  1e308,
  1 + 2 ** -52,
];
const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...special) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 2, arbitrary: fc.double({ noNaN: true }) },
);
const cell = fc.oneof({ weight: 9, arbitrary: number }, { weight: 1, arbitrary: fc.constant(Number.NaN) });
/** Short lists are merged, long ones are counted. */
const lists = (of: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.oneof(
    fc.array(of, { minLength: 1, maxLength: 40 }),
    fc
      .array(of, { minLength: 1, maxLength: 40 })
      .chain((few) =>
        fc
          .array(fc.nat({ max: few.length - 1 }), { minLength: 1000, maxLength: 1300 })
          .map((picks) => picks.map((at) => few[at] as number)),
      ),
    fc.array(of, { minLength: 1000, maxLength: 1300 }),
  );

/** The positions of cells in their order, as D19 has it: JavaScript's sort is stable. */
function inOrder(cells: readonly number[], isDescending: boolean): number[] {
  const positions = cells.map((_, at) => at);
  return positions.sort((left, right) => {
    const [a, b] = [cells[left] as number, cells[right] as number];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a === b ? 0 : a < b === isDescending ? 1 : -1;
  });
}

const arena = new Arena();
const [seeking, counting] = [seekingIn(arena, true), countingIn(arena, true)];
if (seeking === undefined || counting === undefined) throw new Error("kernels look at cells here");
const kernels: RankKernels = { seeking, counting };

/** Cells outside of the memory of kernels, and within it, where these look at them. */
function everywhere(cells: readonly number[]): readonly (readonly [Float64Array, RankKernels | undefined])[] {
  counting?.reserve(cells.length);
  const block = arena.allocate("double", cells.length);
  const within = block?.cells as Float64Array; // of doubles
  within.set(cells);
  return [
    [Float64Array.from(cells), undefined],
    [within, kernels],
  ];
}

describe("ranks", () => {
  test("are those of a stable sort, NaN last", () => {
    holds(
      fc.property(lists(cell), fc.boolean(), (cells, isDescending) => {
        const expected = new Array<number>(cells.length);
        for (const [rank, at] of inOrder(cells, isDescending).entries()) expected[at] = rank;
        for (const [own, ownKernels] of everywhere(cells)) {
          const ranks = new Float64Array(cells.length);
          atOnce(rankSlices(own, isDescending, Number.POSITIVE_INFINITY, () => ranks, ownKernels));
          expect([...ranks]).toEqual(expected);
        }
      }),
    );
  });

  test("of NaN are in the order of the cells, whatever their bits are", () => {
    const cells = new Float64Array(3000);
    const words = new Uint32Array(cells.buffer);
    for (const at of cells.keys())
      words.set([cells.length - at, at % 2 === 0 ? 0x7ff80000 : 0xfff80000], 2 * at);
    expect(cells.every(Number.isNaN)).toBe(true);
    const ranks = new Float64Array(cells.length);
    atOnce(rankSlices(cells, false, Number.POSITIVE_INFINITY, () => ranks, undefined));
    expect(ranks).toEqual(cells.map((_, at) => at));
  });

  test("up to one are the same, and those behind it are behind it", () => {
    const lastRank = fc.oneof(fc.integer({ min: -1, max: 90 }), fc.constantFrom(2.5, -0.5, Number.NaN));
    holds(
      fc.property(lists(cell), fc.boolean(), lastRank, (cells, isDescending, last) => {
        for (const [own, ownKernels] of everywhere(cells)) {
          const ranks = new Float64Array(cells.length);
          atOnce(rankSlices(own, isDescending, last, () => ranks, ownKernels));
          for (const [rank, at] of inOrder(cells, isDescending).entries()) {
            if (rank <= last) expect(ranks[at]).toBe(rank);
            else expect(ranks[at]).not.toBeLessThanOrEqual(last);
          }
        }
      }),
    );
  });

  test("few of many are found without an order of all", () => {
    const numbers = Array.from({ length: 1000 }, (_, at) => (at * 389) % 1000);
    for (const [cells, ownKernels] of everywhere(numbers)) {
      const leading = (isDescending: boolean, limit: number) =>
        leadingPositions(cells, isDescending, limit, ownKernels?.seeking)?.map((at) => cells[at] as number);
      expect(leading(true, 3)).toEqual(Int32Array.of(999, 998, 997));
      expect(leading(false, 3)).toEqual(Int32Array.of(0, 1, 2));
      expect(leading(true, 500)).toBeUndefined();
    }
  });
});

// biome-ignore format: a table
const shapes: Readonly<Record<string, (at: number) => number>> = {
  "that rise":                     (at) => at,
  "that fall":                     (at) => -at,
  "that are all the same":         () => 7,
  "of which most are infinite":    (at) => (at % 9 === 0 ? at : Number.POSITIVE_INFINITY),
  "of which most are -infinite":   (at) => (at % 9 === 0 ? at : Number.NEGATIVE_INFINITY),
  "of which most are NaN":         (at) => (at % 5 === 0 ? at : Number.NaN),
  "of which few are numbers":      (at) => (at % 500 === 0 ? at : Number.NaN),
  "as large as they may be":       (at) => (at % 3 === 0 ? Number.MAX_VALUE : -Number.MAX_VALUE),
  "the smallest and zeros":        (at) => [5e-324, 0, -0, -5e-324][at % 4] ?? 0,
};

test.each(Object.entries(shapes))("the first ranks of cells %s are those of a stable sort", (_, cellOf) => {
  const cells = Array.from({ length: 3000 }, (_, at) => cellOf(at));
  for (const isDescending of [false, true])
    for (const limit of [1, 10, 187])
      for (const [own, ownKernels] of everywhere(cells)) {
        const found = leadingPositions(own, isDescending, limit, ownKernels?.seeking);
        if (found === undefined) continue;
        expect([...found]).toEqual(inOrder(cells, isDescending).slice(0, limit));
      }
});

test("a heap finds the first ranks but where nearly all that may have them are infinite or NaN", () => {
  const isFound = (cellOf: (at: number) => number, isDescending: boolean): boolean =>
    leadingPositions(
      Float64Array.from({ length: 3000 }, (_, at) => cellOf(at)),
      isDescending,
      10,
      undefined,
    ) !== undefined;
  expect(isFound((at) => at, true)).toBe(true);
  expect(isFound((at) => (at % 2 === 0 ? at : Number.NaN), true)).toBe(true);
  expect(isFound(() => Number.POSITIVE_INFINITY, true)).toBe(true);
  expect(isFound(() => Number.POSITIVE_INFINITY, false)).toBe(false);
  expect(isFound((at) => (at < 9 ? at : Number.NaN), true)).toBe(false);
});

describe("medians", () => {
  test("are the middle of a stable sort, the sign of a zero with it", () => {
    holds(
      fc.property(lists(number), (cells) => {
        const order = inOrder(cells, false).map((at) => cells[at] as number);
        const middle = cells.length >> 1;
        const upper = order[middle] as number;
        const expected = cells.length % 2 === 1 ? upper : ((order[middle - 1] as number) + upper) / 2;
        expect(medianOf(Float64Array.from(cells), () => Float64Array.from(cells))).toBe(expected);
      }),
    );
  });

  test("are NaN if a cell is", () => {
    const cells = Float64Array.of(1, 2, Number.NaN, 3);
    expect(medianOf(cells, () => cells)).toBeNaN();
  });

  test("are found in cells that were put in order against them", () => {
    for (const count of [25, 100, 1000, 20_000]) {
      const shapes = [
        (at: number) => at,
        (at: number) => -at,
        (at: number) => at % 2,
        (at: number) => Math.min(at, count - at),
        (at: number) => (at % 7) * (at % 3),
        () => 1,
      ];
      for (const shape of shapes) {
        const cells = Float64Array.from({ length: count }, (_, at) => shape(at));
        const sorted = cells.slice().sort();
        for (const rank of [0, count >> 2, count >> 1, count - 1])
          for (const steps of [0, 1, 2, 40]) {
            const moved = cells.slice();
            expect(selectRank(moved, rank, steps)).toBe(sorted[rank]);
            // A median reads on: none before the rank is larger, none behind it is smaller.
            expect(Math.max(...moved.subarray(0, rank + 1))).toBe(sorted[rank]);
            expect(Math.min(...moved.subarray(rank))).toBe(sorted[rank]);
          }
      }
    }
  });
});

const inputs = {
  a: "tensor(x[5]):[0,-0.0,NaN,2,2]",
  z: "tensor(x[4]):[-0.0,0,-0.0,0]",
  m: "tensor(x[2],y[3]):[[3,1,2],[NaN,-1,Infinity]]",
  f: "tensor<float>(x[2],y[3]):[[0.1,0.1,0.3],[-0.0,0,1]]",
  h: "tensor<bfloat16>(y[3]):[2,NaN,1]",
  i: "tensor<int8>(x[2],y[2]):[[127,-128],[127,0]]",
  k: "tensor(k{}):{a:5,b:1,c:5,d:NaN,e:-0.0,f:0}",
  j: "tensor(j{},k{}):{{j:p,k:a}:3,{j:p,k:b}:3,{j:q,k:a}:1,{j:r,k:c}:-0.0,{j:r,k:d}:0}",
  b: "tensor(k{},x[2]):{a:[1,2],b:[2,1],c:[0,-0.0]}",
  e: "tensor(k{}):{}",
  n: "tensor():{2}",
} as const;

/** In all ways: with the ranks of a stored tensor, of a view, of what is computed, in bodies and beside other readers. */
// biome-ignore format: a table
const expressions = [
  "cell_order(a, max)", "cell_order(a, min)", "cell_order(z, max)", "cell_order(f, min)", "cell_order(h, max)", "cell_order(i, max)",
  "cell_order(m, max)", "cell_order(m * 2 - n, min)", "cell_order(rename(m, (x,y), (y,x)), max)", "cell_order(m{x:1}, max)",
  "cell_order(k, max)", "cell_order(j, min)", "cell_order(b, max)", "cell_order(e, max)", "cell_order(n, max)",
  "cell_order(k * rename(k, k, j), max)", "cell_order(rename(j, (j,k), (k,j)), max)",
  "map_subspaces(b, f(s)(cell_order(s, max)))", "tensor(i[3])(reduce(cell_order(a * (i - 1), max) * a, sum))",
  "map(m, f(c)(reduce(cell_order(m * c, min) * m, max)))",
  "reduce(a, median)", "reduce(z, median)", "reduce(m, median, x)", "reduce(m, median, y)", "reduce(f, median, y)", "reduce(f, median)",
  "reduce(h, median)", "reduce(i, median, x)", "reduce(k, median)", "reduce(j, median)", "reduce(j, median, k)", "reduce(j, median, j)",
  "reduce(b, median, k)", "reduce(b, median, x)", "reduce(b, median)", "reduce(e, median)", "reduce(j * b, median, k)", "reduce(j * b, median, j, x)",
  "reduce(j * rename(k, k, i), median, j)", "reduce(j * rename(k, k, i), median, i)", "reduce(j * rename(k, k, i), median, i, k)",
  "map_subspaces(b, f(s)(reduce(s, median)))", "tensor(i[3])(reduce(m * (i - 1), median))",
  "top(2, k)", "top(2.5, k)", "top(0, k)", "top(n, k)", "top(n, j)", "top(n, e)", "top(3, b)", "top(2, k) * cell_order(k, max)",
  "reduce(a * (cell_order(a, max) < n), sum)", "a * (cell_order(a, max) == n) + cell_order(a, max)", "n > cell_order(m, min)",
  "cell_order(a, max) < reduce(cell_order(a, max) < n, sum)", "cell_order(a, max) < a", "cell_order(a, max) != n", "cell_order(a, min) >= 1",
];

test.each(expressions)("%s: as the reference has it", (text) => {
  const used = Object.entries(inputs).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  const tensors = Object.fromEntries(used.map(([name, tensor]) => [name, parseTensor(tensor)]));
  expect(disagreements(ways, text, tensors)).toEqual([]);
});

const sparse = (cells: readonly number[]): string =>
  `tensor(k{}):{${cells.map((cell, at) => `l${at}:${cell}`).join()}}`;

test("what is found up to a rank only is as the reference has it", () => {
  const texts = fc.constantFrom(
    "top(n, t)",
    "top(n, t) + cell_order(t, max)",
    "reduce(t * (cell_order(t, min) <= n), sum)",
    "filter_subspaces(cell_order(t, max) != n, f(s)(s))",
    "(cell_order(t, max) > n) + (cell_order(t, max) < 3) + cell_order(t, max)",
    "filter_subspaces(n == cell_order(t, min), f(s)(s)) * cell_order(t, min)",
  );
  const cells = fc
    .array(cell, { minLength: 1, maxLength: 60 })
    .map((few) => Array.from({ length: 120 }, (_, at) => few[(at * at) % few.length] as number));
  const bound = fc.oneof(fc.integer({ min: -2, max: 8 }), fc.constantFrom(0.5, 200, Number.NaN));
  holds(
    fc.property(texts, cells, bound, (text, drawn, n) => {
      expect(disagreements(ways, text, { t: parseTensor(sparse(drawn)), n })).toEqual([]);
    }),
    40,
  );
});

const stepsOf = (text: string, given: Readonly<Record<string, string>>): readonly string[] => {
  const { types, values } = inputTypes(given, {});
  return compileExpression(text, { inputs: types })
    .plan(values)
    .steps.map(({ description }) => description);
};

test("no order and no median is left to the reference", () => {
  const { k, m, b, j } = inputs;
  expect(stepsOf("reduce(m, median, x)", { m })).toEqual(["median of 3 lines, 6 cells"]);
  expect(stepsOf("reduce(j, median, k)", { j })).toEqual(["median of 3 lines, 5 cells"]);
  expect(stepsOf("cell_order(b, max)", { b })).toEqual(["ranks, descending, of 1 line, 6 cells"]);
  for (const step of stepsOf("top(2, k)", { k })) expect(step).not.toContain("reference");
});
