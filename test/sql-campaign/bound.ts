import type { SqlDialect } from "../../src/backends/sql/dialect.js";
import { type CellType, cellTypes } from "../../src/language/types/cell.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import type { Binding, TableBinding } from "../../src/sql.js";
import type { Choice } from "../hunt/choice.js";
import { irregularRows, plainRows, type Row, type TableRows } from "./rows.js";

/** A tensor as a database may have it: what is to be run first, and the binding of what is there then. */
export interface Stored {
  readonly statements: readonly string[];
  readonly binding: Binding;
}

/** Where rows are put. */
export interface Store {
  readonly dialect: SqlDialect;
  /** Of files that the engine reads; nothing where it reads none. */
  readonly folder: string | undefined;
  /** The types of columns in the words of the engine. */
  readonly types: ColumnTypes;
}

export interface ColumnTypes {
  /** Of columns of whole numbers, the widest first. */
  readonly integers: readonly string[];
  /** Of columns of these cells, beside those of doubles; nothing where there is none. */
  readonly cells: Readonly<Partial<Record<CellType, string>>>;
  /** Numbers with three digits after the point. */
  readonly decimal: string;
}

const kinds = ["tensor", "query", "table", "parquet", "csv"] as const;
const weights = { tensor: 1, query: 3, table: 3, parquet: 3, csv: 3 } as const;

/** A tensor as an input of this name, bound in one of all ways. */
export function storedAs(name: string, tensor: Tensor, store: Store, choice: Choice): Stored {
  const { dialect, folder } = store;
  const possible = kinds.filter((kind) => folder !== undefined || (kind !== "parquet" && kind !== "csv"));
  const kind = choice.weighted(possible, (each) => weights[each]);
  const { type } = tensor;
  const isBlock =
    choice.percent(40) &&
    dialect.arrays !== undefined &&
    kind !== "csv" &&
    type.isBound &&
    type.indexed.length > 0;
  const isPlain = choice.percent(40);
  const table: TableRows = isPlain
    ? { rows: plainRows(tensor, isBlock), duplicates: "error", missing: "error", nulls: "error" }
    : irregularRows(tensor, isBlock, choice);
  const columns = columnsOf(tensor, isBlock, table.rows, store, choice);
  const query = queryOf(columns, table.rows, dialect);
  const source = sourceOf(kind, name, query, store);
  if (kind === "tensor" || query === undefined || source === undefined)
    return { statements: [], binding: { tensor } };
  const last = columns.at(-1)?.name ?? "";
  const dimensions = isBlock ? type.mapped : type.dimensions;
  return {
    statements: source.statements,
    binding: {
      source: source.source,
      dimensions: Object.fromEntries(
        dimensions.map((dimension, at) => [dimension.name, columns[at]?.name ?? ""]),
      ),
      ...(isBlock ? { block: last } : { value: last }),
      // A float is written with as many digits as tell it from others: as a double these are another number.
      ...(isPlain && kind !== "csv" && choice.percent(50) ? { isTrusted: true } : {}),
      ...(isPlain && choice.percent(50)
        ? {}
        : { duplicates: table.duplicates, missing: table.missing, nulls: table.nulls }),
    },
  };
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** What columns are called, words of SQL and names with quotes among them. */
const columnNames = ["x", "Y", "select", "a b", 'c"d', "value", "it's", "group", "n0", "cells"];

function columnsOf(
  { type }: Tensor,
  isBlock: boolean,
  rows: readonly Row[],
  { dialect, types }: Store,
  choice: Choice,
): readonly Column[] {
  const names = choice.shuffled(columnNames);
  const dimensions = isBlock ? type.mapped : type.dimensions;
  const addresses = dimensions.map(({ kind }, at): Column => {
    const labels = rows.map(({ address }) => address[at]);
    const isNumber = kind === "indexed" || labels.every(isInteger);
    const column = isNumber && (kind === "indexed" || choice.percent(30));
    return {
      name: names[at] ?? "",
      type: column ? choice.oneOf(types.integers) : dialect.types.label,
    };
  });
  const cells = rows.flatMap((row) => row.cells ?? []).filter((cell) => cell !== undefined);
  const own = types.cells[type.cellType];
  const { store } = cellTypes[type.cellType];
  // A repeated row has other numbers.
  const isOwn = cells.every((cell) => Object.is(store(cell), cell));
  const possible = [
    dialect.types.number,
    ...(own !== undefined && isOwn ? [own, own] : []),
    ...(cells.every((cell) => Number.isSafeInteger(cell) && !Object.is(cell, -0))
      ? types.integers.slice(0, 1)
      : []),
    ...(cells.every((cell) => Number.isSafeInteger(cell * 1000) && !Object.is(cell, -0))
      ? [types.decimal]
      : []),
  ];
  const cell = choice.oneOf(possible);
  return [...addresses, { name: names[dimensions.length] ?? "", type: isBlock ? `${cell}[]` : cell }];
}

const isInteger = (label: string | number | undefined): boolean =>
  label === undefined || (Number.isInteger(Number(label)) && `${Number(label)}` === `${label}`);

/** The rows as a query; nothing where the engine cannot hold one of the labels. */
function queryOf(columns: readonly Column[], rows: readonly Row[], dialect: SqlDialect): string | undefined {
  const { identifier, number, arrays, types } = dialect;
  const cellText = (cell: number | undefined): string => (cell === undefined ? "NULL" : number(cell));
  const texts = rows.map(({ address, cells }) => {
    const labels = address.map((label) =>
      label === undefined ? "NULL" : typeof label === "number" ? `${label}` : dialect.text(label),
    );
    const isArray = columns.at(-1)?.type.endsWith("[]");
    const value =
      cells === undefined ? "NULL" : isArray ? arrays?.literal(cells.map(cellText)) : cellText(cells[0]);
    return [...labels, value];
  });
  const written = texts.map((row) => row.filter((text) => text !== undefined));
  if (written.some((row, at) => row.length < (texts[at]?.length ?? 0))) return undefined;
  const plain = columns.map(({ type }, at) => ({ name: identifier(`r${at}`), type }));
  const raw = dialect.rows(
    plain.map((each) => ({ ...each, type: each.type === types.label ? types.label : each.type })),
    written,
  );
  const cast = columns.map(
    ({ name, type }, at) => `CAST(r.${identifier(`r${at}`)} AS ${type}) AS ${identifier(name)}`,
  );
  return `SELECT ${cast.join(", ")} FROM (${raw}) AS r`;
}

function sourceOf(
  kind: (typeof kinds)[number],
  name: string,
  query: string | undefined,
  { dialect, folder }: Store,
): { readonly statements: readonly string[]; readonly source: TableBinding["source"] } | undefined {
  if (query === undefined) return undefined;
  if (kind === "query") return { statements: [], source: { query } };
  if (kind === "table") {
    const table = `input_${name}`;
    return {
      statements: [`DROP TABLE IF EXISTS ${table}`, `CREATE TABLE ${table} AS ${query}`],
      source: { table },
    };
  }
  if (kind === "tensor") return undefined;
  const file = `${folder}/${name}.${kind}`;
  const written = dialect.writeFile?.(query, file, kind);
  return written === undefined ? undefined : { statements: [written], source: { file } };
}
