import fc from "fast-check";
import { contractions } from "../../src/backends/engine/contractions/lowering.js";
import type {
  Access,
  Instruction,
  Loop,
  Lowering,
  Slot,
  Step,
  Stride,
} from "../../src/backends/engine/loop.js";
import { Arena } from "../../src/backends/engine/memory/arena.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import {
  type CellType,
  cellTypeNames,
  cellTypes,
  readCell,
  writeCell,
} from "../../src/language/types/cell.js";
import { isNear } from "../../src/language/values/near.js";

/** Loops that are contractions, plain ones and of any kind, and what a plain evaluation makes of them. */

export const arena = new Arena();

export interface Expected {
  readonly sum: number;
  readonly magnitude: number;
  readonly terms: number;
}

/** Each place of the loop: its indexes. */
function* places(sizes: readonly number[]): Generator<readonly number[]> {
  if (sizes.some((size) => size === 0)) return;
  const at = sizes.map(() => 0);
  for (;;) {
    yield at;
    let axis = sizes.length - 1;
    for (; axis >= 0; axis--) {
      at[axis] = (at[axis] ?? 0) + 1;
      if ((at[axis] ?? 0) < (sizes[axis] ?? 0)) break;
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

const step = (along: Stride | undefined, at: number): number =>
  typeof along === "object" ? Number(along.block.cells[at] ?? 0) : (along ?? 0) * at;

const cellAt = ({ offset, strides }: Access, at: readonly number[]): number =>
  strides.reduce<number>((sum, along, axis) => sum + step(along, at[axis] ?? 0), offset);

/** What the body makes of the cells of one place, in doubles and not rounded between. */
function termOf({ body, sources }: Loop, at: readonly number[]): number {
  const values: number[] = [];
  for (const each of body) values.push(valueOfInstruction(each));
  return values.at(-1) ?? Number.NaN;

  function valueOfInstruction(each: Instruction): number {
    if (each.op === "read") {
      const access = sources[each.source];
      if (access === undefined) throw new Error("no such source");
      return readCell(access.cellType, access.slot.block.cells, cellAt(access, at));
    }
    if (each.op === "constant") return each.value;
    if (each.op === "store") return values[each.value] ?? Number.NaN;
    if (each.op !== "apply") throw new Error(`not in a contraction: ${each.op}`);
    const given = each.arguments.map((argument) => values[argument] ?? Number.NaN);
    return (scalarFunctions[each.function].compute as (...numbers: number[]) => number)(...given);
  }
}

export function expected(loop: Loop): Map<number, Expected> {
  const found = new Map<
    number,
    { sum: number; lost: number; special: number; magnitude: number; terms: number }
  >();
  const kept = loop.axes.map(({ size, isReduced }) => (isReduced ? 1 : size));
  for (const at of places(kept))
    found.set(cellAt(loop.target, at), { sum: 0, lost: 0, special: 0, magnitude: 0, terms: 0 });
  for (const at of places(loop.axes.map(({ size }) => size))) {
    const value = termOf(loop, at);
    const cell = found.get(cellAt(loop.target, at));
    if (cell === undefined) throw new Error("a place outside of the target");
    cell.terms++;
    if (!Number.isFinite(value)) cell.special += value;
    else {
      const sum = cell.sum + value;
      const part = sum - cell.sum;
      cell.lost += cell.sum - (sum - part) + (value - part);
      cell.sum = sum;
      cell.magnitude += Math.abs(value);
    }
  }
  return new Map(
    [...found].map(([at, { sum, lost, special, magnitude, terms }]) => [
      at,
      { sum: special === 0 ? sum + lost : special, magnitude, terms },
    ]),
  );
}

interface Options {
  readonly wide?: boolean;
  /** Which sources are fixed, by their numbers. */
  readonly fixed?: readonly number[];
  /** Where a run is cut into parts. */
  readonly cuts?: readonly number[];
  readonly sums?: Map<number, Expected>;
}

const lowerings = new Map<boolean, Lowering>();
let fixedSlots: ReadonlySet<Slot | undefined> = new Set();

/** One for all loops, so that kernels are compiled once. */
export function lowering(wide = false): Lowering {
  const found = lowerings.get(wide) ?? contractions(arena, { wide, isFixed: (slot) => fixedSlots.has(slot) });
  lowerings.set(wide, found);
  return found;
}

/** Runs the step of a loop and says where it is not within the bound; nothing where there is no step. */
export function faults(loop: Loop, options: Options = {}): string[] | undefined {
  fixedSlots = new Set(options.fixed?.map((at) => loop.sources[at]?.slot));
  const made = lowering(options.wide)(loop);
  fixedSlots = new Set();
  if (made === undefined) return undefined;
  run(loop, made, options.cuts);
  return differences(loop, options.sums);
}

/** Runs a step in parts, on a target full of something else. */
export function run(loop: Loop, { extent, run: runParts }: Step, cuts: readonly number[] = []): void {
  const { block } = loop.target.slot;
  for (let at = 0; at < block.length; at++) writeCell(block.cellType, block.cells, at, untouched);
  const bounds = [0, ...cuts.map((cut) => cut % (extent + 1)).sort((one, other) => one - other), extent];
  for (const [at, from] of bounds.slice(0, -1).entries()) {
    const to = bounds[at + 1] ?? from;
    if (to > from || at === 0) runParts(from, to);
  }
}

const untouched = 12345;

export function differences(loop: Loop, sums = expected(loop)): string[] {
  const { block } = loop.target.slot;
  const isFloat =
    loop.target.cellType === "float" ||
    loop.body.some((each) => each.op === "store" && each.cellType === "float");
  const bound = isFloat ? 1e-6 : 1e-14;
  const wrong: string[] = [];
  for (let at = 0; at < block.length; at++) {
    const got = readCell(block.cellType, block.cells, at);
    const { sum, magnitude, terms } = sums.get(at) ?? { sum: untouched, magnitude: 0, terms: 0 };
    const rounded = cellTypes[block.cellType].store(sum);
    if (Object.is(got, rounded) || (got === 0 && rounded === 0)) continue;
    const unit = block.cellType === "float" ? 2 ** -24 : 2 ** -53;
    // Terms that are floats by themselves lose up to the least float each.
    const least = isFloat ? (terms + 1) * 2 ** -149 : (terms + 1) * 2 ** -1074;
    const allowed = bound * magnitude + unit * Math.abs(sum) + least;
    if (!isNear(got, sum, allowed)) wrong.push(`cell ${at}: ${got}, not ${sum} within ${allowed}`);
  }
  return wrong;
}

function slotOf(cellType: CellType, numbers: readonly number[]): Slot {
  const block = arena.allocate(cellType, numbers.length);
  if (block === undefined) throw new Error("no memory");
  for (const [at, value] of numbers.entries()) writeCell(cellType, block.cells, at, value);
  return { block };
}

export const multiply: readonly Instruction[] = [
  { op: "read", source: 0 },
  { op: "read", source: 1 },
  { op: "apply", function: "multiply", arguments: [0, 1] },
];

/** Row-major steps of an operand that has the axes of these numbers. */
function dense(sizes: readonly number[], has: readonly number[]): number[] {
  const strides = sizes.map(() => 0);
  let next = 1;
  for (const axis of has.toReversed()) {
    strides[axis] = next;
    next *= sizes[axis] ?? 0;
  }
  return strides;
}

export interface Plain {
  readonly sizes: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly target: readonly number[];
  readonly cellTypes?: readonly [CellType, CellType, CellType];
  readonly body?: readonly Instruction[];
  readonly numbers?: (at: number) => number;
}

/** A loop over row-major operands, each with the axes of its numbers. */
export function plain({
  sizes,
  left,
  right,
  target,
  cellTypes: types,
  body = multiply,
  numbers,
}: Plain): Loop {
  const [leftType, rightType, targetType] = types ?? ["double", "double", "double"];
  const value = numbers ?? ((at: number): number => Math.round(Math.sin(at * 12.9898) * 1000) / 64);
  const access = (has: readonly number[], cellType: CellType, seed: number): Access => {
    const length = has.reduce((product, axis) => product * (sizes[axis] ?? 0), 1);
    const slot = slotOf(
      cellType,
      Array.from({ length }, (_, at) => value(at + seed)),
    );
    return { slot, cellType, offset: 0, strides: dense(sizes, has) };
  };
  return {
    axes: sizes.map((size, axis) => ({ size, isReduced: !target.includes(axis) })),
    sources: [access(left, leftType, 1), access(right, rightType, 5000)],
    body,
    target: access(target, targetType, 0),
    aggregator: "sum",
  };
}

/** What is special about a loop, for whoever reads that it failed. */
export const summary = ({ axes, sources, target, body }: Loop): string =>
  JSON.stringify({
    axes: axes.map(({ size, isReduced }) => (isReduced ? `sum ${size}` : size)),
    accesses: [...sources, target].map(({ cellType, offset, strides }) => ({
      cellType,
      offset,
      strides: strides.map((each) => (typeof each === "number" ? each : "table")),
    })),
    body: body.slice(2),
  });

const applied = (name: "multiply" | "hamming" | "subtract"): readonly Instruction[] => [
  { op: "read", source: 0 },
  { op: "read", source: 1 },
  { op: "apply", function: name, arguments: [0, 1] },
];
export const hamming = applied("hamming");
export const distance: readonly Instruction[] = [
  ...applied("subtract"),
  { op: "apply", function: "square", arguments: [2] },
];

/** Bodies of contractions, with what may be rounded on the way. */
function bodyOf(kind: string, joined: CellType | undefined): readonly Instruction[] {
  const store = (value: number): Instruction[] =>
    joined === undefined ? [] : [{ op: "store", cellType: joined, value }];
  const last = (body: readonly Instruction[]): number => body.length - 1;
  if (kind === "multiply") return [...multiply, ...store(2)];
  if (kind === "hamming") return [...hamming, ...store(2)];
  const difference = [...applied("subtract"), ...store(2)];
  const root = last(difference);
  const two: Instruction = { op: "constant", value: 2 };
  const squares: Record<string, Instruction[]> = {
    square: [{ op: "apply", function: "square", arguments: [root] }],
    "x*x": [{ op: "apply", function: "multiply", arguments: [root, root] }],
    "x^2": [two, { op: "apply", function: "pow", arguments: [root, root + 1] }],
  };
  const squared = [...difference, ...(squares[kind] ?? [])];
  return [...squared, ...store(last(squared))];
}

interface LooseAxis {
  readonly size: number;
  readonly role: "batch" | "rows" | "columns" | "sum" | "left sum" | "right sum" | "any";
}

/** Which of left, right and target moves along an axis of a role. */
const moves: Readonly<Record<LooseAxis["role"], readonly [boolean, boolean, boolean]>> = {
  batch: [true, true, true],
  rows: [true, false, true],
  columns: [false, true, true],
  sum: [true, true, false],
  "left sum": [true, false, false],
  "right sum": [false, true, false],
  any: [false, false, true],
};

const sizes = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 70 }) },
  { weight: 1, arbitrary: fc.constant(0) },
);
const looseAxis: fc.Arbitrary<LooseAxis> = fc.record({
  size: sizes,
  role: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom("rows", "columns", "sum", "sum") },
    { weight: 2, arbitrary: fc.constantFrom("batch", "left sum", "right sum", "any") },
  ),
});
const special = [0, -0, 1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1e-40];
const narrow: readonly CellType[] = ["bfloat16", "int8", "half", "short"];

