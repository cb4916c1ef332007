import { type Comparison, comparisonNames, comparisons } from "../../../../language/scalar/comparisons.js";
import type { LoopAggregator } from "../../loop.js";
import { broadcast } from "../../values/arithmetic.js";
import { cellTypeOf } from "../../values/source.js";
import { wholeBuffer } from "../../values/storage.js";
import {
  cellsIn,
  type IndexedAxis,
  type Operand,
  type RunningAggregator,
  type Scan,
  type Value,
} from "../../values/value.js";
import { numbersAlong } from "../slices/gathering.js";
import { type ChoiceSum, ofChoice, summedChoice } from "./choice-sum.js";
import {
  choiceIn,
  type IndicatedCells,
  type Indicator,
  type IndicatorReader,
  indexedAxisOf,
  isDense,
  operandsOf,
} from "./choices.js";
import type { Reduction } from "./reduction.js";

/** That one index, which is folded along, is before or behind another one, which is retained. */
interface OrderIndicator extends Indicator {
  readonly index: IndexedAxis;
  readonly along: IndexedAxis;
  readonly direction: Pick<Scan, "isDescending" | "isExclusive">;
}

/** The sum of a value that is a choice of the cells up to an index, `sum(if(j <= t, cell, 0), j)`: one addition for each cell. */
export function runningSum(value: Value, sum: ChoiceSum): Value | undefined {
  const choice = summedChoice(value, orderIndicatorIn(sum.reduction), sum);
  const sums = choice && running(choice, "sum", sum);
  return sums && ofChoice(choice, sums, value, sum);
}

/** The same of a product, `prod(if(j <= t, cell, 1), j)`, or of the greatest or least cell up to an index, which may be another number, too. */
export function runningFold(
  value: Value,
  aggregator: LoopAggregator,
  fold: Omit<ChoiceSum, "asWritten" | "isOfNumbers">,
): Value | undefined {
  if (!isRunning(aggregator)) return undefined;
  const choice = choiceIn(value, orderIndicatorIn(fold.reduction));
  if (choice === undefined || choice.isProduct || !isScan[aggregator](choice)) return undefined;
  return running(choice, aggregator, fold);
}

/** Whether a scan of the cells that are chosen has the results of a fold of all. */
const isScan: Readonly<Record<RunningAggregator, (choice: IndicatedCells<OrderIndicator>) => boolean>> = {
  sum: ({ otherwise }) => Object.is(otherwise, 0),
  // From the last cell on it may overflow on the way where it does not from the first.
  prod: ({ otherwise, indicator }) => otherwise === 1 && !indicator.direction.isDescending,
  max: () => true,
  min: () => true,
};

const isRunning = (aggregator: LoopAggregator): aggregator is RunningAggregator => aggregator in isScan;

/** For so many results of a line a loop compares all pairs, several at once, in less time than it takes to begin a scan. */
const fewResults = 32;

/** What runs along the index of an indicator. */
function running(
  { cells, indicator, otherwise }: IndicatedCells<OrderIndicator>,
  aggregator: RunningAggregator,
  { reduction, state, span }: Pick<ChoiceSum, "reduction" | "state" | "span">,
): Value | undefined {
  const { index, along: folded, direction } = indicator;
  if (index.size < fewResults) return undefined;
  const outer = cells.axes.filter((axis) => axis !== folded);
  const axes = [...outer, folded];
  state.allowProduced(cellsIn(axes), span);
  const scan: Scan = {
    ...{ aggregator, otherwise, ...direction },
    sizes: axes.map(({ size }) => size),
    results: index.size,
    cells: numbersAlong(cells, cellTypeOf(cells.source), axes, state, span),
  };
  const results = [...outer, index];
  const buffer = state.storage.buffer("double", cellsIn(results), { kind: "scan", scan }, span);
  return broadcast(wholeBuffer(buffer, results), reduction.retained);
}

/** Reads comparisons of the only axis that is reduced with another one, of a dense value. */
const orderIndicatorIn =
  ({ reduced: [folded, ...others] }: Reduction): IndicatorReader<OrderIndicator> =>
  (value, condition, isNegated) =>
    folded?.name === undefined || others.length > 0 || !isDense(value)
      ? undefined
      : orderIndicator(value, condition, folded, isNegated);

function orderIndicator(
  value: Value,
  condition: Operand,
  folded: IndexedAxis,
  isNegated: boolean,
): OrderIndicator | undefined {
  for (const name of comparisonNames) {
    const { lower, isEqualToo }: Comparison = comparisons[name];
    const indexes = operandsOf(condition, name).map((operand) => indexedAxisOf(value, operand));
    const [left, right] = indexes;
    if (lower === undefined || left === undefined || right === undefined || left === right) continue;
    if (left !== folded && right !== folded) continue;
    const index = left === folded ? right : left;
    // What is not `j < t` is `j >= t`.
    const direction = {
      isDescending: (indexes[lower] !== folded) !== isNegated,
      isExclusive: isEqualToo === isNegated,
    };
    return { index, along: folded, direction, apart: [index] };
  }
  return undefined;
}
