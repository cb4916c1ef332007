import type { ScalarName } from "../../../language/scalar/functions.js";
import { broadcast } from "../values/arithmetic.js";
import { cellTypeOf } from "../values/source.js";
import { wholeBuffer } from "../values/storage.js";
import { cellsIn, type IndexedAxis, type Operand, type Scan, type Value } from "../values/value.js";
import { type ChoiceSum, fewComparisons, ofChoice, summedChoice } from "./choice-sum.js";
import { type Indicator, indexedAxisOf, isDense, operandsOf } from "./choices.js";
import { along, numbersOf } from "./gathering.js";

/** That one index, which is summed over, is before or behind another one, which is retained. */
interface OrderIndicator extends Indicator {
  readonly index: IndexedAxis;
  readonly direction: Direction;
}

type Direction = Pick<Scan, "isDescending" | "isExclusive">;

/** By how the index that is summed over compares with the other one. */
// biome-ignore format: a table
const directions: Partial<Record<ScalarName, Direction>> = {
  less:           { isDescending: false, isExclusive: true },
  lessOrEqual:    { isDescending: false, isExclusive: false },
  greater:        { isDescending: true,  isExclusive: true },
  greaterOrEqual: { isDescending: true,  isExclusive: false },
};

/** The sum of a value that is a choice of the cells up to an index, `sum(if(j <= t, cell, 0), j)`: one addition for each cell. */
export function runningSum(value: Value, sum: ChoiceSum): Value | undefined {
  const { state, span } = sum;
  const { retained, reduced } = sum.reduction;
  const [summed] = reduced;
  if (summed?.name === undefined || reduced.length > 1 || !isDense(value)) return undefined;
  const choice = summedChoice(value, (_, condition) => orderIndicator(value, condition, summed), sum);
  if (choice === undefined || choice.indicator.index.size < fewComparisons) return undefined;
  const { cells, indicator } = choice;
  const { index, direction } = indicator;
  const outer = cells.axes.filter((axis) => axis !== summed);
  const axes = [...outer, summed];
  state.allowProduced(cellsIn(axes), span);
  const { source } = state.storage.storeAlong(cells, axes, numbersOf(cellTypeOf(cells.source)), span);
  const scan = {
    ...direction,
    sizes: axes.map(({ size }) => size),
    results: index.size,
    cells: along(axes, cells.axes, source.access),
  };
  const results = [...outer, index];
  const buffer = state.storage.buffer("double", cellsIn(results), { kind: "scan", scan }, span);
  return ofChoice(choice, broadcast(wholeBuffer(buffer, results), retained), value, sum);
}

function orderIndicator(value: Value, condition: Operand, summed: IndexedAxis): OrderIndicator | undefined {
  for (const [name, direction] of Object.entries(directions) as [ScalarName, Direction][]) {
    const [left, right] = operandsOf(condition, name).map((operand) => indexedAxisOf(value, operand));
    if (left === undefined || right === undefined || left === right) continue;
    if (left === summed) return { index: right, direction, apart: [right] };
    // `t < j` is `j > t`.
    const turned = { ...direction, isDescending: !direction.isDescending };
    if (right === summed) return { index: left, direction: turned, apart: [left] };
  }
  return undefined;
}
