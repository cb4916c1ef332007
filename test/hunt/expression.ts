import type { TensorType } from "../../src/language/types/type.js";

/** An expression as its text around the texts of its parts: `words` has one more than `parts`. */
export interface Expression {
  /** The form that it has, for whoever counts forms. */
  readonly form: string;
  /** The type that it was made to have. */
  readonly type: TensorType;
  readonly words: readonly string[];
  readonly parts: readonly Expression[];
}

export type Piece = Expression | string | number;

/** An expression of a form and type, as a template: what stands in it are parts, or words of their own. */
export const expressionOf =
  (form: string, type: TensorType) =>
  (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Expression =>
    assembled(
      form,
      type,
      texts.flatMap((text, at) => (at === 0 ? [text] : [pieces[at - 1] ?? "", text])),
    );

/** An expression of texts and parts in a row. */
export function assembled(form: string, type: TensorType, pieces: readonly Piece[]): Expression {
  const words = [""];
  const parts: Expression[] = [];
  for (const piece of pieces) {
    if (typeof piece === "object") {
      parts.push(piece);
      words.push("");
    } else words.push(`${words.pop() ?? ""}${piece}`);
  }
  return { form, type, words, parts };
}

/** Pieces with commas between them. */
export const listed = (pieces: readonly Piece[]): Piece[] =>
  pieces.flatMap((piece, at) => (at === 0 ? [piece] : [", ", piece]));

export function textOf({ words, parts }: Expression): string {
  return words.map((word, at) => (at === 0 ? word : `${textOfPart(parts[at - 1])}${word}`)).join("");
}

const textOfPart = (part: Expression | undefined): string => (part === undefined ? "" : textOf(part));

/** The expression with other words. */
export const respelt = (expression: Expression, change: (words: string) => string): Expression => ({
  ...expression,
  words: expression.words.map(change),
  parts: expression.parts.map((part) => respelt(part, change)),
});

/** An expression and all its parts, outermost first. */
export function* within(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of expression.parts) yield* within(part);
}

export const sizeOf = (expression: Expression): number =>
  expression.parts.reduce((sum, part) => sum + sizeOf(part), 1);
