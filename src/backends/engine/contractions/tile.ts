import type { CellType } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import { addExactly, compensatedTotal } from "./compensated-sum.js";
import { atMost, locals, words } from "./descriptor.js";
import { floatStretch, lanes, type Precision, shifts } from "./lanes.js";
import { lanesLoader, loadCell } from "./loading.js";
import { nonFiniteOf, setOverflowFlag } from "./overflow-retry.js";

/** The shape of the innermost loop, which decides how fast it is; see kernels.ts. */
export interface TileKernel {
  /** Rows of a tile, and vectors in each row. */
  readonly rows: number;
  readonly vectors: number;
  /** How many products each turn of the loop adds to each cell. */
  readonly unroll: number;
  /** Whether it multiplies and adds in one instruction. */
  readonly fused: boolean;
}

/** Numbers in a row of a tile. */
export const columnsOf = (kernel: TileKernel, precision: Precision): number =>
  kernel.vectors * lanes[precision].count;

/** Where a tile's products are added up: one double for each cell. */
export const tileBytes = (kernel: TileKernel, precision: Precision): number =>
  kernel.rows * columnsOf(kernel, precision) * 8;

/**
 * Tiles of packed panels; or of one or two rows, and of columns that lie next to each other in memory, at a distance from
 * each index of the sum to the next. A short one, whose sum is no longer than a chain, is stored as it is, without
 * doubles.
 */
export type TileForm =
  | { readonly kind: "packed" }
  | { readonly kind: "strided" | "short"; readonly left: CellType; readonly right: CellType };

/** Behind what is lost: where sums are stored to be added exactly. */
const spillAt = 512;
const highHalf = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/**
 * `tile(k, left, right, sums, spare)`: the products of two packed panels, k deep. Panels hold the rows of the left (or
 * the columns of the right) for one index of the sum after another. All cells of the tile stay in registers for as long
 * as a chain may be, then they are added to what is in memory: doubles to the doubles at `sums`; floats to floats at
 * `spare`, and these, again and again, to the doubles. Vectors are loaded and stored next to each other, the form of
 * which V8 can make 256-bit instructions. Other forms have more parameters: the bytes to the next index of the sum on the
 * left and on the right, and where the second row begins, if there are two. `short` has the rows of the target for
 * `sums` and what follows it, and scratch memory at the end.
 */
export function tileCode(name: string, precision: Precision, kernel: TileKernel, form: TileForm): Code {
  const lane = lanes[precision];
  const { rows, vectors, unroll } = kernel;
  const columns = columnsOf(kernel, precision);
  const parameters = { packed: 5, strided: 6 + rows, short: 7 + rows }[form.kind];
  const code = new Code(name, words(parameters), [], false);
  const [k, left, right, sums, spare, leftStep, rightStep, second] = [0, 1, 2, 3, 4, 5, 6, 7];
  const cells = Array.from({ length: rows * vectors }, () => code.local("v128"));
  const one = code.local("v128");
  const [turns, chain, stretch] = locals(code, 3);
  // Packed panels are no longer than a few chains. What other doubles lose is stored at `spare`.
  const isLong = precision === "double" && form.kind === "strided";
  const [total, lost, added, sum, part] = locals(code, 5, "v128");
  const step = stepCode(code, precision, kernel, form, { cells, one, left, right, second });
  const repeat = (steps: number): void => {
    code.get(turns).if(() =>
      code.loop(() => {
        for (let turn = 0; turn < steps; turn++) step(turn);
        if (form.kind === "packed")
          code.advance(left, steps * rows * lane.width).advance(right, steps * columns * lane.width);
        else {
          for (const row of [left, second].slice(0, rows)) code.get(row).get(leftStep).do("i32.add").set(row);
          code.get(right).get(rightStep).do("i32.add").set(right);
        }
        code.get(turns).i32(1).do("i32.sub").tee(turns).branchIf();
      }),
    );
  };
  const addChain = (remaining: number, into: number): void => {
    takeAtMost(code, remaining, lane.chain, chain);
    for (const cell of cells) code.v128("i32x4", 0).set(cell);
    if (unroll === 1) {
      code.get(chain).set(turns);
      repeat(1);
    } else {
      code.get(chain).i32(unroll).do("i32.div_u").set(turns);
      repeat(unroll);
      code.get(chain).i32(unroll).do("i32.rem_u").set(turns);
      repeat(1);
    }
    if (isLong) {
      for (const [at, cell] of cells.entries())
        code
          .get(spare)
          .get(cell)
          .memory("v128.store", spillAt + at * 16);
      for (const at of cells.keys()) {
        code
          .get(spare)
          .memory("v128.load", spillAt + at * 16)
          .set(added);
        code
          .get(sums)
          .memory("v128.load", at * 16)
          .set(total);
        code
          .get(spare)
          .memory("v128.load", at * 16)
          .set(lost);
        addExactly(code, { total, lost, added, sum, part });
        code
          .get(sums)
          .get(total)
          .memory("v128.store", at * 16);
        code
          .get(spare)
          .get(lost)
          .memory("v128.store", at * 16);
      }
      return;
    }
    for (const [at, cell] of cells.entries())
      code
        .get(into)
        .memory("v128.load", at * 16)
        .get(cell)
        .do(lane.add)
        .set(cell);
    for (const [at, cell] of cells.entries())
      code
        .get(into)
        .get(cell)
        .memory("v128.store", at * 16);
  };

  if (form.kind === "short") {
    code.get(k).set(turns);
    repeat(1);
    for (const [at, cell] of cells.entries())
      code
        .get(at < vectors ? sums : spare)
        .get(cell)
        .memory("v128.store", (at % vectors) * 16);
    if (precision === "float") {
      code.v128("i32x4", 0).set(one);
      for (const cell of cells) nonFiniteOf(code, cell, "f32x4").get(one).do("f32x4.add").set(one);
      setOverflowFlag(code, one, "f32x4", () => code.get(6 + rows));
    }
    return code;
  }
  zero(code, sums, (rows * columns) / 2);
  if (isLong) zero(code, spare, cells.length);
  whileAny(code, k, () => {
    if (precision === "double") addChain(k, sums);
    else {
      takeAtMost(code, k, floatStretch, stretch);
      zero(code, spare, cells.length);
      whileAny(code, stretch, () => addChain(stretch, spare));
      for (const at of cells.keys()) addFloats(code, sums, spare, at, one);
    }
  });
  if (isLong)
    for (const at of cells.keys()) {
      code
        .get(sums)
        .memory("v128.load", at * 16)
        .set(total);
      code
        .get(spare)
        .memory("v128.load", at * 16)
        .set(lost)
        .get(sums);
      compensatedTotal(code, { total, lost });
      code.memory("v128.store", at * 16);
    }
  return code;
}

