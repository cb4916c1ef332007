import { SphexError } from "../../language/source/problem.js";
import { isAssignable } from "../../language/types/assignable.js";
import { TensorType } from "../../language/types/type.js";
import { spanOfText } from "../../language/values/messages.js";
import { Tensor } from "../../language/values/tensor.js";
import { type InputValues, rejectUnknown, tensorOf } from "../inputs/inputs.js";
import { problem } from "../messages.js";
import { byCanonicalName } from "../options.js";
import type { Execution } from "./execution.js";

/** Inputs of many runs at once, as tensors: without the dimension they are of the declared types, and fixed ones have it not at all. */
export function batchInputs(
  dimension: string,
  inputs: InputValues,
  fixed: ReadonlyMap<string, Tensor>,
  execution: Execution,
): Map<string, Tensor> {
  const { checked, options, plans } = execution;
  const { name: backend, features } = plans.backend;
  if (!features.batch)
    throw new SphexError([problem("backend/batch", spanOfText("batch", dimension), { backend })]);
  const sizes = new Set<number | undefined>();
  const items = Array.from(byCanonicalName(inputs), ([name, value]): [string, Tensor] => {
    const declaredType = execution.declaredType(name);
    const declared = checked.declared.get(name)?.role === "input" ? declaredType?.type : undefined;
    const tensor = value instanceof Tensor ? value : tensorOf(name, value, declaredType, options);
    const axis = tensor.type.dimension(dimension);
    if (axis === undefined || declared === undefined)
      return [name, tensorOf(name, tensor, declaredType, options)];
    sizes.add(axis.kind === "indexed" ? axis.size : undefined);
    const rest = tensor.type.dimensions.filter((each) => each.name !== dimension);
    const item = TensorType.of(rest.length === 0 ? "double" : tensor.type.cellType, rest);
    if (hasSizesOf(item, declared) && !declared.dimension(dimension))
      return [
        name,
        declared.isScalar ? tensor : tensor.as(declared.withDimensions([...declared.dimensions, axis])),
      ];
    const values = { name, type: item, declared };
    throw new SphexError([problem("input/type", spanOfText(name, `${tensor.type}`), values)]);
  });
  rejectUnknown([...items.map(([name]) => name)], execution.inputNames);
  const passed = new Map(items);
  const isKnown =
    checked.results.some(({ node }) => node.type.dimension(dimension) !== undefined) ||
    [...fixed].some(([name, { type }]) => !passed.has(name) && type.dimension(dimension) !== undefined);
  if (sizes.size === 1 && !sizes.has(undefined) && !isKnown) return passed;
  throw dimensionRefused(dimension, passed);
}

/** Why a dimension cannot be that of many runs on these inputs. */
export function dimensionRefused(dimension: string, tensors: ReadonlyMap<string, Tensor>): SphexError {
  const inputs = Array.from(tensors, ([name, { type }]) => ({ name, type }));
  return new SphexError([problem("batch/dimension", spanOfText("batch", dimension), { dimension, inputs })]);
}

/** Whether a type is assignable to another without zeros that fill up smaller sizes. */
const hasSizesOf = (type: TensorType, declared: TensorType): boolean =>
  isAssignable(type, declared) &&
  declared.indexed.every(({ name, size }) => size === undefined || type.dimension(name)?.size === size);
