import type { NodeOf } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { Along } from "../loop.js";
import { mergeFactors } from "../sparse/merge.js";
import { productOf } from "../sparse/product.js";
import { aligned } from "./aligning.js";
import { byStorage, factorAxis, indexedAxis, isHidden } from "./axes.js";
import { overAxes, rounded, spread } from "./elementwise.js";
import type { Planner } from "./planner.js";
import type { PlanSlot } from "./recorder.js";
import type { Scope } from "./scope.js";
import { NoWay } from "./signals.js";
import {
  type Axis,
  cellsIn,
  type FactorAxis,
  type Place,
  type Source,
  seen,
  stored,
  type Value,
} from "./value.js";

/**
 * merge: where both tensors have a cell the lambda decides, elsewhere the one that has it. Rows that both have, rows of
 * the left one, and rows of the right one are three loops into one block.
 */
export function merge(node: NodeOf<"merge">, planner: Planner, scope: Scope): Value {
  const { type, lambda, span } = node;
  const [left, right] = [scope.value(node.left), scope.value(node.right)];
  const sides = [left, right] as const;
  const indexed = type.indexed.map(({ name }) =>
    sides.map((side) => side.axes.find((axis) => axis.name === name)),
  );
  if (indexed.some(([one, other]) => one === undefined || one.size !== other?.size)) throw new NoWay();
  if (type.indexed.some(({ size }, at) => size !== undefined && size !== indexed[at]?.[0]?.size))
    throw new NoWay();
  if (sides.some((side) => side.axes.some(isHidden))) throw new NoWay();
  if (type.isDense) {
    const both = aligned(planner, left, right, span);
    return overAxes(planner, lambda, both.axes, [both.left, both.right], type, span);
  }
  const [ofLeft, ofRight] = [flattened(planner, left, span), flattened(planner, right, span)];
  const allow = (rows: number): void => planner.surroundings.meter.allow(rows, span, rows);
  const { factor, leftRows, rightRows } = mergeFactors(ofLeft.rows.factor, ofRight.rows.factor, allow);
  const axis = factorAxis(factor);
  const axes = [axis, ...left.axes.filter((each) => each.factor === undefined).sort(byStorage)];
  const target = new Target(planner, axes, type, span);
  const parts = split(factor.index.rows, leftRows, rightRows);
  const at = (
    side: { value: Value; rows: FactorAxis },
    map: Int32Array | undefined,
    rows: Int32Array,
  ): Value =>
    ofRows(side.value, side.rows, map === undefined ? rows : rows.map((row) => map[row] ?? 0), axes);
  const both = [at(ofLeft, leftRows, parts.both), at(ofRight, rightRows, parts.both)];
  const places = sized(axes, parts.both.length);
  target.put(rounded(planner, overAxes(planner, lambda, places, both, type, span), type, span), parts.both);
  target.put(at(ofLeft, leftRows, parts.left), parts.left);
  target.put(at(ofRight, rightRows, parts.right), parts.right);
  return target.finish();
}

/** Which rows of a result both sides have, and which only one. */
function split(
  rows: number,
  leftRows: Int32Array | undefined,
  rightRows: Int32Array | undefined,
): { both: Int32Array; left: Int32Array; right: Int32Array } {
  const parts = { both: [] as number[], left: [] as number[], right: [] as number[] };
  for (let row = 0; row < rows; row++) {
    const [inLeft, inRight] = [(leftRows?.[row] ?? row) >= 0, (rightRows?.[row] ?? row) >= 0];
    parts[inLeft && inRight ? "both" : inLeft ? "left" : "right"].push(row);
  }
  return {
    both: Int32Array.from(parts.both),
    left: Int32Array.from(parts.left),
    right: Int32Array.from(parts.right),
  };
}

/** Axes of a row count of their own, under names that nobody compares: the rows of a part are no index. */
const sized = (axes: readonly Axis[], rows: number): Axis[] =>
  axes.map((axis) => (axis.factor === undefined ? axis : indexedAxis(partName, rows)));

const partName = "\u0000rows";

/** The cells at some rows of a value. */
function ofRows(value: Value, from: FactorAxis, rows: Int32Array, axes: readonly Axis[]): Value {
  const all = sized(axes, rows.length);
  const places = value.axes.map((axis): Place => {
    const at = all.findIndex((each) => each.name === (axis === from ? partName : axis.name));
    return axis === from ? { axis: at, rows } : { axis: at };
  });
  return seen(all, value.source, places);
}

