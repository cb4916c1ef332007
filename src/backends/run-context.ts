import type { Node } from "../language/core/operations.js";
import type { Span } from "../language/source/span.js";
import type { Tensor } from "../language/values/tensor.js";
import type { Meter } from "./meter.js";
import type { Evaluation, ReferenceValue } from "./reference/evaluation.js";

/** What one run of a program gives to the backend that computes it. */
export interface RunContext {
  /** Counts the work, and holds the limits of the run. */
  readonly meter: Meter;
  /** The next number of a uniform source from 0 up to 1. */
  readonly random: () => number;
  /**
   * What was found by chance in this run, or promised by the host: it is so in all of it, also in values that are requested later, which
   * cannot wait for a promise.
   */
  readonly drawn: Map<Node, ReferenceValue>;
  /** The tensor of an input; absent where its default stands for it. */
  readonly input: (name: string) => Tensor | undefined;
  /** The size that inputs have along a dimension, if any does. */
  readonly sizeOf: (dimension: string) => number | undefined;
  /** What stands for an input that the run lacks. @throws SphexError if it has no default. */
  readonly defaultOf: (name: string, span: Span) => Node;
  /** What stands for all inputs that the run lacks, of those that have a default. */
  readonly defaults: () => readonly Node[];
  /** The reference evaluator on the inputs of this run, for what a backend leaves to it. It finds each value once. */
  readonly evaluation: Evaluation;
}
