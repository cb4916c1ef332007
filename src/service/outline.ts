import { clip } from "../language/source/columns.js";
import { lineStarts, positionOf, type Span, textIn } from "../language/source/span.js";
import { isNaming } from "../language/syntax/tree.js";
import type { Analysis } from "./analysis.js";
import { nameOf, type SymbolKind } from "./symbols.js";

/** A statement of a text, as a list of its parts shows it. */
export interface OutlineEntry {
  readonly name: string;
  readonly kind: SymbolKind | "result";
  /** The type, where there is one. */
  readonly detail: string | undefined;
  readonly span: Span;
  /** What is selected when the entry is: the name, or the first line of a result. */
  readonly nameSpan: Span;
}

/** The statements in the order of the text; results by the beginning of what is written. */
export function outlineOf(analysis: Analysis): readonly OutlineEntry[] {
  const { checked, symbols, tree } = analysis;
  const resultTypes = new Map(checked.results.map(({ span, node }) => [span, node.type]));
  return tree.statements.map((statement) => {
    const { span } = statement;
    if (!isNaming(statement)) {
      const line = /^[^\r\n]*/.exec(textIn(span))?.[0] ?? "";
      const nameSpan = { ...span, end: span.start + line.length };
      return {
        name: clip(line, longest),
        kind: "result",
        detail: textOf(resultTypes.get(span)),
        span,
        nameSpan,
      };
    }
    const name = nameOf(statement);
    const kind = symbols.program.get(name)?.kind ?? "value";
    return { name, kind, detail: textOf(analysis.typeNamed(name)), span, nameSpan: statement.name.span };
  });
}

const textOf = (type: unknown): string | undefined => (type === undefined ? undefined : `${type}`);

/** Columns. */
const longest = 60;

/** Lines that can be shown as one: statements, and runs of comments. Numbers of lines are from 0. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly isComment: boolean;
}

/** What folds: statements and remarks of more than one line. */
export function foldsOf({ source, tree }: Analysis): readonly Fold[] {
  const lineOf = (offset: number): number => positionOf(source, offset).line - 1;
  const starts = lineStarts(source);
  const statements = tree.statements.map(({ span }) => ({
    start: lineOf(span.start),
    end: lineOf(span.end),
    isComment: false,
  }));
  const comments: { start: number; end: number; isComment: true }[] = [];
  for (const [line, start] of starts.entries()) {
    if (!/^[^\S\n]*(?:#|\/\/)/.test(source.text.slice(start, starts[line + 1]))) continue;
    const last = comments.at(-1);
    if (last?.end === line - 1) last.end = line;
    else comments.push({ start: line, end: line, isComment: true });
  }
  return [...statements, ...comments].filter(({ start, end }) => end > start);
}
