import { isAssignable } from "../../../language/types/assignable.js";
import type { TensorType } from "../../../language/types/type.js";
import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { indexOf } from "./label-indexes.js";

/** All that a plan may depend on of an input: its type, sizes and labels, but no cell. */
export interface InputLayout {
  readonly name: string;
  readonly type: TensorType;
  /** Of the indexed dimensions of the type, in their order. */
  readonly sizes: readonly number[];
  /** The rows of the mapped dimensions; absent where the type has none. */
  readonly index: LabelIndex | undefined;
  /** Whether its cells are the same in all runs. */
  readonly isFixed: boolean;
}

export const layoutOf = (name: string, tensor: Tensor, isFixed: boolean): InputLayout => ({
  name,
  type: tensor.type,
  sizes: tensor.sizes,
  index: tensor.type.isDense ? undefined : indexOf(tensor),
  isFixed,
});

/** Whether a tensor's cells lie as those of the input that a plan was made for. */
export function hasLayout(tensor: Tensor, { type, sizes, index }: InputLayout): boolean {
  const isOfType = tensor.type.equals(type);
  if (!isOfType && (tensor.type.cellType !== type.cellType || !isAssignable(tensor.type, type))) return false;
  if (isOfType && type.isDense && type.isBound) return true;
  if (sizes.some((size, at) => size !== tensor.sizes[at])) return false;
  return index === undefined || indexOf(tensor) === index;
}

/** `q: tensor<float>(x[3])`, with the sizes of unbound dimensions and the number of rows where the type leaves them open. */
export function showLayout({ name, type, sizes, index, isFixed }: InputLayout): string {
  const open = type.indexed.flatMap(({ name: dimension, size }, at) =>
    size === undefined ? [`${dimension}:${sizes[at]}`] : [],
  );
  if (index !== undefined) open.push(`${index.rows} row${index.rows === 1 ? "" : "s"}`);
  return [`${name}: ${type}`, ...open, ...(isFixed ? ["fixed"] : [])].join(", ");
}

/**
 * Sees that a layout is one of its type: a size for each indexed dimension, the declared one where it is bound, and a column of
 * rows for each mapped dimension. What is wrong is a defect of Sphex.
 * @throws Error which says what.
 */
export function verifyLayout({ name, type, sizes, index }: InputLayout): void {
  const fail = (reason: string): never => {
    throw new Error(`the layout of ${name} is not sound: ${reason}`);
  };
  if (sizes.length !== type.indexed.length) fail("it has another number of sizes than indexed dimensions");
  for (const [at, { size }] of type.indexed.entries())
    if (size !== undefined && size !== sizes[at]) fail("a size is not the declared one");
  if ((index === undefined) !== type.isDense)
    fail("it has rows where no dimension is mapped, or none where one is");
  if (index === undefined) return;
  if (index.columns.length !== type.mapped.length)
    fail("it has another number of columns than mapped dimensions");
  if (index.columns.some(({ length }) => length !== index.rows)) fail("a column has another number of rows");
}
