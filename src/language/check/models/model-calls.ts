import type { Node } from "../../core/operations.js";
import { SphexError } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import { type Argument, isExpression, type Reference } from "../../syntax/tree.js";
import { sizeOf } from "../../syntax/typing.js";
import type { TensorType } from "../../types/type.js";
import { element } from "../../values/element.js";
import type { Tensor } from "../../values/tensor.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";
import { sizedType } from "../sized-type.js";
import { type ComputedOutput, outputOperation, sampledType } from "./computed-output.js";
import { adapted, expanded, withMissing } from "./model-expansion.js";
import {
  axisDimension,
  type Model,
  type ModelPort,
  type ModelProgram,
  modelSignature,
  namedPortType,
  portType,
} from "./models.js";
import { openAxes } from "./open-axes.js";

/** The values of a call: one for each output. */
type Outputs = readonly (Node | undefined)[];

/**
 * A model that a program has a name for. A call of it is its program, for the sizes of the arguments, with these for its inputs; two
 * calls with equal arguments are one.
 */
export class CallableModel {
  private readonly programs = new Map<string, ModelProgram>();
  private readonly calls = new Map<string, Outputs>();
  /** The types of outputs with sizes that only a run tells. */
  private readonly sampled = new Map<string, TensorType>();
  /** The tokens of texts. */
  private readonly texts = new Map<string, readonly Tensor[]>();

  constructor(
    readonly name: string,
    readonly model: Model,
    /** Where its file is named. */
    readonly span: Span,
  ) {}

  get signature(): string {
    return modelSignature(this.name, this.model);
  }

  /** The value of `model(arguments).output`. */
  node(checker: Checker, tree: Reference, scope: Scope): Node | undefined {
    const report = checker.report(scope);
    const { name } = tree;
    if (tree.arguments === undefined)
      return void report(
        problem("model/uncalled", tree.span, { name: name.text, signature: this.signature }),
      );
    const at = this.outputAt(checker, tree, scope);
    const { encode } = this.model;
    const args = encode === undefined ? this.assigned(checker, tree.arguments, tree, scope) : [];
    if (args === undefined || at === undefined) return undefined;
    try {
      const output =
        encode === undefined
          ? this.output(checker, args, at, tree.span, scope)
          : this.encoded(checker, tree, at, encode, scope);
      return output && this.named(checker, output, at, tree.span);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      // What is wrong with the model is told where the program names its file.
      for (const each of error.problems) report(each.at(this.span));
      return undefined;
    }
  }

  /** An output with the names that the program has for its axes. */
  private named(checker: Checker, output: Node, at: number, span: Span): Node {
    const axes = this.model.outputs[at]?.axes;
    if (axes === undefined || axes.length === 0) return output;
    const from = axes.map((_, axis) => axisDimension(axis));
    return checker.graph.rename(output, from, axes, span);
  }

  /** The tokens of a text that is written as an argument, as a constant. */
  private encoded(
    checker: Checker,
    { arguments: args = [], span }: Reference,
    at: number,
    encode: NonNullable<Model["encode"]>,
    scope: Scope,
  ): Node | undefined {
    const [text, length] = args.map((each) => checker.resolve(each, scope).argument);
    const size = length?.kind === "number" ? sizeOf(length.text) : undefined;
    const isSound = text?.kind === "text" && args.length <= 2 && (length === undefined || size !== undefined);
    if (!isSound) return void checker.report(scope)(problem("model/text", span, { name: this.name }));
    const key = `${size} ${text.value}`;
    const tensors = this.texts.get(key) ?? encode(text.value, size);
    this.texts.set(key, tensors);
    const tensor = tensors[at];
    return tensor && checker.graph.constant(tensor, span);
  }

