import { barred } from "./bars.js";
import { inContext } from "./grouping.js";
import {
  behindBracket,
  behindOperand,
  endsOperand,
  isCloser,
  isOpener,
  isPowerSign,
  isRaised,
  type Lexeme,
  lexemesOf,
  outermost,
} from "./lexemes.js";

/** What the holes of a template took, as it is written, and the text after the whole. */
export interface Captures {
  readonly [hole: string]: string;
}

/** Pieces that a template fits, from one index up to another. */
export interface Fit {
  readonly from: number;
  readonly to: number;
  readonly captures: Captures;
}

type Hole =
  | "expression"
  | "claim"
  | "term"
  | "sum"
  | "factor"
  | "operand"
  | "signed"
  | "power"
  | "choice"
  | "name"
  | "number"
  | "raised"
  | "bars"
  | "list"
  | "anything"
  | "words"
  | "type"
  | "quoted"
  | "curly";

/** Single capitals of a template are holes; all else stands for itself. */
// biome-ignore format: a table
const holes: Readonly<Record<string, Hole>> = {
  A: "expression", B: "expression", C: "expression",
  X: "name",       Y: "name",       Z: "name",
  /** Up to an and, or an or. */
  U: "claim",
  /** Up to a sum, a difference or a comparison. */
  F: "term",
  /** Up to a comparison, or what binds looser. */
  J: "sum", O: "sum",
  /** What a sign of multiplication takes: operands with their signs and powers. */
  D: "factor", H: "factor",
  /** What brackets and other postfixes belong to, with them. */
  P: "operand",
  /** The same, with signs before it. */
  R: "signed",
  /** The same, with powers after it that other languages take first: `2 ** -3 ** 4`. */
  G: "power",
  /** All that stands before a comma, a semicolon or a bracket that closes, with choices in it. */
  E: "choice",
  N: "number",     M: "number",
  /** Raised digits, with their sign: `⁻¹`. */
  I: "raised",
  /** `|…|`, with other bars in it. */
  "‖": "bars",
  /** `[…]` */
  L: "list",
  /** What stands between brackets, or nothing. */
  S: "anything",    "…": "anything",
  /** Several words, which may have hyphens between them. */
  W: "words",
  /** `tensor<float>(…)` */
  V: "type",
  Q: "quoted",
  /** Text between curly quotes. */
  K: "curly",
};

/** A form of text: `A if C else B`. */
export class Template {
  private readonly parts: readonly string[];
  /** The lexemes that the form cannot be without. */
  readonly fixed: readonly string[];

  constructor(readonly text: string) {
    this.parts = lexemesOf(text).map((each) => each.text);
    this.fixed = this.parts.filter((part) => holes[part] === undefined);
  }

  /** The first fit around an offset of the text that the lexemes are of. */
  fitAround(lexemes: readonly Lexeme[], offset: number, text: string): Fit | undefined {
    const [opening = ""] = this.parts;
    const first = holes[opening];
    const after = first && beginsAfter[first];
    for (const [from, lexeme] of lexemes.entries()) {
      if (lexeme.start > offset) return undefined;
      const before = lexemes[from - 1];
      if (after !== undefined && !isBoundary(before) && !after.test(before?.text ?? "")) continue;
      const captures: Record<string, string> = {};
      const to = this.fitRest(0, lexemes, from, text, captures);
      const end = to === undefined ? undefined : lexemes[to - 1]?.end;
      // What is named is no part of an expression.
      const isNamed = first === "expression" && hasName(captures[opening]);
      if (to !== undefined && end !== undefined && end >= offset && !isNamed) return { from, to, captures };
    }
    return undefined;
  }

  /** The fit at the first lexeme. */
  fitAtStart(lexemes: readonly Lexeme[], text: string): Fit | undefined {
    const captures: Record<string, string> = {};
    const to = this.fitRest(0, lexemes, 0, text, captures);
    return to === undefined ? undefined : { from: 0, to, captures };
  }

  /** Where the parts from one on end, if they fit the lexemes from an index on. */
  private fitRest(
    part: number,
    lexemes: readonly Lexeme[],
    at: number,
    text: string,
    captures: Record<string, string>,
  ): number | undefined {
    const word = this.parts[part];
    if (word === undefined) return at;
    const hole = holes[word];
    if (hole === undefined)
      return lexemes[at]?.text === word ? this.fitRest(part + 1, lexemes, at + 1, text, captures) : undefined;
    const isLast = part === this.parts.length - 1;
    for (const to of ends(hole, lexemes, at, isLast)) {
      const rest = this.fitRest(part + 1, lexemes, to, text, captures);
      if (rest === undefined) continue;
      captures[word] = to === at ? "" : text.slice(lexemes[at]?.start, lexemes[to - 1]?.end);
      return rest;
    }
    return undefined;
  }
}

/**
 * A text in which capitals that stand alone are what the holes of these names took, in parentheses where an operator of
 * the text would take a part of it.
 */
export const filled = (text: string, captures: Captures): string =>
  text.replace(/(?<![A-Za-z])[A-Z](?![a-z])/g, (hole, at: number) => {
    const taken = captures[hole];
    return taken === undefined ? hole : inContext(taken, text.slice(0, at), text.slice(at + 1));
  });

/** Whether an expression may begin after a lexeme. */
const isBoundary = (before: Lexeme | undefined): boolean =>
  before === undefined || isOpener(before) || /^[,;=:]$/.test(before.text);

