import type { Span } from "../language/source/span.js";
import { parseExpression } from "../language/syntax/parse.js";
import type { Statement } from "../language/syntax/tree.js";
import type { Analysis } from "./analysis.js";
import type { NamedSymbol, Occurrence } from "./symbols.js";

/** A span of a text that becomes another one. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Where the name at an offset is defined. */
export function definitionAt({ symbols }: Analysis, offset: number): Span | undefined {
  return symbols.at(offset)?.symbol.span;
}

/** All places of the name at an offset, the definition among them. */
export function referencesAt({ symbols }: Analysis, offset: number): readonly Span[] {
  const found = symbols.at(offset);
  return found === undefined ? [] : symbols.occurrencesOf(found.symbol).map(({ span }) => span);
}

/** A name that can have another text; the dimension of a generator cannot, since it is a part of the type. */
function renamable({ symbols }: Analysis, offset: number): Occurrence | undefined {
  const found = symbols.at(offset);
  return found?.symbol.kind === "index" ? undefined : found;
}

/** What would be renamed at an offset. */
export const renamedAt = (analysis: Analysis, offset: number): Span | undefined =>
  renamable(analysis, offset)?.span;

/** The edits that give the name at an offset another text, or why it cannot have it. */
export function rename(
  analysis: Analysis,
  offset: number,
  name: string,
): readonly TextEdit[] | { readonly refused: string } {
  const found = renamable(analysis, offset);
  if (found === undefined) return { refused: "there is no name here that can be renamed" };
  const { symbol } = found;
  if (!isName(name, symbol)) return { refused: `${JSON.stringify(name)} is no name` };
  if (analysis.symbols.program.has(name) || isBoundBeside(analysis, symbol, name))
    return { refused: `${name} is defined already` };
  if (isWordBeside(analysis, symbol, name)) return { refused: `${name} means something else here already` };
  return analysis.symbols.occurrencesOf(symbol).map(({ span }) => ({ span, text: name }));
}

/** Whether the text is a name as the language has it; an input may be a feature, such as `query(q)`. */
function isName(text: string, { kind }: NamedSymbol): boolean {
  const { tree } = parseExpression({ name: "name", text });
  if (tree?.kind !== "reference" || tree.grouped !== undefined || tree.outputs.length > 0) return false;
  if (text.trim() !== text || /[\r\n]/.test(text)) return false;
  const isFeature = kind === "input" || kind === "constant" || kind === "variable" || kind === "persistent";
  return tree.arguments === undefined || (isFeature && tree.arguments.length === 1);
}

/** Whether another name has the text in a statement where the symbol is used: one of the two would hide the other. */
function isBoundBeside({ symbols }: Analysis, symbol: NamedSymbol, name: string): boolean {
  const statements = new Set(symbols.occurrencesOf(symbol).map(({ statement }) => statement));
  return symbols.occurrences.some(
    (each) => each.symbol !== symbol && each.symbol.name === name && statements.has(each.statement),
  );
}

/**
 * Whether the text is a word that is no name, such as that of a dimension, which would become one: where a parameter is used, and of
 * a function anywhere, since it would be called in place of one of the language.
 */
function isWordBeside({ symbols }: Analysis, symbol: NamedSymbol, name: string): boolean {
  const { kind, statement: own } = symbol;
  const isBeside = (statement: Statement): boolean =>
    kind === "function" || kind === "model" || (kind === "parameter" && statement === own);
  return symbols.freeWords.some(({ text, statement }) => text === name && isBeside(statement));
}
