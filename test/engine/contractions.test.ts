import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { webAssembly } from "../../src/backends/engine/assembler/webassembly.js";
import { contractions } from "../../src/backends/engine/contractions/lowering.js";
import type { Access, DivisibleStep, Instruction, Loop, Slot } from "../../src/backends/engine/loop.js";
import {
  type CellType,
  cellTypeNames,
  cellTypes,
  storeCells,
  writeCell,
} from "../../src/language/types/cell.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import { parseType } from "../../src/program/options.js";
import { holds } from "../chance.js";
import {
  arena,
  differences,
  distance,
  type Expected,
  expected,
  faults,
  hamming,
  loops,
  lowering,
  multiply,
  type Plain,
  plain,
  run,
  summary,
} from "./contractions.js";

/**
 * Contractions against a plain loop: each cell of the target is added up in doubles that keep what rounding loses, and
 * what the kernels made of it has to lie within the bound of D16: 1e-14 (double) or 1e-6 (float) of the sum of
 * magnitudes, and one rounding of the result.
 */

describe("sums of products", () => {
  test.each<[string, Plain]>([
    ["dot", { sizes: [1000], left: [0], right: [0], target: [] }],
    ["matrix times vector", { sizes: [37, 53], left: [0, 1], right: [1], target: [0] }],
    ["transposed matrix times vector", { sizes: [37, 53], left: [1, 0], right: [1], target: [0] }],
    ["matrix product", { sizes: [101, 67, 45], left: [0, 2], right: [2, 1], target: [0, 1] }],
    ["with both transposed", { sizes: [101, 67, 45], left: [2, 0], right: [1, 2], target: [0, 1] }],
    ["with a transposed target", { sizes: [101, 67, 45], left: [0, 2], right: [1, 2], target: [1, 0] }],
    ["of rows with rows", { sizes: [31, 203, 128], left: [0, 2], right: [1, 2], target: [0, 1] }],
    [
      "few rows by a matrix of the second cache",
      { sizes: [11, 45, 200], left: [0, 2], right: [2, 1], target: [0, 1] },
    ],
    ["deep", { sizes: [7, 9, 1500], left: [0, 2], right: [2, 1], target: [0, 1] }],
    ["broad, deep", { sizes: [2, 530, 530], left: [0, 2], right: [2, 1], target: [0, 1] }],
    ["batched", { sizes: [5, 6, 7, 8], left: [0, 1, 3], right: [0, 3, 2], target: [0, 1, 2] }],
    [
      "batch with one right operand",
      { sizes: [5, 6, 7, 8], left: [0, 1, 3], right: [3, 2], target: [1, 0, 2] },
    ],
    ["two summed axes", { sizes: [6, 7, 8, 9], left: [0, 2, 3], right: [3, 1, 2], target: [0, 1] }],
  ])("%s", (_, loop) => {
    for (const type of ["double", "float"] as const) {
      const made = plain({ ...loop, cellTypes: [type, type, type] });
      const sums = expected(made);
      expect(faults(made, { sums })).toEqual([]);
      expect(faults(made, { sums, cuts: [1, 2] })).toEqual([]);
      expect(faults(made, { sums, wide: true })).toEqual([]);
      for (const fixed of [[0], [1], [0, 1]]) expect(faults(made, { sums, fixed })).toEqual([]);
    }
  });

  const layouts: Readonly<Record<string, Plain>> = {
    "where rows lie": { sizes: [7, 5, 33], left: [0, 2], right: [1, 2], target: [0, 1] },
    "down columns": { sizes: [2, 40, 33], left: [0, 2], right: [2, 1], target: [0, 1] },
    packed: { sizes: [19, 23, 37], left: [0, 2], right: [2, 1], target: [0, 1] },
    "packed, both transposed": { sizes: [19, 23, 37], left: [2, 0], right: [1, 2], target: [0, 1] },
    "of vectors": { sizes: [300], left: [0], right: [0], target: [] },
  };

  test.each(cellTypeNames)("of %s cells", (type) => {
    for (const [name, layout] of Object.entries(layouts)) {
      const kinds = (["double", "float"] as const).flatMap((target): Required<Plain>["cellTypes"][] => [
        [type, type, target],
        [type, "float", target],
        ["float", type, target],
      ]);
      const made = kinds.map((types) => faults(plain({ ...layout, cellTypes: types })));
      expect([name, made.flatMap((each) => each ?? [])]).toEqual([name, []]);
    }
  });

  test("of any shapes, strides, tables, cell types and values", () => {
    const counts = { made: 0, lowered: 0 };
    holds(
      fc.property(
        loops,
        fc.array(fc.nat(20), { maxLength: 3 }),
        fc.boolean(),
        fc.subarray([0, 1]),
        (loop, cuts, wide, fixed) => {
          const found = faults(loop, { cuts, wide, fixed });
          counts.made++;
          if (found === undefined) return;
          counts.lowered++;
          expect({ loop: summary(loop), found }).toEqual({ loop: summary(loop), found: [] });
        },
      ),
      600,
    );
    // Otherwise this would have tested little.
    expect(counts.lowered / counts.made).toBeGreaterThan(0.2);
  });

  test("long ones of equal terms, which round the same way each time", () => {
    const shapes: Omit<Plain, "sizes">[] = [
      { left: [2], right: [2], target: [] },
      { left: [0, 2], right: [2], target: [0] },
      { left: [2, 0], right: [2], target: [0] },
      { left: [0, 2], right: [2, 1], target: [0, 1] },
      { left: [0, 2], right: [1, 2], target: [0, 1] },
    ];
    for (const shape of shapes)
      for (const type of ["double", "float"] as const)
        for (const value of [0.1, 1 / 3, 1.9999])
          for (const length of [300, 5000, 100_000]) {
            const sizes = [4, 4, length].map((size, axis) =>
              [...shape.left, ...shape.right].includes(axis) ? size : 1,
            );
            const loop = plain({ ...shape, sizes, cellTypes: [type, type, type], numbers: () => value });
            const found = faults(loop, { sums: constant(loop, value, length) });
            expect({ shape, type, value, length, found }).toEqual({ shape, type, value, length, found: [] });
          }
  });

  /** Each cell is so many times the square of a number. */
  function constant(loop: Loop, value: number, length: number): Map<number, Expected> {
    const cell = cellTypes[loop.target.cellType].store(value);
    const sum = cell * cell * length;
    const places = Array.from({ length: loop.target.slot.block.length }, (_, at) => at);
    return new Map(places.map((at) => [at, { sum, magnitude: sum, terms: length }]));
  }

  test.each<[string, number[], number[], number]>([
    ["zero times infinite", [0, 1, 2], [Number.POSITIVE_INFINITY, 1, 1], Number.NaN],
    ["opposite infinities", [1, 1, 2], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1], Number.NaN],
    ["infinite", [1, 1, 2], [Number.POSITIVE_INFINITY, 3, 1], Number.POSITIVE_INFINITY],
    ["no number", [0, 0, 0], [Number.NaN, 3, 1], Number.NaN],
    ["floats beyond floats on the way", [3e38, 3e38, -3e38], [1, 1, 1], Math.fround(3e38)],
    ["floats beyond floats at the end", [3e38, 3e38, 3e38], [1, 1, 1], Number.POSITIVE_INFINITY],
  ])("of special values: %s", (_, one, other, sum) => {
    for (const cellType of ["double", "float"] as const)
      for (const right of [[2], [2, 1], [1, 2]]) {
        if (cellType === "double" && sum === Number.POSITIVE_INFINITY && one[0] === 3e38) continue;
        // A value for each place of the sum, whatever else an operand moves along.
        const sizes = [1, right.length === 1 ? 1 : 5, 3];
        const along = (axes: readonly number[], values: readonly number[]) => (at: number) =>
          values[axes.at(-1) === 2 ? at % 3 : Math.floor(at / 5)] ?? 0;
        const loop = plain({
          sizes,
          left: [2],
          right,
          target: right.length === 1 ? [] : [1],
          cellTypes: [cellType, cellType, cellType],
        });
        fill(loop.sources[0], along([2], one));
        fill(loop.sources[1], along(right, other));
        const made = lowering()(loop);
        made?.run(0, made.extent);
        const cells = [...(loop.target.slot.block.cells as Float64Array)];
        const nearest = cellType === "double" && Number.isFinite(sum) ? 3e38 : sum;
        expect(cells).toEqual(cells.map(() => nearest));
      }
  });

  function fill(access: Access | undefined, values: (at: number) => number): void {
    if (access === undefined) return;
    const { block } = access.slot;
    for (let at = 0; at < block.length; at++) writeCell(block.cellType, block.cells, at, values(at));
  }

  test("of bytes are exact however long", () => {
    const bytes: [CellType, CellType, CellType] = ["int8", "int8", "double"];
    for (const body of [multiply, distance, hamming]) {
      const loop = plain({ sizes: [1_000_003], left: [0], right: [0], target: [], cellTypes: bytes, body });
      fill(loop.sources[0], () => -128);
      fill(loop.sources[1], () => (body === multiply ? -128 : 127));
      const made = lowering()(loop);
      made?.run(0, made.extent);
      const each = body === multiply ? 128 * 128 : body === distance ? 255 * 255 : 8;
      expect(loop.target.slot.block.cells[0]).toBe(each * 1_000_003);
    }
  });

  test("of pieces lose nothing where the pieces are added up", () => {
    const doubles: [CellType, CellType, CellType] = ["double", "double", "double"];
    const pieces = 65_536;
    const loop = plain({ sizes: [3 * pieces + 5], left: [0], right: [0], target: [], cellTypes: doubles });
    // Each of the small sums by itself is rounded away, beside the large one.
    const cells = new Map([
      [0, 2 ** 53],
      [pieces, 1],
      [2 * pieces + 3, 1],
      [3 * pieces + 1, 2],
    ]);
    fill(loop.sources[0], (at) => cells.get(at) ?? 0);
    fill(loop.sources[1], () => 1);
    const made = lowering()(loop);
    expect(made?.description).toContain("in 4 pieces");
    made?.run(0, made.extent);
    expect(loop.target.slot.block.cells[0]).toBe(2 ** 53 + 4);
  });
});

