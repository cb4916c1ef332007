import { SphexError } from "../../../language/source/problem.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { compileExpression } from "../../../program/compile.js";
import { problem } from "../model/messages.js";
import type { Property } from "../model/model.js";

/**
 * The tensor that a rank property gives an input: the value of an expression that reads nothing, and that has the type of the
 * input and no other.
 * @throws SphexError where Vespa refuses it.
 */
export function propertyTensor({ key, value, span }: Property, type: TensorType): Tensor {
  const found = tensorOf(value, type);
  if (found !== undefined) return found;
  throw new SphexError([
    problem("feature/property", span, { key, value, expected: { kind: "tensor", type } }),
  ]);
}

function tensorOf(text: string, type: TensorType): Tensor | undefined {
  try {
    const program = compileExpression(text, { dialect: "vespa" });
    return program.results[0]?.type.equals(type) === true ? program.runOnce({}) : undefined;
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}
