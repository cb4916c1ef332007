/** A word, a number, a quoted text or a sign of a text in any language. */
export interface Lexeme {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Signs of several characters are one lexeme where the language, or another, has them as an operator; raised digits are one number. */
const lexemePattern =
  /[\w@$]+|"[^"\r\n]*"|'[^'\r\n]*'|[“”][^“”\r\n]*[“”]|[‘’][^‘’\r\n]*[‘’]|===|!==|\*\*|=>|->|:=|==|!=|<=|>=|<>|~=|&&|\|\||\+=|-=|\*=|\/=|[⁺⁻]?[⁰¹²³⁴-⁹]+|[^\s\w@$]/g;

/** Digits above the line, in their order. */
export const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Whether a lexeme is a number above the line, with its sign: `²` or `⁻¹`. */
export const isRaised = (lexeme: Lexeme | undefined): boolean => /^[⁺⁻]?[⁰¹²³⁴-⁹]+$/.test(lexeme?.text ?? "");

/** Whether a lexeme is the sign of a power, here or in another language. */
export const isPowerSign = (lexeme: Lexeme | undefined): boolean => /^(?:\^|\*\*)$/.test(lexeme?.text ?? "");

/** The lexemes of a text, without white space and comments. */
export function lexemesOf(text: string): Lexeme[] {
  const visible = text.replace(/#[^\r\n]*/g, (comment) => " ".repeat(comment.length));
  return Array.from(visible.matchAll(lexemePattern), ({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
}

const closerOf: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const closers = new Set(closerOf.values());

export const isOpener = (lexeme: Lexeme | undefined): boolean => closerOf.has(lexeme?.text ?? "");
export const isCloser = (lexeme: Lexeme | undefined): boolean => closers.has(lexeme?.text ?? "");

/** The index after the lexeme that closes the bracket at an index; undefined where none does. */
export function behindBracket(lexemes: readonly Lexeme[], from: number): number | undefined {
  const open: string[] = [];
  for (let at = from; at < lexemes.length; at++) {
    const text = lexemes[at]?.text ?? "";
    const closer = closerOf.get(text);
    if (closer !== undefined) open.push(closer);
    else if (closers.has(text) && open.pop() !== text) return undefined;
    if (open.length === 0) return at + 1;
  }
  return undefined;
}

/** The lexemes of a text that stand in no bracket. */
export function outermost(text: string): readonly Lexeme[] {
  let depth = 0;
  return lexemesOf(text).filter((lexeme) => {
    if (isOpener(lexeme)) depth++;
    if (isCloser(lexeme)) depth--;
    return depth === 0 && !isCloser(lexeme);
  });
}

/** Whether an operand may end with a lexeme, so that a sign after it is an operator between two. */
export const endsOperand = (lexeme: Lexeme | undefined): boolean =>
  isCloser(lexeme) ||
  isRaised(lexeme) ||
  (/^[\w@$"'“‘]/.test(lexeme?.text ?? "") &&
    !/^(?:and|or|not|in|then|else|return|if|AND|OR|NOT)$/.test(lexeme?.text ?? ""));

/**
 * The index after the operand that begins at an index: a name, a number or brackets, with the brackets and the parts of a
 * name right after it.
 */
export function behindOperand(lexemes: readonly Lexeme[], from: number): number | undefined {
  const textAt = (at: number): string => lexemes[at]?.text ?? "";
  const isJoined = (at: number): boolean => at > from && lexemes[at]?.start === lexemes[at - 1]?.end;
  let at: number | undefined = textAt(from) === "\\" ? from + 1 : from;
  if (isOpener(lexemes[at])) at = behindBracket(lexemes, at);
  else if (/^[\d.]/.test(textAt(at))) at = behindNumber(lexemes, at);
  else if (/^[\w@$"']/.test(textAt(at))) at++;
  else return undefined;
  while (at !== undefined && isJoined(at)) {
    const isLiteral = textAt(at) === ":" && isOpener(lexemes[at + 1]) && textAt(from) === "tensor";
    if (isOpener(lexemes[at]) || isLiteral) at = behindBracket(lexemes, isLiteral ? at + 1 : at);
    else if (textAt(at) === "." && /^[A-Za-z_]/.test(textAt(at + 1)) && isJoined(at + 1)) at += 2;
    else break;
  }
  return at;
}

/** The index after a number, whose point and whose exponent's sign are lexemes of their own: `1.5e-3`. */
function behindNumber(lexemes: readonly Lexeme[], from: number): number | undefined {
  const textAt = (at: number): string => lexemes[at]?.text ?? "";
  let at = textAt(from) === "." ? from : from + 1;
  if (textAt(at) === "." && /^\d/.test(textAt(at + 1))) at += 2;
  else if (at === from) return undefined;
  const hasExponent = /^\d+[eE]$/.test(textAt(at - 1)) && /^[-+]$/.test(textAt(at));
  return hasExponent && /^\d/.test(textAt(at + 1)) ? at + 2 : at;
}
