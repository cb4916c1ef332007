import type { FileColumn, SqlDialect } from "../backends/sql/dialect.js";
import type { Template } from "../backends/sql/expressions/scalar-expression.js";
import type { ColumnNames } from "../backends/sql/names.js";
import type { NamedColumn, RelationQuery, SelectQuery } from "../backends/sql/query.js";
import { nearest } from "../language/source/nearest.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import { isAscending, permuted } from "../language/values/data/axis-order.js";
import { element, property } from "../language/values/element.js";
import { spanOfText } from "../language/values/messages.js";
import { stridesOf } from "../language/values/shape.js";
import type { TableBinding } from "./bindings.js";
import { problem } from "./messages.js";

/** The rows that a binding names, as the cells of an input. */
export interface InputTable {
  readonly name: string;
  readonly type: TensorType;
  /** The axes of a block, outermost first: positions among the indexed dimensions of the type. */
  readonly axes: readonly number[];
  readonly binding: TableBinding;
  readonly dialect: SqlDialect;
}

/** What keeps a binding from being one of an input of this type. */
export function bindingProblems({ name, type, binding, dialect }: InputTable): readonly Problem[] {
  const { source, dimensions, block } = binding;
  const span = spanOfText("binding", name);
  const bound = Object.keys(dimensions);
  const required = (block === undefined ? type.dimensions : type.mapped).map((each) => each.name);
  const isBlock = block !== undefined;
  const problems: Problem[] = [
    ...bound.filter((each) => type.dimension(each) === undefined),
    ...required.filter((each) => !Object.hasOwn(dimensions, each)),
  ].map((dimension) => problem("binding/dimension", span, { name, dimension, type }));
  const hasIndexed = bound.some((each) => type.dimension(each)?.kind === "indexed");
  if (isBlock && (hasIndexed || !type.isBound || type.indexed.length === 0))
    problems.push(problem("binding/block", span, { name, type }));
  if ("file" in source && dialect.file?.(source.file, []) === undefined)
    problems.push(problem("binding/file", span, { engine: dialect.title, file: source.file }));
  return problems;
}

/** The query for the cells of an input; what the rules of the binding leave out or put together, it does. */
export function inputQuery(table: InputTable, names: ColumnNames): RelationQuery {
  const { type, binding, dialect } = table;
  const { duplicates = "error" } = binding;
  const cells = presentCells(table, names);
  if (duplicates === "error") return cells;
  const addresses = type.dimensions.map((each) => names.dimension(each.name));
  const value = `t.${names.value}`;
  // A row by itself is a cell as it is: aggregators make other numbers of NaN and -0.
  const single = `CASE WHEN count(*) = 1 THEN max(${value}) ELSE ${dialect.aggregates[duplicates]?.(value, "1") ?? ""} END`;
  return {
    columns: [...addresses.map((each): NamedColumn => [`t.${each}`, each]), [single, names.value]],
    from: `(${inline(cells)}) AS t`,
    groupBy: addresses.map((each) => `t.${each}`),
  };
}

/** What the cells of an input are asked for. */
export interface CellsOptions {
  /** Whether rows are only looked at, and may be none that are cells: an index that is no whole number is -1. */
  readonly isCheck?: boolean;
}

/** What tells the rows of an input from those of others, and the value of a row; nothing where rows are put right. */
export function sameRows({ type, binding, dialect }: InputTable): { key: string; cell: string } | undefined {
  const {
    dimensions,
    value = "value",
    block,
    duplicates = "error",
    nulls = "error",
    missing = "error",
  } = binding;
  const isAsIs = duplicates === "error" && nulls === "error" && missing === "error";
  if (block !== undefined || !isAsIs) return undefined;
  const columns = type.names.map((name) => property(dimensions, name));
  const key = JSON.stringify([sourceText(binding, dialect), `${type.withCells("double")}`, columns]);
  return { key, cell: dialect.asNumber(`t.${dialect.identifier(value)}`) };
}

/** The rows without those that the binding leaves out. */
export function presentCells(table: InputTable, names: ColumnNames, options: CellsOptions = {}): SelectQuery {
  const { type, binding } = table;
  const cells = cellsQuery(table, names, options);
  if (binding.nulls !== "absent") return cells;
  const columns = [...type.dimensions.map((each) => names.dimension(each.name)), names.value];
  return {
    columns: columns.map((each): NamedColumn => [`p.${each}`, each]),
    from: `(${inline(cells)}) AS p`,
    where: columns.map((each) => `p.${each} IS NOT NULL`),
  };
}

