import type { Node } from "../../language/core/operations.js";
import { type CommonTable, type LoweringOptions, StatementLowering } from "./lowering.js";
import { indented, queryText } from "./query.js";
import type { Relation } from "./relation.js";

/** A statement whose rows are the cells of a tensor. */
export interface SqlStatement {
  readonly text: string;
  /** Statements that come before it, on the same connection. */
  readonly preparation: readonly string[];
  /** The columns of the rows: those of the dimensions in the order of the type, and then the value. */
  readonly columns: readonly string[];
}

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
  const lines = [
    withClause(lowering.tables, relation, options),
    `SELECT ${columns.join(", ")}`,
    `FROM ${relation.name}`,
    ...(options.isOrdered === true && order.length > 0 ? [`ORDER BY ${order.join(", ")}`] : []),
    ...(options.limit === undefined ? [] : [`LIMIT ${dialect.integer(options.limit)}`]),
  ];
  const text = `${lines.join("\n")}${dialect.settings}`;
  return { text, preparation: dialect.preparation(text), columns };
}

function withClause(tables: readonly CommonTable[], result: Relation, options: StatementOptions): string {
  const { dialect, hasComments = true } = options;
  const texts = tables.map(({ query }) => queryText(query, dialect.namesColumns));
  const uses = usesOf(tables, texts, result.name);
  const required = tables.flatMap((table, at) => {
    const count = uses.get(table.name);
    if (count === undefined) return [];
    const shared = count > 1 ? dialect.shared : table.isStage ? dialect.stage : "";
    const comment = hasComments ? commentOf(table) : "";
    const text = texts[at] ?? "";
    return [`${comment}${table.name} AS${shared} (\n${table.isVerbatim ? text : indented(text)}\n)`];
  });
  return `${dialect.with} ${required.join(",\n")}`;
}

/** How often each table is read by those that the result is computed from; none of others. */
function usesOf(
  tables: readonly CommonTable[],
  texts: readonly string[],
  result: string,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>([[result, 1]]);
  for (const [back, { name }] of [...tables].reverse().entries()) {
    if (!uses.has(name)) continue;
    const text = texts[tables.length - 1 - back] ?? "";
    for (const word of text.split(wordEnd)) if (word !== name) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return uses;
}

const wordEnd = /[^\w]+/;

/** The longest expression that a comment shows. */
const longestComment = 90;

/** The expression that a table computes, in one line. */
function commentOf({ node, type }: CommonTable): string {
  const { source, start, end } = node.span;
  const words = Array.from(source.text.slice(start, Math.min(end, start + 4 * longestComment)), (each) =>
    isPrintable(each) ? each : " ",
  );
  const text = words
    .join("")
    .split(" ")
    .filter((word) => word !== "")
    .join(" ");
  const shown = text.length > longestComment ? `${text.slice(0, longestComment)}…` : text;
  return `-- ${type}: ${shown}\n`;
}

const isPrintable = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return (
    code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0) && code !== 0x2028 && code !== 0x2029
  );
};
