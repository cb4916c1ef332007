import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { Binding, TableSource } from "./bindings.js";
import { problem } from "./messages.js";

/** The files that engines read, by the end of their names. */
const fileEndings = [".parquet", ".csv", ".json"];

/**
 * A binding as it is written on a command line: `ratings=ratings.parquet(user=user_id,item=movie_id,value=stars)`. The last
 * parentheses say which column each dimension is in, and `value` or `block` that of the cells; a column with a comma, a
 * parenthesis or an equals sign in its name stands between double quotes.
 * @throws SphexError where it is not written so.
 */
export function parseTable(text: string): readonly [name: string, binding: Binding] {
  const source = { name: "--table", text };
  const whole: Span = { source, start: 0, end: text.length };
  const separator = text.indexOf("=");
  const opening = openingOf(text);
  if (separator <= 0) refuse("no name of an input before =", whole);
  if (opening === undefined || opening < separator) refuse("no columns in parentheses at the end", whole);
  const name = text.slice(0, separator).trim();
  const from = text.slice(separator + 1, opening).trim();
  if (from === "") refuse("no table or file before the columns", whole);
  const columns = new Map<string, string>();
  for (const [start, end] of pairsOf(text, opening + 1, text.length - 1)) {
    const span = { source, start, end };
    const equals = text.indexOf("=", start);
    if (equals < 0 || equals >= end) refuse("no = between a dimension and its column", span);
    const key = text.slice(start, equals).trim();
    const column = unquoted(text.slice(equals + 1, end).trim());
    if (key === "" || column === "") refuse("an empty name", span);
    if (columns.has(key)) refuse(`${key} twice`, span);
    columns.set(key, column);
  }
  const { value, block, ...dimensions } = Object.fromEntries(columns);
  const cells = block === undefined ? (value === undefined ? {} : { value }) : { block };
  return [name, { source: sourceOf(from), dimensions, ...cells }];
}

/** A file where its name ends as those of files do; otherwise a table. */
const sourceOf = (text: string): TableSource =>
  fileEndings.some((ending) => text.toLowerCase().endsWith(ending)) ? { file: text } : { table: text };

/** Where the parentheses at the end begin. */
function openingOf(text: string): number | undefined {
  if (!text.endsWith(")")) return undefined;
  let isQuoted = false;
  let opening: number | undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === "(" && !isQuoted) opening = at;
  }
  return isQuoted ? undefined : opening;
}

/** The parts between commas outside of quotes. */
function* pairsOf(text: string, start: number, end: number): Generator<[number, number]> {
  let isQuoted = false;
  let from = start;
  for (let at = start; at < end; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== "," || isQuoted) continue;
    yield [from, at];
    from = at + 1;
  }
  if (text.slice(from, end).trim() !== "" || from > start) yield [from, end];
}

const unquoted = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replaceAll('""', '"')
    : text;

function refuse(reason: string, span: Span): never {
  throw new SphexError([problem("binding/syntax", span, { reason })]);
}
