import type { CellType } from "../../../language/types/cell.js";
import { cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { readCell, vectorReader } from "../kernels/cells.js";
import { Groups } from "../kernels/groups.js";
import { countDown, takeAtMost, whileAny } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { LocalScope, type StackValue } from "../kernels/scope.js";
import { addExactly, chains, compensatedTotal } from "../kernels/sums.js";
import { locals, words } from "./descriptor.js";
import { nonFiniteOf, setOverflowFlag } from "./overflow-retry.js";

/** The shape of the innermost loop, which decides how fast it is; see capabilities.ts. */
export interface TileKernel {
  /** Rows of a tile, and vectors in each row. */
  readonly rows: number;
  readonly vectors: number;
  /** Whether it multiplies and adds in one instruction. */
  readonly fused: boolean;
}

/** Numbers in a row of a tile. */
export const columnsOf = (kernel: TileKernel, precision: Precision): number =>
  kernel.vectors * precisions[precision].count;

/** Where a tile's products are added up: one double for each cell. */
export const tileBytes = (kernel: TileKernel, precision: Precision): number =>
  kernel.rows * columnsOf(kernel, precision) * 8;

/**
 * Tiles of packed panels; or of one or two rows, and of columns that lie next to each other in memory, at a distance from
 * each index of the sum to the next. A short one, whose sum is no longer than a chain, is stored as it is, without
 * doubles. Panels are no deeper than so many chains as may be added up without care.
 */
export type TileForm =
  | { readonly kind: "packed" }
  | { readonly kind: "strided" | "short"; readonly left: CellType; readonly right: CellType };

/** Behind what is lost: where sums are stored to be added exactly. */
const spillAt = 512;

/**
 * `tile(k, left, right, sums)`: the products of two packed panels, k deep. Panels hold the rows of the left (or
 * the columns of the right) for one index of the sum after another. All cells of the tile stay in registers for as long
 * as a chain may be, then they are added to those that are at `sums`. Vectors are loaded and stored next to each other, the form of
 * which V8 can make 256-bit instructions.
 *
 * `tile(k, left, right, sums, spare, leftStep, rightStep)` of the other forms, and a `second` where there are two rows: the bytes to the next
 * index of the sum on the left and on the right, and where the second row begins. A strided sum may be of any length: doubles are added to the doubles at
 * `sums`, floats to floats at `spare`, and these, again and again, to the doubles. `short` has the rows of the target for
 * `sums` and what follows it, and scratch memory at the end.
 */
export function tileCode(name: string, precision: Precision, kernel: TileKernel, form: TileForm): Code {
  const { rows, vectors, fused } = kernel;
  const { width } = precisions[precision];
  const { ofContractions: longestChain, stretch: longestStretch } = chains[precision];
  const columns = columnsOf(kernel, precision);
  const parameters = { packed: 4, strided: 6 + rows, short: 7 + rows }[form.kind];
  const code = new Code(name, words(parameters), [], false);
  const scope = new LocalScope(code);
  const groups = new Groups(scope, fused);
  const n = groups.numbers(precision, true);
  const [k, left, right, sums, spare, leftStep, rightStep, second] = [0, 1, 2, 3, 4, 5, 6, 7];
  const cells = Array.from({ length: rows * vectors }, () => code.local("v128"));
  const [turns, chain, stretch] = locals(code, 3);
  // What doubles lose is stored at `spare`.
  const isLong = precision === "double" && form.kind === "strided";
  const vectorAt = (address: number, at: number): StackValue =>
    scope.loaded("v128.load", scope.local(address), at * 16);
  const storeVector = (address: number, at: number, vector: StackValue): void =>
    scope.store("v128.store", scope.local(address), at * 16, vector);
  const zero = (address: number, count: number): void => {
    for (let at = 0; at < count; at++)
      storeVector(
        address,
        at,
        scope.value(() => code.v128("i32x4", 0)),
      );
  };
  const addStep = stepCode(groups, precision, kernel, form, { cells, left, right, second });
  const addSteps = (): void =>
    countDown(code, turns, () => {
      addStep();
      if (form.kind === "packed") code.advance(left, rows * width).advance(right, columns * width);
      else {
        for (const row of [left, second].slice(0, rows)) code.get(row).get(leftStep).do("i32.add").set(row);
        code.get(right).get(rightStep).do("i32.add").set(right);
      }
    });
  const computeChain = (remaining: number): void => {
    takeAtMost(code, remaining, longestChain, chain);
    for (const cell of cells) code.v128("i32x4", 0).set(cell);
    code.get(chain).set(turns);
    addSteps();
  };
  const addChain = (remaining: number, into: number): void => {
    computeChain(remaining);
    if (isLong) {
      for (const [at, cell] of cells.entries()) storeVector(spare, spillAt / 16 + at, scope.local(cell));
      for (const at of cells.keys()) addSpilled(at);
      return;
    }
    for (const [at, cell] of cells.entries()) scope.set(cell, n.add(vectorAt(into, at), scope.local(cell)));
    for (const [at, cell] of cells.entries()) storeVector(into, at, scope.local(cell));
  };
  const addSpilled = (at: number): void =>
    scope.withLocals(() => {
      const added = scope.bind("v128", vectorAt(spare, spillAt / 16 + at));
      const [total, lost] = [scope.take("v128"), scope.take("v128")];
      scope.set(total, vectorAt(sums, at));
      scope.set(lost, vectorAt(spare, at));
      addExactly(n, total, lost, added);
      storeVector(sums, at, scope.local(total));
      storeVector(spare, at, scope.local(lost));
    });
  /** Adds a vector of four floats at `spare` to the corresponding four doubles in `sums`. */
  const addFloats = (at: number): void =>
    scope.withLocals(() => {
      const doubles = groups.numbers("double", true);
      const floats = scope.bind("v128", vectorAt(spare, at));
      for (const [half, added] of groups.widenedLanes(floats).entries())
        storeVector(sums, 2 * at + half, doubles.add(vectorAt(sums, 2 * at + half), added));
    });

  if (form.kind === "short") {
    code.get(k).set(turns);
    addSteps();
    for (const [at, cell] of cells.entries())
      storeVector(at < vectors ? sums : spare, at % vectors, scope.local(cell));
    if (precision === "float") {
      const notFinite = scope.take("v128");
      code.v128("i32x4", 0).set(notFinite);
      for (const cell of cells)
        nonFiniteOf(code, cell, "f32x4").get(notFinite).do("f32x4.add").set(notFinite);
      setOverflowFlag(code, notFinite, "f32x4", () => code.get(6 + rows));
    }
    scope.finish();
    return code;
  }
  if (form.kind === "packed") {
    computeChain(k);
    for (const [at, cell] of cells.entries()) storeVector(sums, at, scope.local(cell));
    whileAny(code, k, () => addChain(k, sums));
    scope.finish();
    return code;
  }
  zero(sums, (rows * columns) / 2);
  if (isLong) zero(spare, cells.length);
  whileAny(code, k, () => {
    if (precision === "double") addChain(k, sums);
    else {
      takeAtMost(code, k, longestStretch, stretch);
      zero(spare, cells.length);
      whileAny(code, stretch, () => addChain(stretch, spare));
      for (const at of cells.keys()) addFloats(at);
    }
  });
  if (isLong)
    for (const at of cells.keys())
      scope.withLocals(() => {
        const total = scope.bind("v128", vectorAt(sums, at));
        storeVector(sums, at, compensatedTotal(n, total, vectorAt(spare, at)));
      });
  scope.finish();
  return code;
}

interface StepLocals {
  readonly cells: readonly number[];
  readonly left: number;
  readonly right: number;
  readonly second: number;
}

/** Code for one index of the sum, so many indexes from where the panels are. */
function stepCode(
  groups: Groups,
  precision: Precision,
  { rows, vectors }: TileKernel,
  form: TileForm,
  { cells, left, right, second }: StepLocals,
): () => void {
  const { scope } = groups;
  const { vector: lanes, count, width, loadAll } = precisions[precision];
  const n = groups.numbers(precision, true);
  const across = Array.from({ length: vectors }, () => scope.take("v128"));
  const one = scope.take("v128");
  const readRight = "right" in form ? vectorReader(form.right, precision) : undefined;
  const rightVector = (v: number): StackValue => {
    const from = scope.local(right);
    if (!("right" in form) || readRight === undefined) return scope.loaded("v128.load", from, v * 16);
    return readRight(groups, from, v * count * cellTypes[form.right].width);
  };
  const leftNumber = (row: number): StackValue => {
    if (!("left" in form)) return scope.loaded(loadAll, scope.local(left), row * width);
    const from = scope.local(row === 0 ? left : second);
    if (form.left === precision) return scope.loaded(loadAll, from, 0);
    const { parts } = groups.as(precision, readCell(groups, form.left, from, 0, precision));
    return scope.of([`${lanes}.splat`], ...parts);
  };
  return () =>
    scope.withLocals(() => {
      for (const [v, vector] of across.entries()) scope.set(vector, rightVector(v));
      for (let row = 0; row < rows; row++) {
        scope.set(one, leftNumber(row));
        for (const [v, vector] of across.entries()) {
          const cell = element(cells, row * vectors + v);
          scope.set(cell, n.multiplyAdd(scope.local(one), scope.local(vector), scope.local(cell)));
        }
      }
    });
}
