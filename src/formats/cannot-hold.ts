import { SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import { type Holding, problem } from "./messages.js";

/**
 * Says that a format has no place for a tensor.
 * @throws SphexError always.
 */
export function cannotHold(format: string, type: TensorType, expected: Holding): never {
  const source = { name: "tensor", text: `${type}` };
  const span = { source, start: 0, end: source.text.length };
  throw new SphexError([problem("format/cannot-hold", span, { format, type, expected })]);
}
