import { functionDescriptions } from "../language/check/function-descriptions.js";
import { operatorSymbols } from "../language/scalar/operators.js";
import type { Source } from "../language/source/span.js";
import { parseText } from "../language/syntax/parse.js";
import { grammarWords } from "../language/syntax/tokens.js";
import type { Word } from "../language/syntax/tree.js";
import type { Analysis } from "./analysis.js";
import type { Occurrence, SymbolKind } from "./symbols.js";

/** What a word of a text is, as far as its colour goes. */
export const tokenKinds = [
  "comment",
  "keyword",
  "number",
  "text",
  "operator",
  "function",
  "value",
  "input",
  "parameter",
  "dimension",
] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** A coloured word: none spans two lines. */
export interface ColouredToken {
  readonly start: number;
  readonly length: number;
  readonly kind: TokenKind;
  readonly isDefinition: boolean;
}

const keywords = new Set([...grammarWords, "true", "false"]);
const operators = new Set<string>([...operatorSymbols, "=", "!"]);

const kindsOfSymbols: Readonly<Record<SymbolKind, TokenKind>> = {
  input: "input",
  variable: "input",
  persistent: "input",
  constant: "value",
  value: "value",
  function: "function",
  model: "function",
  parameter: "parameter",
  index: "dimension",
};

/** The words and comments of a text in its order. Brackets and marks have no colour. */
export function colouredTokens({ source, symbols }: Analysis): readonly ColouredToken[] {
  return coloured(source, symbols.occurrences);
}

/** As `colouredTokens`, for a text of which nothing but the words is known. */
export const colouredWords = (source: Source): readonly ColouredToken[] => coloured(source, []);

function coloured(source: Source, occurrences: readonly Occurrence[]): readonly ColouredToken[] {
  const { tokens, comments } = parseText(source);
  const named = new Map(occurrences.map((each) => [each.span.start, each]));
  const all: ColouredToken[] = [];
  const add = ({ text, span }: Word, kind: TokenKind, isDefinition = false): void => {
    for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g))
      all.push({ start: span.start + index, length: line.length, kind, isDefinition });
  };
  for (const [at, token] of tokens.entries()) {
    const occurrence = named.get(token.span.start);
    const isNamed = occurrence !== undefined && !keywords.has(token.text);
    const kind = isNamed ? kindsOfSymbols[occurrence.symbol.kind] : kindOf(token.text, tokens[at + 1]?.text);
    if (kind !== undefined) add(token, kind, isNamed && occurrence.symbol.span.start === token.span.start);
  }
  for (const comment of comments) add(comment, "comment");
  return all.sort((a, b) => a.start - b.start);
}

function kindOf(text: string, next: string | undefined): TokenKind | undefined {
  if (text === "") return undefined;
  if (/^["']/.test(text)) return "text";
  if (/^\d/.test(text)) return "number";
  if (operators.has(text)) return "operator";
  if (!/^\w/.test(text)) return undefined;
  if (text === "f" && next !== "(") return "dimension";
  if (keywords.has(text)) return "keyword";
  return next === "(" && functionDescriptions().has(text) ? "function" : "dimension";
}
