import type { TensorType } from "../../language/types/type.js";
import { element } from "../../language/values/element.js";
import { stridesOf } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";

/** Sizes, strides and labels by the names of dimensions. */

/** The sizes that a type declares: 0 for unbound dimensions, since no cell is there yet. */
export const declaredSizes = (type: TensorType): number[] => type.indexed.map(({ size = 0 }) => size);

/** The size of an indexed dimension; absent where a tensor lacks it. */
export function sizeAlong({ type, sizes }: Pick<Tensor, "type" | "sizes">, name: string): number | undefined {
  const at = type.indexed.findIndex((each) => each.name === name);
  return at < 0 ? undefined : element(sizes, at);
}

/** For each of some dimensions the stride in a block of this type and sizes; 0 where it lacks the dimension. */
export function stridesAlong(
  { type, sizes }: Pick<Tensor, "type" | "sizes">,
  names: readonly string[],
): number[] {
  const strides = stridesOf(sizes);
  return names.map((name) => {
    const at = type.indexed.findIndex((each) => each.name === name);
    return at < 0 ? 0 : element(strides, at);
  });
}

/** The labels of a row in some mapped dimensions, which the tensor has. */
export function labelsIn(tensor: Tensor, row: number, names: readonly string[]): string[] {
  const labels = element(tensor.labels, row);
  return names.map((name) =>
    element(
      labels,
      tensor.type.mapped.findIndex((each) => each.name === name),
    ),
  );
}
