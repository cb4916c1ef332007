import { functionDescriptions } from "../language/check/descriptions/function-descriptions.js";
import { operatorSymbols } from "../language/scalar/operators.js";
import { append } from "../language/source/lists.js";
import type { Source } from "../language/source/span.js";
import { type ParsedText, parseText } from "../language/syntax/parse.js";
import { grammarWords } from "../language/syntax/tokens.js";
import type { ProgramTree, Word } from "../language/syntax/tree.js";
import type { Analysis } from "./analysis.js";
import type { SymbolKind, SymbolTable } from "./symbols.js";

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

/** What is known of a word by what it names where it stands. */
export interface NamedWord {
  readonly kind: TokenKind;
  readonly isDefinition: boolean;
}

/** The words and comments of a text in its order. Brackets and marks have no colour. */
export function colouredTokens({ source, symbols, tree, words }: Analysis): readonly ColouredToken[] {
  const named = symbols.occurrences.map(({ span, symbol }): [number, NamedWord] => [
    span.start,
    { kind: kindsOfSymbols[symbol.kind], isDefinition: symbol.span.start === span.start },
  ]);
  const text = words ?? parseText(source);
  return coloured(text, new Map([...named, ...outside(tree, text, symbols)]));
}

/** The words of statements that cannot be read, while they are written, which are those of names of the program. */
function outside(
  { statements }: ProgramTree,
  { tokens }: Pick<ParsedText, "tokens">,
  { program }: SymbolTable,
): readonly [number, NamedWord][] {
  const found: [number, NamedWord][] = [];
  let next = 0;
  for (const { text, span } of tokens) {
    while ((statements[next]?.span.end ?? Number.POSITIVE_INFINITY) <= span.start) next++;
    const symbol = program.get(text);
    const isRead = (statements[next]?.span.start ?? Number.POSITIVE_INFINITY) <= span.start;
    if (symbol !== undefined && !isRead)
      found.push([span.start, { kind: kindsOfSymbols[symbol.kind], isDefinition: false }]);
  }
  return found;
}

/** As `colouredTokens`, for a text of which nothing but the words is known. */
export const colouredWords = (source: Source): readonly ColouredToken[] =>
  coloured(parseText(source), new Map());

/** The words of an expression or a program, of which those at some offsets are names. */
export function coloured(
  { tokens, comments }: Pick<ParsedText, "tokens" | "comments">,
  named: ReadonlyMap<number, NamedWord>,
): readonly ColouredToken[] {
  const all: ColouredToken[] = [];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]?.text;
    // What is called is no word of the grammar: `constant(weights)`.
    const isName = next === "(" || !keywords.has(token.text);
    const name = isName ? named.get(token.span.start) : undefined;
    const kind = name?.kind ?? kindOf(token.text, next);
    if (kind !== undefined) append(all, colouredLines(token, kind, name?.isDefinition));
  }
  for (const comment of comments) append(all, colouredLines(comment, "comment"));
  return inOrder(all);
}

/** A word in one colour, line by line. */
export function colouredLines(
  { text, span: { start } }: Word,
  kind: TokenKind,
  isDefinition = false,
): readonly ColouredToken[] {
  if (!/[\r\n]/.test(text)) return [{ start, length: text.length, kind, isDefinition }];
  return Array.from(text.matchAll(/[^\r\n]+/g), ({ 0: line, index }) => ({
    ...{ start: start + index, length: line.length, kind, isDefinition },
  }));
}

export const inOrder = (tokens: readonly ColouredToken[]): readonly ColouredToken[] =>
  tokens.toSorted((a, b) => a.start - b.start);

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
