import type { NodeOf } from "../../../../language/core/operations.js";
import { aggregators } from "../../../../language/scalar/aggregators.js";
import type { Span } from "../../../../language/source/span.js";
import type { CellType } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { stridesOf } from "../../../../language/values/shape.js";
import type { IndicatorSum } from "../../../indicator-sum.js";
import type { LoopAggregator } from "../../loop.js";
import { broadcast, combined, rounded } from "../../values/arithmetic.js";
import { isHidden, isSameAxis } from "../../values/axes.js";
import { cellTypeOf } from "../../values/source.js";
import { wholeBuffer } from "../../values/storage.js";
import {
  type Axis,
  cellsIn,
  constant,
  type IndexedAxis,
  type ScatterAggregator,
  type Value,
} from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { isValue } from "../planned.js";
import type { Scope } from "../scope.js";
import { along, copiedCells, distinct, numbersAlong } from "../slices/gathering.js";
import { type ChoiceSum, fewComparisons, ofChoice, summedChoice } from "./choice-sum.js";
import { choiceIn, type IndicatedCells, isDense } from "./choices.js";
import { type LabelIndicator, labelIndicator } from "./label-indicator.js";
import { pickedSum } from "./picked-sum.js";

/** The value of a sum of picked cells; nothing where it must be computed as it is written. */
export function pickedCells(node: NodeOf<"reduce">, state: PlanState, scope: Scope): Value | undefined {
  const sum = pickedSum(node);
  if (sum === undefined) return undefined;
  const label = scope.get(sum.label);
  const cells = typeof sum.cells === "number" ? constant(sum.cells) : scope.get(sum.cells);
  if (cells === undefined || label === undefined || !isValue(cells) || !isValue(label)) return undefined;
  if (!areAlike(cells.axes, label.axes)) return undefined;
  const { type, span } = node;
  const cellType = typeof sum.cells === "number" ? "double" : sum.cells.type.cellType;
  const at = cells.axes.findIndex(({ name }) => name === sum.dimension);
  const labels = whole(label);
  if (!sum.over.includes(sum.dimension))
    return rounded(scattered(sum, "sum", { value: cells, cellType }, labels, span, state), type);
  if (at < 0) return undefined;
  const copied = copiedCells(cells, cellType, [{ at, label: labels, span }], state, span);
  // Of a cell that is -0 the sum with the zeros of other indexes is 0.
  return rounded(combined({ op: "apply", function: "add" }, [copied, constant(0)]), type);
}

/** The sum of a value that is a choice by labels that are an index which is retained; nothing of another one. */
export function chosenSum(value: Value, sum: ChoiceSum): Value | undefined {
  const choice = isDense(value) ? summedChoice(value, labelIndicator, sum) : undefined;
  const shorter = choice && scatteredChoice(choice, "sum", value, sum);
  return shorter && ofChoice(choice, shorter, value, sum);
}

/** The greatest or least cell of a choice by such labels: elsewhere it is what the fold begins with, which changes nothing. */
export function chosenExtreme(
  value: Value,
  aggregator: LoopAggregator,
  fold: Pick<ChoiceSum, "reduction" | "state" | "span">,
): Value | undefined {
  if ((aggregator !== "max" && aggregator !== "min") || !isDense(value)) return undefined;
  const choice = choiceIn(value, labelIndicator);
  if (choice === undefined || choice.isProduct || choice.otherwise !== aggregators[aggregator].start)
    return undefined;
  return scatteredChoice(choice, aggregator, value, fold);
}

/** A fold of what is chosen alone; nothing where it is no less to do. */
function scatteredChoice(
  { cells, indicator: { label, index } }: IndicatedCells<LabelIndicator>,
  aggregator: ScatterAggregator,
  value: Value,
  { reduction: { retained, reduced }, state, span }: Pick<ChoiceSum, "reduction" | "state" | "span">,
): Value | undefined {
  if (!retained.includes(index) || index.size < fewComparisons || label.axes.length === 0) return undefined;
  // Along an axis that neither depends on a sum is a multiple.
  const isRead = (axis: Axis): boolean =>
    axis === index || cells.axes.includes(axis) || label.axes.includes(axis);
  if (!value.axes.every(isRead)) return undefined;
  // Of zeros of either sign, the first is the extreme.
  if (aggregator !== "sum" && !areInOrder([...label.axes, ...cells.axes], reduced)) return undefined;
  const over = reduced.flatMap(({ name }) => name ?? []);
  const picked = { value: cells, cellType: cellTypeOf(cells.source) };
  const sums = { dimension: index.name, size: index.size, over };
  return broadcast(scattered(sums, aggregator, picked, whole(label), span, state), retained);
}

/** Whether those of the axes that are folded come in the order in which they are folded. */
function areInOrder(axes: readonly Axis[], reduced: readonly Axis[]): boolean {
  const folded = distinct(axes).flatMap((axis) => reduced.find((other) => isSameAxis(other, axis)) ?? []);
  return folded.every((axis, at) => axis === reduced[at]);
}

/** Whether all axes are dense, and those of one name have one size. */
function areAlike(axes: readonly Axis[], others: readonly Axis[]): boolean {
  const isAlike = (axis: Axis): boolean =>
    others.every((other) => !isSameAxis(other, axis) || other.size === axis.size);
  return [...axes, ...others].every(({ factor }) => factor === undefined) && axes.every(isAlike);
}

/** Labels of which none has a fraction: what has one is no index. */
function whole(label: Value): Value {
  const floor = combined({ op: "apply", function: "floor" }, [label]);
  const isWhole = combined({ op: "apply", function: "equal" }, [floor, label]);
  return combined({ op: "select" }, [isWhole, label, constant(-1)]);
}

function scattered(
  { dimension, size, over }: Pick<IndicatorSum, "dimension" | "size" | "over">,
  aggregator: ScatterAggregator,
  { value: cells, cellType }: { readonly value: Value; readonly cellType: CellType },
  label: Value,
  span: Span,
  state: PlanState,
): Value {
  const { storage } = state;
  const outer = distinct(label.axes);
  const inner = cells.axes.filter((axis) => !outer.some((other) => isSameAxis(other, axis)));
  const axes = [...outer, ...inner];
  state.allowProduced(cellsIn(axes), span);
  const isFolded = (axis: Axis): boolean =>
    !isHidden(axis) && axis.factor === undefined && over.includes(axis.name);
  const index: IndexedAxis = { name: dimension, size };
  const retained = [
    ...outer.filter((axis) => !isFolded(axis)),
    index,
    ...inner.filter((axis) => !isFolded(axis)),
  ];
  const strides = stridesOf(retained.map((axis) => axis.size));
  const { access } = storage.store(label, "double", span).source;
  const scatter = {
    aggregator,
    sizes: axes.map((axis) => axis.size),
    cells: numbersAlong(cells, cellType, axes, state, span),
    strides: axes.map((axis) => {
      const at = retained.indexOf(axis);
      return at < 0 ? 0 : element(strides, at);
    }),
    labels: [
      {
        access: along(axes, label.axes, access),
        stride: element(strides, retained.indexOf(index)),
        size,
      },
    ] as const,
  };
  const buffer = storage.buffer("double", cellsIn(retained), { kind: "scatter", scatter }, span);
  return wholeBuffer(buffer, retained);
}
