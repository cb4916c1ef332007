import { inputsOf, type Node, visit } from "../../core/operations.js";
import { inputsFirst } from "../../differentiate/node-order.js";
import type { ScalarName } from "../../scalar/functions.js";
import { shortened } from "../../source/message.js";
import { nearest } from "../../source/nearest.js";
import { type Span, textIn, through } from "../../source/span.js";
import { type Argument, isExpression, type Reference, type Word } from "../../syntax/tree.js";
import { cellTypeOf } from "../../syntax/typing.js";
import type { CellType } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import type { Checker } from "../checker.js";
import { isWrittenAnew } from "../deployment/deployment.js";
import type { ArgumentForm, FoundArgument, WordForm } from "../messages/calls.js";
import type { ScalarPart } from "../messages/types.js";
import { problem } from "../messages.js";
import { bareWord } from "../names.js";
import { binary } from "../operators.js";
import type { Scope } from "../scope.js";
import { sizedType, sizesInRun } from "../sized-type.js";
import type { LiftedLambda, UseOfLambda } from "./lambda-lifting.js";
import { asLambda, withDimension } from "./misplaced-arguments.js";

/** A built-in function: how it is written, how many arguments it takes, and how a call of it is elaborated. */
export interface Builtin {
  readonly signature: string;
  /** One sentence. */
  readonly description: string;
  readonly least: number;
  readonly most: number;
  /** The positions of arguments that are tensors, whatever the call: a bare name there is a value. */
  readonly tensors: readonly number[];
  readonly elaborate: (call: Call) => Node | undefined;
}

/** The `most` of a function without an upper bound on its arguments. */
export const anyNumber = Number.POSITIVE_INFINITY;

/** A call of a built-in: reads its arguments in the form that the built-in expects, or reports that they do not have it. */
export class Call {
  constructor(
    readonly checker: Checker,
    readonly tree: Reference,
    readonly scope: Scope,
    private readonly builtin: Builtin,
  ) {}

  get span(): Span {
    return this.tree.span;
  }

  get name(): string {
    return this.tree.name.text;
  }

  get count(): number {
    return this.tree.arguments?.length ?? 0;
  }

  node(): Node | undefined {
    const { least, most, signature } = this.builtin;
    if (this.count < least || this.count > most) {
      const lacksDimension = this.count === least - 1 && signature.endsWith(", dimension)");
      const replacement = lacksDimension ? withDimension(this.checker, this.tree, this.scope) : undefined;
      const values = { name: this.name, found: this.count, least, most, signature, replacement };
      this.checker.report(this.scope)(problem("call/arity", this.span, values));
      return undefined;
    }
    return this.builtin.elaborate(this);
  }

  argument(at: number): Argument {
    const argument = this.tree.arguments?.[at];
    if (argument === undefined) throw new Error(`${this.name} has no argument ${at}`);
    return argument;
  }

  spanOf(at: number): Span {
    return this.argument(at).span;
  }

  /** An argument as it is written, shortened. */
  textOf(at: number): string {
    return shortened(textIn(this.spanOf(at)).replace(/\s+/g, " "));
  }

  /** The value of an argument. */
  tensor(at: number): Node | undefined {
    const argument = this.argument(at);
    if (!isExpression(argument)) return this.refuse(at, "tensor", argument.kind);
    return this.checker.node(argument, this.scope);
  }

  /** The value of an argument that must be a scalar. */
  scalar(at: number, part: ScalarPart): Node | undefined {
    const node = this.tensor(at);
    if (node === undefined || node.type.isScalar) return node;
    this.checker.report(this.scope)(problem("type/not-scalar", this.spanOf(at), { part, type: node.type }));
    return undefined;
  }

  /** A function of two numbers of the values that the first two arguments have. */
  joined(name: ScalarName, left: Node, right: Node): Node | undefined {
    const sides = [
      { node: left, span: this.spanOf(0) },
      { node: right, span: this.spanOf(1) },
    ] as const;
    return binary(this.checker, name, sides, this);
  }

