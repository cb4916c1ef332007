import type { Root } from "../backends/backend.js";
import type { Limits } from "../backends/meter.js";
import type { Node } from "../language/core/operations.js";
import type { Span } from "../language/source/span.js";
import type { TensorType } from "../language/types/type.js";
import type { AxisOrder } from "../language/values/data/axis-order.js";
import type { Tensor } from "../language/values/tensor.js";
import type { InputValue } from "./inputs/inputs.js";

/** What a program is to an engine that is not in this process: nodes to compute, and what they are computed from. */
export interface CoreProgram {
  /** The results, optimised. */
  readonly roots: readonly Root[];
  readonly inputs: ReadonlyMap<string, TensorType>;
  /** What is given by the names of inputs, however they are written, by canonical names; it throws where one is given twice. */
  readonly byCanonicalName: <T>(entries: Readonly<Record<string, T>>) => ReadonlyMap<string, T>;
  /** The order of the axes of arrays that become an input: that of the declaration, where it is written. */
  readonly axisOrder: (name: string) => AxisOrder;
  /** The node of an input's default, or of what else was declared by this name; nothing where there is no value. */
  readonly defaultOf: (name: string) => Node | undefined;
  /** A value as a tensor of the type of an input. @throws SphexError where it does not fit. */
  readonly tensorOf: (name: string, value: InputValue) => Tensor;
  readonly limits: Limits;
  /** The span for problems of a whole run. */
  readonly span: Span;
}

/** A way to run programs elsewhere: with what is bound to their inputs, it gives something that runs. */
export interface ExternalEngine<Bindings, Bound> {
  readonly bind: (program: CoreProgram, bindings: Bindings) => Bound;
}
