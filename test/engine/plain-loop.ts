import type { Access, Loop, LoopAggregator, Stride } from "../../src/backends/engine/loop.js";
import { aggregators } from "../../src/language/scalar/aggregators.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { cellTypes, readCell } from "../../src/language/types/cell.js";

/**
 * The plainest way to run a loop: one place after the other, one instruction after the other, in the numbers and with
 * the functions by which they are defined.
 */
export interface Result {
  readonly values: Map<number, number>;
  /** For sums: how large the terms are together. */
  readonly sizes: Map<number, number>;
}

export function plainly(loop: Loop): Result {
  const values = new Map<number, number>();
  const errors = new Map<number, number>();
  const sizes = new Map<number, number>();
  const offsetOf = (stride: Stride | undefined, index: number): number =>
    typeof stride === "object" ? Number(stride.block.cells[index]) : (stride ?? 0) * index;
  const cellOf = ({ offset, strides }: Access, indexes: readonly number[]): number =>
    indexes.reduce((sum, index, axis) => sum + offsetOf(strides[axis], index), offset);
  const visit = (indexes: readonly number[]): void => {
    const axis = loop.axes[indexes.length];
    if (axis !== undefined) {
      for (let index = 0; index < axis.size; index++) visit([...indexes, index]);
      return;
    }
    const numbers: number[] = [];
    for (const each of loop.body) {
      const at = (register: number): number => numbers[register] ?? Number.NaN;
      numbers.push(
        each.op === "read"
          ? ((source) => readCell(source.cellType, source.slot.block.cells, cellOf(source, indexes)))(
              loop.sources[each.source] as Access,
            )
          : each.op === "constant"
            ? each.value
            : each.op === "index"
              ? (indexes[each.axis] ?? 0)
              : each.op === "select"
                ? at(each.condition) !== 0
                  ? at(each.yes)
                  : at(each.no)
                : each.op === "store"
                  ? cellTypes[each.cellType].store(at(each.value))
                  : scalarFunctions[each.function].compute(
                      at(each.arguments[0] ?? -1),
                      at(each.arguments[1] ?? -1),
                    ),
      );
    }
    const value = numbers.at(-1) ?? Number.NaN;
    const cell = cellOf(loop.target, indexes);
    const before = values.get(cell);
    if (loop.aggregator === undefined) values.set(cell, value);
    else if (loop.aggregator === "sum") {
      const total = (before ?? 0) + value;
      const [large, small] =
        Math.abs(before ?? 0) >= Math.abs(value) ? [before ?? 0, value] : [value, before ?? 0];
      if (Number.isFinite(total)) errors.set(cell, (errors.get(cell) ?? 0) + (large - total + small));
      values.set(cell, total);
      sizes.set(cell, (sizes.get(cell) ?? 0) + Math.abs(value));
    } else {
      const fold = foldOf(loop.aggregator);
      values.set(
        cell,
        before === undefined && fold.start === undefined
          ? value
          : fold.step(before ?? fold.start ?? 0, value),
      );
    }
  };
  const start = loop.aggregator === undefined ? undefined : foldOf(loop.aggregator).start;
  if (start !== undefined && loop.axes.some(({ size, isReduced }) => size === 0 && isReduced)) {
    const prepare = (indexes: readonly number[]): void => {
      const axis = loop.axes[indexes.length];
      if (axis === undefined) values.set(cellOf(loop.target, indexes), start);
      else
        for (let index = 0; index < (axis.isReduced ? 1 : axis.size); index++) prepare([...indexes, index]);
    };
    prepare([]);
  }
  visit([]);
  for (const [cell, rest] of errors) {
    const total = values.get(cell) ?? 0;
    if (Number.isFinite(total)) values.set(cell, total + rest);
  }
  return { values, sizes };
}

function foldOf(name: LoopAggregator): { start?: number; step: (a: number, b: number) => number } {
  return aggregators[name];
}
