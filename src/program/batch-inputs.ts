import type { Backend } from "../backends/backend.js";
import { SphexError } from "../language/source/problem.js";
import { TensorType } from "../language/types/type.js";
import { spanOfText } from "../language/values/messages.js";
import { Tensor } from "../language/values/tensor.js";
import { type DeclaredType, type InputValues, rejectUnknown, tensorOf } from "./inputs.js";
import { problem } from "./messages.js";
import { canonicalName, type Options } from "./options.js";

/** What the inputs of a batch must fit. */
export interface BatchContext {
  readonly inputs: ReadonlyMap<string, TensorType>;
  readonly results: readonly { readonly type: TensorType }[];
  readonly options: Options;
  readonly backend: Backend;
  readonly declared: (name: string) => DeclaredType | undefined;
}

/** Inputs of many runs at once, as tensors: without the dimension they are of the declared types. */
export function batchInputs(
  dimension: string,
  inputs: InputValues,
  {
    inputs: types,
    results,
    options,
    backend: { name: backend, features },
    declared: declaredType,
  }: BatchContext,
): Map<string, Tensor> {
  if (!features.batch)
    throw new SphexError([problem("backend/batch", spanOfText("batch", dimension), { backend })]);
  const sizes = new Set<number | undefined>();
  const items = Object.entries(inputs).map(([inputName, value]): [string, Tensor] => {
    const name = canonicalName(inputName);
    const declared = types.get(name);
    const tensor = value instanceof Tensor ? value : tensorOf(name, value, declaredType(name), options);
    const axis = tensor.type.dimension(dimension);
    if (axis === undefined || declared === undefined)
      return [name, tensorOf(name, tensor, declaredType(name), options)];
    sizes.add(axis.kind === "indexed" ? axis.size : undefined);
    const rest = tensor.type.dimensions.filter((each) => each.name !== dimension);
    const item = TensorType.of(rest.length === 0 ? "double" : tensor.type.cellType, rest);
    if (item.equals(declared) && !declared.dimension(dimension)) return [name, tensor];
    const values = { name, type: item, declared };
    throw new SphexError([problem("input/type", spanOfText(name, `${tensor.type}`), values)]);
  });
  rejectUnknown([...items.map(([name]) => name)], [...types.keys()]);
  const isInResult = results.some(({ type }) => type.dimension(dimension) !== undefined);
  if (sizes.size === 1 && !sizes.has(undefined) && !isInResult) return new Map(items);
  const values = { dimension, inputs: items.map(([name, { type }]) => ({ name, type })) };
  throw new SphexError([problem("batch/dimension", spanOfText("batch", dimension), values)]);
}
