import type { Node } from "../../../language/core/operations.js";
import { wholeBuffer } from "../values/storage.js";
import type { ForestNumber, Value } from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import type { Scope } from "./scope.js";

/** The value of a forest, if a node is one: a buffer of one cell that a walk through its trees computes. */
export function forest(node: Node, state: PlanState, scope: Scope): Value | undefined {
  const packed = state.forestOf(node);
  if (packed === undefined) return undefined;
  const numbers = [
    ...packed.features.map((feature, at): ForestNumber => {
      return {
        access: accessTo(feature.node, state, scope),
        isLeaf: false,
        at,
        isNegated: feature.isNegated,
      };
    }),
    ...packed.computedLeaves.map((leaf): ForestNumber => {
      return { access: accessTo(leaf.node, state, scope), isLeaf: true, at: leaf.leaf, isNegated: false };
    }),
  ];
  return wholeBuffer(state.storage.buffer("double", 1, { kind: "forest", packed, numbers }, node.span), []);
}

function accessTo(node: Node, { storage }: PlanState, scope: Scope): ForestNumber["access"] {
  const { source } = scope.value(node);
  if (source.kind === "stored") return source.access;
  return storage.store({ axes: [], source }, "double", node.span).source.access;
}