interface StepLocals {
  readonly cells: readonly number[];
  readonly one: number;
  readonly left: number;
  readonly right: number;
  readonly second: number;
}

/** Code for one index of the sum, so many indexes from where the panels are. */
function stepCode(
  code: Code,
  precision: Precision,
  { rows, vectors, fused }: TileKernel,
  form: TileForm,
  { cells, one, left, right, second }: StepLocals,
): (turn: number) => void {
  const lane = lanes[precision];
  const across = Array.from({ length: vectors }, () => code.local("v128"));
  const bits = code.local("i32");
  const loadRight = form.kind === "packed" ? undefined : lanesLoader(form.right, precision);
  const loadLeft = (turn: number, row: number): void => {
    if (form.kind === "packed") code.get(left).memory(lane.loadAll, (turn * rows + row) * lane.width);
    else if (form.left === precision) code.get(row === 0 ? left : second).memory(lane.loadAll);
    else {
      code.get(row === 0 ? left : second);
      loadCell(code, form.left, precision, bits);
      code.do(lane.splat);
    }
  };
  return (turn) => {
    for (const [v, vector] of across.entries()) {
      code.get(right);
      if (form.kind === "packed" || loadRight === undefined)
        code.memory("v128.load", (turn * vectors + v) * 16);
      else loadRight(code, v * (lane.count << shifts[form.right]));
      code.set(vector);
    }
    for (let row = 0; row < rows; row++) {
      loadLeft(turn, row);
      code.set(one);
      for (const [v, vector] of across.entries()) {
        const cell = cells[row * vectors + v] ?? 0;
        if (fused) code.get(one).get(vector).get(cell).do(lane.multiplyAdd).set(cell);
        else code.get(cell).get(one).get(vector).do(lane.multiply, lane.add).set(cell);
      }
    }
  };
}

/** `while (rest > 0)`. */
export function whileAny(code: Code, remaining: number, body: () => void): void {
  code.block(() =>
    code.loop(() => {
      code.get(remaining).do("i32.eqz").branchIf(1);
      body();
      code.branch();
    }),
  );
}

/** Takes the most it may from what is left. */
export function takeAtMost(code: Code, remaining: number, most: number, count: number): void {
  atMost(code, most, remaining).set(count);
  code.get(remaining).get(count).do("i32.sub").set(remaining);
}

export function zero(code: Code, address: number, vectors: number): void {
  for (let at = 0; at < vectors; at++)
    code
      .get(address)
      .v128("i32x4", 0)
      .memory("v128.store", at * 16);
}

/** Adds a vector of four floats at `spare` to the corresponding four doubles in `sums`. */
function addFloats(code: Code, sums: number, spare: number, at: number, vector: number): void {
  code
    .get(spare)
    .memory("v128.load", at * 16)
    .set(vector);
  code
    .get(sums)
    .get(sums)
    .memory("v128.load", at * 32)
    .get(vector);
  code.do("f64x2.promote_low_f32x4", "f64x2.add").memory("v128.store", at * 32);
  code
    .get(sums)
    .get(sums)
    .memory("v128.load", at * 32 + 16)
    .get(vector)
    .get(vector)
    .shuffle(highHalf);
  code.do("f64x2.promote_low_f32x4", "f64x2.add").memory("v128.store", at * 32 + 16);
}
