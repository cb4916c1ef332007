import type { Node, NodeOf } from "../../../../language/core/operations.js";
import { cellTypes } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { segmentsOf } from "../../sparse/group.js";
import { rounded } from "../../values/arithmetic.js";
import { byStorage, isHidden } from "../../values/axes.js";
import { wholeBuffer } from "../../values/storage.js";
import { type Axis, type BufferAccess, cellsIn, constant, namesOf, type Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { type Planned, unsupported } from "../planned.js";
import type { Scope } from "../scope.js";
import type { Reduction } from "./reduction.js";

/** What looks at cells in their order: medians, and the ranks of cells. */

/** reduce by median: the cells of each line, or of each group of rows, are looked at together. */
export function median(
  node: NodeOf<"reduce">,
  value: Value,
  { retained, reduced, grouped, isReordered }: Reduction,
  state: PlanState,
): Planned {
  // Which of several zeros is in the middle depends on the order in which they come.
  if (grouped === undefined ? isReordered : reduced.some(({ factor }) => factor !== undefined))
    return unsupported("cells come in another order");
  const outer = retained.filter((axis) => axis !== grouped?.to);
  const line = grouped === undefined ? reduced : [grouped.axis, ...reduced];
  state.allowProduced(cellsIn(value.axes), node.span);
  const axes = grouped === undefined ? outer : [...outer, grouped.to];
  const { type, span } = node;
  const cellType = type.cellType === "float" ? "float" : "double";
  const ranking = {
    finds: { kind: "median" },
    outer: outer.map(({ size }) => size),
    line: line.map(({ size }) => size),
    groups: grouped === undefined ? undefined : segmentsOf(grouped.grouping),
  } as const;
  const cells = numbersOf(node.tensor, value, [...outer, ...line], state);
  const buffer = state.storage.buffer(cellType, cellsIn(axes), { kind: "ranking", ranking, cells }, span);
  return rounded(wholeBuffer(buffer, axes), type);
}

/** cell_order: the ranks of all cells that a node sees, at each index of the axes that it does not see. */
export function order(node: NodeOf<"order">, state: PlanState, scope: Scope): Planned {
  const value = scope.value(node.tensor);
  if (cellsIn(value.axes) === 0) return { axes: value.axes, source: constant(0).source };
  const outer = value.axes.filter(isHidden).sort(byStorage);
  const line = value.axes.filter((axis) => !isHidden(axis)).sort(byStorage);
  if (!isCanonical(line)) return unsupported("cells come in another order");
  const ranking = {
    finds: { kind: "ranks", isDescending: node.descending },
    outer: outer.map(({ size }) => size),
    line: line.map(({ size }) => size),
  } as const;
  const axes = [...outer, ...line];
  const { type, span } = node;
  const cellType = type.cellType === "float" ? "float" : "double";
  const cells = numbersOf(node.tensor, value, axes, state);
  const buffer = state.storage.buffer(cellType, cellsIn(axes), { kind: "ranking", ranking, cells }, span);
  return rounded(wholeBuffer(buffer, axes), type);
}

/** Whether a walk along the axes, the last fastest, comes to rows in the order of all of their labels. */
function isCanonical(axes: readonly Axis[]): boolean {
  const names = axes.filter(({ factor }) => factor !== undefined).flatMap(namesOf);
  return names.every((name, at) => at === 0 || element(names, at - 1) < name);
}

/** The cells along some axes, which are all of the value's, as numbers rather than as bits of numbers. */
function numbersOf(
  { type: { cellType }, span }: Node,
  value: Value,
  axes: readonly Axis[],
  { storage }: PlanState,
): BufferAccess {
  const isEncoded = cellTypes[cellType].encoding !== undefined;
  const { access } = storage.store(value, isEncoded ? "double" : cellType, span).source;
  return { ...access, strides: axes.map((axis) => element(access.strides, value.axes.indexOf(axis))) };
}
