import type { Span } from "../../language/source/span.js";
import type { Word } from "../../language/syntax/tree.js";
import { blocksOf, lineEnd, pastOpaque, pastSpace, textOf, trimmed } from "./blocks.js";

/**
 * A schema is statements within statements: a keyword, what it is about, and then a value up to the end of the line, or
 * a block, or nothing: `field title type string { indexing: index }`. This much holds for all of them, so that any
 * statement can be read, understood or not.
 */
export interface Statement {
  readonly keyword: Word;
  /** Between the keyword and the colon, the brace or the end of the line: `title type string`. */
  readonly head: Span;
  /** Behind the colon. */
  readonly value?: Span;
  /** Between the braces. */
  readonly body?: Span;
  readonly span: Span;
}

/** The statements of a file or of a block. */
export function statementsIn(within: Span, manner: Manner = "line"): Statement[] {
  const statements: Statement[] = [];
  let at = within.start;
  for (;;) {
    at = pastSpace(within, at, within.end);
    if (at >= within.end) return statements;
    const read = statementAt(within, at, manner);
    if (read.statement !== undefined) statements.push(read.statement);
    at = Math.max(at + 1, read.next);
  }
}

/** Whether a value ends with its line, or goes on while a bracket is open, and may begin in the next line. */
export type Manner = "line" | "data";

interface Read {
  readonly statement?: Statement;
  readonly next: number;
}

function statementAt(within: Span, at: number, manner: Manner): Read {
  const { source, end } = within;
  const { text } = source;
  const { closings } = blocksOf(source);
  if (text[at] === "{") return { next: (closings.get(at) ?? at) + 1 };
  const quoted = pastOpaque(text, at);
  const stop = quoted > at ? quoted : wordEnd(text, at, end);
  if (stop === at) return { next: text[at] === "}" ? at + 1 : lineEnd(text, at) };
  const place: Span = { source, start: at, end: stop };
  const keyword: Word = {
    text: quoted > at ? text.slice(at + 1, stop - 1) : text.slice(at, stop),
    span: place,
  };
  const headEnd = headStop(within, stop);
  const head = trimmed({ source, start: stop, end: headEnd });
  const whole = (last: number): Span => ({ source, start: at, end: last });
  if (text[headEnd] === ":" && headEnd < end) {
    const last = valueEnd(within, headEnd + 1, manner);
    const value = trimmed({ source, start: headEnd + 1, end: last });
    return { statement: { keyword, head, value, span: whole(value.end) }, next: last };
  }
  const brace = pastSpace(within, headEnd, end);
  if (text[brace] !== "{" || brace >= end)
    return { statement: { keyword, head, span: whole(Math.max(head.end, stop)) }, next: headEnd };
  const close = Math.min(closings.get(brace) ?? end, end);
  const body: Span = { source, start: brace + 1, end: close };
  return { statement: { keyword, head, body, span: whole(Math.min(close + 1, end)) }, next: close + 1 };
}

function wordEnd(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && !/[\s:{}#"(]/.test(text[next] ?? "")) next++;
  return next;
}

/** How far away the closing parenthesis of a head may be in another line. */
const farthest = 1000;

/** Where a head ends: at a colon, a brace, a comment or the end of the line, none of them in parentheses. */
function headStop({ source: { text }, end }: Span, from: number): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    const character = text[at] ?? "";
    if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (character === "#") return at;
    else if (character === "\n" && (depth === 0 || !text.slice(at, at + farthest).includes(")"))) return at;
    else if (depth === 0 && (character === ":" || character === "{" || character === "}")) return at;
    else at = Math.max(at, pastOpaque(text, at) - 1);
  }
  return end;
}

/** Where a value ends: with its line, at a comment, or where the block around it does. */
function valueEnd(within: Span, from: number, manner: Manner): number {
  const { source, end } = within;
  const { text } = source;
  const { closings } = blocksOf(source);
  let brackets = 0;
  const start = manner === "data" ? pastSpace(within, from, end) : from;
  for (let at = start; at < end; at++) {
    const character = text[at] ?? "";
    if (character === "{") {
      const close = closings.get(at) ?? end;
      // A brace that is never closed must not take the rest of the file with it.
      if (close >= text.length) return lineEnd(text, at);
      at = close;
    } else if (character === "[") brackets++;
    else if (character === "]") brackets--;
    else if (character === "}") return at;
    else if (character === "#" || character === "\n") {
      if (manner === "line" || brackets <= 0) return at;
      if (character === "#") at = lineEnd(text, at) - 1;
    } else at = Math.max(at, pastOpaque(text, at) - 1);
  }
  return end;
}

/** The words of a span, as they match a pattern. */
export function wordsIn({ source, start, end }: Span, pattern = /[\w$@.-]+/g): Word[] {
  return [...source.text.slice(start, end).matchAll(pattern)].map((found) => {
    const at = start + found.index;
    return { text: found[0], span: { source, start: at, end: at + found[0].length } };
  });
}

/** A head such as `a inherits b, c`: the name, and what it inherits. */
export function inheriting(head: Span): {
  readonly name: Word | undefined;
  readonly inherits: readonly Word[];
} {
  const [first, ...others] = wordsIn(head);
  const isUnnamed = first?.text === "inherits";
  const named = isUnnamed ? undefined : first;
  const rest = isUnnamed ? others : others.slice(1);
  const isInheriting = isUnnamed || others[0]?.text === "inherits";
  return { name: named, inherits: isInheriting ? rest : [] };
}

/** The value of the first statement with this keyword. */
export function valueAfter(statements: readonly Statement[], keyword: string): Span | undefined {
  return statements.find((each) => each.keyword.text === keyword && each.value !== undefined)?.value;
}

/** `expression: …` or `expression { … }` */
export function expressionIn(statements: readonly Statement[]): Span | undefined {
  const found = statements.find((each) => each.keyword.text === "expression");
  return found?.value ?? found?.body;
}

/** A text that may stand in quotes. */
export function unquoted(span: Span): string {
  const text = textOf(span);
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}
