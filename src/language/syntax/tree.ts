import type { OperatorSymbol, PrefixSymbol } from "../scalar/operators.js";
import type { Span } from "../source/span.js";

/** The syntax tree: the text with nothing resolved. Every node has the span that it was read from. */

/** A name or a word where it stands. */
export interface Word {
  readonly text: string;
  readonly span: Span;
}

export type Expression =
  | NumberLiteral
  | TextLiteral
  | Reference
  | Prefixed
  | Chain
  | Sliced
  | Switch
  | Generate
  | Literal
  | Shape;

export interface NumberLiteral {
  readonly kind: "number";
  readonly span: Span;
  readonly value: number;
  /** As written: `1`, `1.50`, `2e3`. */
  readonly text: string;
}

export interface TextLiteral {
  readonly kind: "text";
  readonly span: Span;
  readonly value: string;
}

/** A name, a call, or a feature with an output: `a`, `sum(a, x)`, `attribute(b.c)`, `onnx(m).out`. */
export interface Reference {
  readonly kind: "reference";
  readonly span: Span;
  readonly name: Word;
  /** Undefined without parentheses. */
  readonly arguments?: readonly Argument[];
  readonly outputs: readonly Word[];
  /**
   * The span without the parentheses around it, where it has some. They make it a value where a bare name would be a label or a
   * dimension.
   */
  readonly grouped?: Span;
}

export type Argument = Expression | LambdaTree | NamedArgument | NameList;

export const isExpression = (argument: Argument): argument is Expression =>
  argument.kind !== "lambda" && argument.kind !== "names" && argument.kind !== "named";

export interface LambdaTree {
  readonly kind: "lambda";
  readonly span: Span;
  readonly parameters: readonly Word[];
  readonly body: Expression;
}

/** `field: title`, or `pixels: image / 255` */
export interface NamedArgument {
  readonly kind: "named";
  readonly span: Span;
  readonly name: Word;
  readonly value: Expression;
}

/** `(x, y)`, two names or more */
export interface NameList {
  readonly kind: "names";
  readonly span: Span;
  readonly names: readonly Word[];
}

/** `!-a`: the operators in the order written, applied from the last to the first. */
export interface Prefixed {
  readonly kind: "prefixed";
  readonly span: Span;
  readonly operators: readonly { readonly symbol: PrefixSymbol; readonly span: Span }[];
  readonly operand: Expression;
}

/** Operators of one precedence level, as long as the chain is: `a - b + c`, `a < b in [1]`, `a ^ b ^ c`. */
export interface Chain {
  readonly kind: "chain";
  readonly span: Span;
  readonly first: Expression;
  readonly rest: readonly Link[];
}

export type Link = OperationLink | MembershipLink;

/** `+ b`, after its left operand */
export interface OperationLink {
  readonly kind: "operation";
  readonly symbol: OperatorSymbol;
  readonly span: Span;
  readonly operand: Expression;
}

/** `in [a, b]`, after its left operand */
export interface MembershipLink {
  readonly kind: "membership";
  readonly span: Span;
  readonly items: readonly Expression[];
}

/** `a{x:0}[1]`: slices in the order written. */
export interface Sliced {
  readonly kind: "sliced";
  readonly span: Span;
  readonly tensor: Expression;
  readonly slices: readonly Slice[];
}

export type Slice =
  | { readonly kind: "index"; readonly span: Span; readonly index: Expression }
  | { readonly kind: "short"; readonly span: Span; readonly selector: Selector }
  | { readonly kind: "address"; readonly span: Span; readonly bindings: readonly SliceBinding[] };

export interface SliceBinding {
  readonly dimension: Word;
  readonly selector: Selector;
}

/** After the `:` of a slice: a label as written, or what computes the index. */
export type Selector =
  | { readonly kind: "label"; readonly label: Word; readonly quoted: boolean }
  | { readonly kind: "value"; readonly value: Supplied };

/** An index or a cell: an expression, or a lambda over dimensions, as the Paper has them (5.3.8 and 5.3.9). */
export type Supplied = Expression | LambdaTree;

export interface Switch {
  readonly kind: "switch";
  readonly span: Span;
  readonly value: Expression;
  readonly cases: readonly { readonly when: Expression; readonly result: Expression }[];
  readonly otherwise: Expression;
}

/** A type as written: dimensions in the order of the text, which literals follow. */
export interface TypeText {
  readonly span: Span;
  readonly cellType?: Word;
  readonly dimensions: readonly DimensionText[];
}

