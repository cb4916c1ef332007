import type { Lambda, NodeOf } from "../../../language/core/operations.js";
import { takeRows } from "../sparse/factor.js";
import { factorAxis, hiding, isHidden, renamedAxes } from "./axes.js";
import { rounded, spread } from "./elementwise.js";
import type { Planner } from "./planner.js";
import { summedOver } from "./reducing.js";
import { Scope } from "./scope.js";
import { NotYet, NoWay } from "./signals.js";
import { type Place, seen, type Value } from "./value.js";

/** map_subspaces: the lambda for all dense blocks at once; it does not see the mapped dimensions. */
export function mapSubspaces(node: NodeOf<"mapSubspaces">, planner: Planner, scope: Scope): Value {
  // Without a row nobody knows the sizes of unbound dimensions that the lambda makes.
  if (!node.type.isBound) throw new NoWay();
  const value = scope.value(node.tensor);
  return rounded(planner, eachBlock(planner, value, node.lambda), node.type, node.span);
}

/** The lambda's value for each dense block, under the block's labels. */
function eachBlock(planner: Planner, value: Value, lambda: Lambda): Value {
  const { hide, show } = hiding();
  const axes = value.axes.flatMap((axis) => (axis.factor === undefined ? [axis] : renamedAxes([axis], hide)));
  const inner = new Scope().bind(1, [{ ...value, axes }]);
  const body = planner.bodyIn(inner, lambda.body);
  const indexed = body.axes.filter(({ factor }) => factor === undefined);
  const all = [...value.axes.filter(({ factor }) => factor !== undefined), ...indexed];
  return spread({ ...body, axes: renamedAxes(body.axes, show) }, all);
}

/** filter_subspaces: the rows for which the sum of the lambda's cells is not 0; which they are depends on the cells. */
export function filterSubspaces(node: NodeOf<"filterSubspaces">, planner: Planner, scope: Scope): Value {
  const value = scope.value(node.tensor);
  const [rows, more] = value.axes.filter(({ factor }) => factor !== undefined);
  if (rows?.factor === undefined || more !== undefined || value.axes.some(isHidden)) throw new NoWay();
  const indexed = (axis: { factor?: unknown }): boolean => axis.factor === undefined;
  const { source } = planner.once(node, () => {
    const sums = summedOver(planner, eachBlock(planner, value, node.lambda), indexed, node.span);
    return planner.store(sums, "double", node.span);
  });
  if (source.kind !== "stored") throw new NoWay();
  if (!planner.recorder.isUpToDate) throw new NotYet();
  planner.isReplayable = false;
  const { slot, offset, steps } = source.access;
  const step = Number(steps[0] ?? 0); // what was stored just now has no table
  const kept = Array.from({ length: rows.size }, (_, row) => row).filter(
    (row) => Number(slot.block.cells[offset + row * step]) !== 0,
  );
  const chosen = Int32Array.from(kept);
  const axis = factorAxis({ names: rows.factor.names, index: takeRows(rows.factor.index, chosen) });
  const axes = value.axes.map((each) => (each === rows ? axis : each));
  const places = value.axes.map(
    (each, at): Place => (each === rows ? { axis: at, rows: chosen } : { axis: at }),
  );
  return seen(axes, value.source, places);
}
