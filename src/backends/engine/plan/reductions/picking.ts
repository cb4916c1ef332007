import type { NodeOf } from "../../../../language/core/operations.js";
import type { Span } from "../../../../language/source/span.js";
import type { CellType } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { stridesOf } from "../../../../language/values/shape.js";
import type { IndicatorSum } from "../../../indicator-sum.js";
import { broadcast, combined, rounded } from "../../values/arithmetic.js";
import { isHidden, isSameAxis } from "../../values/axes.js";
import { cellTypeOf } from "../../values/source.js";
import { wholeBuffer } from "../../values/storage.js";
import { type Axis, cellsIn, constant, type IndexedAxis, type Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { isValue } from "../planned.js";
import type { Scope } from "../scope.js";
import { along, copiedCells, distinct, numbersAlong } from "../slices/gathering.js";
import { type ChoiceSum, fewComparisons, ofChoice } from "./choice-sum.js";
import { chosenCells } from "./chosen-cells.js";
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
    return rounded(scattered(sum, { value: cells, cellType }, labels, span, state), type);
  if (at < 0) return undefined;
  const copied = copiedCells(cells, cellType, [{ at, label: labels, span }], state, span);
  // Of a cell that is -0 the sum with the zeros of other indexes is 0.
  return rounded(combined({ op: "apply", function: "add" }, [copied, constant(0)]), type);
}

/** The sum of a value that is a choice by labels that are an index which is retained; nothing of another one. */
export function chosenSum(value: Value, sum: ChoiceSum): Value | undefined {
  const { state, span } = sum;
  const { retained, reduced } = sum.reduction;
  const choice = chosenCells(value, sum);
  if (choice === undefined || !retained.includes(choice.indicator.index)) return undefined;
  const { cells, indicator } = choice;
  const { label, index } = indicator;
  // Along an axis that neither depends on the sum is a multiple.
  const isRead = (axis: Axis): boolean =>
    axis === index || cells.axes.includes(axis) || label.axes.includes(axis);
  if (index.size < fewComparisons || label.axes.length === 0 || !value.axes.every(isRead)) return undefined;
  const over = reduced.flatMap(({ name }) => name ?? []);
  const picked = { value: cells, cellType: cellTypeOf(cells.source) };
  const shorter = scattered(
    { dimension: index.name, size: index.size, over },
    picked,
    whole(label),
    span,
    state,
  );
  return ofChoice(choice, broadcast(shorter, retained), value, sum);
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
  const isSummed = (axis: Axis): boolean =>
    !isHidden(axis) && axis.factor === undefined && over.includes(axis.name);
  const index: IndexedAxis = { name: dimension, size };
  const retained = [
    ...outer.filter((axis) => !isSummed(axis)),
    index,
    ...inner.filter((axis) => !isSummed(axis)),
  ];
  const strides = stridesOf(retained.map((axis) => axis.size));
  const { access } = storage.store(label, "double", span).source;
  const scatter = {
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