  /** The position of the output that is asked for; the only one need not be. */
  private outputAt(checker: Checker, { outputs, span }: Reference, scope: Scope): number | undefined {
    const report = checker.report(scope);
    const { outputs: ports } = this.model;
    const names = ports.map((each) => each.name);
    const text = outputs.map((each) => each.text).join(".");
    const [first] = outputs;
    if (first === undefined) {
      if (ports.length === 1) return 0;
      return void report(problem("model/outputs", span, { name: this.name, outputs: names }));
    }
    const at = ports.findIndex((each) => each.name === text || each.label === text);
    if (at >= 0) return at;
    const nearest = checker.guess(text, () => names);
    const values = { name: this.name, output: text, nearest, outputs: names };
    return void report(problem("model/output", { ...first.span, end: span.end }, values));
  }

  /** The value of each input, in the order of the ports. */
  private assigned(
    checker: Checker,
    args: readonly Argument[],
    { span }: Reference,
    scope: Scope,
  ): Node[] | undefined {
    const report = checker.report(scope);
    const { inputs } = this.model;
    const values = new Map<ModelPort, { readonly node: Node | undefined; readonly span: Span }>();
    const [only] = args;
    if (args.length === 1 && inputs.length > 1 && only !== undefined && isExpression(only)) {
      const row = checker.node(only, scope);
      if (row === undefined) return undefined;
      const nodes = this.fromVector(checker, row, only.span, scope);
      if (nodes !== undefined) return nodes === "reported" ? undefined : nodes;
    }
    let isSound = true;
    for (const [at, argument] of args.entries()) {
      const port = this.portOf(checker, argument, at, scope);
      const value = argument.kind === "named" ? argument.value : argument;
      const node = isExpression(value) ? checker.node(value, scope) : undefined;
      if (!isExpression(value))
        report(problem("call/argument", value.span, { expected: "tensor", found: value.kind }));
      if (port === undefined || node === undefined) isSound = false;
      else if (values.has(port)) {
        report(problem("model/twice", argument.span, { name: this.name, input: port.name }));
        isSound = false;
      } else values.set(port, { node, span: value.span });
    }
    if (!isSound) return undefined;
    const missing = inputs.filter((each) => !values.has(each)).map((each) => each.name);
    if (missing.length > 0) {
      const { signature } = this;
      return void report(problem("model/missing", span, { name: this.name, missing, signature }));
    }
    const byPosition = args.find((each) => each.kind !== "named");
    if (byPosition !== undefined && inputs.length > 1) this.reportUnordered(checker, byPosition.span, scope);
    return this.fitted(
      checker,
      inputs.map((port) => ({ port, ...(values.get(port) ?? { node: undefined, span }) })),
      scope,
    );
  }

  /** What is by position may be something else than what the data had there. */
  private reportUnordered(checker: Checker, span: Span, scope: Scope): void {
    const { name, signature } = this;
    if (this.model.isUnordered === true)
      checker.report(scope)(problem("model/unordered", span, { name, signature }));
  }

  private portOf(checker: Checker, argument: Argument, at: number, scope: Scope): ModelPort | undefined {
    const { inputs } = this.model;
    const report = checker.report(scope);
    if (argument.kind !== "named") {
      const port = inputs[at];
      if (port !== undefined) return port;
      const values = { name: this.name, count: inputs.length, signature: this.signature };
      return void report(problem("model/arguments", argument.span, values));
    }
    const { text, span } = argument.name;
    const port = inputs.find((each) => each.name === text || each.label === text);
    if (port !== undefined) return port;
    const nearest = checker.guess(text, () => inputs.map((each) => each.name));
    const values = { name: this.name, input: text, nearest, signature: this.signature };
    return void report(problem("model/unknown-input", span, values));
  }

  /** One tensor for all inputs of a model of numbers: along its one dimension stand they, by position or by name. */
  private fromVector(checker: Checker, row: Node, span: Span, scope: Scope): Node[] | "reported" | undefined {
    const { inputs } = this.model;
    const [dimension, ...others] = row.type.dimensions;
    if (dimension === undefined || others.length > 0) return undefined;
    if (!inputs.every((each) => each.shape.length === 0)) return undefined;
    if (dimension.kind === "indexed" && dimension.size !== inputs.length) {
      const values = { name: this.name, type: row.type, count: inputs.length };
      checker.report(scope)(problem("model/vector", span, values));
      return "reported";
    }
    if (dimension.kind === "indexed") this.reportUnordered(checker, span, scope);
    const { name, kind } = dimension;
    const isByName = kind === "mapped";
    const labels = inputs.map(({ label }, at) => (isByName ? label : `${at}`));
    const whole = isByName ? withMissing(checker, row, labels, scope) : row;
    return labels.map((label) => checker.graph.slice(whole, [{ dimension: name, label }], span));
  }

