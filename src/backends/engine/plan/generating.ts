import type { NodeOf } from "../../../language/core/operations.js";
import { broadcast, rounded } from "../values/arithmetic.js";
import { indexedAxis, renamedAxes } from "../values/axes.js";
import { boundAxes } from "../values/tensor-value.js";
import { cellsIn, type Value } from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import { isValue, type Planned, unsupported } from "./planned.js";
import type { Scope } from "./scope.js";

/** generate: the body at all indexes of the new dimensions at once, which it does not see. */
export function generate(
  { type, level, body, span }: NodeOf<"generate">,
  state: PlanState,
  scope: Scope,
): Planned {
  const { hide, show } = state.hiding();
  if (!type.isBound) return unsupported("a generator without sizes");
  const axes = boundAxes(type).map(({ name, size }) => indexedAxis(hide(name), size));
  state.allow(cellsIn(axes), span);
  const indexes = axes.map((axis): Value => ({ axes: [axis], source: { kind: "index", axis: 0 } }));
  scope.bind(level, indexes);
  const value = state.body(scope, body);
  if (!isValue(value)) return value;
  // Axes of outer binders come first, then those of this one.
  const outer = value.axes.filter((axis) => axis.name === undefined || show(axis.name) === axis.name);
  const shown = { ...value, axes: renamedAxes(value.axes, show) };
  const all = [...outer, ...renamedAxes(axes, show)];
  return rounded(broadcast(shown, all), type);
}
