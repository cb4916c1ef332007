import type { Span } from "../../source/span.js";
import type { CellType } from "../../types/cell.js";
import { indexed, TensorType } from "../../types/type.js";
import type { Tensor } from "../../values/tensor.js";
import type { BuildScalar } from "./scalar-builder.js";

/**
 * Models of other tools as a program sees them. Whoever reads their files hands them in; what they compute is a program of the
 * language, so that a call of one becomes core as that of a function does.
 */

/** An input or output of a model. */
export interface ModelPort {
  /** A word of the language; what the model calls it, where that is one. */
  readonly name: string;
  /** What the model calls it. */
  readonly label: string;
  readonly cell: CellType;
  /** Of each axis a number, or the name of a size that the inputs of a run decide. */
  readonly shape: readonly (number | string)[];
  /** What a program calls the axes, in their order; `d0`, `d1` and so on by default. */
  readonly axes?: readonly string[];
}

/** A model for inputs of certain sizes, as statements of the language. */
export interface ModelProgram {
  readonly text: string;
  /** What the text calls the inputs and outputs, in the order of the ports; nothing for an input whose number it has in it. */
  readonly inputs: readonly (string | undefined)[];
  readonly outputs: readonly string[];
  /** Weights and other tensors that the text mentions. */
  readonly constants: ReadonlyMap<string, Tensor>;
  /** Scalars of the inputs that the text mentions, where a text of them would be very long. */
  readonly scalars?: ReadonlyMap<string, BuildScalar>;
}

/** What a model takes and returns. */
export interface ModelPorts {
  readonly inputs: readonly ModelPort[];
  readonly outputs: readonly ModelPort[];
}

/** A model of another tool as the checker calls it: its inputs, its outputs, and the program that it becomes. */
export interface Model extends ModelPorts {
  /** Whether the file does not say in which order the data had the inputs: calls had better name them. */
  readonly isUnordered?: boolean;
  /**
   * The program for these sizes, and for these numbers of inputs without axes, by their labels, which may decide what it is.
   * @throws SphexError with what in the model cannot become an expression.
   */
  readonly program: (
    sizes: ReadonlyMap<string, number>,
    numbers: ReadonlyMap<string, number>,
  ) => ModelProgram;
  /** Of a model that another runtime computes: its outputs are what that says, and not what the program is. */
  readonly compute?: ComputeOutput;
  /** Of a tokenizer, whose input is a text: its outputs for one, cut or filled up to a length; plain ones without what begins and ends it. */
  readonly encode?: (text: string, length: number | undefined, isPlain?: boolean) => readonly Tensor[];
  /** Of a tokenizer: the text of the token with a number. */
  readonly decode?: (token: number) => string;
  /** Of a tokenizer: how long the longest token is that a text begins with, and its number. */
  readonly longest?: (text: string) => readonly [length: number, token: number] | undefined;
}

/**
 * The output at a position, as a tensor of a type, whose unbound sizes are as they come, for inputs of the types of their ports;
 * or a promise of it, which only an asynchronous run can await.
 * @throws Error whose message is the reason where the runtime fails.
 */
export type ComputeOutput = (
  output: number,
  type: TensorType,
  inputs: readonly Tensor[],
) => Tensor | Promise<Tensor>;

/** Reads the model in a file. @throws SphexError with the reason where it cannot. */
export type LoadModel = (path: string, span: Span) => Model;

/** The dimension of an axis in the program of a model. */
export const axisDimension = (axis: number): string => `d${axis}`;

/** The type of a port in the program of its model. Axes without a number are unbound. */
export function portType(
  { cell, shape }: ModelPort,
  sizes: ReadonlyMap<string, number> = new Map(),
): TensorType {
  const dimensions = shape.map((size, axis) =>
    indexed(axisDimension(axis), typeof size === "number" ? size : sizes.get(size)),
  );
  return TensorType.of(cell, dimensions);
}

/** The same with the names that a program has for the axes. */
export function namedPortType(port: ModelPort): TensorType {
  const { cell, shape, axes } = port;
  if (axes === undefined) return portType(port);
  const dimensions = shape.map((size, axis) =>
    indexed(axes[axis] ?? axisDimension(axis), typeof size === "number" ? size : undefined),
  );
  return TensorType.of(cell, dimensions);
}

/** `ranker(pixels, mask).scores`: how a model is called, for messages. */
export function modelSignature(name: string, { inputs, outputs }: ModelPorts): string {
  const list = inputs.slice(0, mostNamed).map((each) => each.name);
  const others = inputs.length > mostNamed ? ["…"] : [];
  const [only, ...rest] = outputs;
  const output = only === undefined || rest.length === 0 ? "" : `.${only.name}`;
  return `${name}(${[...list, ...others].join(", ")})${output}`;
}

/** The same with the types of the inputs. */
export const typedSignature = (name: string, { inputs }: ModelPorts): string =>
  `${name}(${inputs.map((each) => `${each.name}: ${namedPortType(each)}`).join(", ")})`;

const mostNamed = 8;
