import {
  CompletionItemKind,
  DiagnosticSeverity,
  InlayHintKind,
  ErrorCodes as JsonErrorCodes,
  LSPErrorCodes,
  type Position,
  type Range,
  SymbolKind,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { capabilities } from "../../../src/lsp/capabilities.js";
import type { Editor } from "./editor.js";

/**
 * Messages as people read them: places with the text that stands there, kinds by their names. Nothing of a message is left out,
 * and nothing is said twice.
 */

/** Stands where a cursor does, and twice around a range. */
const caret = "‸";

/** The place in a text that is written as text with a caret. The text stands there once, or the first such place is meant. */
export function placeOf(document: TextDocument, marked: string): Position | Range {
  const [before = "", between = "", ...rest] = marked.split(caret);
  const at = document.getText().indexOf(marked.replaceAll(caret, ""));
  if (at < 0 || !marked.includes(caret) || rest.length > 1) throw new Error(`there is no ${marked}`);
  const start = document.positionAt(at + before.length);
  if (rest.length === 0) return start;
  return { start, end: document.positionAt(at + before.length + between.length) };
}

/** The whole of a text, as the protocol has it. */
export const wholeOf = (document: TextDocument): Range => ({
  start: { line: 0, character: 0 },
  end: document.positionAt(document.getText().length),
});

/** Numbers that the protocol has names for, by the method and the key that they stand under; "" is any method. */
// biome-ignore format: a table
const enumerations: readonly (readonly [method: string, key: string, names: object])[] = [
  ["textDocument/completion",     "kind",     CompletionItemKind],
  ["textDocument/documentSymbol", "kind",     SymbolKind],
  ["textDocument/inlayHint",      "kind",     InlayHintKind],
  ["",                            "severity", DiagnosticSeverity],
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isPosition = (value: unknown): value is Position =>
  isObject(value) && "line" in value && "character" in value;
const isRange = (value: unknown): value is Range =>
  isObject(value) && isPosition(value.start) && isPosition(value.end);

/** The names of protocol errors. */
const errorNames = new Map(
  Object.entries({ ...JsonErrorCodes, ...LSPErrorCodes })
    .filter(([name]) => !/reserved/i.test(name))
    .map(([name, code]) => [code, name]),
);
export const errorName = (code: number): string | number => errorNames.get(code) ?? code;

/** A message of the server as it is recorded; places in it are those of the document, unless it names others. */
export function recorded(editor: Editor, method: string, value: unknown, uri = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => recorded(editor, method, each, uri));
  if (isRange(value)) return rangeText(editor.document(uri), value);
  if (isPosition(value)) return positionText(editor.document(uri), value);
  if (!isObject(value)) return value;
  const own = typeof value.uri === "string" ? value.uri : uri;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    const names = enumerations.find(([of, at]) => at === key && (of === "" || of === method))?.[2];
    const name = names && Object.entries(names).find(([, number]) => number === each)?.[0];
    if (name !== undefined) return [key, name];
    if (key === "data" && method.startsWith("textDocument/semanticTokens") && Array.isArray(each))
      return [key, tokenLines(editor.document(uri), each)];
    return [key, recorded(editor, method, each, key.includes(":") ? key : own)];
  });
  return Object.fromEntries(entries);
}

const written = ({ line, character }: Position): string => `${line}:${character}`;

/** Where a range begins and ends, and its text, shortened in its middle; ⏎ stands for the end of a line. */
function rangeText(document: TextDocument, range: Range): string {
  const text = oneLine(document.getText(range));
  const shown = text.length <= 50 ? text : `${text.slice(0, 24)} … ${text.slice(-16)}`;
  return `${written(range.start)}-${written(range.end)} «${shown}»`;
}

/** A position, with the words around it. */
function positionText(document: TextDocument, position: Position): string {
  const at = document.offsetAt(position);
  const text = document.getText();
  const before =
    text
      .slice(0, at)
      .split(/\r\n|\n|\r/)
      .at(-1) ?? "";
  const behind = text.slice(at).split(/\r\n|\n|\r/)[0] ?? "";
  return `${written(position)} «${before.slice(-20).trimStart()}${caret}${behind.slice(0, 10).trimEnd()}»`;
}

const oneLine = (text: string): string => text.replaceAll(/\s*(?:\r\n|\n|\r)\s*/g, "⏎");

/** The coloured words, a line for each line of the text. */
function tokenLines(document: TextDocument, data: readonly number[]): Readonly<Record<string, string>> {
  const legend = capabilities.semanticTokensProvider?.legend;
  const lines = new Map<number, string[]>();
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, kind = 0, modifiers = 0] = data.slice(at, at + 5);
    character = down === 0 ? character + right : right;
    line += down;
    const range = { start: { line, character }, end: { line, character: character + length } };
    const names = legend?.tokenModifiers.filter((_, bit) => (modifiers >> bit) & 1) ?? [];
    const words = lines.get(line) ?? [];
    words.push(`${document.getText(range)} ${[legend?.tokenTypes[kind], ...names].join("+")}`);
    lines.set(line, words);
  }
  return Object.fromEntries([...lines].map(([at, words]) => [`${at}`, words.join(" | ")]));
}
