import type { Span } from "../../../../language/source/span.js";
import { rangeCheck } from "../../values/range-check.js";
import { cellTypeOf } from "../../values/source.js";
import { wholeBuffer } from "../../values/storage.js";
import { cellsIn, type Value } from "../../values/value.js";
import { branchOf } from "../choosing.js";
import type { PlanState } from "../plan-state.js";
import { numbersOf } from "../slices/gathering.js";
import { choiceIn, type IndicatedCells, type Indicator, type IndicatorReader } from "./choices.js";
import type { Reduction } from "./reduction.js";

/** A sum over choices that are written as a value for each of two indexes, most of which are 0. */
export interface ChoiceSum {
  readonly reduction: Reduction;
  readonly state: PlanState;
  readonly span: Span;
  /** The sum of all that is written. */
  readonly asWritten: () => Value;
  /** Whether only choices of finite numbers are summed, and not of cells. */
  readonly isOfNumbers: boolean;
}

/** What a value that is summed is a choice of, if that or 0. */
export function summedChoice<I extends Indicator>(
  value: Value,
  read: IndicatorReader<I>,
  { isOfNumbers }: ChoiceSum,
): IndicatedCells<I> | undefined {
  const choice = choiceIn(value, read);
  if (choice === undefined || !Object.is(choice.otherwise, 0)) return undefined;
  return !isOfNumbers || isFiniteNumber(choice.cells) ? choice : undefined;
}

const isFiniteNumber = ({ source }: Value): boolean =>
  source.kind === "constant" && Number.isFinite(source.value);

/** As many comparisons, of which a loop makes several at once, take less time than one cell that is moved. */
export const fewComparisons = 64;

/**
 * The sum over what is chosen alone. Where zeros are products it is that only if all cells are finite, which a run looks at first: otherwise the sum is
 * computed as it is written.
 */
export function ofChoice(
  { cells, isProduct }: IndicatedCells<Indicator>,
  shorter: Value,
  written: Value,
  { reduction: { retained }, state: { storage }, span, asWritten }: ChoiceSum,
): Value {
  if (!isProduct) return shorter;
  if (cells.source.kind === "constant") return isFiniteNumber(cells) ? shorter : asWritten();
  const checked = storage.store(cells, numbersOf(cellTypeOf(cells.source)), span);
  const products = { pairwise: cellsIn(cells.axes), written: cellsIn(written.axes) };
  const condition = rangeCheck(storage, [checked], Number.POSITIVE_INFINITY, products, span);
  const yes = branchOf(shorter, retained, []);
  const no = branchOf(asWritten(), retained, []);
  const buffer = storage.buffer("double", cellsIn(retained), { kind: "branch", condition, yes, no }, span);
  return wholeBuffer(buffer, retained);
}
