import { requireArgument } from "../source/arguments.js";
import { TensorType } from "../types/type.js";
import { Tensor } from "./tensor.js";

/** Tensors and types as arguments of public functions. */

export const requireTensor = (name: string, value: unknown): void =>
  requireArgument(name, "tensor", value, value instanceof Tensor);

/** A type, or its text. */
export const requireType = (name: string, value: unknown): void =>
  requireArgument(name, "typeOrText", value, typeof value === "string" || value instanceof TensorType);
