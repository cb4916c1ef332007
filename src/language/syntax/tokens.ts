import { createToken, Lexer, type TokenType } from "chevrotain";
import { operatorSymbols } from "../scalar/operators.js";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
/** What `\w` is in a pattern. */
export const wordCharacters: readonly string[] = [...letters, ...digits, "_"];

/**
 * Every token, named by its spelling or as in grammar/sphex.ebnf. Words that the grammar knows are token types of
 * the category `name`, so that each of them is a name wherever a name may stand.
 *
 * There are two lexer modes: `program`, and `constant` for tensors written as data, where a label is any run of
 * characters. In programs each pattern comes with the characters that it begins with: to find them in the pattern takes longer
 * than to read a short program.
 */
export const name = createToken({
  name: "name",
  pattern: /[A-Za-z0-9_@][A-Za-z0-9_@$]*/,
  start_chars_hint: [...wordCharacters, "@"],
});

export const number = createToken({
  name: "number",
  pattern: /\d+\.\d*(?:[eE][+-]?\d+)?[fFdD]?(?![A-Za-z0-9_@$])|\d+(?:[eE][+-]?\d+)?(?![A-Za-z0-9_@$])/,
  start_chars_hint: [...digits],
});

const quotedText = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'/;
const quotes = { start_chars_hint: ['"', "'"], line_breaks: true };
export const string = createToken({ name: "string", pattern: quotedText, ...quotes });
export const quoted = createToken({ name: "quoted", pattern: quotedText, ...quotes });
/** A text that is never closed: all of the rest, so that it is scanned once. */
export const unclosedText = createToken({ name: "unclosed text", pattern: /["'][\s\S]*/, ...quotes });
export const word = createToken({ name: "word", pattern: /[^\s,\]}:{["'][^\s,\]}:]*/ });

/** Closes a statement. It has no text: `statements.ts` inserts it. */
export const end = createToken({ name: "END", pattern: Lexer.NA });

export const newline = createToken({
  name: "newline",
  pattern: /\r?\n|\r/,
  start_chars_hint: ["\r", "\n"],
  line_breaks: true,
});
export const semicolon = createToken({ name: ";", pattern: ";" });
const space = createToken({
  name: "space",
  pattern: /[ \t\v\f\uFEFF]+/y, // a pattern without flags would be parsed by Chevrotain, to no end with this one
  start_chars_hint: [" ", "\t", "\v", "\f", "\uFEFF"],
  group: Lexer.SKIPPED,
});
const anySpace = createToken({ name: "any space", pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });
const comment = createToken({
  name: "comment",
  pattern: /(?:#|\/\/)[^\r\n]*/,
  start_chars_hint: ["#", "/"],
  group: "comments",
});

const words = ["tensor", "range", "diag", "random", "switch", "case", "default", "in", "f"] as const;
const roles = ["input", "constant", "variable", "persistent", "model"] as const;
const actions = ["assign", "begin", "minimise"] as const;
/** The words that a statement may begin with. */
export const statementWords: readonly string[] = [...roles, ...actions];
/** All words that the grammar knows. */
export const grammarWords: readonly string[] = [...words, ...statementWords];
const brackets = ["(", ")", "[", "]", "{", "}"] as const;
const marks = [",", ":", ".", "$", "=", "!"] as const;

const spellings = [...words, ...roles, ...actions, ...operatorSymbols, ...brackets, ...marks] as const;
export type Spelling = (typeof spellings)[number];

/** The token type of a fixed text. */
const fixed = new Map<string, TokenType>(
  spellings.map((text) => [
    text,
    /\w/.test(text)
      ? createToken({ name: text, pattern: text, longer_alt: name, categories: [name] })
      : createToken({ name: text, pattern: text }),
  ]),
);

export function token(spelling: Spelling): TokenType {
  const type = fixed.get(spelling);
  if (type === undefined) throw new Error(`no token is spelt ${spelling}`);
  return type;
}

/** Longer spellings first, so that `<=` is not read as `<` and `=`. */
const byLength = [...spellings].sort((a, b) => b.length - a.length).map(token);

const constantMarks: readonly Spelling[] = ["{", "}", "[", "]", ",", ":"];

export type LexerMode = "program" | "constant";

export const vocabulary: Readonly<Record<LexerMode, TokenType[]>> = {
  program: [space, newline, comment, number, string, unclosedText, ...byLength, name, semicolon, end],
  constant: [anySpace, quoted, unclosedText, ...constantMarks.map(token), word],
};

/** All token types once, as the parser requires them. */
export const allTokens: TokenType[] = [...new Set(Object.values(vocabulary).flat())];
