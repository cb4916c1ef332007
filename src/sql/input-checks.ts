import type { ColumnNames } from "../backends/sql/names.js";
import { queryText } from "../backends/sql/query.js";
import type { ResultColumns } from "../backends/sql/rows/reading.js";
import type { Problem } from "../language/source/problem.js";
import { element } from "../language/values/element.js";
import { spanOfText } from "../language/values/messages.js";
import { type InputTable, presentCells, sourceText, tableNames } from "./input-table.js";
import { problem } from "./messages.js";

/** What the rows of an input must be for all that is computed from them: looked at before a run, by one statement. */
export interface InputCheck {
  readonly text: string;
  /** The problems that its answer tells of. */
  readonly problems: (columns: ResultColumns) => readonly Problem[];
}

/** The check of an input; nothing where the binding leaves nothing to look at. */
export function inputCheck(table: InputTable, names: ColumnNames): InputCheck | undefined {
  const { name, type, binding, dialect } = table;
  if (binding.isTrusted === true) return undefined;
  const { duplicates = "error", nulls = "error", missing = "error" } = binding;
  const addresses = type.dimensions.map((each) => names.dimension(each.name));
  const isNull = [...addresses, names.value].map((each) => `c.${each} IS NULL`).join(" OR ");
  const isOutside = type.indexed.map((each) => {
    const column = `c.${names.dimension(each.name)}`;
    const above = each.size === undefined ? "" : ` OR ${column} >= ${dialect.integer(each.size)}`;
    return `${column} < 0${above}`;
  });
  const cells = cellsName(table);
  const count = (where: string): string => `(SELECT count(*) FROM ${cells} AS c WHERE ${where})`;
  const grouped = addresses.map((each) => `c.${each}`).join(", ");
  const repeated =
    addresses.length === 0
      ? `(SELECT CASE WHEN count(*) > 1 THEN 1 ELSE 0 END FROM ${cells} AS c)`
      : `(SELECT count(*) FROM (SELECT count(*) AS n FROM ${cells} AS c WHERE NOT (${isNull}) GROUP BY ${grouped} HAVING count(*) > 1) AS d)`;
  const arrays = arraysWithoutCells(table);
  const columns = [
    sumOf(nulls === "error" ? [count(isNull), arrays.isNull] : []),
    sumOf(duplicates === "error" ? [repeated] : []),
    sumOf(isOutside.length === 0 ? [] : [count(isOutside.map((each) => `(${each})`).join(" OR "))]),
    sumOf(
      missing === "error" && (type.indexed.length > 0 || type.isScalar)
        ? [missingCells(table, names), arrays.lacking]
        : [],
    ),
    otherTypes(table),
  ];
  const rows = queryText(presentCells(table, names, { isCheck: true }));
  const text = `WITH ${cells} AS (\n${rows}\n)\nSELECT ${columns.map((each, at) => `${each} AS n${at}`).join(",\n  ")}${dialect.settings}`;
  const span = spanOfText("binding", name);
  return {
    text,
    problems: (answer) => {
      const [nullRows = 0, duplicateRows = 0, outsideRows = 0, missingRows = 0, otherRows = 0] = answer.map(
        (each) => Number(each[0]),
      );
      const found: Problem[] = [];
      if (otherRows > 0) found.push(problem("rows/type", span, { name, rows: otherRows }));
      if (nullRows > 0) found.push(problem("rows/null", span, { name, rows: nullRows }));
      if (duplicateRows > 0) found.push(problem("rows/duplicate", span, { name, rows: duplicateRows }));
      if (outsideRows > 0) found.push(problem("rows/index", span, { name, rows: outsideRows, type }));
      if (found.length === 0 && missingRows > 0)
        found.push(problem("rows/missing", span, { name, rows: missingRows }));
      return found;
    },
  };
}

/** How many cells the blocks lack: each has as many as its sizes say, unbound ones being as large as the largest index. */
function missingCells(table: InputTable, names: ColumnNames): string {
  const { type, dialect } = table;
  const cells = cellsName(table);
  if (type.isScalar) return `(SELECT 1 - least(count(*), 1) FROM ${cells} AS c)`;
  const sizes = type.indexed.map(({ name, size }) =>
    size === undefined
      ? // The largest of none is no NULL on each engine.
        `(SELECT CASE WHEN count(*) > 0 THEN max(e.${names.dimension(name)}) + 1 ELSE ${dialect.integer(0)} END FROM ${cells} AS e)`
      : dialect.integer(size),
  );
  const mapped = type.mapped.map(({ name }) => `c.${names.dimension(name)}`);
  const blocks =
    mapped.length === 0
      ? dialect.integer(1)
      : `(SELECT count(*) FROM (SELECT DISTINCT ${mapped.join(", ")} FROM ${cells} AS c) AS b)`;
  const indexes = type.indexed.map(({ name }) => names.dimension(name));
  const addresses = [...mapped, ...indexes.map((each) => `c.${each}`)].join(", ");
  const present = `(SELECT count(*) FROM (SELECT DISTINCT ${addresses} FROM ${cells} AS c) AS b)`;
  return `(${[blocks, ...sizes].join(" * ")} - ${present})`;
}

/** What the cells are called in the statement: no table that the binding reads has the name. */
function cellsName({ binding }: InputTable): string {
  const reserved = new Set(tableNames(binding));
  let name = "cells";
  for (let count = 2; reserved.has(name); count++) name = `cells_${count}`;
  return name;
}

const sumOf = (counts: readonly string[]): string => (counts.length === 0 ? "0" : counts.join(" + "));

/** Arrays that have no row for any cell: those that are NULL, and the cells that empty ones lack. */
function arraysWithoutCells({ type, binding, dialect }: InputTable): {
  readonly isNull: string;
  readonly lacking: string;
} {
  const { block } = binding;
  if (block === undefined) return { isNull: "0", lacking: "0" };
  const array = `t.${dialect.identifier(block)}`;
  const count = (where: string): string =>
    `(SELECT count(*) FROM ${sourceText(binding, dialect)} AS t WHERE ${where})`;
  return {
    isNull: count(`${array} IS NULL`),
    lacking: `${count(`${dialect.arrayLength(array)} = 0`)} * ${dialect.integer(type.blockSize)}`,
  };
}

/** Rows whose columns of numbers hold something else, which the engine would cast without a word. */
function otherTypes({ type, binding, dialect, axes }: InputTable): string {
  const { isNoNumber, isOtherShape, identifier } = dialect;
  const { dimensions, block, value = "value" } = binding;
  const column = (name: string): string => `t.${identifier(name)}`;
  const indexes = type.indexed.flatMap(({ name }) => dimensions[name] ?? []);
  const sizes = axes.map((axis) => element(type.declaredSizes, axis));
  const tests = [
    ...(isNoNumber === undefined ? [] : [...indexes, block ?? value].map((each) => isNoNumber(column(each)))),
    // One list of all cells is right for any sizes.
    ...(isOtherShape === undefined || block === undefined || sizes.length < 2
      ? []
      : [isOtherShape(column(block), sizes)]),
  ];
  if (tests.length === 0) return "0";
  return `(SELECT count(*) FROM ${sourceText(binding, dialect)} AS t WHERE ${tests.join(" OR ")})`;
}
