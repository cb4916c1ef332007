import type { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import { cellsOf, stridesOf } from "../../../language/values/shape.js";
import { boxOf } from "../sparse/box.js";
import type { Factor } from "../sparse/factor.js";
import { factorAxis, indexedAxis } from "./axes.js";
import { type Axis, type Buffer, type IndexedAxis, stored, type Value } from "./value.js";

/** The value that a tensor of this type, sizes and rows is when its cells are in a buffer, in canonical order. */
export function valueIn(
  buffer: Buffer,
  type: TensorType,
  sizes: readonly number[],
  index: LabelIndex | undefined,
): Value {
  const factors = index === undefined ? [] : factorsOf(type, index);
  const axes: Axis[] = [
    ...factors.map(factorAxis),
    ...type.indexed.map(({ name }, at) => indexedAxis(name, element(sizes, at))),
  ];
  const strides = stridesOf(axes.map(({ size }) => size));
  return {
    axes,
    source: stored({ slot: buffer, cellType: type.cellType, offset: 0, strides }),
  };
}

/** How many cells a tensor of these sizes and rows has. */
export const lengthOf = (sizes: readonly number[], index: LabelIndex | undefined): number =>
  cellsOf(sizes) * (index === undefined ? 1 : index.rows);

/** The sizes of the indexed dimensions of a type that is bound. @throws Error where it is not. */
export function boundSizes(type: TensorType): readonly number[] {
  return type.indexed.map(({ name, size }) => {
    if (size === undefined) throw new Error(`${name} of ${type} is not bound`);
    return size;
  });
}

/** The axes of a dense tensor of a type that is bound. */
export function boundAxes(type: TensorType): readonly IndexedAxis[] {
  const sizes = boundSizes(type);
  return type.indexed.map(({ name }, at) => indexedAxis(name, element(sizes, at)));
}

/** Rows that fill their box are as good as a dense block. */
function factorsOf(type: TensorType, index: LabelIndex): readonly Factor[] {
  const factor = { names: type.mapped.map(({ name }) => name), index };
  return (factor.names.length > 1 ? boxOf(factor) : undefined) ?? [factor];
}
