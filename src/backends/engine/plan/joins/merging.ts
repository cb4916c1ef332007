import type { NodeOf } from "../../../../language/core/operations.js";
import type { Span } from "../../../../language/source/span.js";
import { intAt } from "../../../../language/values/element.js";
import { mergeFactors } from "../../sparse/merge.js";
import { productOf } from "../../sparse/product.js";
import { rounded } from "../../values/arithmetic.js";
import { byStorage, factorAxis, indexedAxis, isHidden } from "../../values/axes.js";
import { viewed } from "../../values/source.js";
import type { Axis, AxisImage, FactorAxis, Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { isValue, type Planned, unsupported } from "../planned.js";
import type { Scope } from "../scope.js";
import { aligned } from "./aligning.js";
import { Assembly } from "./assembly.js";
import { overAxes } from "./elementwise.js";

/**
 * merge: where both tensors have a cell the lambda decides, elsewhere the one that has it. Rows that both have, rows of
 * the left one, and rows of the right one are three loops into one buffer; where both have all rows, it is a join.
 */
export function merge(node: NodeOf<"merge">, state: PlanState, scope: Scope): Planned {
  const { type, lambda, span } = node;
  const [left, right] = [scope.value(node.left), scope.value(node.right)];
  const sides = [left, right] as const;
  for (const { name, size } of type.indexed) {
    const [one, other] = sides.map((side) => side.axes.find((axis) => axis.name === name));
    if (one === undefined || one.size !== other?.size) return unsupported("operands of different sizes");
    if (size !== undefined && size !== one.size)
      return unsupported("the type has more cells than the operands");
  }
  if (sides.some((side) => side.axes.some(isHidden))) return unsupported("merge within a body");
  if (type.isDense) {
    const both = aligned(state, left, right, span);
    return overAxes(state, lambda, both.axes, [both.left, both.right], type);
  }
  const [ofLeft, ofRight] = [singleFactor(state, left, span), singleFactor(state, right, span)];
  const allow = (rows: number): void => state.allow(rows, span, rows);
  const { factor, leftRows, rightRows } = mergeFactors(ofLeft.rows.factor, ofRight.rows.factor, allow);
  const axis = factorAxis(factor);
  const axes = [axis, ...left.axes.filter((each) => each.factor === undefined).sort(byStorage)];
  const parts = split(factor.index.rows, leftRows, rightRows);
  if (parts.left.length === 0 && parts.right.length === 0) {
    const everywhere = [onAxes(ofLeft, leftRows, axes), onAxes(ofRight, rightRows, axes)];
    return overAxes(state, lambda, axes, everywhere, type);
  }
  const assembly = new Assembly(state.storage, axes, type.cellType);
  if (parts.both.length > 0) {
    const both = [atRows(ofLeft, leftRows, parts.both, axes), atRows(ofRight, rightRows, parts.both, axes)];
    const merged = overAxes(state, lambda, withRows(axes, parts.both.length), both, type);
    if (!isValue(merged)) return merged;
    assembly.addRows(rounded(merged, type), parts.both);
  }
  assembly.addRows(atRows(ofLeft, leftRows, parts.left, axes), parts.left);
  assembly.addRows(atRows(ofRight, rightRows, parts.right, axes), parts.right);
  return assembly.finish(span);
}

/** Which rows of a result both sides have, and which only one. */
interface RowSplit {
  readonly both: Int32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/** Of the rows of both sides, which are the same arrays as long as the indexes live that were merged. */
const splits = new WeakMap<Int32Array, CachedSplit>();

interface CachedSplit {
  readonly leftRows: Int32Array | undefined;
  readonly rightRows: Int32Array | undefined;
  readonly parts: RowSplit;
}

/** Where both sides are absent, both have all rows. */
function split(rows: number, leftRows: Int32Array | undefined, rightRows: Int32Array | undefined): RowSplit {
  const key = leftRows ?? rightRows;
  const cached = key && splits.get(key);
  if (cached !== undefined && cached.leftRows === leftRows && cached.rightRows === rightRows)
    return cached.parts;
  const parts = splitRows(rows, leftRows, rightRows);
  if (key !== undefined) splits.set(key, { leftRows, rightRows, parts });
  return parts;
}

function splitRows(
  rows: number,
  leftRows: Int32Array | undefined,
  rightRows: Int32Array | undefined,
): RowSplit {
  const [both, left, right] = [new Int32Array(rows), new Int32Array(rows), new Int32Array(rows)];
  let [inBoth, inLeft, inRight] = [0, 0, 0];
  for (let row = 0; row < rows; row++) {
    if (leftRows !== undefined && intAt(leftRows, row) < 0) right[inRight++] = row;
    else if (rightRows !== undefined && intAt(rightRows, row) < 0) left[inLeft++] = row;
    else both[inBoth++] = row;
  }
  return { both: both.slice(0, inBoth), left: left.slice(0, inLeft), right: right.slice(0, inRight) };
}

/** Axes with a row count of their own, under a name that no program has: the rows of a part are no index. */
const withRows = (axes: readonly Axis[], rows: number): Axis[] =>
  axes.map((axis) => (axis.factor === undefined ? axis : indexedAxis(rowsName, rows)));

const rowsName = "\u0000rows";

interface SingleFactor {
  readonly value: Value;
  readonly rows: FactorAxis;
}

/** The cells at all rows of a result, each of which `map` leads to a row of the value. */
function onAxes({ value, rows }: SingleFactor, map: Int32Array | undefined, axes: readonly Axis[]): Value {
  const images = value.axes.map((axis): AxisImage => {
    if (axis === rows) return { axis: 0, rows: map };
    return { axis: axes.findIndex(({ name }) => name === axis.name) };
  });
  return viewed(axes, value.source, images);
}

/** The cells at some rows of a result, which `map` leads to rows of the value. */
function atRows(
  { value, rows: from }: SingleFactor,
  map: Int32Array | undefined,
  rows: Int32Array,
  axes: readonly Axis[],
): Value {
  const ownRows = map === undefined ? rows : rows.map((row) => intAt(map, row));
  const all = withRows(axes, rows.length);
  const images = value.axes.map((axis): AxisImage => {
    const at = all.findIndex((each) => each.name === (axis === from ? rowsName : axis.name));
    return axis === from ? { axis: at, rows: ownRows } : { axis: at };
  });
  return viewed(all, value.source, images);
}

/** The value with its mapped dimensions as one factor. */
function singleFactor(state: PlanState, value: Value, span: Span): SingleFactor {
  const factors = value.axes.filter((axis): axis is FactorAxis => axis.factor !== undefined);
  const [only] = factors;
  if (only !== undefined && factors.length === 1) return { value, rows: only };
  const allow = (rows: number): void => state.allow(rows, span, rows);
  const { factor, rowsOf } = productOf(
    factors.map((axis) => axis.factor),
    allow,
  );
  const rows: FactorAxis = { factor, size: factor.index.rows };
  const axes = [rows, ...value.axes.filter((axis) => axis.factor === undefined)];
  const images = value.axes.map((axis): AxisImage => {
    const at = (factors as readonly Axis[]).indexOf(axis); // a factor axis is an axis
    return at < 0 ? { axis: axes.indexOf(axis) } : { axis: 0, rows: rowsOf[at] };
  });
  return { value: viewed(axes, value.source, images), rows };
}
