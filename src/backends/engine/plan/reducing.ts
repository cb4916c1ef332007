import type { NodeOf } from "../../../language/core/operations.js";
import type { AggregatorName } from "../../../language/scalar/aggregators.js";
import type { Span } from "../../../language/source/span.js";
import type { CellType } from "../../../language/types/cell.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { Along, LoopAggregator } from "../loop.js";
import { type Grouping, groupBy } from "../sparse/group.js";
import { byStorage, factorAxis, isHidden } from "./axes.js";
import { contracted } from "./contracting.js";
import { combined, rounded, spread } from "./elementwise.js";
import { factorised, factorsOf } from "./factorising.js";
import type { Planner } from "./planner.js";
import type { Scope } from "./scope.js";
import { NoWay } from "./signals.js";
import {
  type Axis,
  cellsIn,
  computed,
  constant,
  type FactorAxis,
  namesOf,
  type Place,
  stored,
  type Value,
} from "./value.js";

/** How a reduction is made of loops: by one aggregator, or a sum and what is done with it; some need all cells at once. */
const ways: Readonly<Record<AggregatorName, LoopAggregator | "mean" | "number" | undefined>> = {
  avg: "mean",
  count: "number",
  max: "max",
  median: undefined,
  min: "min",
  prod: "prod",
  sum: "sum",
  vespaMax: "vespaMax",
  vespaMin: "vespaMin",
};

/** reduce: a loop over all axes, those that are kept first, into a cell for each group. */
export function reduce(node: NodeOf<"reduce">, planner: Planner, scope: Scope): Value {
  const apart = factorised(node, planner, scope);
  if (apart !== undefined) return apart;
  const known = scope.known(node.tensor) ?? wholeProduct(node, planner, scope);
  const product = known === undefined ? contracted(node, planner, scope) : undefined;
  if (product !== undefined) return product;
  // A product's join was not planned before, since its rows might not be needed.
  const value = known ?? planner.bodyIn(scope, node.tensor);
  const way = ways[node.aggregator];
  const plan = reductionOf(value, node.over);
  if (way === undefined || (plan.isReordered && isOrdered(node.aggregator))) throw new NoWay();
  const { type, span } = node;
  // Of no cells at all every aggregator makes 0, in all places that the result has.
  if (cellsIn(value.axes) === 0) return { axes: plan.kept, source: constant(0).source };
  if (way === "number") return spread(countOf(planner, plan), plan.kept);
  const isMean = way === "mean";
  const cellType = isMean || plan.grouped !== undefined ? "double" : type.cellType;
  const total = fold(planner, value, plan, isMean ? "sum" : way, cellType, span);
  if (!isMean) return rounded(planner, total, type, span);
  const count = countOf(planner, plan);
  const mean = combined(planner, { op: "apply", function: "divide" }, [total, count], span);
  return rounded(planner, mean, type, span);
}

/** The product of factors that are better left together. */
const wholeProduct = (node: NodeOf<"reduce">, planner: Planner, scope: Scope): Value | undefined =>
  factorsOf(node).length === 0 ? undefined : planner.bodyIn(scope, node.tensor);

const isOrdered = (aggregator: AggregatorName): boolean =>
  aggregator === "vespaMax" || aggregator === "vespaMin";

/** What becomes of each axis. */
interface Reduction {
  /** The axes of the result, in the order of storage. */
  readonly kept: readonly Axis[];
  readonly reduced: readonly Axis[];
  /** A factor of which some dimensions are kept. */
  readonly grouped: { readonly axis: FactorAxis; readonly grouping: Grouping; readonly to: Axis } | undefined;
  /** Whether cells come in another order than the canonical one. */
  readonly isReordered: boolean;
}

function reductionOf(value: Value, over: readonly string[]): Reduction {
  const kept: Axis[] = [];
  const reduced: Axis[] = [];
  let grouped: Reduction["grouped"];
  for (const axis of value.axes) {
    const names = namesOf(axis);
    const rest = isHidden(axis)
      ? names
      : over.length === 0
        ? []
        : names.filter((name) => !over.includes(name));
    if (rest.length === names.length) kept.push(axis);
    else if (rest.length === 0 || axis.factor === undefined) reduced.push(axis);
    else {
      // A second one would need a table over two axes at once.
      if (grouped !== undefined) throw new NoWay();
      const grouping = groupBy(axis.factor, rest);
      const to = factorAxis(grouping.factor);
      grouped = { axis, grouping, to };
      kept.push(to);
    }
  }
  kept.sort(byStorage);
  reduced.sort(byStorage);
  // The rows of one result come in canonical order where the reduced factors, as they are walked, have theirs one
  // behind the other: kept factors change nothing in it.
  const walked = reduced.filter(({ factor }) => factor !== undefined).flatMap(namesOf);
  const isReordered =
    grouped !== undefined || walked.some((name, at) => at > 0 && name < (walked[at - 1] ?? ""));
  return { kept, reduced, grouped, isReordered };
}

function fold(
  planner: Planner,
  value: Value,
  { kept, reduced, grouped }: Reduction,
  aggregator: LoopAggregator,
  cellType: CellType,
  span: Span,
): Value {
  planner.surroundings.meter.allowProduced(cellsIn(value.axes), span);
  const sizes = kept.map(({ size }) => size);
  const strides = stridesOf(sizes);
  const slot = planner.slot(cellType, cellsIn(kept), span);
  // The factor whose rows are grouped stands in for its groups, and is walked first.
  const all = [
    ...(grouped === undefined ? [] : [grouped.axis]),
    ...kept.filter((axis) => axis !== grouped?.to),
    ...reduced,
  ];
  const steps = all.map((axis): Along => {
    if (axis === grouped?.axis) {
      const stride = strides[kept.indexOf(grouped.to)] ?? 0;
      return planner.tables.along(stride, grouped.grouping.groups);
    }
    const at = kept.indexOf(axis);
    return at < 0 ? 0 : (strides[at] ?? 0);
  });
  const places = value.axes.map((axis): Place => ({ axis: all.indexOf(axis) }));
  const axes = all.map((axis) => ({ size: axis.size, isReduced: reduced.includes(axis) }));
  const { source } = computed(all, { op: "same" }, [{ source: value.source, places }]);
  planner.loop({ axes, target: { slot, cellType, offset: 0, steps }, aggregator }, source, slot, span);
  return { axes: kept, source: stored({ slot, cellType, offset: 0, steps: strides }) };
}

/** The sum over all axes of a kind, in doubles. */
export function summedOver(
  planner: Planner,
  value: Value,
  isSummed: (axis: Axis) => boolean,
  span: Span,
): Value {
  const reduced = value.axes.filter(isSummed);
  if (reduced.length === 0) return value;
  const kept = value.axes.filter((axis) => !isSummed(axis));
  if (cellsIn(value.axes) === 0) return { axes: kept, source: constant(0).source };
  return fold(
    planner,
    value,
    { kept, reduced, grouped: undefined, isReordered: false },
    "sum",
    "double",
    span,
  );
}

/** How many cells each group has. */
function countOf(planner: Planner, { reduced, grouped }: Reduction): Value {
  const each = cellsIn(reduced);
  if (grouped === undefined) return constant(each);
  const counts = planner.tables.values(grouped.grouping.counts.map((rows) => rows * each));
  return { axes: [grouped.to], source: stored(counts) };
}
