import type { Node, NodeOf } from "../../../../language/core/operations.js";
import { wholeLabel } from "../../../../language/values/text.js";
import { cellsIn, type Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import {
  isUnsupported,
  isValue,
  type Pending,
  type Planned,
  type Unsupported,
  unsupported,
} from "../planned.js";
import type { Scope } from "../scope.js";
import { gather } from "./gathering.js";
import { type SliceLabel, varyingLabels } from "./labels.js";
import { numberedRows } from "./numbered-rows.js";
import { sliceView } from "./slice-view.js";
import { type WindowLabel, windowLabel } from "./window-label.js";
import { windowed } from "./windows.js";

/**
 * slice: cells at a partial address. A label that is the same everywhere makes a view; one that differs along a hidden
 * axis, as in the body of a generator, makes a view, a strided read or a gather of it.
 */
export function slice(node: NodeOf<"slice">, state: PlanState, scope: Scope): Planned {
  const value = scope.value(node.tensor);
  const labels = new Map<string, SliceLabel>();
  const windows = new Map<string, WindowLabel>();
  const gathered = new Map<string, Node>();
  for (const { dimension, label } of node.at) {
    if (typeof label !== "string" && isQuicklyGathered(node, value, dimension, scope.value(label))) {
      gathered.set(dimension, label);
      continue;
    }
    const labelled =
      typeof label === "string" ? textOf(label) : computedLabel(node, dimension, label, state, scope);
    if (labelled.kind === "pending") return labelled;
    if (labelled.kind === "unsupported") {
      if (typeof label === "string" || !hasNumbers(value, dimension)) return labelled;
      gathered.set(dimension, label);
    } else if (labelled.kind === "window") windows.set(dimension, labelled);
    else labels.set(dimension, labelled);
  }
  if (gathered.size === 0) {
    const strided = windows.size > 0 ? windowed(node, value, labels, windows, state) : undefined;
    if (strided === undefined) return sliceView(node, value, labels, state);
    if (!isUnsupported(strided)) return strided;
  }
  for (const { dimension, label } of node.at)
    if (windows.has(dimension) && typeof label !== "string") gathered.set(dimension, label);
  const sliced = sliceView(node, value, labels, state);
  return isValue(sliced) ? gather(node, sliced, gathered, state, scope) : sliced;
}

/** Whether the labels of a dimension are numbers, so that cells may tell which are read. */
const hasNumbers = (value: Value, dimension: string): boolean =>
  value.axes.some(({ name }) => name === dimension) || numberedRows(value, dimension) !== undefined;

/** So many cells are copied in less time than it takes to plan another slice. */
const mostCopied = 10_000;

/** Whether few stored cells are at one label that a run tells: the plan is the same for all labels then. */
function isQuicklyGathered(
  { type }: NodeOf<"slice">,
  value: Value,
  dimension: string,
  label: Value,
): boolean {
  if (label.axes.length > 0 || label.source.kind === "constant") return false;
  if (!type.isDense || value.source.kind !== "stored") return false;
  const at = numberedRows(value, dimension)?.at;
  const axis = at === undefined ? value.axes.find(({ name }) => name === dimension) : value.axes[at];
  return axis !== undefined && cellsIn(value.axes) <= mostCopied * axis.size;
}

const textOf = (text: string): SliceLabel => ({ kind: "uniform", text });

function computedLabel(
  node: NodeOf<"slice">,
  dimension: string,
  label: Node,
  state: PlanState,
  scope: Scope,
): SliceLabel | WindowLabel | Pending | Unsupported {
  const value = scope.value(label);
  if (value.axes.length > 1) return windowLabel(dimension, label, scope, state.storage.tables);
  if (value.axes.length > 0) return varyingLabels(value, state.storage.tables);
  if (value.source.kind === "constant") return textOf(wholeLabel(value.source.value));
  if (label.depends !== 0 || scope.isBody) return unsupported("a label that cells decide, in a body");
  const { access } = state.storage.store(value, "double", label.span).source;
  const request = { kind: "label", node: label, access } as const;
  const text = state.requests.outcome(request, node);
  return text === undefined ? { kind: "pending", request } : textOf(text);
}
