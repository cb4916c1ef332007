import { append } from "../../language/source/lists.js";

/** Queries as data, and how they are laid out: a clause a line, a column a line where there are many. */

/** An expression and the name of its column. */
export type NamedColumn = readonly [expression: string, name: string];

export interface SelectQuery {
  readonly isDistinct?: boolean;
  readonly columns: readonly NamedColumn[];
  /** A relation with its alias; absent for one row that is computed from nothing. */
  readonly from?: string;
  readonly joins?: readonly string[];
  readonly where?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly orderBy?: readonly string[];
  /** How many rows, of the first in the order. */
  readonly limit?: string;
}

/** A query, several whose rows follow each other, or a text that only one dialect has. */
export type RelationQuery =
  | SelectQuery
  | { readonly union: readonly SelectQuery[] }
  | { readonly text: string };

/** So long may the columns of a query be in one line. */
const lineWidth = 100;

/** The text of a query. With `isNamed` each column is told its name, even where it has it already. */
export function queryText(query: RelationQuery, isNamed = false): string {
  if ("text" in query) return query.text;
  if ("union" in query) return query.union.map((each) => selectText(each, isNamed)).join("\nUNION ALL\n");
  return selectText(query, isNamed);
}

function selectText(
  { isDistinct, columns, from, joins = [], where = [], groupBy = [], orderBy = [], limit }: SelectQuery,
  isNamed: boolean,
): string {
  const select = isDistinct === true ? "SELECT DISTINCT" : "SELECT";
  const texts = columns.map((each) => columnText(each, isNamed));
  const lines = [`${select} ${list(texts, select.length + 1)}`];
  if (from !== undefined) lines.push(`FROM ${from}`);
  append(lines, joins);
  if (where.length > 0) lines.push(`WHERE ${where.join("\n  AND ")}`);
  if (groupBy.length > 0) lines.push(`GROUP BY ${list(groupBy, "GROUP BY ".length)}`);
  if (orderBy.length > 0) lines.push(`ORDER BY ${list(orderBy, "ORDER BY ".length)}`);
  if (limit !== undefined) lines.push(`LIMIT ${limit}`);
  return lines.join("\n");
}

/** A column that has its name already needs no other: `a.x` is called `x`. */
function columnText([expression, name]: NamedColumn, isNamed: boolean): string {
  const [alias = "", ...rest] = expression.split(".");
  const hasName = !isNamed && rest.join(".") === name && isAlias(alias);
  return hasName || expression === name ? expression : `${expression} AS ${name}`;
}

const isAlias = (text: string): boolean => text === encodeURIComponent(text) && !text.startsWith("-");

function list(items: readonly string[], indent: number): string {
  const line = items.join(", ");
  return line.length <= lineWidth && !line.includes("\n") ? line : items.join(`,\n${" ".repeat(indent)}`);
}

/** A text with each line moved to the right. U+2028, a line to a regular expression, is a character of a label. */
export const indented = (text: string, by = "  "): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");
