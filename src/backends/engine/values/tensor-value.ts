import type { TensorType } from "../../../language/types/type.js";
import type { LabelIndex } from "../../../language/values/label-index.js";
import { stridesOf } from "../../../language/values/shape.js";
import { boxOf } from "../sparse/box.js";
import type { Factor } from "../sparse/factor.js";
import { factorAxis, indexedAxis } from "./axes.js";
import { type Axis, type Buffer, stored, type Value } from "./value.js";

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
    ...type.indexed.map(({ name }, at) => indexedAxis(name, sizeAt(sizes, at))),
  ];
  const strides = stridesOf(axes.map(({ size }) => size));
  return {
    axes,
    source: stored({ slot: buffer, cellType: type.cellType, offset: 0, strides }),
  };
}

function sizeAt(sizes: readonly number[], at: number): number {
  const size = sizes[at];
  if (size === undefined) throw new Error(`indexed dimension ${at} has no size`);
  return size;
}

/** Rows that fill their box are as good as a dense block. */
function factorsOf(type: TensorType, index: LabelIndex): readonly Factor[] {
  const factor = { names: type.mapped.map(({ name }) => name), index };
  return (factor.names.length > 1 ? boxOf(factor) : undefined) ?? [factor];
}
