import type { ScalarName } from "../../../language/scalar/functions.js";
import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { composedRows, isTable, rowAt } from "./rows.js";
import {
  type Axis,
  type AxisImage,
  type Operand,
  type ScalarOperation,
  type Source,
  stored,
  type Value,
} from "./value.js";

/** Sources of other sources: scalar operations, and views through other axes. */

export const weightOf = (source: Source): number => (source.kind === "computed" ? source.weight : 0);
export const depthOf = (source: Source): number => (source.kind === "computed" ? source.depth : 1);
export const sizeOf = (source: Source): number => (source.kind === "computed" ? source.size : 1);

/** The cell type that holds all that a source is: that of its rounding, if it ends with one. */
export function cellTypeOf(source: Source): CellType {
  const { source: inner } = throughViews({ source, images: undefined });
  if (inner.kind === "stored") return inner.access.cellType;
  return inner.kind === "computed" && inner.operation.op === "store" ? inner.operation.cellType : "double";
}

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
  less: 1,
  lessOrEqual: 1,
  greater: 1,
  greaterOrEqual: 1,
  equal: 1,
  notEqual: 1,
  divide: 3,
  sqrt: 4,
};

const defaultWeight = 12;

/** A value computed from operands along these axes. */
export function computed(
  axes: readonly Axis[],
  operation: ScalarOperation,
  operands: readonly Operand[],
): Value {
  const ownWeight =
    operation.op === "apply"
      ? (weights[operation.function] ?? defaultWeight)
      : operation.op === "view"
        ? 0
        : 1;
  const weight = operands.reduce((sum, { source }) => sum + weightOf(source), ownWeight);
  const size = operands.reduce((sum, { source }) => sum + sizeOf(source), 1);
  const depth = operands.reduce((most, { source }) => Math.max(most, depthOf(source)), 0) + 1;
  return { axes, source: { kind: "computed", operation, operands, axes, weight, size, depth } };
}

/** The value viewed through other axes: other strides where cells are stored, and otherwise resolved by the loop that reads it. */
export function viewed(axes: readonly Axis[], source: Source, images: readonly AxisImage[]): Value {
  if (source.kind === "constant") return { axes, source };
  const isSame = images.length === axes.length && images.every((image, at) => isIdentity(image, at));
  if (isSame) return { axes, source };
  const operand = throughViews({ source, images });
  return stridedView(axes, source, images) ?? computed(axes, { op: "view" }, [operand]);
}

/** What views are views of, seen from outside of all of them: views do not pile up. */
export function throughViews({ source, images }: Operand): Operand {
  const [inner] = source.kind === "computed" && source.operation.op === "view" ? source.operands : [];
  if (inner === undefined) return { source, images };
  return throughViews({ source: inner.source, images: composed(inner.images, images) });
}

/** A view by strides alone, where the cells are stored and no table is in the way. */
function stridedView(axes: readonly Axis[], source: Source, images: readonly AxisImage[]): Value | undefined {
  if (source.kind !== "stored") return undefined;
  const { access } = source;
  const strides = new Array<number>(axes.length).fill(0);
  let { offset } = access;
  for (const [at, image] of images.entries()) {
    const stride = access.strides[at];
    if (typeof stride !== "number") return undefined;
    if ("at" in image) {
      offset += stride * image.at;
      continue;
    }
    if (image.rows !== undefined && isTable(image.rows)) return undefined;
    const { first, step } = image.rows ?? { first: 0, step: 1 };
    offset += stride * first;
    strides[image.axis] = element(strides, image.axis) + stride * step;
  }
  return { axes, source: stored({ ...access, offset, strides }) };
}

export const isIdentity = (image: AxisImage, at: number): boolean =>
  "axis" in image && image.axis === at && image.rows === undefined;

/** The images of an inner source's axes, viewed through an operand that has images itself. */
export function composed(
  inner: readonly AxisImage[] | undefined,
  outer: readonly AxisImage[] | undefined,
): readonly AxisImage[] | undefined {
  if (inner === undefined) return outer;
  if (outer === undefined) return inner;
  return inner.map((image): AxisImage => {
    if ("at" in image) return image;
    const outerImage = element(outer, image.axis);
    if ("at" in outerImage)
      return { at: image.rows === undefined ? outerImage.at : rowAt(image.rows, outerImage.at) };
    return { axis: outerImage.axis, rows: composedRows(image.rows, outerImage.rows) };
  });
}