/** How the cells of an operand lie: the order of its axes, gaps, what runs backwards, and where there is a table. */
const layout = fc.record({
  order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
  gap: fc.constantFrom(1, 1, 1, 2, 3),
  backwards: fc.constantFrom(undefined, undefined, undefined, 0, 1, 2),
  table: fc.constantFrom(undefined, undefined, undefined, 0, 1, 2),
  offset: fc.nat(5),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

function accessOf(
  axes: readonly LooseAxis[],
  side: 0 | 1 | 2,
  cellType: CellType,
  how: Layout,
  value: () => number,
): Access {
  const strides: Stride[] = axes.map(() => 0);
  let offset = how.offset;
  let next = how.gap === 3 ? 2 : 1;
  for (const at of how.order) {
    const axis = axes[at];
    if (axis === undefined || !moves[axis.role][side]) continue;
    const stride = next;
    next *= Math.max(axis.size, 1) * how.gap;
    if (how.table === at && side !== 2) {
      const places = Array.from(
        { length: axis.size },
        (_, place) => ((place * 7 + 3) % Math.max(axis.size, 1)) * stride,
      );
      strides[at] = { block: slotOf("int", places).block };
    } else if (how.backwards === at) {
      strides[at] = -stride;
      offset += stride * Math.max(axis.size - 1, 0);
    } else strides[at] = stride;
  }
  return {
    slot: slotOf(cellType, Array.from({ length: next + how.offset }, value)),
    cellType,
    offset,
    strides,
  };
}

const anyType = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<CellType>("double", "float") },
  { weight: 2, arbitrary: fc.constantFrom<CellType>(...cellTypeNames) },
);

