import type { Lambda, NodeOf } from "../../../language/core/operations.js";
import { scalarFunctions } from "../../../language/scalar/functions.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import { aligned } from "./aligning.js";
import { byStorage, hiding, placesAmong, renamedAxes } from "./axes.js";
import { isLight } from "./needs.js";
import type { Planner } from "./planner.js";
import { Scope } from "./scope.js";
import { NeedsMore, NoWay } from "./signals.js";
import {
  type Axis,
  cellsIn,
  cellTypeOf,
  computed,
  constant,
  depthOf,
  namesOf,
  type ScalarOperation,
  seen,
  sizeOf,
  type Value,
  weightOf,
} from "./value.js";

/** A body of more instructions than these is cut, so that its loop stays small: each cell of it is computed anew. */
const mostInstructions = 200;
/** A single number may be as long as its program; learned forests are. Nothing recurses deeper than this, though. */
const mostOfOneNumber = 400_000;
const deepest = 300;

/** A scalar function of scalars, or of values that are scalars at each place of hidden axes. */
export function apply(node: NodeOf<"apply">, planner: Planner, scope: Scope): Value {
  const values = node.arguments.map((each) => scope.value(each));
  return combined(planner, { op: "apply", function: node.function }, values, node.span);
}

/** Scalars are chosen where they are computed; of tensors only the chosen one is. */
export function select(node: NodeOf<"select">, planner: Planner, scope: Scope): Value {
  const condition = scope.value(node.condition);
  const isEverywhere = condition.axes.length > 0;
  if (isLight(node) || isEverywhere) {
    const branches = [node.condition, node.yes, node.no];
    scope.choose(node, branches);
    if (branches.some((each) => scope.known(each) === undefined)) throw new NeedsMore();
    const [yes, no] = [scope.value(node.yes), scope.value(node.no)];
    // Where the branches may have other places than each other, nothing can be said for all places at once.
    if (!node.type.isScalar && (!node.type.isDense || !node.type.isBound)) throw new NoWay();
    return combined(planner, { op: "select" }, [condition, yes, no], node.span);
  }
  const chosen = planner.number(condition, node.span) !== 0 ? node.yes : node.no;
  scope.choose(node, [node.condition, chosen]);
  const value = scope.known(chosen);
  if (value === undefined) throw new NeedsMore();
  return value;
}

/** map: the lambda at every cell. */
export function map(node: NodeOf<"map">, planner: Planner, scope: Scope): Value {
  const value = scope.value(node.tensor);
  return overAxes(planner, node.lambda, value.axes, [value], node.type, node.span);
}

/** join: the lambda at every pair of cells that agree in what they share. */
export function join(node: NodeOf<"join">, planner: Planner, scope: Scope): Value {
  const { axes, left, right } = aligned(planner, scope.value(node.left), scope.value(node.right), node.span);
  for (const { name, size } of axes) {
    const wanted = name === undefined ? undefined : node.type.dimension(name)?.size;
    // A type that promises more cells than the overlap has wants zeros there.
    if (wanted !== undefined && wanted !== size) throw new NoWay();
  }
  return overAxes(planner, node.lambda, axes, [left, right], node.type, node.span);
}

/** cell_cast: the same cells, stored as another type. */
export function cast(node: NodeOf<"cast">, planner: Planner, scope: Scope): Value {
  const value = scope.value(node.tensor);
  for (const { name, size } of value.axes) {
    const wanted = name === undefined ? undefined : node.type.dimension(name)?.size;
    if (wanted !== undefined && wanted !== size) throw new NoWay();
  }
  return rounded(planner, value, node.type, node.span);
}

/** The value of a lambda at all places of some axes, which its body does not see, rounded as cells of the type are. */
export function overAxes(
  planner: Planner,
  lambda: Lambda,
  axes: readonly Axis[],
  parameters: readonly Value[],
  type: TensorType,
  span: Span,
): Value {
  const { hide, show } = hiding();
  const hidden = parameters.map((value) => ({ ...value, axes: renamedAxes(value.axes, hide) }));
  const inner = new Scope().bind(1, hidden);
  const body = planner.bodyIn(inner, lambda.body);
  const shown = { ...body, axes: renamedAxes(body.axes, show) };
  return rounded(planner, spread(shown, axes), type, span);
}

/** The value on all of these axes, of which it has some. */
export function spread(value: Value, axes: readonly Axis[]): Value {
  return seen(axes, value.source, placesAmong(value.axes, axes));
}

/** What the cells of a type hold of a value. */
export function rounded(planner: Planner, value: Value, type: TensorType, span: Span): Value {
  if (type.isScalar || type.cellType === "double") return value;
  if (value.source.kind === "stored" && value.source.access.cellType === type.cellType) return value;
  return combined(planner, { op: "store", cellType: type.cellType }, [value], span);
}

/** A scalar operation on values at all places of the axes that any of them has. */
export function combined(
  planner: Planner,
  operation: ScalarOperation,
  values: readonly Value[],
  span: Span,
): Value {
  const folded = foldedConstant(operation, values);
  const axes = values.length === 1 ? (values[0]?.axes ?? []) : unionOf(values);
  if (folded !== undefined) return { axes, source: constant(folded).source };
  const cells = cellsIn(axes);
  let room = axes.length === 0 ? mostOfOneNumber : mostInstructions;
  const inputs = values.map((value) => {
    // What would be computed again for every place of axes that it lacks is stored before; so is what is too long.
    const isRepeated = weightOf(value.source) > 0 && cellsIn(value.axes) * 4 <= cells;
    const isLong = sizeOf(value.source) > room || depthOf(value.source) > deepest;
    if (!isLong) room -= sizeOf(value.source);
    const ready = isRepeated || isLong ? planner.store(value, cellTypeOf(value.source), span) : value;
    const places = placesAmong(ready.axes, axes);
    return { source: ready.source, places };
  });
  return computed(axes, operation, inputs);
}

function foldedConstant(operation: ScalarOperation, values: readonly Value[]): number | undefined {
  if (operation.op !== "apply") return undefined;
  const numbers = values.map(({ source }) => (source.kind === "constant" ? source.value : undefined));
  const [x, y = 0] = numbers;
  if (x === undefined || numbers.includes(undefined)) return undefined;
  return scalarFunctions[operation.function].compute(x, y);
}

/** All axes of some values, in the order in which they are stored; those of one name are the same. */
function unionOf(values: readonly Value[]): Axis[] {
  const byName = new Map<string, Axis>();
  for (const { axes } of values) for (const axis of axes) byName.set(namesOf(axis).join(), axis);
  return [...byName.values()].sort(byStorage);
}
