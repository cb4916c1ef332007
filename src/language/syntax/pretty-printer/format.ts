import { requireNumber, requireSource } from "../../source/arguments.js";
import { append } from "../../source/lists.js";
import type { Problem } from "../../source/problem.js";
import type { Source } from "../../source/span.js";
import { parseText } from "../parse.js";
import type * as Tree from "../tree.js";
import { attachComments, TokenIndex } from "./comments.js";
import { begin, bracket, end, lineBreak, type Mode, token } from "./document.js";
import { linesOf } from "./line-breaking.js";
import { alone, type PrintPart, piecesOf, typeParts } from "./print.js";

/**
 * The one layout of programs. Every statement begins a line; empty lines between statements stay, at most one together;
 * comments stay above, after and inside what they were written at. Formatting changes no meaning, and formatting the
 * result changes nothing.
 */

/** What `format` returns: the text in its canonical layout, or the problems for which it has none. */
export interface Formatted {
  /** Undefined where the text has a problem. */
  readonly text?: string;
  readonly problems: readonly Problem[];
}

/** A program in its canonical layout, or the problems for which it cannot be read. */
export function format(source: Source, width = 100): Formatted {
  requireSource("format", source);
  requireNumber("format", width);
  const { tree, problems, tokens, comments } = parseText(source);
  if (tree === undefined || problems.length > 0) return { problems };
  const tokenIndex = new TokenIndex(tokens.filter(({ text }) => text !== ""));
  const items: FormattedItem[] = [];
  let [at, next] = [0, 0];
  const commentsBefore = (offset: number): readonly Tree.Word[] => {
    const from = next;
    while ((comments[next]?.span.start ?? offset) < offset) next++;
    return comments.slice(from, next);
  };
  for (const statement of tree.statements) {
    const start = tokens[at]?.span.start ?? 0;
    while (at < tokens.length && tokens[at]?.text !== "") at++;
    const stop = tokens[at - 1]?.span.end ?? start;
    at++;
    for (const each of commentsBefore(start)) addComment(items, each);
    const { leading, pieces, trailing } = attachComments(
      piecesOf(partsOf(statement)),
      commentsBefore(stop),
      tokenIndex,
    );
    for (const { text, span } of leading)
      items.push({ text: text.trimEnd(), start: span.start, end: span.end });
    items.push({ text: linesOf(pieces, width), start, end: stop, statement });
    for (const { text, isOwnLine } of trailing) addText(items, text, isOwnLine, stop, stop);
  }
  for (const each of commentsBefore(Number.POSITIVE_INFINITY)) addComment(items, each);
  return { text: textOf(items, source.text), problems };
}

/** A statement, or a comment on a line of its own. */
interface FormattedItem {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly statement?: Tree.Statement;
  /** At the end of the last line. */
  readonly comment?: string;
}

/** A comment between statements: beside the one before it, if that ends on the same line, or on a line of its own. */
function addComment(items: FormattedItem[], { text, span }: Tree.Word): void {
  const gap = span.source.text.slice(items.at(-1)?.end ?? 0, span.start);
  addText(items, text.trimEnd(), /[\r\n]/.test(gap), span.start, span.end);
}

function addText(items: FormattedItem[], text: string, isOwnLine: boolean, start: number, end: number): void {
  const last = items.at(-1);
  if (isOwnLine || last?.statement === undefined || last.comment !== undefined)
    items.push({ text, start, end });
  else items[items.length - 1] = { ...last, comment: text, end };
}

function textOf(items: readonly FormattedItem[], source: string): string {
  let text = "";
  for (const [at, item] of items.entries()) {
    const before = items[at - 1];
    const gap = source.slice(before?.end ?? 0, Math.max(before?.end ?? 0, item.start));
    if (before !== undefined && /(?:\r\n|\r(?!\n)|\n)[^\S\r\n]*[\r\n]/.test(gap)) text += "\n";
    text += item.text;
    if (needsSemicolon(item, items, at + 1, source)) text += ";";
    text += item.comment === undefined ? "\n" : ` ${item.comment}\n`;
  }
  return text;
}

/** Without a `;`, a line that begins with a minus after another result is suspected of being its second half. */
function needsSemicolon(
  { statement }: FormattedItem,
  items: readonly FormattedItem[],
  from: number,
  source: string,
): boolean {
  if (statement?.kind !== "result") return false;
  let at = from;
  while (at < items.length && items[at]?.statement === undefined) at++;
  const { text, statement: next } = items[at] ?? {};
  if (next?.kind !== "result" || text?.startsWith("-") !== true) return false;
  const wasSuspected = source[next.span.start] === "-";
  return !wasSuspected || withoutComments(source.slice(statement.span.end, next.span.start)).includes(";");
}

/** What stands between two statements, where there are no texts. */
const withoutComments = (gap: string): string => gap.replace(/(?:#|\/\/)[^\r\n]*/g, "");

/** What stands before the value of a statement, and the value. */
type Halves = readonly [head: readonly PrintPart[], value?: Tree.Expression];

const halves: {
  readonly [Kind in Tree.Statement["kind"]]: (tree: Extract<Tree.Statement, { kind: Kind }>) => Halves;
} = {
  result: ({ expression }) => [[], expression],
  definition: ({ name, parameters, body }) => [[...definedParts(name, parameters), " ="], body],
  declaration: ({ role, span, name, type, value }) => {
    const head: PrintPart[] = [token(role, span.start), " ", name];
    if (type !== undefined)
      append(head, [":", ...onward("head", typeParts(token("tensor", type.span.start), type))]);
    return value === undefined ? [head] : [[...head, " ="], value];
  },
  model: ({ span, name, ports, value }) => [
    [token("model", span.start), " ", token(name.text, name.span.start), ...portParts(name, ports), " ="],
    value,
  ],
  assignment: ({ action, span, name, value }) => [[token(action, span.start), " ", name, " ="], value],
  objective: ({ span, value }) => [[token("minimise", span.start)], value],
};

/** What a declaration calls the axes of a model. */
function portParts({ span }: Tree.Word, ports: readonly Tree.PortNames[]): PrintPart[] {
  if (ports.length === 0) return [];
  const items = ports.map(({ port, axes }): PrintPart[] => {
    const [only, ...others] = axes.names;
    const isOne = only !== undefined && others.length === 0;
    return [token(port.text, port.span.start), ": ", isOne ? token(only.text, only.span.start) : axes];
  });
  return bracket<PrintPart>("(", items, { closes: span.end });
}

function definedParts({ text, span }: Tree.Word, parameters: readonly Tree.Word[] | undefined): PrintPart[] {
  const name = token(text, span.start);
  if (parameters === undefined) return [name];
  const items = parameters.map((each) => [token(each.text, each.span.start)]);
  return [name, ...bracket<PrintPart>("(", items, { closes: span.end })];
}

function partsOf(statement: Tree.Statement): readonly PrintPart[] {
  const half: (tree: never) => Halves = halves[statement.kind];
  const [head, value] = half(statement as never); // the row of its kind takes it
  if (value === undefined) return head;
  if (head.length === 0) return [value];
  return [...head, ...onward(modeOf(value), alone(value))];
}

/** Parts after a sign at which a line may end. */
const onward = (mode: Mode, parts: readonly PrintPart[]): PrintPart[] => [
  begin(mode),
  lineBreak(" ", 1),
  ...parts,
  end,
];

/** When a value that is too long begins a line of its own: always, if it fits there, or if the type of a literal does. */
function modeOf({ kind }: Tree.Expression): Mode {
  if (kind === "chain") return "all";
  return kind === "literal" ? "head" : "whole";
}
