import type { NodeOf, Selection } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import { renamed } from "../../../language/types/algebra.js";
import { wholeLabel } from "../../../language/values/text.js";
import { selectRows } from "../sparse/select.js";
import { factorAxis, renamedAxes } from "./axes.js";
import { combined } from "./elementwise.js";
import { type Labelled, labelsAlong } from "./labels.js";
import type { Planner } from "./planner.js";
import type { Scope } from "./scope.js";
import { NoWay } from "./signals.js";
import { type Axis, constant, type FactorAxis, type Place, seen, type Value } from "./value.js";

/** rename: the same cells; only the axes have other names. */
export function rename({ tensor, from, to }: NodeOf<"rename">, _: Planner, scope: Scope): Value {
  const value = scope.value(tensor);
  return { ...value, axes: renamedAxes(value.axes, (name) => renamed(name, from, to)) };
}

/**
 * slice: cells at a partial address. A label that is the same everywhere makes a view; one that differs along a hidden
 * axis, as in the body of a generator, makes a view, a strided read or a gather of it.
 */
export function slice(node: NodeOf<"slice">, planner: Planner, scope: Scope): Value {
  const value = scope.value(node.tensor);
  const wanted = new Map<string, Labelled>();
  for (const selection of node.at)
    wanted.set(selection.dimension, labelOf(selection, planner, scope, node.span));
  const axes: Axis[] = [];
  const places: Place[] = [];
  const conditions: Value[] = [];
  let isAbsent = false;
  const put = (axis: Axis): number => {
    const known = axes.findIndex((each) => each.name !== undefined && each.name === axis.name);
    return known >= 0 ? known : axes.push(axis) - 1;
  };
  for (const axis of value.axes) {
    if (axis.factor !== undefined) {
      const found = factorPlace(axis, wanted, put);
      if (found === undefined) isAbsent = true;
      places.push(found?.place ?? { at: 0 });
      if (found?.condition !== undefined) conditions.push(found.condition);
      continue;
    }
    const label = wanted.get(axis.name);
    if (label === undefined) places.push({ axis: put(axis) });
    else if (label.kind === "everywhere") {
      const index = Number(label.text);
      if (!(index >= 0 && index < axis.size)) isAbsent = true;
      places.push({ at: isAbsent ? 0 : index });
    } else {
      const along = label.rows(axis.size);
      places.push({ axis: put(label.axis), rows: along.rows });
      if (along.condition !== undefined) conditions.push(along.condition);
    }
  }
  if (isAbsent) return absent(node, axes);
  const read = seen(axes, value.source, places);
  return conditions.reduce(
    (inside, condition) => combined(planner, { op: "select" }, [condition, inside, constant(0)], node.span),
    read,
  );
}

/** What is not there is 0 in a scalar or a dense result, and leaves no row in one with mapped dimensions. */
function absent({ type }: NodeOf<"slice">, axes: readonly Axis[]): Value {
  if (!type.isDense) throw new NoWay();
  return { axes, source: constant(0).source };
}

function labelOf({ label }: Selection, planner: Planner, scope: Scope, span: Span): Labelled {
  if (typeof label === "string") return { kind: "everywhere", text: label };
  const value = scope.value(label);
  if (value.axes.length === 0) return { kind: "everywhere", text: wholeLabel(planner.number(value, span)) };
  return labelsAlong(planner, value);
}

interface FactorPlace {
  readonly place: Place;
  readonly condition?: Value | undefined;
}

/** The rows of a factor that have the wanted labels; nothing where there are none. */
function factorPlace(
  axis: FactorAxis,
  wanted: ReadonlyMap<string, Labelled>,
  put: (axis: Axis) => number,
): FactorPlace | undefined {
  const { factor } = axis;
  const labels = new Map<string, string>();
  for (const name of factor.names) {
    const label = wanted.get(name);
    if (label === undefined) continue;
    if (label.kind === "everywhere") labels.set(name, label.text);
    else {
      // A label for each place of a hidden axis: rows are found one by one, of factors of that dimension alone.
      const [dictionary] = factor.index.dictionaries;
      if (factor.names.length > 1 || dictionary === undefined) throw new NoWay();
      const [column] = factor.index.columns;
      const rowOf = (text: string): number => column?.indexOf(dictionary.id(text)) ?? -1;
      const along = label.rows(factor.index.rows, (text) => (dictionary.id(text) < 0 ? -1 : rowOf(text)));
      if (factor.index.rows === 0) return undefined;
      return { place: { axis: put(label.axis), rows: along.rows }, condition: along.condition };
    }
  }
  if (labels.size === 0) return { place: { axis: put(axis) } };
  const selected = selectRows(factor, labels);
  if (selected.factor !== undefined)
    return { place: { axis: put(factorAxis(selected.factor)), rows: selected.rows } };
  const [row] = selected.rows;
  return row === undefined ? undefined : { place: { at: row } };
}