describe("steps", () => {
  const product: Plain = { sizes: [200, 20, 30], left: [0, 2], right: [2, 1], target: [0, 1] };
  const floats = (loop: Loop): number[] => [...(loop.target.slot.block.cells as Float64Array)];

  test.each<[string, Plain, string]>([
    ["packed", { ...product, sizes: [100, 70, 70] }, "matrix product 100×70×70, double"],
    ["turned", { ...product, sizes: [2, 40, 20], right: [1, 2] }, "matrix product 2×20×40, double, in place"],
    ["of one sum", { ...product, sizes: [1, 1, 300] }, "dot product 300, double, in place"],
  ])("run again with other blocks, and with fixed ones %s once", (_, shape, description) => {
    for (const fixed of [[], [1]]) {
      const loop = plain(shape);
      const isFixed = (slot: Slot): boolean => fixed.some((at) => loop.sources[at]?.slot === slot);
      const made = contractions(arena, { isFixed })(loop);
      if (made === undefined) throw new Error("not lowered");
      expect(made.description).toBe(description);
      run(loop, made);
      expect(differences(loop)).toEqual([]);
      const other = plain({ ...shape, numbers: (at) => (at % 17) - 8 });
      for (const [at, { slot }] of loop.sources.entries())
        slot.block = other.sources[at]?.slot.block ?? slot.block;
      loop.target.slot.block = other.target.slot.block;
      run(loop, made, [1]);
      expect(differences(loop)).toEqual([]);
    }
  });

  test.each<[string, number[], boolean]>([
    ["many of few terms", [200, 16], false],
    ["few of few terms", [4, 16], true],
    ["many of many terms", [200, 160], true],
  ])("of a row by a row each, %s", (_, sizes, isLowered) => {
    const loop = plain({ sizes, left: [0, 1], right: [0, 1], target: [0] });
    expect(contractions(arena)(loop) !== undefined).toBe(isLowered);
  });

  test("can be paused while others run", () => {
    const lower = contractions(arena);
    const [one, other] = [
      plain({ ...product, sizes: [200, 70, 70] }),
      plain({ ...product, sizes: [200, 80, 60] }),
    ];
    const [first, second] = [lower(one), lower(other)];
    if (first === undefined || second === undefined) throw new Error("not lowered");
    first.run(0, 1);
    second.run(0, 2);
    first.run(1, 2);
    second.run(2, second.extent);
    first.run(2, first.extent);
    expect([differences(one), differences(other)]).toEqual([[], []]);
  });

  test("make the same of parts in any order and with any scratch memory", () => {
    for (const shape of [product, { ...product, right: [1, 2] }, { ...product, sizes: [300, 150, 700] }]) {
      const loop = plain(shape);
      const made = lowering()(loop);
      if (made === undefined || !("division" in made)) throw new Error("not lowered");
      const { division, extent, run: runParts } = made as DivisibleStep;
      runParts(0, extent);
      const whole = floats(loop);
      (loop.target.slot.block.cells as Float64Array).fill(0);
      if (webAssembly === undefined || arena.memory === undefined) throw new Error("no WebAssembly");
      const instance = new webAssembly.Instance(division.module, { m: { memory: arena.memory } });
      division.prepare(0);
      for (let part = extent - 1; part >= 0; part--) {
        const scratch = arena.allocate("int8", division.scratchBytes)?.address ?? 0;
        instance.exports[division.entry]?.(...division.values(part, part + 1, scratch));
      }
      expect(floats(loop)).toEqual(whole);
    }
  });

  test("of no cells", () => {
    expect(faults(plain({ sizes: [3, 4, 0], left: [0, 2], right: [2, 1], target: [0, 1] }))).toEqual([]);
    expect(faults(plain({ sizes: [0, 4, 3], left: [0, 2], right: [2, 1], target: [0, 1] }))).toEqual([]);
  });

  test("are not made of other loops", () => {
    const loop = plain(product);
    const lower = contractions(arena);
    const read: readonly Instruction[] = [
      { op: "read", source: 0 },
      { op: "read", source: 1 },
    ];
    const sum: Instruction = { op: "apply", function: "add", arguments: [0, 1] };
    expect(lower({ ...loop, aggregator: "max" })).toBeUndefined();
    expect(lower({ ...loop, aggregator: undefined })).toBeUndefined();
    expect(lower({ ...loop, body: [...read, sum] })).toBeUndefined();
    // What storing a product in a narrow cell loses is meant to be lost.
    expect(
      lower({ ...loop, body: [...multiply, { op: "store", cellType: "int8", value: 2 }] }),
    ).toBeUndefined();
    expect(
      lower({ ...loop, body: [...multiply, { op: "store", cellType: "float", value: 2 }] }),
    ).toBeUndefined();
  });
});