export interface DimensionText {
  readonly span: Span;
  readonly name: Word;
  readonly kind: "mapped" | "indexed";
  /** A number, or the name of a size parameter; undefined in `x[]` and `x{}`. */
  readonly size?: Word;
}

/** `tensor(x[3])(x + 1)` */
export interface Generate {
  readonly kind: "generate";
  readonly span: Span;
  readonly type: TypeText;
  readonly body: Expression;
}

/** `tensor(x[3]):[1,2,3]`, or `{{x:a}:1}`, whose type is that of its first address: all dimensions are mapped. */
export interface Literal {
  readonly kind: "literal";
  readonly span: Span;
  readonly type: TypeText;
  readonly isTyped: boolean;
  readonly body: LiteralBody<Supplied>;
}

/** A word of a constant string: a number, a label, or hexadecimal cells. */
export interface ConstantWord {
  readonly kind: "word";
  readonly span: Span;
  readonly text: string;
}

/** The forms of a literal's body; `Leaf` is an expression in a program and a word in a constant string. */
export type LiteralBody<Leaf> =
  | { readonly kind: "scalar"; readonly span: Span; readonly value: Leaf }
  | { readonly kind: "nested"; readonly span: Span; readonly items: readonly LiteralItem<Leaf>[] }
  | { readonly kind: "cells"; readonly span: Span; readonly cells: readonly LiteralCellTree<Leaf>[] }
  | { readonly kind: "entries"; readonly span: Span; readonly entries: readonly LiteralEntry<Leaf>[] };

/** A leaf, or a body below one. */
export type LiteralItem<Leaf> = LiteralBody<Leaf> | Leaf;

export interface LiteralCellTree<Leaf> {
  readonly span: Span;
  readonly address: readonly { readonly dimension: Word; readonly label: Word }[];
  readonly value: Leaf;
}

export interface LiteralEntry<Leaf> {
  readonly label: Word;
  readonly value: LiteralItem<Leaf>;
}

/** `range(x[3])`, `diag(x[2],y[2])`, `random<float>(x[3])` */
export interface Shape {
  readonly kind: "shape";
  readonly span: Span;
  readonly word: Word;
  readonly type: TypeText;
}

export type Role = "input" | "constant" | "variable" | "persistent";

export type Statement =
  | Declaration
  | Definition
  | ModelDeclaration
  | Assignment
  | Objective
  | { readonly kind: "result"; readonly span: Span; readonly expression: Expression };

/** A statement that gives a name its meaning. */
export type NamingStatement = Declaration | Definition | ModelDeclaration;

export const isNaming = (statement: Statement): statement is NamingStatement =>
  statement.kind === "declaration" || statement.kind === "definition" || statement.kind === "model";

/** `input query(q): tensor(x[3]) = …` */
export interface Declaration {
  readonly kind: "declaration";
  readonly span: Span;
  readonly role: Role;
  readonly name: Reference;
  readonly type?: TypeText;
  readonly value?: Expression;
}

/** `model ranker(pixels: (row, column), scores: class) = file("ranker.onnx")` */
export interface ModelDeclaration {
  readonly kind: "model";
  readonly span: Span;
  readonly name: Word;
  readonly ports: readonly PortNames[];
  readonly value: Expression;
}

/** `pixels: (row, column)`: what the axes of an input or output of a model are called, in their order. */
export interface PortNames {
  readonly port: Word;
  readonly axes: NameList;
}

/** What a kept tensor becomes when a run has succeeded, or how labels begin that a variable lacks in a step of training. */
export type Action = "assign" | "begin";

/** `assign w = …` or `begin w = …` */
export interface Assignment {
  readonly kind: "assignment";
  readonly action: Action;
  readonly span: Span;
  readonly name: Reference;
  readonly value: Expression;
}

/** `minimise loss`: what training makes smaller. */
export interface Objective {
  readonly kind: "objective";
  readonly span: Span;
  readonly value: Expression;
}

/** `f(a, b) = …` or `a = …` */
export interface Definition {
  readonly kind: "definition";
  readonly span: Span;
  readonly name: Word;
  /** Undefined for a named value. */
  readonly parameters?: readonly Word[];
  readonly body: Expression;
}

export interface ProgramTree {
  readonly statements: readonly Statement[];
}

/** A constant string, such as `tensor(x[2]):[1,2]`: its type if it has one, and its body. */
export interface ConstantTree {
  readonly type?: TypeText;
  readonly body: LiteralBody<ConstantWord> | ConstantWord;
}
