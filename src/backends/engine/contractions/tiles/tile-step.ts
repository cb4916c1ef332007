import { cellTypes } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { readCell, vectorReader } from "../../kernels/cells.js";
import type { Groups } from "../../kernels/groups.js";
import { type Precision, precisions } from "../../kernels/precision.js";
import type { StackValue } from "../../kernels/scope.js";
import type { TileForm, TileKernel } from "./tile-kernel.js";

/** Locals of a tile: its vectors, and the addresses of the operands: of a packed left one the first alone, else of each row. */
export interface TileLocals {
  readonly cells: readonly number[];
  readonly lefts: readonly number[];
  readonly right: number;
}

/** Code for one index of the sum. */
export function tileStep(
  groups: Groups,
  precision: Precision,
  { rows, vectors }: TileKernel,
  form: TileForm,
  { cells, lefts, right }: TileLocals,
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
    if (!("left" in form)) return scope.loaded(loadAll, scope.local(element(lefts, 0)), row * width);
    const from = scope.local(element(lefts, row));
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
