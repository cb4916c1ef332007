import { featureName } from "../language/check/names.js";
import type { Span } from "../language/source/span.js";
import { parseExpression } from "../language/syntax/parse.js";
import type { Statement } from "../language/syntax/tree.js";
import type { Analysis } from "./analysis.js";
import { isSameMeaning, type NameAfter } from "./same-meaning.js";
import type { NamedSymbol, Occurrence } from "./symbols.js";
import { edited, type TextEdit } from "./text-edits.js";

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

/** The edits that give the name at an offset another text, or why it cannot have it: the program would mean something else. */
export function rename(
  analysis: Analysis,
  offset: number,
  name: string,
): readonly TextEdit[] | { readonly refused: string } {
  const found = renamable(analysis, offset);
  if (found === undefined) return { refused: "there is no name here that can be renamed" };
  const { symbols } = analysis;
  const { symbol } = found;
  const next = nameIn(name, symbol);
  if (next === undefined) return { refused: `${JSON.stringify(name)} is no name` };
  const occurrences = symbols.occurrencesOf(symbol);
  if (symbols.program.has(next) || isBoundBeside(analysis, symbol, next))
    return { refused: `${name} is defined already` };
  if (isWordBeside(analysis, symbol, next)) return { refused: meansElse(name) };
  if (occurrences.some((each) => each.isUncertain) && isDimension(analysis, symbol.name))
    return { refused: `${symbol.name} may be a dimension in a call that the program never makes` };
  const edits = occurrences.map(({ span }) => ({ span, text: name }));
  const isOfProgram = symbols.program.get(symbol.name) === symbol;
  const nameAfter: NameAfter = (each) => (isOfProgram && each === symbol.name ? next : each);
  const after = analysis.ofText(edited(analysis.source.text, edits));
  return isSameMeaning(analysis, after, nameAfter) ? edits : { refused: meansElse(name) };
}

const meansElse = (name: string): string => `${name} means something else here already`;

/** A text as a name of the language, canonical; an input may be a feature, such as `query(q)`. Undefined of what is none. */
function nameIn(text: string, { kind }: NamedSymbol): string | undefined {
  const { tree } = parseExpression({ name: "name", text });
  if (tree?.kind !== "reference" || tree.grouped !== undefined || tree.outputs.length > 0) return undefined;
  if (text.trim() !== text || /[\r\n]/.test(text)) return undefined;
  const isFeature = kind === "input" || kind === "constant" || kind === "variable" || kind === "persistent";
  const isNamed = tree.arguments === undefined || (isFeature && tree.arguments.length === 1);
  return isNamed ? featureName(tree) : undefined;
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

/** Whether a word is that of a dimension somewhere in a program. */
const isDimension = (analysis: Analysis, word: string): boolean =>
  analysis.hasDimension(word) || analysis.symbols.freeWords.some(({ text }) => text === word);
