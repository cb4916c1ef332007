import type { Lambda, NodeOf } from "../../../language/core/operations.js";
import { filterRows } from "../sparse/filter.js";
import { broadcast, rounded } from "../values/arithmetic.js";
import { factorAxis, isHidden, renamedAxes } from "../values/axes.js";
import { viewed } from "../values/source.js";
import type { AxisImage, Value } from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import { isValue, type Planned, unsupported } from "./planned.js";
import { summedOver } from "./reductions/folding.js";
import { Scope } from "./scope.js";

/** map_subspaces: the lambda for all dense blocks at once; it does not see the mapped dimensions. */
export function mapSubspaces(node: NodeOf<"mapSubspaces">, state: PlanState, scope: Scope): Planned {
  // Without a row nothing tells the sizes of unbound dimensions that the lambda makes.
  if (!node.type.isBound) return unsupported("blocks of unbound size");
  const value = forEachBlock(state, scope.value(node.tensor), node.lambda);
  return isValue(value) ? rounded(value, node.type) : value;
}

/** The lambda's value for each dense block, under the block's labels. */
function forEachBlock(state: PlanState, value: Value, lambda: Lambda): Planned {
  const { hide, show } = state.hiding();
  const axes = value.axes.flatMap((axis) => (axis.factor === undefined ? [axis] : renamedAxes([axis], hide)));
  const inner = new Scope(true).bind(1, [{ ...value, axes }]);
  const body = state.body(inner, lambda.body);
  if (!isValue(body)) return body;
  const indexed = body.axes.filter(({ factor }) => factor === undefined);
  const all = [...value.axes.filter(({ factor }) => factor !== undefined), ...indexed];
  return broadcast({ ...body, axes: renamedAxes(body.axes, show) }, all);
}

/** filter_subspaces: the rows for which the sum of the lambda's cells is not 0; which they are depends on the cells. */
export function filterSubspaces(node: NodeOf<"filterSubspaces">, state: PlanState, scope: Scope): Planned {
  const value = scope.value(node.tensor);
  const [rows, more] = value.axes.filter(({ factor }) => factor !== undefined);
  if (rows?.factor === undefined || more !== undefined) return unsupported("rows of several factors");
  if (node.depends !== 0 || scope.isBody || value.axes.some(isHidden))
    return unsupported("a filter in a body");
  if (!node.lambda.body.type.isDense) return unsupported("labels in a block");
  const blocks = forEachBlock(state, value, node.lambda);
  if (!isValue(blocks)) return blocks;
  const sums = summedOver(state, blocks, ({ factor }) => factor === undefined, node.span);
  const { access } = state.storage.store(sums, "double", node.span).source;
  const request = { kind: "rows", node, access, rows: rows.size } as const;
  const chosen = state.requests.outcome(request, node);
  if (chosen === undefined) return { kind: "pending", request };
  const filtered = filterRows(rows.factor, chosen);
  const axis = factorAxis(filtered.factor);
  const axes = value.axes.map((each) => (each === rows ? axis : each));
  const images = value.axes.map(
    (each, at): AxisImage => (each === rows ? { axis: at, rows: filtered.rows } : { axis: at }),
  );
  return viewed(axes, value.source, images);
}
