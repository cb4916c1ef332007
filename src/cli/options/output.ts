import {
  type JsonForm,
  jsonFormsOf,
  type Problem,
  type ShowTensorOptions,
  showTensors,
  type Tensor,
  type TensorJson,
  type TensorType,
  tensorJson,
} from "../../index.js";
import { isColoured, UsageError } from "../terminal/failure.js";
import { type Io, writeStyled } from "../terminal/io.js";
import type { CommonFlags } from "./options.js";

/** Tensors as the command writes them, as text and as JSON. */

export { type TensorJson, tensorJson };

export interface RunJson {
  readonly results: readonly (TensorJson & { readonly name?: string })[];
  readonly warnings: readonly Problem[];
}

/** The options of `showTensor` for stdout: grids at a terminal, elsewhere the literal form. */
export function tensorOptions({ format }: Pick<CommonFlags, "format">, io: Io): ShowTensorOptions {
  const isTerminal = io.isTTY.stdout === true;
  return {
    format: format ?? (isTerminal ? "pretty" : "literal"),
    width: io.columns,
    colour: isColoured(io, "stdout"),
  };
}

export async function writeTensors(
  tensors: readonly Tensor[],
  options: ShowTensorOptions,
  io: Io,
): Promise<void> {
  await writeStyled(io.stdout, `${showTensors(tensors, options)}\n`, options.colour);
}

/** @throws UsageError where tensors of a type do not have a form. */
export function requireForm(form: JsonForm, type: TensorType): void {
  const available = jsonFormsOf(type);
  if (!available.includes(form))
    throw new UsageError(`${type} has no form ${form}: it has ${available.join(", ")}`);
}
