import type { Node, NodeOf } from "../../../language/core/operations.js";
import { renaming } from "../../../language/types/algebra.js";
import { renamedAxes } from "../values/axes.js";
import type { Value } from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import type { Planned } from "./planned.js";
import type { Scope } from "./scope.js";

/** rename: the same cells; only the axes have other names. */
export function rename({ tensor, from, to }: NodeOf<"rename">, _: PlanState, scope: Scope): Planned {
  const value = scope.value(tensor);
  return { ...value, axes: renamedAxes(value.axes, renaming(from, to)) };
}

/** parameter: what the binder gave; an unbound parameter is a bug. */
export function parameter(node: NodeOf<"parameter">, _: PlanState, scope: Scope): Value {
  const value = scope.parameter(node.level, node.position);
  if (value === undefined) throw new Error(unboundText(node));
  return value;
}

const unboundText = ({ id }: Node): string => `parameter ${id} is not bound`;