describe("sums of floats that overflow in between", () => {
  // As large as those that are packed, and tiles that are cut off at each side.
  // biome-ignore format: a table
  test.each([
    { rows: 1,  columns: 1,   length: 8,   factor: 1, right: "j,k" },
    { rows: 3,  columns: 5,   length: 40,  factor: 1, right: "j,k" },
    { rows: 40, columns: 50,  length: 60,  factor: 1, right: "j,k" },
    { rows: 67, columns: 131, length: 300, factor: 1, right: "j,k" },
    { rows: 1,  columns: 512, length: 24,  factor: 1, right: "k,l" },
    { rows: 3,  columns: 128, length: 32,  factor: 1, right: "k,l" },
    { rows: 4,  columns: 131, length: 300, factor: 1, right: "k,l" },
    // Products that are too great for a float are infinite, whatever they are added to.
    { rows: 1,  columns: 1,   length: 8,   factor: 2, right: "j,k" },
    { rows: 3,  columns: 5,   length: 40,  factor: 2, right: "j,k" },
    { rows: 67, columns: 131, length: 300, factor: 2, right: "j,k" },
    { rows: 2,  columns: 512, length: 24,  factor: 2, right: "k,l" },
  ])("are what doubles add up to: $rows × $length × $columns of $right, times $factor", ({ rows, columns, length, factor, right }) => {
    const areColumnsTogether = right === "k,l";
    const dimensions = areColumnsTogether ? `k[${length}],l[${columns}]` : `j[${columns}],k[${length}]`;
    const program = compile("sum(a * b, k)", {
      inputs: { a: `tensor<float>(i[${rows}],k[${length}])`, b: `tensor<float>(${dimensions})` },
      backend: "engine",
    });
    const large = 3e38;
    // A few rows go beyond the range of floats and come back; the others stay small.
    const cell = (row: number, k: number): number => (row % 3 === 0 ? (k % 4 < 2 ? large : -large) : (row + k) % 5);
    const a = Float32Array.from({ length: rows * length }, (_, at) => cell(Math.floor(at / length), at % length));
    const placeOf = (column: number, k: number): number =>
      areColumnsTogether ? k * columns + column : column * length + k;
    const b = new Float32Array(columns * length).fill(factor);
    for (let column = 0; column < columns; column += 2) b[placeOf(column, 0)] = 0.5;
    const expected = Float64Array.from({ length: rows * columns }, (_, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      let sum = 0;
      for (let k = 0; k < length; k++)
        sum += Math.fround((a[row * length + k] ?? 0) * (b[placeOf(column, k)] ?? 0));
      return Math.fround(sum);
    });
    // Often enough for code to be made.
    for (let run = 0; run < 8; run++)
      expect(Array.from(program.run({ a, b }).data, Number)).toEqual([...expected]);
  });
});

