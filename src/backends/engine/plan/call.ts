import type { Node } from "../../../language/core/operations.js";
import { byStorage, imagesAmong, isHidden } from "../values/axes.js";
import { viewed } from "../values/source.js";
import { wholeBuffer } from "../values/storage.js";
import { boundAxes, lengthOf, valueIn } from "../values/tensor-value.js";
import {
  type Axis,
  type Buffer,
  type CallOperand,
  cellsIn,
  namesOf,
  type ReferenceCall,
  type Value,
} from "../values/value.js";
import { dependenciesOf } from "./dependencies.js";
import type { PlanState } from "./plan-state.js";
import { isValue, type Planned, unsupported } from "./planned.js";
import { drawsRandom } from "./runs/draws.js";
import { leftToReference } from "./runs/randomness.js";
import type { Scope } from "./scope.js";

/**
 * A node for which the engine has no way of its own: the reference computes it, from stored cells of what the node needs;
 * within a body, once for each index of the axes that the body does not see. Where the type does not tell all sizes and
 * labels, a run tells them; in a body that would be many, and the node around it is computed instead.
 */
export function callReference(node: Node, state: PlanState, scope: Scope): Planned {
  const isClosed = node.depends === 0 && !scope.isBody;
  if (!isClosed && drawsRandom(node)) return unsupported("random numbers in a body");
  const dependencies = dependenciesOf(node);
  const computed = new Set(state.refusals.safeAmong(dependencies, node));
  if (node.op === "generate") for (const part of leftToReference(node, state)) computed.delete(part);
  const values = dependencies.flatMap((dependency) => {
    const planned = computed.has(dependency) ? scope.get(dependency) : undefined;
    return planned !== undefined && isValue(planned) ? [{ dependency, value: planned }] : [];
  });
  // What has no value here the reference finds from the inputs of the run; it knows neither parameters nor a batch.
  if (values.length < dependencies.length && (!isClosed || state.isBatch))
    return unsupported("a branch without a value, in a body");
  const outer = outerAxes(values.map(({ value }) => value));
  if (outer.length > 0 && drawsRandom(node)) return unsupported("random numbers for many runs at once");
  const operands = values.map(({ dependency, value }) => operandOf(dependency, value, outer, state));
  const readsInputs = values.length < dependencies.length;
  const call: ReferenceCall = { node, operands, outer: outer.map(({ size }) => size), readsInputs };
  const { type, span } = node;
  if (type.isDense && type.isBound) {
    const axes = [...outer, ...boundAxes(type)];
    state.calls.set(node, call);
    const buffer = state.storage.buffer(type.cellType, cellsIn(axes), { kind: "call", call }, span);
    if (readsInputs) state.refusals.add(node, buffer);
    return wholeBuffer(buffer, axes);
  }
  if (!isClosed || outer.length > 0) return unsupported("a result of open size in a body");
  state.calls.set(node, call);
  const request = { kind: "tensor", node, call } as const;
  const outcome = state.requests.outcome(request, node);
  if (outcome === undefined) return { kind: "pending", request };
  const { sizes, index } = outcome;
  const length = lengthOf(sizes, index);
  const buffer: Buffer = { cellType: type.cellType, length, origin: { kind: "outcome", node } };
  return valueIn(buffer, type, sizes, index);
}

/** The hidden axes that any of the values has. */
function outerAxes(values: readonly Value[]): Axis[] {
  const hiddenAxes = new Map<string, Axis>();
  for (const { axes } of values)
    for (const axis of axes) if (isHidden(axis)) hiddenAxes.set(namesOf(axis).join(), axis);
  return [...hiddenAxes.values()].sort(byStorage);
}

/** The stored cells of an operand, with strides along all outer axes and then its own. */
function operandOf(node: Node, value: Value, outer: readonly Axis[], { storage }: PlanState): CallOperand {
  const stored = storage.store(value, node.type.cellType, node.span);
  const own = value.axes.filter((axis) => !isHidden(axis)).sort(byStorage);
  const all = [...outer, ...own];
  const { source } = viewed(all, stored.source, imagesAmong(stored.axes, all));
  if (source.kind !== "stored") throw new Error("stored cells are seen by strides, without rows");
  return { node, axes: own, access: source.access };
}
