/** What a text is made of, before anything is known of its types. */

export type Expression =
  | { readonly kind: "number"; readonly value: number; readonly text: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "parentheses"; readonly inner: Expression }
  | { readonly kind: "prefix"; readonly operator: "-" | "!"; readonly operand: Expression }
  | {
      readonly kind: "infix";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "membership"; readonly operand: Expression; readonly items: readonly Expression[] }
  | { readonly kind: "call"; readonly name: string; readonly arguments: readonly Argument[] }
  | { readonly kind: "generate"; readonly type: WrittenType; readonly body: Expression }
  | { readonly kind: "indexes"; readonly function: string; readonly type: WrittenType }
  | { readonly kind: "literal"; readonly type: WrittenType; readonly body: LiteralBody }
  | {
      readonly kind: "switch";
      readonly on: Expression;
      readonly cases: readonly Case[];
      readonly otherwise: Expression;
    }
  | { readonly kind: "slice"; readonly tensor: Expression; readonly selections: readonly Selection[] };

export type ExpressionOf<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

export interface Case {
  readonly value: Expression;
  readonly result: Expression;
}

export interface WrittenLambda {
  readonly parameters: readonly string[];
  readonly body: Expression;
}

/** Of a call: `f(x)(x + 1)`, `(x, y)` or an expression, which may be the name of a dimension too. */
export type Argument = WrittenLambda | { readonly names: readonly string[] } | Expression;

/** Cell type, names and sizes may be parameters of the function around it. */
export interface WrittenType {
  readonly cells: string;
  /** In the order in which they are written. */
  readonly dimensions: readonly WrittenDimension[];
}

export interface WrittenDimension {
  readonly name: string;
  readonly isMapped: boolean;
  readonly size: string | undefined;
}

/** Where a tensor is cut; the dimension may be left out where there is one of its kind. */
export interface Selection {
  readonly dimension: string | undefined;
  readonly isMapped: boolean;
  readonly at: string | Expression;
}

/** All cells of a dense block in the order written, what is at each label of a dimension, or cells with addresses. */
export type LiteralBody =
  | { readonly kind: "block"; readonly cells: readonly Expression[] }
  | { readonly kind: "labels"; readonly entries: readonly (readonly [label: string, body: LiteralBody])[] }
  | { readonly kind: "cells"; readonly cells: readonly LiteralCell[] };

export interface LiteralCell {
  readonly address: readonly (readonly [dimension: string, label: string])[];
  readonly value: Expression;
}

export interface Statement {
  readonly kind: "result" | "definition" | "role";
  readonly name: string;
  /** Of a function. */
  readonly parameters: readonly string[] | undefined;
  readonly type: WrittenType | undefined;
  /** Nothing where an input is declared without a default. */
  readonly value: Expression | undefined;
}
