import type { CellType } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { Code } from "../../assembler/code.js";
import { Groups } from "../../kernels/groups.js";
import { countDown, takeAtMost, whileAny } from "../../kernels/iteration.js";
import { computedLaneNumbers, presentLanes } from "../../kernels/presence.js";
import { LocalScope, type StackValue } from "../../kernels/scope.js";
import { words as shuffledWords } from "../../kernels/shuffles.js";
import { addExactly, compensatedTotal } from "../../kernels/sums.js";
import { transposeTile } from "../../kernels/transpose.js";
import { type Arithmetic, vectorBytes } from "../arithmetic.js";
import { locals, words } from "../descriptor.js";

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
export function lineTileCode(kernel: LinesKernel): Code {
  const { arithmetic, sets } = kernel;
  const tile = lineTile(kernel);
  const { code, scope, groups, k, chain } = tile;
  const laneNumbers = computedLaneNumbers(scope, arithmetic.mask);
  whileAny(code, k, () => {
    takeAtMost(code, k, arithmetic.chain * arithmetic.cells * sets, chain);
    for (const cell of tile.cells) code.v128("i32x4", 0).set(cell);
    addTurns(tile);
    addRemainder(tile, laneNumbers);
    scope.withLocals(() => addLanes(groups, kernel, tile.cells, tile.totals));
  });
  storeTotals(tile);
  scope.finish();
  return code;
}

/** A kernel that is written: its parameters and locals. */
interface LineTile {
  readonly kernel: LinesKernel;
  readonly code: Code;
  readonly scope: LocalScope;
  readonly groups: Groups;
  readonly k: number;
  readonly sums: number;
  readonly lefts: readonly number[];
  readonly rights: readonly number[];
  /** The vectors of sums, `sets` for each cell. */
  readonly cells: readonly number[];
  readonly leftVectors: readonly number[];
  readonly right: number;
  /** Which lanes of a vector are cells of the row. */
  readonly mask: number;
  readonly turns: number;
  /** How many cells are added to the same sums, before these become doubles. */
  readonly chain: number;
  readonly totals: readonly Total[];
}

function lineTile(kernel: LinesKernel): LineTile {
  const { rows, columns, sets, arithmetic } = kernel;
  const code = new Code("tile", words(2 + rows + columns), [], false);
  const scope = new LocalScope(code);
  const groups = new Groups(scope, arithmetic.fused);
  const [k, sums] = [0, 1];
  const lefts = Array.from({ length: rows }, (_, row) => 2 + row);
  const rights = Array.from({ length: columns }, (_, column) => 2 + rows + column);
  const cells = Array.from({ length: rows * columns * sets }, () => code.local("v128"));
  const leftVectors = lefts.map(() => code.local("v128"));
  const [right, mask] = locals(code, 2, "v128");
  const [turns, chain] = locals(code, 2);
  const totals = Array.from({ length: (rows * sumsAcross(kernel)) / 2 }, () => ({
    total: code.local("v128"),
    lost: code.local("v128"),
  }));
  const operands = { lefts, rights, leftVectors, right, mask };
  return { kernel, code, scope, groups, k, sums, cells, turns, chain, totals, ...operands };
}

/** Adds the products of one vector of each row, so many vectors behind where the rows are, to one of the sets of sums. */
function addProducts({ kernel, scope, groups, ...tile }: LineTile, turn: number, isMasked: boolean): void {
  const { columns, sets, arithmetic } = kernel;
  const load = (side: "left" | "right", from: number, to: number): void => {
    const vector = arithmetic.load[side](
      groups,
      scope.local(from),
      turn * vectorBytes(arithmetic, kernel[side]),
    );
    scope.set(to, isMasked ? scope.of(["v128.and"], vector, scope.local(tile.mask)) : vector);
  };
  scope.withLocals(() => {
    for (const [row, pointer] of tile.lefts.entries()) load("left", pointer, element(tile.leftVectors, row));
    for (const [column, pointer] of tile.rights.entries()) {
      load("right", pointer, tile.right);
      for (const [row, vector] of tile.leftVectors.entries()) {
        const cell = element(tile.cells, (row * columns + column) * sets + (turn % sets));
        const [left, right] = [scope.local(vector), scope.local(tile.right)];
        scope.set(cell, arithmetic.add(groups, scope.local(cell), left, right));
      }
    }
  });
}

/** The cells of each row that a turn of the loop takes. */
const cellsOfTurn = ({ unroll, arithmetic }: LinesKernel): number => unroll * arithmetic.cells;

/** Adds whole turns of a chain. */
function addTurns(tile: LineTile): void {
  const { kernel, code, chain, turns } = tile;
  const { unroll, arithmetic } = kernel;
  code.get(chain).i32(cellsOfTurn(kernel)).do("i32.div_u").set(turns);
  countDown(code, turns, () => {
    for (let turn = 0; turn < unroll; turn++) addProducts(tile, turn, false);
    for (const pointer of tile.lefts) code.advance(pointer, unroll * vectorBytes(arithmetic, kernel.left));
    for (const pointer of tile.rights) code.advance(pointer, unroll * vectorBytes(arithmetic, kernel.right));
  });
}

