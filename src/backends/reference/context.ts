import type { Lambda, Node } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Meter, Steps } from "../meter.js";

/** A scalar is a plain number while it is computed with. */
export type ReferenceValue = number | Tensor;

/** What an evaluation needs from its host. */
export interface EvaluationOptions {
  /** The value of an input, in its declared type. */
  readonly input: (name: string, span: Span) => Steps<ReferenceValue>;
  /** The next number of a uniform source from 0 up to 1. */
  readonly random: () => number;
  readonly meter: Meter;
  /** Observes the work, to report how a value came about. */
  readonly watch?: Watch | undefined;
  /** Told what the host promised, and then gave, for a call of the graph itself. */
  readonly promised?: ((call: Node, value: ReferenceValue) => void) | undefined;
}

/** Called when the operation of a node begins, its dependencies computed, and when it has a value; within lambdas too. */
export interface Watch {
  readonly begins: (node: Node) => void;
  readonly ends: (node: Node) => void;
}

/** What an operation may use of the evaluation that it is a part of. */
export interface EvaluationContext {
  readonly options: EvaluationOptions;
  /** The value of a node, if it has one by now. */
  lookUp(node: Node): ReferenceValue | undefined;
  /** The value of a dependency, which is computed by now. */
  computed(node: Node): ReferenceValue;
  scalar(node: Node): number;
  tensor(node: Node): Tensor;
  parameter(level: number, position: number): ReferenceValue;
  /** The values of a lambda, whose graph is closed, for so many sets of scalar parameters. */
  lambda(lambda: Lambda, count: number, fill: Fill, put: Put, span: Span): Steps<void>;
  /** The values of a scalar body for so many sets of parameters at a level. */
  loop(
    body: Node,
    level: number,
    parameters: number,
    count: number,
    fill: Fill,
    put: Put,
    span: Span,
  ): Steps<void>;
  /** A lambda of tensors as a function; what does not depend on its parameters is found once. */
  callable(lambda: Lambda): (...parameters: ReferenceValue[]) => Steps<ReferenceValue>;
}

/** Puts the parameters of a cell in the first registers. */
export type Fill = (at: number, registers: Float64Array) => void;
export type Put = (at: number, value: number) => void;

/** A value as a tensor of a type, and a tensor as a value. */
export function boxed(value: ReferenceValue, type: TensorType): Tensor {
  return typeof value === "number" ? Tensor.scalar(value, type) : value;
}

export function unboxed(value: Tensor): ReferenceValue {
  return value.type.isScalar ? value.at(0) : value;
}