/** What ends an expression as other languages have it. */
const endsExpression = /^(?:[,;:=?]|then|else)$/;
const separates = /^[,;]$/;
const joinsClaims = /^(?:and|or|AND|OR|&&|\|\|)$/;
const joinsSums = /^(?:[<>≤≥≠]|and|or|AND|OR|&&|\|\||[<>=!~]=|in|not)$/;
const joinsFactors = /^(?:[-+−–*/%<>≤≥≠]|and|or|AND|OR|&&|\|\||[<>=!~]=|in|not)$/;

/** What an expression that a form begins with may stand behind, beside what any expression may. */
const beginsAfter: { readonly [Kind in Hole]?: RegExp } = {
  expression: /^(?!)/,
  claim: joinsClaims,
  sum: joinsSums,
  factor: joinsFactors,
};

/** Whether a text names a value: `a = 1 + b`. */
const hasName = (text = ""): boolean => outermost(text).some((lexeme) => lexeme.text === "=");
const endsClaim = /^(?:[,;:=?]|and|or|AND|OR|&&|\|\||then|else)$/;
const endsSum = /^(?:[,;:=?<>≤≥≠]|and|or|AND|OR|&&|\|\||[<>=!~]=|in|then|else)$/;
const endsTerm = /^(?:[,;:=?<>+\-−–≤≥≠]|and|or|AND|OR|&&|\|\||[<>=!~]=|then|else)$/;

/** What a hole does not go beyond. One that something else of the template follows goes on until that. */
function endOf(hole: Hole, isLast: boolean): RegExp | undefined {
  if (hole === "claim") return endsClaim;
  if (hole === "term") return endsTerm;
  if (hole === "sum") return endsSum;
  if (hole === "expression") return isLast ? endsExpression : separates;
  if (hole === "choice") return separates;
  return undefined;
}

/** Holes of one lexeme. */
const singles: { readonly [Kind in Hole]?: RegExp } = {
  name: /^[A-Za-z_@][\w@$]*$/,
  number: /^\d[\dA-Za-z]*$/,
  quoted: /^["']/,
  curly: /^[“”‘’].*[“”‘’]$/,
};

/** The index after the bracket that is closed again. */
function behind(lexemes: readonly Lexeme[], from: number): readonly number[] {
  const end = isOpener(lexemes[from]) ? behindBracket(lexemes, from) : undefined;
  return end === undefined ? [] : [end];
}

const behindCellType = (lexemes: readonly Lexeme[], from: number): number =>
  lexemes[from]?.text === "<" && lexemes[from + 2]?.text === ">" ? from + 3 : from;

function behindSigned(lexemes: readonly Lexeme[], from: number): number | undefined {
  let at = from;
  while (/^[-!−¬√]$/.test(lexemes[at]?.text ?? "")) at++;
  return behindOperand(lexemes, at);
}

/** The index after operands with powers between them: `-a ^ 2`. */
function behindFactor(lexemes: readonly Lexeme[], from: number): number | undefined {
  let end = behindSigned(lexemes, from);
  while (end !== undefined && isPowerSign(lexemes[end])) end = behindSigned(lexemes, end + 1);
  return end;
}

/** The indexes where a hole that begins at an index may end, in the order in which they are tried. */
function ends(hole: Hole, lexemes: readonly Lexeme[], from: number, isLast: boolean): readonly number[] {
  const first = lexemes[from]?.text ?? "";
  const single = singles[hole];
  if (single !== undefined) return single.test(first) ? [from + 1] : [];
  if (hole === "raised") return isRaised(lexemes[from]) ? [from + 1] : [];
  if (hole === "bars") {
    const to = barred(lexemes, from)?.to;
    return to === undefined ? [] : [to];
  }
  if (hole === "list") return first === "[" ? behind(lexemes, from) : [];
  if (hole === "type") return first === "tensor" ? behind(lexemes, behindCellType(lexemes, from + 1)) : [];
  if (hole === "factor") {
    const end = behindFactor(lexemes, from);
    return end === undefined ? [] : [end];
  }
  if (hole === "operand" || hole === "signed" || hole === "power") {
    const end = hole === "operand" ? behindOperand(lexemes, from) : behindSigned(lexemes, from);
    if (end === undefined) return [];
    return hole === "power" && lexemes[end]?.text === "**" ? ends(hole, lexemes, end + 1, isLast) : [end];
  }
  if (hole === "words") {
    let at = from;
    while (/^[\w@$-]+$/.test(lexemes[at]?.text ?? "")) at++;
    return at - from > 1 ? [at] : [];
  }
  const found = hole === "anything" ? [from] : [];
  for (let at = from; at < lexemes.length; ) {
    const lexeme = lexemes[at];
    if (lexeme === undefined || isCloser(lexeme)) break;
    // A sign before an operand is a part of it.
    const isSign = /^[-+−]$/.test(lexeme.text) && (at === from || !endsOperand(lexemes[at - 1]));
    if (!(hole === "term" && isSign) && endOf(hole, isLast)?.test(lexeme.text) === true) break;
    const next = isOpener(lexeme) ? behindBracket(lexemes, at) : at + 1;
    if (next === undefined) break;
    found.push(next);
    at = next;
  }
  return isLast ? found.slice(-1) : found;
}
