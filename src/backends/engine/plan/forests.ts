import type { Node } from "../../../language/core/operations.js";
import { broadcast, unionOf } from "../values/arithmetic.js";
import { wholeBuffer } from "../values/storage.js";
import { type Axis, cellsIn, type ForestNumber, type Value } from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import type { Scope } from "./scope.js";

/**
 * The value of a forest, if a node is one: a buffer that walks through its trees compute, one for each index of the axes that any of its
 * numbers has.
 */
export function forest(node: Node, state: PlanState, scope: Scope): Value | undefined {
  const packed = state.forestOf(node);
  if (packed === undefined) return undefined;
  const axes = unionOf(packed.dependencies.map((each) => scope.value(each)));
  const access = (number: Node): ForestNumber["access"] => accessTo(number, axes, state, scope);
  const numbers = [
    ...packed.features.map((feature, at): ForestNumber => {
      return { access: access(feature.node), isLeaf: false, at, isNegated: feature.isNegated };
    }),
    ...packed.computedLeaves.map((leaf): ForestNumber => {
      return { access: access(leaf.node), isLeaf: true, at: leaf.leaf, isNegated: false };
    }),
  ];
  const sizes = axes.map(({ size }) => size);
  const producer = { kind: "forest", packed, sizes, numbers } as const;
  return wholeBuffer(state.storage.buffer("double", cellsIn(axes), producer, node.span), axes);
}

/** Where a number is read along some axes: where it is stored, or in a copy along its own axes, or along all. */
function accessTo(
  node: Node,
  axes: readonly Axis[],
  { storage }: PlanState,
  scope: Scope,
): ForestNumber["access"] {
  const value = scope.value(node);
  const own = value.source.kind === "stored" ? value : storage.store(value, "double", node.span);
  const { source } = broadcast(own, axes);
  if (source.kind === "stored") return source.access;
  return storage.store({ axes, source }, "double", node.span).source.access;
}
