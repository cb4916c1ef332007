import type { Node } from "../../../language/core/operations.js";
import { entry } from "../../../language/values/element.js";
import { type CommonTable, type LoweringOptions, StatementLowering } from "../lowering.js";
import { indented, queryText } from "../query.js";
import { nestedTables } from "./nesting.js";
import { pauses } from "./pauses.js";

/** A statement whose rows are the cells of a tensor. */
export interface SqlStatement {
  readonly text: string;
  /** Statements that come before it, on the same connection. */
  readonly preparation: readonly string[];
  /** The columns of the rows: those of the dimensions in the order of the type, and then the value. */
  readonly columns: readonly string[];
}

/** What runs on a connection for some statements: what comes before any of them first, and once. */
export const allStatements = (statements: readonly SqlStatement[]): readonly string[] => [
  ...new Set(statements.flatMap(({ preparation }) => preparation)),
  ...statements.map(({ text }) => text),
];

export interface StatementOptions extends LoweringOptions {
  /** Whether rows come in canonical order: by mapped labels, and then by indexes. */
  readonly isOrdered?: boolean;
  /** At most so many rows. */
  readonly limit?: number;
  readonly hasComments?: boolean;
}

/** The statement that computes a node of a program. */
export function statementOf(root: Node, options: StatementOptions): SqlStatement {
  const { dialect } = options;
  const lowering = new StatementLowering([root], options);
  const relation = lowering.root(root);
  const { names } = lowering;
  const { type } = relation;
  const addresses = type.dimensions.map(({ name }) => names.dimension(name));
  const columns = [...addresses, names.value];
  const order = [...type.mapped, ...type.indexed].map(({ name }) => names.dimension(name));
  const { tables, select } = partsOf(lowering.tables, relation.name, columns, options);
  const { limit, isOrdered = false } = options;
  const lines = [
    ...(tables.length === 0 ? [] : [`${dialect.with} ${tables.join(",\n")}`]),
    select,
    ...(isOrdered && order.length > 0 ? [`ORDER BY ${order.join(", ")}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${dialect.integer(limit)}`]),
  ];
  const text = `${lines.join("\n")}${dialect.settings}`;
  return { text, preparation: dialect.preparation(text), columns };
}

/** The common table expressions of a statement, and the query behind them for the columns of the result. */
function partsOf(
  all: readonly CommonTable[],
  result: string,
  columns: readonly string[],
  { dialect, hasComments = true, isOrdered = false }: StatementOptions,
): { readonly tables: readonly string[]; readonly select: string } {
  const { namesColumns, plansNestedSooner } = dialect;
  const words = new Map(all.map((each) => [each, queryText(each.query, namesColumns).split(wordEnd)]));
  const wordsOf = (table: CommonTable): readonly string[] => entry(words, table);
  const uses = usesOf(all, wordsOf, result);
  const required = all.filter(({ name }) => uses.has(name));
  const isNested = plansNestedSooner && !hasComments;
  const paused = pauses(required, uses, wordsOf, dialect.planning);
  const written = isNested ? nestedTables(required, uses, paused, namesColumns) : required;
  const last = written.find(({ name }) => name === result);
  const isLast = isNested && !isOrdered && last !== undefined && hasColumns(last, columns);
  const tables = (isLast ? written.filter((each) => each !== last) : written).map((table) => {
    const isShared = (uses.get(table.name) ?? 1) > 1 || paused.has(table.name);
    const shared = isShared ? dialect.shared : table.isStage ? dialect.stage : "";
    const comment = hasComments ? commentOf(table) : "";
    const text = queryText(table.query, namesColumns);
    return `${comment}${table.name} AS${shared} (\n${table.isVerbatim ? text : indented(text)}\n)`;
  });
  const select = isLast
    ? queryText(last.query, namesColumns)
    : `SELECT ${columns.join(", ")}\nFROM ${result}`;
  return { tables, select };
}

/** Whether a table is a query for just these columns, behind which a limit may stand. */
const hasColumns = ({ query }: CommonTable, columns: readonly string[]): boolean =>
  "columns" in query &&
  query.limit === undefined &&
  query.columns.map(([, name]) => name).join() === columns.join();

/** How often each table is read by those that the result is computed from; none of others. */
function usesOf(
  tables: readonly CommonTable[],
  wordsOf: (table: CommonTable) => readonly string[],
  result: string,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>([[result, 1]]);
  for (const table of tables.toReversed()) {
    const { name } = table;
    if (!uses.has(name)) continue;
    for (const word of wordsOf(table)) if (word !== name) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return uses;
}

const wordEnd = /[^\w]+/;

/** The longest expression that a comment shows. */
const longestComment = 90;

/** The expression that a table computes, in one line. */
function commentOf({ node, type }: CommonTable): string {
  const { source, start, end } = node.span;
  const text = source.text
    .slice(start, Math.min(end, start + 4 * longestComment))
    .replace(unprintable, " ")
    .split(" ")
    .filter((word) => word !== "")
    .join(" ");
  const shown = text.length > longestComment ? `${text.slice(0, longestComment)}…` : text;
  return `-- ${type}: ${shown}\n`;
}

/** Control characters, and those that separate lines or paragraphs. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