  /** The arguments with the axes and cells that the model asks for; nothing where one cannot have them. */
  fitted(
    checker: Checker,
    inputs: readonly { readonly port: ModelPort; readonly node: Node | undefined; readonly span: Span }[],
    scope: Scope,
  ): Node[] | undefined {
    const report = checker.report(scope);
    const nodes = inputs.map(({ port, node, span }) => {
      if (node === undefined) return undefined;
      const value = adapted(checker, node, port, scope);
      if (value !== undefined) return value;
      const values = { name: this.name, input: port.name, type: node.type, expected: namedPortType(port) };
      return void report(problem("model/type", span, values));
    });
    const found = nodes.filter((node) => node !== undefined);
    return found.length === nodes.length ? found : undefined;
  }

  /**
   * The output at a position for these inputs, with all axes and cells of its port.
   * @throws SphexError with what in the model cannot become an expression.
   */
  output(checker: Checker, args: readonly Node[], at: number, span: Span, scope: Scope): Node | undefined {
    const { name, model } = this;
    const { compute } = model;
    const port = model.outputs[at];
    const sized = sizedArguments(checker, args, scope);
    if (sized !== undefined && port !== undefined)
      return this.sizedOutput(checker, args, sized, at, span, scope);
    if (compute === undefined || port === undefined || !args.every((each) => each.type.isBound))
      return this.outputs(checker, args, span, scope)?.[at];
    const sizes = this.sizes(checker, args, span, scope);
    if (sizes === undefined) return undefined;
    const parameters = args.map((each) => each.type);
    const declared = { name, model, compute, at, parameters, returns: portType(port, sizes) };
    const returns = this.boundType(declared, span);
    if (returns === undefined) {
      const size = port.shape.find((each) => typeof each === "string" && !sizes.has(each));
      const values = { name, output: port.name, size: `${size}` };
      return void checker.report(scope)(problem("model/output-size", span, values));
    }
    return checker.graph.host(outputOperation({ ...declared, returns }), args, scope.level, span);
  }

  /** The output for the sizes of a run, with the type that it has for those of any. */
  private sizedOutput(
    checker: Checker,
    args: readonly Node[],
    sized: readonly Node[],
    at: number,
    span: Span,
    scope: Scope,
  ): Node | undefined {
    const report = checker.report(scope);
    const { name, model } = this;
    for (const [input, { type }] of sized.entries()) {
      const port = element(model.inputs, input);
      // What was open when the call was checked is seen now.
      if (isOfSizes(type, portType(port))) continue;
      const values = { name, input: port.name, type, expected: namedPortType(port) };
      return void report(problem("model/type", span, values));
    }
    const value = this.output(checker, sized, at, span, scope);
    const open = this.sizes(checker, args, span, scope);
    if (value === undefined || open === undefined) return undefined;
    const port = element(model.outputs, at);
    const type = portType(port, open);
    if (isOfSizes(value.type, type)) return checker.graph.cast(value, type, span);
    const values = { name, output: port.name, type: value.type, expected: type };
    return void report(problem("model/output-shape", span, values));
  }

  /** The type of a computed output; sizes that its file does not tell are asked of the runtime once. */
  private boundType(output: ComputedOutput, span: Span): TensorType | undefined {
    const { at, parameters, returns } = output;
    if (returns.isBound) return returns;
    const key = `${at} ${parameters.join(" ")}`;
    const type = this.sampled.get(key) ?? sampledType(output, span);
    if (type !== undefined) this.sampled.set(key, type);
    return type;
  }