export const loops: fc.Arbitrary<Loop> = fc
  .record({
    axes: fc.array(looseAxis, { maxLength: 5 }),
    layouts: fc.tuple(layout, layout, layout),
    types: fc.oneof(
      fc.constantFrom<[CellType, CellType]>(["double", "double"], ["float", "float"], ["int8", "int8"]),
      fc.tuple(anyType, anyType),
    ),
    target: fc.constantFrom<CellType>("double", "float"),
    kind: fc.constantFrom("multiply", "multiply", "multiply", "hamming", "square", "x*x", "x^2"),
    isJoined: fc.boolean(),
    specials: fc.constantFrom(0, 0, 0, 40),
    seed: fc.nat(1000),
  })
  .filter(({ axes }) => axes.reduce((product, { size }) => product * Math.max(size, 1), 1) <= 20_000)
  .map(({ axes, layouts, types, target, kind, isJoined, specials, seed }) => {
    let at = seed;
    const value = (): number => {
      at++;
      if (specials > 0 && at % specials === 0) return special[(at / specials) % special.length] ?? 0;
      return Math.round(Math.sin(at * 12.9898) * 1000) / 8;
    };
    const isNarrow = types.every((type) => type === "float" || narrow.includes(type));
    return {
      axes: axes.map(({ size, role }) => ({ size, isReduced: !moves[role][2] })),
      sources: [
        accessOf(axes, 0, types[0], layouts[0], value),
        accessOf(axes, 1, types[1], layouts[1], value),
      ],
      body: bodyOf(kind, isJoined ? (isNarrow ? "float" : "double") : undefined),
      target: accessOf(axes, 2, target, layouts[2], () => 0),
      aggregator: "sum",
    };
  });
