import type { Span } from "../../../../language/source/span.js";
import { element } from "../../../../language/values/element.js";
import type { RowMap } from "../../sparse/factor.js";
import { joinMany } from "../../sparse/join-many.js";
import { productOf } from "../../sparse/product.js";
import { byStorage, factorAxis, isHidden, isInOrder } from "../../values/axes.js";
import { viewed } from "../../values/source.js";
import { type Axis, type AxisImage, type FactorAxis, namesOf, type Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";

/** Two values on common axes: those of each are among `axes`, which are in the order of storage. */
export interface AlignedValues {
  readonly axes: readonly Axis[];
  readonly left: Value;
  readonly right: Value;
}

/**
 * Brings the cells of two values together that agree in the dimensions they share. Indexed dimensions of different sizes
 * overlap; factors that share a dimension become one, whose rows are found here and now.
 */
export function aligned(state: PlanState, left: Value, right: Value, span: Span): AlignedValues {
  const shared = sharedAxes(left, right);
  if (shared !== undefined) return { axes: shared, left: onAxes(left, shared), right: onAxes(right, shared) };
  const indexed = new Map<string, Axis>();
  for (const axis of [...left.axes, ...right.axes]) {
    if (axis.factor !== undefined) continue;
    const other = indexed.get(axis.name);
    if (other === undefined || other.size > axis.size) indexed.set(axis.name, axis);
  }
  const sides = [new SideAxes(left), new SideAxes(right)] as const;
  const factors: Axis[] = [];
  for (const group of sharedGroups(left, right)) {
    const [ofLeft, ofRight] = group;
    if (ofLeft.length === 0 || ofRight.length === 0) {
      for (const [at, axes] of group.entries())
        for (const axis of axes) {
          sides[at]?.mapAxis(axis, axis);
          factors.push(axis);
        }
      continue;
    }
    const sharedFactor = sameAxis(ofLeft, ofRight);
    if (sharedFactor !== undefined) {
      for (const [at, axes] of group.entries())
        for (const axis of axes) sides[at]?.mapAxis(axis, sharedFactor);
      factors.push(sharedFactor);
      continue;
    }
    const allow = (rows: number): void => state.allow(rows, span, rows);
    const { factor, rowsOf } = joinMany(factorsOf([...ofLeft, ...ofRight]), allow);
    const axis = factorAxis(factor);
    factors.push(axis);
    sides[0].mapRows(ofLeft, rowsOf.slice(0, ofLeft.length), axis);
    sides[1].mapRows(ofRight, rowsOf.slice(ofLeft.length), axis);
  }
  const axes = [...factors, ...indexed.values()].sort(byStorage);
  return { axes, left: sides[0].value(axes), right: sides[1].value(axes) };
}

/** The value with all of its rows along one axis, in canonical order. */
export function inCanonicalOrder(state: PlanState, value: Value, span: Span): Value {
  const side = new SideAxes(value);
  const all: Axis[] = [];
  const joined: FactorAxis[] = [];
  for (const axis of value.axes) {
    if (axis.factor !== undefined && !isHidden(axis)) joined.push(axis);
    else {
      side.mapAxis(axis, axis);
      all.push(axis);
    }
  }
  const { factor, rowsOf } = productOf(factorsOf(joined), (rows) => state.allow(rows, span, rows));
  const rows = factorAxis(factor);
  side.mapRows(joined, rowsOf, rows);
  return side.value([...all, rows].sort(byStorage));
}

/** The axes that both sides have in the same order, or one has and the other has none: then nothing is to be aligned. */
function sharedAxes({ axes: left }: Value, { axes: right }: Value): readonly Axis[] | undefined {
  const [model, other] = left.length >= right.length ? [left, right] : [right, left];
  const isShared =
    other === model ||
    other.length === 0 ||
    (other.length === model.length &&
      other.every((axis, at) => {
        const { name, size } = element(model, at);
        return name !== undefined && axis.name === name && axis.size === size;
      }));
  return isShared && isInOrder(model) ? model : undefined;
}

/** The value with axes that are equal to its own; a value without axes has none still. */
const onAxes = ({ axes, source }: Value, shared: readonly Axis[]): Value => ({
  axes: axes.length === 0 ? axes : shared,
  source,
});

/** The factor that both sides have, if each has one, with the same rows under the same names: its rows match themselves. */
function sameAxis(left: readonly FactorAxis[], right: readonly FactorAxis[]): FactorAxis | undefined {
  const [one, other] = [left[0], right[0]];
  if (one === undefined || other === undefined || left.length > 1 || right.length > 1) return undefined;
  const isSame = one.factor.index === other.factor.index && namesOf(one).join() === namesOf(other).join();
  return isSame ? one : undefined;
}

/** Where the axes of one side go. */
class SideAxes {
  private readonly joined = new Map<Axis, { to: Axis; rows: RowMap }>();

  constructor(private readonly from: Value) {}

  mapAxis(axis: Axis, to: Axis): void {
    this.joined.set(axis, { to, rows: undefined });
  }

  /** Some axes become one; each row of that one is a row of each of them. */
  mapRows(axes: readonly FactorAxis[], rowsOf: readonly RowMap[], to: Axis): void {
    for (const [at, axis] of axes.entries()) this.joined.set(axis, { to, rows: rowsOf[at] });
  }

  /** The value on those of all axes that it has. */
  value(all: readonly Axis[]): Value {
    const target = (axis: Axis): Axis | undefined =>
      this.joined.get(axis)?.to ??
      all.find(
        (other) => other.factor === undefined && axis.factor === undefined && other.name === axis.name,
      );
    const targets = new Set(this.from.axes.map(target));
    const axes = all.filter((axis) => targets.has(axis));
    const images = this.from.axes.map((axis): AxisImage => {
      const to = target(axis);
      if (to === undefined) throw new Error(`axis ${namesOf(axis)} goes nowhere`);
      return { axis: axes.indexOf(to), rows: this.joined.get(axis)?.rows };
    });
    return viewed(axes, this.from.source, images);
  }
}

/** Groups of factors, on both sides, that share dimensions with each other. */
function sharedGroups(left: Value, right: Value): [FactorAxis[], FactorAxis[]][] {
  const groups: { names: Set<string>; sides: [FactorAxis[], FactorAxis[]] }[] = [];
  for (const [side, { axes }] of [left, right].entries()) {
    for (const axis of axes) {
      if (axis.factor === undefined) continue;
      const names = new Set(axis.factor.names);
      const sides: [FactorAxis[], FactorAxis[]] = [[], []];
      sides[side]?.push(axis);
      for (let at = groups.length - 1; at >= 0; at--) {
        const group = groups[at];
        if (group === undefined || ![...names].some((name) => group.names.has(name))) continue;
        groups.splice(at, 1);
        for (const name of group.names) names.add(name);
        sides[0].unshift(...group.sides[0]);
        sides[1].unshift(...group.sides[1]);
      }
      groups.push({ names, sides });
    }
  }
  return groups.map(({ sides }) => sides);
}

const factorsOf = (axes: readonly FactorAxis[]): FactorAxis["factor"][] => axes.map(({ factor }) => factor);