/** The rows as they are, with the types and names of a relation. */
function cellsQuery(
  { type, axes, binding, dialect }: InputTable,
  names: ColumnNames,
  { isCheck = false }: CellsOptions,
): SelectQuery {
  const { dimensions, value = "value", block } = binding;
  const asIndex = isCheck ? wholeOrNone(dialect) : dialect.asInteger;
  const columns = type.dimensions.flatMap(({ name, kind }): NamedColumn[] => {
    const column = dimensions[name];
    if (column === undefined) return [];
    const text = `t.${dialect.identifier(column)}`;
    const cell = kind === "mapped" ? dialect.asText(text) : asIndex(text);
    return [[cell, names.dimension(name)]];
  });
  const from = `${sourceText(binding, dialect)} AS t`;
  if (block === undefined)
    return { columns: [...columns, [dialect.asNumber(`t.${dialect.identifier(value)}`), names.value]], from };
  const sizes = type.indexed.map(({ size = 0 }) => size);
  const strides = stridesOf(permuted(sizes, axes));
  const indexes = type.indexed.map(({ name }, at): NamedColumn => {
    const axis = axes.indexOf(at);
    const quotient = dialect.quotient("u.position", dialect.integer(element(strides, axis)));
    const size = dialect.integer(element(sizes, at));
    return [axis === 0 ? quotient : `${quotient} % ${size}`, names.dimension(name)];
  });
  return {
    columns: [...columns, ...indexes, [dialect.asNumber("u.cell"), names.value]],
    from,
    joins: [dialect.unnest(elementsText(binding, block, dialect), "u", "position", "cell")],
  };
}

/** An index, and -1 for what a cast would make one of. */
const wholeOrNone =
  ({ asInteger, asNumber, integer }: SqlDialect): Template =>
  (x) =>
    `CASE WHEN ${asNumber(x)} <> ${asNumber(asInteger(x))} THEN ${integer(-1)} ELSE ${asInteger(x)} END`;

/** The array of a block; where zeros fill it up, an empty one is a block, too. */
function elementsText({ missing }: TableBinding, block: string, dialect: SqlDialect): string {
  const array = `t.${dialect.identifier(block)}`;
  const { arrays, arrayLength, integer, number } = dialect;
  if (missing !== "zero" || arrays === undefined) return array;
  const { asNumbers, asNullableNumbers = asNumbers, literal } = arrays;
  return `CASE WHEN ${arrayLength(array)} = ${integer(0)} THEN ${literal([number(0)])} ELSE ${asNullableNumbers(array)} END`;
}

/** Whether an input has a column of arrays, each of which is a whole block as it is, its cells in canonical order. */
export const hasWholeBlocks = ({ axes, binding }: InputTable): boolean => {
  if (!isAscending(axes)) return false;
  const { block, duplicates = "error", nulls = "error", missing = "error" } = binding;
  return block !== undefined && duplicates === "error" && nulls === "error" && missing === "error";
};

/** The query for the blocks of an input, which are arrays. */
export function blocksQuery({ type, binding, dialect }: InputTable, names: ColumnNames): SelectQuery {
  const { dimensions, block = "" } = binding;
  const labels = type.mapped.map(({ name }): NamedColumn => {
    const text = `t.${dialect.identifier(property(dimensions, name))}`;
    return [dialect.asText(text), names.dimension(name)];
  });
  const array = `t.${dialect.identifier(block)}`;
  return {
    columns: [...labels, [dialect.arrays?.asNumbers(array) ?? array, names.value]],
    from: `${sourceText(binding, dialect)} AS t`,
  };
}

/** A query in one line, to stand in another. */
function inline({ columns, from, joins = [], where = [] }: SelectQuery): string {
  const list = columns.map(([text, name]) => `${text} AS ${name}`).join(", ");
  const filter = where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`;
  return `SELECT ${list} FROM ${[from, ...joins].join(" ")}${filter}`;
}

/** The rows as they are, to stand behind FROM. */
export function sourceText(binding: TableBinding, dialect: SqlDialect): string {
  const { source } = binding;
  if ("query" in source) return `(${withoutEnd(source.query)}\n)`;
  if ("file" in source) return dialect.file?.(source.file, boundColumns(binding)) ?? "";
  return source.table.split(".").map(dialect.identifier).join(".");
}

/** The columns that a binding names. */
export function boundColumns({ dimensions, value = "value", block }: TableBinding): readonly FileColumn[] {
  const names = new Set(Object.values(dimensions)).add(block ?? value);
  return [...names].map((name) => ({ name, isArray: name === block }));
}

/** Whether the name of a column, a table or a file has an end of a line in it, behind which no blanks may be put. */
export function hasLinesInNames(binding: TableBinding): boolean {
  const columns = boundColumns(binding).map(({ name }) => name);
  return [...columns, ...Object.values(binding.source)].some((each) => each.includes("\n"));
}

/** A query without the semicolon behind it, to stand in another. */
export function withoutEnd(query: string): string {
  const text = query.trimEnd();
  return text.endsWith(";") ? text.slice(0, -1) : text;
}

/** The tables that a binding names, or may name in a query, to keep their names from others: in small letters. */
export function tableNames({ source }: TableBinding): readonly string[] {
  if ("table" in source) return source.table.toLowerCase().split(".");
  return "query" in source ? (source.query.toLowerCase().match(/\w+/g) ?? []) : [];
}

/** Refuses names that are no inputs. */
export function refuseUnknown(names: readonly string[], inputs: readonly string[]): void {
  const problems = names
    .filter((name) => !inputs.includes(name))
    .map((name) =>
      problem("binding/key", spanOfText("binding", name), {
        key: `input ${name}`,
        nearest: nearest(name, inputs),
      }),
    );
  if (problems.length > 0) throw new SphexError(problems);
}
