import type { NodeOf } from "../../../language/core/operations.js";
import { hiding, indexedAxis, renamedAxes } from "./axes.js";
import { rounded, spread } from "./elementwise.js";
import type { Planner } from "./planner.js";
import type { Scope } from "./scope.js";
import { cellsIn, type Value } from "./value.js";

/** generate: the body at all places of the new dimensions at once, which it does not see. */
export function generate(
  { type, level, body, span }: NodeOf<"generate">,
  planner: Planner,
  scope: Scope,
): Value {
  const { hide, show } = hiding();
  const axes = type.indexed.map(({ name, size }) => indexedAxis(hide(name), size ?? 0));
  planner.surroundings.meter.allow(cellsIn(axes), span);
  const places = axes.map((axis): Value => ({ axes: [axis], source: { kind: "place", axis: 0 } }));
  scope.bind(level, places);
  const value = planner.bodyIn(scope, body);
  // Axes of an outer generator come first, then those of this one.
  const outer = value.axes.filter((axis) => axis.name === undefined || show(axis.name) === axis.name);
  const shown = { ...value, axes: renamedAxes(value.axes, show) };
  const all = [...outer, ...renamedAxes(axes, show)];
  return rounded(planner, spread(shown, all), type, span);
}