  /** A lambda on parameters of these types, the first of which is a subspace of a block, where there is one. */
  lambda(
    at: number,
    types: readonly TensorType[],
    result: "scalar" | "tensor",
    block?: Node,
  ): LiftedLambda | undefined {
    const { argument, scope } = this.checker.resolve(this.argument(at), this.scope);
    if (argument.kind !== "lambda") {
      const isWritten = argument === this.argument(at);
      const replacement = isWritten ? asLambda(this.checker, argument, scope, types.length) : undefined;
      const expected = types.length === 1 ? "unary lambda" : "binary lambda";
      return this.refuse(at, expected, foundArgument(argument), replacement);
    }
    const { frame } = this.scope;
    return this.checker.lambda(
      argument,
      types,
      scope,
      frame,
      result,
      block && sizesInRun(this.checker, block, frame),
    );
  }

  /** Where the lambda of the call is used. */
  get use(): UseOfLambda {
    const { checker, scope, span } = this;
    const sized: UseOfLambda["sized"] = (type, value) => sizedType(checker, type, value, scope.frame);
    return { graph: checker.graph, level: scope.level, span, sized };
  }

  /**
   * A value with a lambda. There is none where it needs sizes that are open: then it waits for those of the inputs of a run, if they
   * decide them.
   */
  lifted(
    value: Node | undefined,
    operands: readonly Node[],
    lambda: LiftedLambda,
    type: TensorType,
  ): Node | undefined {
    if (value !== undefined) return value;
    const isDecided = operands.every((each) => each.type.isBound || isSizedByInputs(each));
    if (isDecided) {
      const ids = operands.map(({ id }) => id);
      const sources = [...operands, lambda.body, ...lambda.captured];
      return this.checker.waiting.node(`${this.name} ${this.span.start} ${ids}`, type, {
        ...{ sources, span: this.span },
      });
    }
    const [operand] = operands.filter((each) => !each.type.isBound);
    const values = { name: this.name, type: operand?.type ?? type };
    this.checker.report(this.scope)(problem("call/lambda-sizes", this.span, values));
    return undefined;
  }

  /** The word that an argument is, as the outermost caller wrote it. */
  word(at: number, expected: WordForm): Word | undefined {
    const { argument } = this.checker.resolve(this.argument(at), this.scope);
    return bareWord(argument) ?? this.refuse(at, expected, foundArgument(argument));
  }

  /** The name of a dimension: a name, where a word may also be a number. */
  dimension(at: number): Word | undefined {
    const word = this.word(at, "dimension");
    return word === undefined || this.isName(at, word)
      ? word
      : this.refuse(at, "dimension", { kind: "text", text: word.text });
  }

  /** One word of a closed list. */
  oneOf<W extends string>(
    at: number,
    words: readonly W[],
    expected: "aggregator" | "order" | "bit order",
    isDimension: (word: string) => boolean = () => false,
  ): W | undefined {
    const word = this.word(at, expected);
    if (word === undefined) return undefined;
    const match = words.find((each) => each === word.text);
    if (match !== undefined) return match;
    const last = bareWord(this.argument(this.count - 1))?.text;
    const isSwapped = isDimension(word.text) && words.some((each) => each === last);
    if (isSwapped) {
      const span = through(this.spanOf(at), this.spanOf(this.count - 1));
      const others = Array.from({ length: this.count - 1 - at }, (_, behind) =>
        textIn(this.spanOf(at + behind)),
      );
      const values = { text: textIn(span), replacement: [last, ...others].join(", ") };
      this.checker.report(this.scope)(problem("call/aggregator-order", span, values));
      return undefined;
    }
    const values = {
      ...{ expected, found: word.text, words },
      ...{ nearest: foreignWord(word.text, words) ?? nearest(word.text, words) },
      isDimension: isDimension(word.text),
    };
    this.checker.report(this.scope)(problem("call/word", word.span, values));
    return undefined;
  }