// The square of what is far is no float; a product of the same cells may be one.
test.each([1, 3, 67])("squared distances beyond floats are infinite, of %i rows", (rows) => {
  const far = (at: number): number => (at < 5000 && at % 41 === 0 ? 3e38 : 0.5);
  const form: Plain = { sizes: [rows, 5, 40], left: [0, 2], right: [1, 2], target: [0, 1] };
  const loop = plain({ ...form, numbers: far, cellTypes: ["float", "float", "float"], body: distance });
  const sums = Array.from(expected(loop).values(), ({ sum }) => Math.fround(sum));
  run(loop, lowering()(loop) ?? expect.unreachable());
  expect(Array.from(loop.target.slot.block.cells, Number)).toEqual(sums);
});

describe("operands that are others in each run", () => {
  // Large enough to be packed, on either side, of one cell type or of two.
  test.each([
    { left: "float", right: "float" },
    { left: "double", right: "double" },
    { left: "int8", right: "bfloat16" },
  ] as const)("$left times $right", ({ left, right }) => {
    const size = 130;
    const inputs = {
      a: `tensor<${left}>(i[${size}],k[${size}])`,
      b: `tensor<${right}>(j[${size}],k[${size}])`,
    };
    const prepared = compile("sum(a * b, k)", { inputs, backend: "engine" }).prepare();
    const cells = (factor: number): Float64Array =>
      Float64Array.from({ length: size * size }, (_, at) => ((at * factor) % 11) - 5);
    const tensor = (type: string, cellType: CellType, numbers: Float64Array): Tensor =>
      Tensor.from(parseType(type), storeCells(cellType, numbers));
    for (const turn of [1, 2, 3]) {
      const [a, b] = [cells(turn + 6), cells(turn + 2)];
      const expected = Array.from({ length: size * size }, (_, at) => {
        const [row, column] = [Math.floor(at / size) * size, (at % size) * size];
        let sum = 0;
        for (let k = 0; k < size; k++) sum += (a[row + k] ?? 0) * (b[column + k] ?? 0);
        return sum;
      });
      expect(
        Array.from(
          prepared.run({ a: tensor(inputs.a, left, a), b: tensor(inputs.b, right, b) }).data,
          Number,
        ),
      ).toEqual(expected);
    }
  });
});