/** What is left of a row is less than a turn: lanes behind its end count as zeros. */
function addRemainder(tile: LineTile, laneNumbers: ReturnType<typeof computedLaneNumbers>): void {
  const { kernel, code, scope, chain } = tile;
  const { unroll, arithmetic } = kernel;
  code.get(chain).i32(cellsOfTurn(kernel)).do("i32.rem_u").tee(chain);
  code.if(() => {
    for (let turn = 0; turn < unroll; turn++) {
      const remaining = scope.value(() =>
        code
          .get(chain)
          .i32(turn * arithmetic.cells)
          .do("i32.sub"),
      );
      scope.set(tile.mask, presentLanes(scope, arithmetic.mask, laneNumbers, remaining));
      addProducts(tile, turn, true);
    }
  });
}

function storeTotals({ kernel, scope, groups, sums, totals }: LineTile): void {
  const doubles = groups.numbers("double", true);
  for (const [at, { total, lost }] of totals.entries())
    scope.withLocals(() => {
      const sum = scope.local(total);
      const isExact = kernel.arithmetic.sums === "f64x2";
      const result = isExact ? compensatedTotal(doubles, sum, scope.local(lost)) : sum;
      scope.store("v128.store", scope.local(sums), at * 16, result);
    });
}

/** The other word of each pair, and the other pair of words. */
const [swappedWords, upperWords] = [shuffledWords(1, 0, 3, 2), shuffledWords(2, 3, 0, 1)];

interface Total {
  readonly total: number;
  readonly lost: number;
}

/** Adds the lanes of each cell's vectors to its double in `totals`: squares of lanes are turned over. */
function addLanes(
  groups: Groups,
  kernel: LinesKernel,
  cells: readonly number[],
  totals: readonly Total[],
): void {
  const { scope } = groups;
  const { code } = scope;
  const { rows, columns, sets, arithmetic } = kernel;
  const count = arithmetic.sums === "f64x2" ? 2 : 4;
  const vectors = Array.from({ length: count }, () => scope.take("v128"));
  const transposed = Array.from({ length: count }, () => scope.take("v128"));
  const doubles = groups.numbers("double", true);
  const addTo = ({ total, lost }: Total, added: StackValue): void => {
    if (arithmetic.sums === "f64x2") addExactly(doubles, total, lost, added);
    else scope.set(total, doubles.add(scope.local(total), added));
  };
  const sumOf = (values: readonly StackValue[]): StackValue =>
    values.reduce((sum, value) => scope.of([`${arithmetic.sums}.add`], sum, value));
  const addSquare = (row: number, first: number): void => {
    for (const [each, vector] of vectors.entries()) {
      if (first + each >= columns) code.v128("i32x4", 0).set(vector);
      else {
        const start = (row * columns + first + each) * sets;
        scope.set(vector, sumOf(cells.slice(start, start + sets).map((cell) => scope.local(cell))));
      }
    }
    transposeTile(scope, vectors, transposed);
    const [a, b, ...others] = transposed.map((local) => scope.local(local)) as [StackValue, StackValue]; // of two cells at least
    const sum = scope.bind(
      "v128",
      others.length === 0 ? sumOf([a, b]) : sumOf([sumOf([a, b]), sumOf(others)]),
    );
    for (const [half, added] of doublesOf(sum).entries())
      addTo(element(totals, (row * sumsAcross(kernel) + first) / 2 + half), added);
  };
  const doublesOf = (sum: StackValue): readonly StackValue[] =>
    ({
      f64x2: () => [sum],
      f32x4: () => groups.widenedLanes(sum),
      i32x4: () => groups.halves(sum).map((half) => scope.of(["f64x2.convert_low_i32x4_s"], half)),
    })[arithmetic.sums]();
  /** One cell alone needs no square: pairs of lanes are added, and pairs of these, in the same order. */
  const addCell = (row: number): void => {
    let sum = scope.bind(
      "v128",
      sumOf(cells.slice(row * sets, (row + 1) * sets).map((cell) => scope.local(cell))),
    );
    for (const lanes of count === 2 ? [upperWords] : [swappedWords, upperWords])
      sum = scope.bind("v128", sumOf([sum, scope.shuffled(sum, sum, lanes)]));
    const [added] = doublesOf(sum) as [StackValue]; // the sum is in the first lane
    addTo(element(totals, (row * sumsAcross(kernel)) / 2), added);
  };
  if (columns === 1) {
    for (let row = 0; row < rows; row++) scope.withLocals(() => addCell(row));
    return;
  }
  for (let row = 0; row < rows; row++)
    for (let first = 0; first < columns; first += count) scope.withLocals(() => addSquare(row, first));
}