  /** All outputs for these inputs, where the model is its program. */
  private outputs(checker: Checker, args: readonly Node[], span: Span, scope: Scope): Outputs | undefined {
    if (args.length !== this.model.inputs.length) return undefined;
    const key = args.map((each) => each.id).join(" ");
    const cached = this.calls.get(key);
    if (cached !== undefined) return cached;
    const sizes = this.sizes(checker, args, span, scope);
    if (sizes === undefined) return undefined;
    const outputs = args.every((each) => each.type.isBound)
      ? expanded(
          checker,
          { name: this.name, call: span, program: this.programFor(sizes, this.numbers(args)) },
          args,
          scope,
        )
      : this.model.outputs.map((port) =>
          checker.waiting.node(`${this.name}(${key}).${port.name}`, portType(port, sizes), {
            ...{ sources: args, span },
            axes: openAxes(this.model, port, args, sizes),
          }),
        );
    this.calls.set(key, outputs);
    return outputs;
  }

  /** What the sizes with names are; nothing where the arguments do not agree. */
  private sizes(
    checker: Checker,
    args: readonly Node[],
    span: Span,
    scope: Scope,
  ): ReadonlyMap<string, number> | undefined {
    const sizes = new Map<string, number>();
    const firsts = new Map<string, string>();
    for (const [at, port] of this.model.inputs.entries())
      for (const [axis, name] of port.shape.entries()) {
        const size = args[at]?.type.dimension(axisDimension(axis))?.size;
        if (typeof name === "number" || size === undefined) continue;
        const before = sizes.get(name);
        if (before !== undefined && before !== size) {
          const values = { name, first: firsts.get(name) ?? "", before, second: port.name, size };
          return void checker.report(scope)(problem("model/sizes", span, values));
        }
        sizes.set(name, size);
        firsts.set(name, port.name);
      }
    return sizes;
  }

  /** The arguments that are numbers of the program, by the labels of their inputs. */
  private numbers(args: readonly Node[]): ReadonlyMap<string, number> {
    const numbers = new Map<string, number>();
    for (const [at, { label, shape }] of this.model.inputs.entries()) {
      const node = args[at];
      const number = node !== undefined && shape.length === 0 ? writtenNumber(node) : undefined;
      if (number !== undefined) numbers.set(label, number);
    }
    return numbers;
  }

  private programFor(sizes: ReadonlyMap<string, number>, numbers: ReadonlyMap<string, number>): ModelProgram {
    const key = [...sizes, ...numbers].map(([name, value]) => `${name}=${value}`).join(" ");
    const program = this.programs.get(key) ?? this.model.program(sizes, numbers);
    this.programs.set(key, program);
    return program;
  }
}

/** The number that a node is as it is written, perhaps with a sign. */
function writtenNumber(node: Node): number | undefined {
  const [operand] = node.op === "apply" && node.function === "negate" ? node.arguments : [];
  if (operand?.op === "constant") return -operand.value.asNumber();
  return node.op === "constant" ? node.value.asNumber() : undefined;
}

/** Whether a type has the dimensions of another one, and its sizes where that has some: a smaller one would be filled up with zeros. */
const isOfSizes = ({ dimensions }: TensorType, expected: TensorType): boolean =>
  dimensions.length === expected.dimensions.length &&
  dimensions.every(({ name, size }) => {
    const other = expected.dimension(name);
    return other !== undefined && (other.size === undefined || other.size === size);
  });

/** Arguments of open sizes with those of the run that the program is for; nothing where all are bound, or one is not known. */
function sizedArguments(
  checker: Checker,
  args: readonly Node[],
  { frame }: Scope,
): readonly Node[] | undefined {
  if (args.every(({ type }) => type.isBound)) return undefined;
  const sized = args.map((each) => {
    const type = sizedType(checker, each.type, each, frame);
    return type?.isBound === true ? checker.graph.cast(each, type, each.span) : undefined;
  });
  const found = sized.filter((each) => each !== undefined);
  return found.length === args.length ? found : undefined;
}