  cellType(at: number): CellType | undefined {
    const word = this.word(at, "cell type");
    return word === undefined ? undefined : cellTypeOf(word, this.checker.report(this.scope));
  }

  /** All arguments from here on: dimensions of the tensor, each once. Of a tensor without a type, only the latter. */
  dimensions(from: number, type: TensorType | undefined): readonly string[] | undefined {
    const words = Array.from({ length: this.count - from }, (_, at) => this.word(from + at, "dimension"));
    const names = words.map((word) => word && this.existingDimension(word, type));
    return this.distinct(names, (at) => this.spanOf(from + at));
  }

  /** The name of a dimension, which the tensor must have if it has a type. */
  existingDimension(word: Word, type: TensorType | undefined): string | undefined {
    return type === undefined ? word.text : this.checker.dimension(word, type, this.scope);
  }

  /** A name, or several in parentheses. */
  names(at: number): readonly Word[] | undefined {
    const { argument, scope } = this.checker.resolve(this.argument(at), this.scope);
    if (argument.kind === "names") return argument.names.map((each) => this.checker.word(each, scope));
    // `(x)` is a list of one.
    const word =
      bareWord(argument) ?? (argument.kind === "reference" && argument.grouped ? argument.name : undefined);
    if (word !== undefined && this.isName(at, word)) return [word];
    return this.refuse(at, "dimensions", foundArgument(argument));
  }

  /** Whether a word may be the name of a dimension. Vespa puts whole numbers in for parameters that have the name of one. */
  private isName(at: number, word: Word): boolean {
    const isPutIn = isWrittenAnew(this.checker, this.scope) && this.argument(at).kind === "reference";
    return !isNumber(word) || (isPutIn && /^\d+$/.test(word.text));
  }

  /** Names that must differ; nothing where one is missing or repeated. */
  distinct(
    names: readonly (string | undefined)[],
    spanOf: (at: number) => Span,
  ): readonly string[] | undefined {
    let sound = true;
    const before = new Set<string>();
    for (const [at, name] of names.entries()) {
      if (name === undefined) sound = false;
      else if (before.size === before.add(name).size) {
        this.checker.report(this.scope)(problem("type/duplicate-dimension", spanOf(at), { dimension: name }));
        sound = false;
      }
    }
    return sound ? names.filter((name) => name !== undefined) : undefined;
  }

  refuse(at: number, expected: ArgumentForm, found: FoundArgument, replacement?: string): undefined {
    const values = { expected, found, replacement };
    this.checker.report(this.scope)(problem("call/argument", this.spanOf(at), values));
  }
}

/** Whether the sizes of a value are those of inputs, or of a parameter, whose sizes are a value's. */
const isSizedByInputs = (value: Node): boolean => {
  const open = inputsFirst(value, (node) => visit(inputsOf, node)).filter(({ type }) => !type.isBound);
  const isFirst = (node: Node): boolean => visit(inputsOf, node).every(({ type }) => type.isBound);
  return open.every((node) => !isFirst(node) || node.op === "input" || node.op === "parameter");
};

/** The aggregator that another library calls so. */
const foreignWord = <W extends string>(word: string, words: readonly W[]): W | undefined =>
  /^(?:mean|average)$/i.test(word) ? words.find((each) => each === "avg") : undefined;

/** What an argument is, for a message. */
export function foundArgument(argument: Argument): FoundArgument {
  if (!isExpression(argument)) return argument.kind;
  return { kind: "text", text: textIn(argument.span), isQuoted: argument.kind === "text" };
}

/** Whether a word is a number, with a point, an exponent or a suffix: names have no point, but may begin with a digit. */
const isNumber = (word: Word): boolean => /\.|^\d+(?:[eE][+-]?\d+)?$/.test(word.text);
