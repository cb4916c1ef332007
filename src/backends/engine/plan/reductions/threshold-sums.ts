import { comparisons } from "../../../../language/scalar/comparisons.js";
import { keysOf } from "../../../../language/source/lists.js";
import { broadcast } from "../../values/arithmetic.js";
import { cellTypeOf } from "../../values/source.js";
import { wholeBuffer } from "../../values/storage.js";
import { keyComparisons } from "../../values/threshold-sum.js";
import {
  type Axis,
  type BufferAccess,
  cellsIn,
  type KeyComparison,
  type Operand,
  type ThresholdSum,
  type Value,
} from "../../values/value.js";
import { numbersAlong } from "../slices/gathering.js";
import { type ChoiceSum, ofChoice, summedChoice } from "./choice-sum.js";
import { type IndicatedCells, type Indicator, type IndicatorReader, operandsOf, partOf } from "./choices.js";
import { summedOver } from "./folding.js";

/** That keys, along an axis that is summed over, are below thresholds, which do not depend on it; or compare with them in another way. */
interface KeyIndicator extends Indicator {
  readonly comparison: KeyComparison;
  readonly keys: Value;
  readonly thresholds: Value;
}

/** To put a key or a threshold in order takes as long as to compare so many pairs. */
const pairsPerKey = 128;

/**
 * The sum of a value that is a choice of cells by how their keys compare with thresholds, `sum(if(k{j:(j)} < t{i:(i)}, cell, 0), j)`: keys and
 * thresholds are put in order, in which each cell is added once. Ranks are such sums, of ones.
 */
export function thresholdSum(value: Value, sum: ChoiceSum): Value | undefined {
  const { reduced, grouped } = sum.reduction;
  if (grouped !== undefined) return undefined;
  for (const summed of reduced) {
    const choice = summedChoice(value, keyIndicatorAlong(summed), sum);
    const isOfThresholds = (axis: Axis): boolean => choice?.indicator.apart.includes(axis) === true;
    if (choice === undefined || !reduced.every((axis) => axis === summed || isOfThresholds(axis))) continue;
    const [line, results] = [summed.size, cellsIn(choice.indicator.apart)];
    if (line * results < pairsPerKey * (line + results)) return undefined;
    const all = sumsOf(choice, value, summed, sum);
    const shorter = summedOver(sum.state, all, (axis) => reduced.includes(axis), sum.span);
    return ofChoice(choice, broadcast(shorter, sum.reduction.retained), value, sum);
  }
  return undefined;
}

/** The sums of the cells along an axis, for each threshold. */
function sumsOf(
  { cells, indicator }: IndicatedCells<KeyIndicator>,
  value: Value,
  summed: Axis,
  { state, span }: ChoiceSum,
): Value {
  const { comparison, keys, thresholds, apart } = indicator;
  const outer = value.axes.filter((axis) => axis !== summed && !apart.includes(axis));
  const lines = [...outer, summed];
  const produced = [...outer, ...apart];
  state.allowProduced(cellsIn(lines) + cellsIn(produced), span);
  const numbersIn = (of: Value, axes: readonly Axis[]): BufferAccess =>
    numbersAlong(of, cellTypeOf(of.source), axes, state, span);
  const sum: ThresholdSum = {
    comparison,
    outer: outer.map(({ size }) => size),
    line: summed.size,
    results: apart.map(({ size }) => size),
    keys: numbersIn(keys, lines),
    cells: numbersIn(cells, lines),
    thresholds: numbersIn(thresholds, produced),
  };
  const producer = { kind: "thresholdSum", sum } as const;
  return wholeBuffer(state.storage.buffer("double", cellsIn(produced), producer, span), produced);
}

/** Reads comparisons of keys along an axis. What is not less may be NaN, and is none. */
const keyIndicatorAlong =
  (summed: Axis): IndicatorReader<KeyIndicator> =>
  (value, condition, isNegated) =>
    isNegated ? undefined : keyIndicator(value, condition, summed);

function keyIndicator(value: Value, condition: Operand, summed: Axis): KeyIndicator | undefined {
  for (const comparison of keysOf(keyComparisons)) {
    const [left, right] = operandsOf(condition, comparison).map((operand) => partOf(value, operand));
    if (left === undefined || right === undefined) continue;
    const isKey = left.axes.includes(summed);
    if (isKey === right.axes.includes(summed)) return undefined;
    const [keys, thresholds] = isKey ? [left, right] : [right, left];
    const apart = thresholds.axes.filter((axis) => !keys.axes.includes(axis));
    return { comparison: isKey ? comparison : comparisons[comparison].mirrored, keys, thresholds, apart };
  }
  return undefined;
}
