import { createToken, Lexer, type TokenType } from "chevrotain";
import { wordCharacters } from "../../../language/syntax/tokens.js";
import { flags, type Keyword, keywords, settings } from "./words.js";

/**
 * Every token, named by its spelling or as in schema.ebnf, and the kinds that hold several of them: a rule that takes
 * a `text` takes whatever is no brace and no end of a line. Each pattern comes with the characters that it begins with: to find
 * them in the pattern takes longer than to read a short schema.
 */
const kindOf = (name: string, ...categories: TokenType[]): TokenType =>
  createToken({ name, pattern: Lexer.NA, categories });

export const text = kindOf("text");
export const piece = kindOf("piece", text);
/** Any text but a name. */
export const symbol = kindOf("symbol", text);

const plain = (
  name: string,
  pattern: RegExp,
  first: readonly (string | number)[],
  ...categories: TokenType[]
): TokenType => createToken({ name, pattern, start_chars_hint: [...first], categories, line_breaks: false });

const nameCharacters = [...wordCharacters, "$", "@"];
/** Codes of all characters that ASCII does not have: behind 255, a lexer has one row for each 255 of them. */
const notAscii = [
  ...Array.from({ length: 0x180 }, (_, index) => 0x80 + index),
  ...Array.from({ length: 256 }, (_, index) => (index + 2) * 255),
];

export const name = plain(
  "name",
  /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w$@.-])|[\w$@][\w$@.-]*/,
  [...nameCharacters, ..."+-."],
  piece,
);

const listed = (kind: string, words: readonly string[]): TokenType =>
  createToken({
    name: kind,
    pattern: new RegExp(`(?:${words.join("|")})(?![\\w$@.-])`),
    start_chars_hint: [...new Set(words.map((each) => each.charAt(0)))],
    categories: [name],
  });
export const setting = listed("setting", Object.values(settings).flat());
export const flag = listed("flag", flags);

export const string = plain(
  "string",
  /"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'/,
  ['"', "'"],
  piece,
  symbol,
);
export const tensor = plain("tensor", /tensor[ \t]*(?:<[^<>\r\n]*>[ \t]*)?\([^()]*\)/, ["t"], piece, symbol);
export const path = plain(
  "path",
  /[\w$@.-]*\/[^\s"'{}()[\]<>#,:\\]*/,
  [...nameCharacters, ..."-./"],
  piece,
  symbol,
);
/** `.out` behind parentheses. */
export const suffix = plain("suffix", /\.[\w$@-][\w$@.-]*/, ["."], piece, symbol);
/** What is nothing else. A backslash goes with what follows it, so that no quote behind one begins a string. */
const other = plain(
  "other",
  /\\[^\r\n]?|[!%&*+./;=?^`~\u0080-\uffff-]+|["']/,
  [..."\\!%&*+./;=?^`~-\"'", ...notAscii],
  piece,
  symbol,
);

/** The end of a line, with the empty lines behind it. */
export const newline = createToken({
  ...{ name: "newline", pattern: /[\r\n]\s*/, line_breaks: true },
  start_chars_hint: ["\r", "\n"],
});
const space = createToken({
  ...{ name: "space", pattern: /[ \t\v\f\u00a0\ufeff]+/, group: Lexer.SKIPPED },
  start_chars_hint: [" ", "\t", "\v", "\f", "\u00a0", "\ufeff"],
});
export const comment = createToken({
  ...{ name: "comment", pattern: /#[^\r\n]*/, group: "comments" },
  start_chars_hint: ["#"],
});

const braces = ["{", "}"] as const;
const brackets = ["(", ")", "[", "]"] as const;
const marks = [":", ",", "<", ">", "|"] as const;
export type Spelling = Keyword | (typeof braces | typeof brackets | typeof marks)[number];

const spelled = (spelling: string, ...categories: TokenType[]): [string, TokenType] => [
  spelling,
  createToken({
    ...{ name: spelling, pattern: spelling, categories },
    ...(/\w/.test(spelling) ? { longer_alt: name } : {}),
  }),
];

/** The token type of a fixed text. */
const fixed = new Map<string, TokenType>([
  ...keywords.map((each) => spelled(each, name)),
  ...braces.map((each) => spelled(each)),
  ...brackets.map((each) => spelled(each, text, symbol)),
  ...marks.map((each) => spelled(each, piece, symbol)),
]);

export function token(spelling: Spelling): TokenType {
  const type = fixed.get(spelling);
  if (type === undefined) throw new Error(`no token is spelt ${spelling}`);
  return type;
}

/** In the order in which they are tried; of the fixed texts the longer ones first. */
export const vocabulary: TokenType[] = [
  ...[newline, space, comment, string, tensor, path, setting, flag],
  ...[...fixed].sort(([one], [another]) => another.length - one.length).map(([, type]) => type),
  ...[name, suffix, other],
];

/** All token types, as the parser needs them. */
export const allTokens: TokenType[] = [...vocabulary, text, piece, symbol];
