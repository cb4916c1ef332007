import type { ScalarName } from "../../../language/scalar/functions.js";
import type { CellType } from "../../../language/types/cell.js";
import type { Access } from "../loop.js";
import type { Factor } from "../sparse/factor.js";

/**
 * What a node is while a plan is made: axes, and where its cells come from. Cells are stored, or produced on demand by
 * the loop that needs them; nothing is computed by making a value. The sources of values never name dimensions, so a
 * rename is another list of axes over the same source.
 */
export interface Value {
  readonly axes: readonly Axis[];
  readonly source: Source;
}

/** An indexed dimension, or the rows of some mapped ones. */
export type Axis = IndexedAxis | FactorAxis;

export interface IndexedAxis {
  readonly name: string;
  readonly size: number;
  readonly factor?: undefined;
}

/** The mapped dimensions of a value are a product of factors: rows within one factor, every combination between them. */
export interface FactorAxis {
  readonly factor: Factor;
  readonly size: number;
  readonly name?: undefined;
}

export type Source =
  | Stored
  | { readonly kind: "constant"; readonly value: number }
  /** The place along an axis. */
  | { readonly kind: "place"; readonly axis: number }
  | Computed;

/** Cells in memory; steps are those of the value's axes. */
export interface Stored {
  readonly kind: "stored";
  readonly access: Access;
}

/** A scalar operation on cells of other sources. */
export interface Computed {
  readonly kind: "computed";
  readonly operation: ScalarOperation;
  readonly inputs: readonly Placed[];
  /** How much work a cell is, in additions. */
  readonly weight: number;
  /** How many instructions it takes if nothing is shared. */
  readonly size: number;
  /** How many instructions stand behind each other at most. */
  readonly depth: number;
}

export type ScalarOperation =
  | { readonly op: "apply"; readonly function: ScalarName }
  /** Of a condition, yes and no. */
  | { readonly op: "select" }
  | { readonly op: "store"; readonly cellType: CellType }
  /** The cell itself, seen through other axes. */
  | { readonly op: "same" };

/** A source, and where each of its axes is among those of the value that uses it. */
export interface Placed {
  readonly source: Source;
  /** Nothing where all axes are the same. */
  readonly places: readonly Place[] | undefined;
}

/**
 * An axis seen from outside: it is an axis there, perhaps with its own place for each place of that one; or it stands
 * still at a place.
 */
export type Place =
  | { readonly axis: number; readonly rows?: Int32Array | undefined }
  | { readonly at: number };

export const stored = (access: Access): Stored => ({ kind: "stored", access });

export const constant = (value: number): Value => ({ axes: [], source: { kind: "constant", value } });

export const cellsIn = (axes: readonly Axis[]): number => axes.reduce((cells, { size }) => cells * size, 1);

export const weightOf = (source: Source): number => (source.kind === "computed" ? source.weight : 0);
export const depthOf = (source: Source): number => (source.kind === "computed" ? source.depth : 1);
export const sizeOf = (source: Source): number => (source.kind === "computed" ? source.size : 1);

/** The cell type that holds all that a source is: that of its rounding, if it ends with one. */
export function cellTypeOf(source: Source): CellType {
  let inner = source;
  while (inner.kind === "computed" && inner.operation.op === "same") {
    const [input] = inner.inputs;
    if (input === undefined) break;
    inner = input.source;
  }
  if (inner.kind === "stored") return inner.access.cellType;
  return inner.kind === "computed" && inner.operation.op === "store" ? inner.operation.cellType : "double";
}

/** The names of an axis: one, or those of a factor's columns. */
export const namesOf = (axis: Axis): readonly string[] =>
  axis.factor === undefined ? [axis.name] : axis.factor.names;

/** How much more than an addition some functions cost. */
const weights: Partial<Record<ScalarName, number>> = {
  add: 1,
  subtract: 1,
  multiply: 1,
  square: 1,
  abs: 1,
  relu: 1,
  max: 1,
  min: 1,
  divide: 3,
  sqrt: 4,
};

/** A value computed from sources that are placed among its axes. */
export function computed(
  axes: readonly Axis[],
  operation: ScalarOperation,
  inputs: readonly Placed[],
): Value {
  const own =
    operation.op === "apply" ? (weights[operation.function] ?? 12) : operation.op === "same" ? 0 : 1;
  const weight = inputs.reduce((sum, { source }) => sum + weightOf(source), own);
  const size = inputs.reduce((sum, { source }) => sum + sizeOf(source), 1);
  const depth = inputs.reduce((most, { source }) => Math.max(most, depthOf(source)), 0) + 1;
  return { axes, source: { kind: "computed", operation, inputs, weight, size, depth } };
}

/** The value seen through other axes. Stored cells only get other steps; what is computed is so later. */
export function seen(axes: readonly Axis[], source: Source, places: readonly Place[]): Value {
  if (source.kind === "constant") return { axes, source };
  const isSame = places.length === axes.length && places.every((place, at) => isIdentity(place, at));
  if (isSame) return { axes, source };
  if (source.kind === "stored" && places.every((place) => "at" in place || place.rows === undefined)) {
    const { access } = source;
    if (access.steps.every((step) => typeof step === "number")) {
      const steps = new Array<number>(axes.length).fill(0);
      let { offset } = access;
      for (const [at, place] of places.entries()) {
        const step = Number(access.steps[at] ?? 0); // a number, as was seen
        if ("at" in place) offset += step * place.at;
        else steps[place.axis] = (steps[place.axis] ?? 0) + step;
      }
      return { axes, source: stored({ ...access, offset, steps }) };
    }
  }
  return computed(axes, { op: "same" }, [{ source, places }]);
}

export const isIdentity = (place: Place, at: number): boolean =>
  "axis" in place && place.axis === at && place.rows === undefined;

/** Where the axes of an inner source are, seen through a source that is placed itself. */
export function composed(
  inner: readonly Place[] | undefined,
  outer: readonly Place[] | undefined,
): readonly Place[] | undefined {
  if (inner === undefined) return outer;
  if (outer === undefined) return inner;
  return inner.map((place): Place => {
    if ("at" in place) return place;
    const beyond = outer[place.axis];
    if (beyond === undefined) throw new Error("an axis has no place");
    if ("at" in beyond) return { at: place.rows?.[beyond.at] ?? beyond.at };
    return { axis: beyond.axis, rows: composedRows(place.rows, beyond.rows) };
  });
}

const known = new WeakMap<Int32Array, WeakMap<Int32Array, Int32Array>>();

/** Rows of rows; the same array for the same two, so that equal accesses are recognised. */
function composedRows(inner: Int32Array | undefined, outer: Int32Array | undefined): Int32Array | undefined {
  if (inner === undefined) return outer;
  if (outer === undefined) return inner;
  let ofInner = known.get(inner);
  if (ofInner === undefined) {
    ofInner = new WeakMap();
    known.set(inner, ofInner);
  }
  let rows = ofInner.get(outer);
  if (rows === undefined) {
    rows = outer.map((row) => inner[row] ?? 0);
    ofInner.set(outer, rows);
  }
  return rows;
}
