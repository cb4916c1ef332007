import type { SqlDialect } from "../../src/backends/sql/dialect.js";
import type { Template } from "../../src/backends/sql/scalar-expression.js";
import { textAsNumber } from "../../src/language/scalar/hash.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import type { Binding, TableBinding } from "../../src/sql.js";
import type { Choice } from "../hunt/choice.js";
import { addressType, type ColumnTypes, cellType } from "./columns.js";
import { irregularRows, plainRows, type Row, type TableRows } from "./rows.js";

/** A tensor as a database may have it. */
export interface Stored {
  /** What is to be run first, on each shard. */
  readonly statements: readonly (readonly string[])[];
  /** The binding of what is there then. */
  readonly binding: Binding;
}

/** Where rows are put. */
export interface Store {
  readonly dialect: SqlDialect;
  /** Of files that the engine reads; nothing where it reads none. */
  readonly folder: string | undefined;
  /** How many engines there are; several are the shards of one cluster. */
  readonly shards: number;
  readonly types: ColumnTypes;
}

const kinds = ["tensor", "query", "table", "parquet", "csv"] as const;
const weights = { tensor: 1, query: 3, table: 3, parquet: 3, csv: 3 } as const;

/** A tensor as an input of this name, bound in one of all ways. */
export function storedAs(name: string, tensor: Tensor, store: Store, choice: Choice): Stored {
  const { dialect, folder, shards } = store;
  const possible = kinds.filter((kind) =>
    shards > 1
      ? kind === "tensor" || kind === "table"
      : folder !== undefined || (kind !== "parquet" && kind !== "csv"),
  );
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
  const isPartitioned = shards > 1 && type.mapped.length > 0 && choice.percent(75);
  const partition = isPartitioned ? choice.oneOf(type.mapped).name : undefined;
  const at = (isBlock ? type.mapped : type.dimensions).findIndex((each) => each.name === partition);
  const queries = Array.from({ length: shards }, (_, shard) => {
    const rows = at < 0 ? table.rows : table.rows.filter((row) => shardOf(row.address[at], shards) === shard);
    return queryOf(columns, rows, store, isBlock);
  }).filter((query) => query !== undefined);
  const sources = queries.map((query) => sourceOf(kind, name, query, store));
  const [source] = sources;
  if (queries.length < shards || source === undefined)
    return { statements: Array.from({ length: shards }, () => []), binding: { tensor } };
  const last = columns.at(-1)?.name ?? "";
  const dimensions = isBlock ? type.mapped : type.dimensions;
  return {
    statements: sources.map((each) => each?.statements ?? []),
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
      ...(shards === 1 ? {} : partition === undefined ? { isReplicated: true } : { partition }),
    },
  };
}

/** The rows of one label are all on one shard. */
const shardOf = (label: string | number | undefined, shards: number): number =>
  Math.abs(Math.trunc(textAsNumber(`${label}`))) % shards;

interface Column {
  readonly name: string;
  readonly as: Template;
}

/** What columns are called, words of SQL and names with quotes among them. */
const columnNames = ["x", "Y", "select", "a b", 'c"d', "value", "it's", "group", "n0", "cells"];

function columnsOf(
  tensor: Tensor,
  isBlock: boolean,
  rows: readonly Row[],
  { types }: Store,
  choice: Choice,
): readonly Column[] {
  const { type } = tensor;
  const names = choice.shuffled(columnNames);
  const dimensions = isBlock ? type.mapped : type.dimensions;
  const addresses = dimensions.map(({ kind }, at): Column => {
    const labels = rows.map(({ address }) => address[at]);
    return { name: names[at] ?? "", as: addressType(labels, kind === "indexed", types, choice) };
  });
  const cell = cellType(tensor, isBlock, rows, types, choice);
  return [...addresses, { name: names[dimensions.length] ?? "", as: cell }];
}

/** The rows as a query; nothing where the engine cannot hold one of the labels. */
function queryOf(
  columns: readonly Column[],
  rows: readonly Row[],
  { dialect, types }: Store,
  isBlock: boolean,
): string | undefined {
  const { identifier, number, arrays } = dialect;
  const cellText = (cell: number | undefined): string => (cell === undefined ? "NULL" : number(cell));
  const texts = rows.map(({ address, cells }) => {
    const labels = address.map((label) =>
      label === undefined ? "NULL" : typeof label === "number" ? `${label}` : dialect.text(label),
    );
    const value =
      cells === undefined ? "NULL" : isBlock ? arrays?.literal(cells.map(cellText)) : cellText(cells[0]);
    return [...labels, value];
  });
  const written = texts.map((row) => row.filter((text) => text !== undefined));
  if (written.some((row, at) => row.length < (texts[at]?.length ?? 0))) return undefined;
  const { label, index, number: double } = dialect.types;
  const plain = columns.map((_, at) => {
    const isCell = at === columns.length - 1;
    const isIndex = rows.some(({ address }) => typeof address[at] === "number");
    const cell = isBlock ? types.array(types.nullable(double)) : types.nullable(double);
    return { name: identifier(`r${at}`), type: isCell ? cell : types.nullable(isIndex ? index : label) };
  });
  const cast = columns.map(({ name, as }, at) => `${as(`r.${identifier(`r${at}`)}`)} AS ${identifier(name)}`);
  return `SELECT ${cast.join(", ")} FROM (${dialect.rows(plain, written)}) AS r`;
}

function sourceOf(
  kind: (typeof kinds)[number],
  name: string,
  query: string,
  { dialect, folder }: Store,
): { readonly statements: readonly string[]; readonly source: TableBinding["source"] } | undefined {
  if (kind === "query") return { statements: [], source: { query } };
  if (kind === "table") {
    const table = `input_${name}`;
    return { statements: dialect.writeTable(query, table), source: { table } };
  }
  if (kind === "tensor") return undefined;
  const file = `${folder}/${name}.${kind}`;
  const written = dialect.writeFile?.(query, file, kind);
  return written === undefined ? undefined : { statements: [written], source: { file } };
}
