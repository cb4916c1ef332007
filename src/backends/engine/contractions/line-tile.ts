import type { CellType } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import { type Arithmetic, vectorBytes } from "./arithmetic.js";
import { addExactly, compensatedTotal } from "./compensated-sum.js";
import { locals, words } from "./descriptor.js";
import { transposeTile } from "./packing.js";
import { takeAtMost, whileAny } from "./tile.js";

/** How many rows of each operand a tile of lines takes, and what of. */
export interface LinesKernel {
  readonly rows: number;
  readonly columns: number;
  /** Vectors of each row that a turn of the loop takes, and the sums for each cell that these are added to by turns. */
  readonly unroll: number;
  readonly sets: number;
  readonly arithmetic: Arithmetic;
  readonly left: CellType;
  readonly right: CellType;
}

/** Doubles in a row of `sums`: a multiple of four, whether or not there are as many columns. */
export const sumsAcross = ({ columns }: LinesKernel): number => Math.ceil(columns / 4) * 4;

/** `tile(k, sums, left rows…, right rows…)`: adds up the terms of k cells of each pair of rows, and stores the sums. */
export function lineTileCode(name: string, kernel: LinesKernel): Code {
  const { rows, columns, unroll, sets, arithmetic } = kernel;
  const code = new Code(name, words(2 + rows + columns), [], false);
  const [k, sums] = [0, 1];
  const lefts = Array.from({ length: rows }, (_, row) => 2 + row);
  const rights = Array.from({ length: columns }, (_, column) => 2 + rows + column);
  const leftBytes = vectorBytes(arithmetic, kernel.left);
  const rightBytes = vectorBytes(arithmetic, kernel.right);
  const cells = Array.from({ length: rows * columns * sets }, () => code.local("v128"));
  const leftVectors = lefts.map(() => code.local("v128"));
  const [right, difference, mask, laneNumbers] = locals(code, 4, "v128");
  const [turns, chain] = locals(code, 2);

  const step = (turn: number, isMasked: boolean): void => {
    const load = (side: "left" | "right", from: number, to: number): void => {
      code.get(from);
      arithmetic.load[side](code, turn * (side === "left" ? leftBytes : rightBytes));
      if (isMasked) code.get(mask).do("v128.and");
      code.set(to);
    };
    for (const [row, from] of lefts.entries()) load("left", from, leftVectors[row] ?? 0);
    for (const [column, from] of rights.entries()) {
      load("right", from, right);
      for (const [row, left] of leftVectors.entries())
        arithmetic.add(
          code,
          cells[(row * columns + column) * sets + (turn % sets)] ?? 0,
          left,
          right,
          difference,
        );
    }
  };

  const totals = Array.from({ length: (rows * sumsAcross(kernel)) / 2 }, () => code.local("v128"));
  const lost = totals.map(() => code.local("v128"));
  const each = unroll * arithmetic.cells;
  setLaneNumbers(code, arithmetic.mask, laneNumbers);
  whileAny(code, k, () => {
    takeAtMost(code, k, (arithmetic.chain * each * sets) / unroll, chain);
    for (const cell of cells) code.v128("i32x4", 0).set(cell);
    code.get(chain).i32(each).do("i32.div_u").set(turns);
    code.get(turns).if(() =>
      code.loop(() => {
        for (let turn = 0; turn < unroll; turn++) step(turn, false);
        for (const pointer of lefts) code.advance(pointer, unroll * leftBytes);
        for (const pointer of rights) code.advance(pointer, unroll * rightBytes);
        code.get(turns).i32(1).do("i32.sub").tee(turns).branchIf();
      }),
    );
    // What is left of a row is less than a turn: lanes behind its end count as zeros.
    code.get(chain).i32(each).do("i32.rem_u").tee(chain);
    code.if(() => {
      for (let turn = 0; turn < unroll; turn++) {
        setMask(code, arithmetic.mask, { mask, laneNumbers, chain, before: turn * arithmetic.cells });
        step(turn, true);
      }
    });
    addLanes(code, kernel, cells, { totals, lost });
  });
  for (const [at, total] of totals.entries()) {
    code.get(sums);
    if (arithmetic.sums === "f64x2") compensatedTotal(code, { total, lost: lost[at] ?? 0 });
    else code.get(total);
    code.memory("v128.store", at * 16);
  }
  return code;
}

