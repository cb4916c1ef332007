import { scalarFunctions } from "../../../language/scalar/functions.js";
import type { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { byStorage, imagesAmong, isInOrder } from "./axes.js";
import { computed, viewed } from "./source.js";
import { type Axis, constant, namesOf, type Operand, type ScalarOperation, type Value } from "./value.js";

/** Scalar operations on whole values: on the axes that any of them has. */

/** The value on all of these axes, of which it has some. */
export function broadcast(value: Value, axes: readonly Axis[]): Value {
  return viewed(axes, value.source, imagesAmong(value.axes, axes));
}

/** What the cells of a type hold of a value. */
export function rounded(value: Value, type: TensorType): Value {
  if (type.isScalar || type.cellType === "double") return value;
  if (value.source.kind === "stored" && value.source.access.cellType === type.cellType) return value;
  return combined({ op: "store", cellType: type.cellType }, [value]);
}

/** A scalar operation on values at all indexes of the axes that any of them has. */
export function combined(operation: ScalarOperation, values: readonly Value[]): Value {
  const folded = foldedConstant(operation, values);
  const axes = unionOf(values);
  if (folded !== undefined) return { axes, source: constant(folded).source };
  const operands = values.map(
    ({ axes: own, source }): Operand => ({
      source,
      images: own === axes ? undefined : imagesAmong(own, axes),
    }),
  );
  return computed(axes, operation, operands);
}

function foldedConstant(operation: ScalarOperation, values: readonly Value[]): number | undefined {
  if (operation.op !== "apply") return undefined;
  const numbers: number[] = [];
  for (const { source } of values) {
    if (source.kind !== "constant") return undefined;
    numbers.push(source.value);
  }
  const [, y = 0] = numbers; // a function of one argument takes no notice of another
  return scalarFunctions[operation.function].compute(element(numbers, 0), y);
}

/** All axes of some values, in the order in which they are stored; those of one name are the same. */
export function unionOf(values: readonly Value[]): readonly Axis[] {
  const [first, ...others] = values.filter(({ axes }) => axes.length > 0);
  if (first === undefined) return [];
  // The usual case: all have the same axes, or none.
  if (others.every(({ axes }) => axes === first.axes) && (values.length === 1 || isInOrder(first.axes)))
    return first.axes;
  const byName = new Map<string, Axis>();
  for (const { axes } of values) for (const axis of axes) byName.set(namesOf(axis).join(), axis);
  return [...byName.values()].sort(byStorage);
}
