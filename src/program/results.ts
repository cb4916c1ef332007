import type { Span } from "../language/source/span.js";
import type { TensorType } from "../language/types/type.js";
import type { Tensor } from "../language/values/tensor.js";

/** A result of a program: its type, its place in the text, and its name if it is a named value. */
export interface ResultType {
  readonly type: TensorType;
  readonly span: Span;
  readonly name?: string;
}

/** The results of a run, by position; named values are worked out when they are asked for. */
export interface Results {
  readonly results: readonly Tensor[];
  /** @throws SphexError for a name that the program does not define. */
  readonly value: (name: string) => Tensor;
}