const widths = { i8x16: 1, i16x8: 2, i32x4: 4, i64x2: 8 } as const;

/** The number of each lane, as the mask's lanes count: lane 3 of i16x8 holds 3. */
function setLaneNumbers(code: Code, mask: Arithmetic["mask"], laneNumbers: number): void {
  const bytes = new DataView(new ArrayBuffer(16));
  for (let at = 0; at < 16; at += widths[mask]) {
    const lane = at / widths[mask];
    if (mask === "i8x16") bytes.setInt8(at, lane);
    else if (mask === "i16x8") bytes.setInt16(at, lane, true);
    // Lanes of 64 bits are compared in halves: both hold the number.
    else for (let half = 0; half < widths[mask]; half += 4) bytes.setInt32(at + half, lane, true);
  }
  for (let word = 0; word < 4; word++)
    code
      .get(laneNumbers)
      .i32(bytes.getInt32(word * 4, true))
      .lane("i32x4.replace_lane", word)
      .set(laneNumbers);
}

/** Sets the lanes before the end of a row to ones. */
function setMask(
  code: Code,
  lanes: Arithmetic["mask"],
  { mask, laneNumbers, chain, before }: { mask: number; laneNumbers: number; chain: number; before: number },
): void {
  code.get(chain).i32(before).do("i32.sub");
  if (lanes === "i8x16") code.do("i8x16.splat").get(laneNumbers).do("i8x16.gt_s");
  else if (lanes === "i16x8") code.do("i16x8.splat").get(laneNumbers).do("i16x8.gt_s");
  else code.do("i32x4.splat").get(laneNumbers).do("i32x4.gt_s");
  code.set(mask);
}

/** Adds the lanes of each cell's vectors to its double in `totals`: squares of lanes are turned over. */
function addLanes(
  code: Code,
  kernel: LinesKernel,
  cells: readonly number[],
  { totals, lost }: { readonly totals: readonly number[]; readonly lost: readonly number[] },
): void {
  const [added, sum, part] = locals(code, 3, "v128");
  const { rows, columns, sets, arithmetic } = kernel;
  const count = arithmetic.sums === "f64x2" ? 2 : 4;
  const add = `${arithmetic.sums}.add` as const;
  const vectors = Array.from({ length: count }, () => code.local("v128"));
  const transposed = Array.from({ length: count }, () => code.local("v128"));
  const [a = 0, b = 0, c = 0, d = 0] = transposed;
  for (let row = 0; row < rows; row++)
    for (let first = 0; first < columns; first += count) {
      for (const [each, vector] of vectors.entries()) {
        if (first + each >= columns) code.v128("i32x4", 0);
        else
          for (let turn = 0; turn < sets; turn++) {
            code.get(cells[(row * columns + first + each) * sets + turn] ?? 0);
            if (turn > 0) code.do(add);
          }
        code.set(vector);
      }
      transposeTile(code, vectors, transposed);
      code.get(a).get(b).do(add);
      if (count === 4) code.get(c).get(d).do(add, add);
      code.set(a);
      for (let half = 0; half < count / 2; half++) {
        const at = (row * sumsAcross(kernel) + first) / 2 + half;
        code.get(a);
        if (half === 1) code.get(a).shuffle([8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]);
        if (arithmetic.sums === "f32x4") code.do("f64x2.promote_low_f32x4");
        if (arithmetic.sums === "i32x4") code.do("f64x2.convert_low_i32x4_s");
        code.set(added);
        const total = totals[at] ?? 0;
        if (arithmetic.sums === "f64x2") addExactly(code, { total, lost: lost[at] ?? 0, added, sum, part });
        else code.get(total).get(added).do("f64x2.add").set(total);
      }
    }
}