/** The value with its mapped dimensions as one factor. */
function flattened(planner: Planner, value: Value, span: Span): { value: Value; rows: FactorAxis } {
  const factors = value.axes.filter((axis): axis is FactorAxis => axis.factor !== undefined);
  const [only] = factors;
  if (only !== undefined && factors.length === 1) return { value, rows: only };
  const allow = (rows: number): void => planner.surroundings.meter.allow(rows, span, rows);
  const { factor, rowsOf } = productOf(
    factors.map((axis) => axis.factor),
    allow,
  );
  const rows: FactorAxis = { factor, size: factor.index.rows };
  const axes = [rows, ...value.axes.filter((axis) => axis.factor === undefined)];
  const places = value.axes.map((axis): Place => {
    const at = (factors as readonly Axis[]).indexOf(axis);
    return at < 0 ? { axis: axes.indexOf(axis) } : { axis: 0, rows: rowsOf[at] };
  });
  return { value: seen(axes, value.source, places), rows };
}

/** A block that several loops fill, each its own places. */
class Target {
  private readonly slot: PlanSlot;
  private readonly parts: ReturnType<Planner["stepOf"]>[] = [];
  private readonly strides: readonly number[];

  constructor(
    private readonly planner: Planner,
    private readonly axes: readonly Axis[],
    readonly type: TensorType,
    readonly span: Span,
  ) {
    this.strides = stridesOf(axes.map(({ size }) => size));
    this.slot = planner.slot(type.cellType, cellsIn(axes), span);
  }

  /** The block when all parts are there. They are the same in every run together, or not at all. */
  finish(): Value {
    const { slot, type, strides } = this;
    const reads = this.parts.flatMap((part) => part.reads);
    for (const { step } of this.parts) this.planner.recorder.add(step, this.span, reads, slot);
    return { axes: this.axes, source: stored({ slot, cellType: type.cellType, offset: 0, steps: strides }) };
  }

  /** Puts a value, whose axes are those of the target with fewer rows, at some rows. */
  put(value: Value, rows: Int32Array): void {
    if (rows.length === 0) return;
    const steps = this.axes.map(({ factor }, at) => {
      const stride = this.strides[at] ?? 0;
      return factor === undefined ? stride : this.planner.tables.along(stride, rows);
    });
    const wanted = sized(this.axes, rows.length);
    this.fill(spread(value, wanted).source, wanted, 0, steps);
  }

  /** Puts a value at the places along an axis from a first one on. */
  behind(value: Value, name: string, first: number): void {
    const wanted = this.axes.map((axis) =>
      axis.name === name ? indexedAxis(name, sizeAlong(value, name)) : axis,
    );
    const at = this.axes.findIndex((axis) => axis.name === name);
    this.fill(spread(value, wanted).source, wanted, first * (this.strides[at] ?? 0), this.strides);
  }

  private fill(source: Source, axes: readonly Axis[], offset: number, steps: readonly Along[]): void {
    const { planner, slot, type } = this;
    const around = axes.map(({ size }) => ({ size, isReduced: false }));
    const target = { slot, cellType: type.cellType, offset, steps };
    this.parts.push(planner.stepOf({ axes: around, target }, source));
  }
}

const sizeAlong = ({ axes }: Value, name: string): number =>
  axes.find((axis) => axis.name === name)?.size ?? 1;

/** concat: two loops into one block, the second behind the first along a dimension. */
export function concat(node: NodeOf<"concat">, planner: Planner, scope: Scope): Value {
  const { type, along, span } = node;
  const [left, right] = [scope.value(node.left), scope.value(node.right)];
  const others = (value: Value): Axis[] => value.axes.filter((axis) => axis.name !== along);
  for (const axis of others(left)) {
    const other = right.axes.find((each) => each.name !== undefined && each.name === axis.name);
    if (other !== undefined && other.size !== axis.size) throw new NoWay();
  }
  // What is not concatenated is joined; the dimension itself is set apart meanwhile.
  const apart = (value: Value, mark: string): Value => ({
    ...value,
    axes: value.axes.map((axis) => (axis.name === along ? indexedAxis(mark, axis.size) : axis)),
  });
  const [first, second] = [sizeAlong(left, along), sizeAlong(right, along)];
  const both = aligned(planner, apart(left, firstMark), apart(right, secondMark), span);
  const rest = both.axes.filter(({ name }) => name !== firstMark && name !== secondMark);
  const axes = [...rest, indexedAxis(along, first + second)].sort(byStorage);
  const target = new Target(planner, axes, type, span);
  const back = (value: Value, mark: string): Value => {
    const named = value.axes.map((axis) => (axis.name === mark ? indexedAxis(along, axis.size) : axis));
    return { ...value, axes: named };
  };
  target.behind(back(both.left, firstMark), along, 0);
  target.behind(back(both.right, secondMark), along, first);
  return target.finish();
}

const firstMark = "\u0000first";
const secondMark = "\u0000second";
