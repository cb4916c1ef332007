import type { SqlDialect } from "../../../src/backends/sql/dialect.js";
import type { Template } from "../../../src/backends/sql/expressions/scalar-expression.js";
import { textAsNumber } from "../../../src/language/scalar/hash.js";
import { TensorType } from "../../../src/language/types/type.js";
import { element } from "../../../src/language/values/element.js";
import type { Tensor } from "../../../src/language/values/tensor.js";
import type { Binding, TableBinding } from "../../../src/sql.js";
import type { Input } from "../../hunt/builder.js";
import type { Choice } from "../../hunt/choice.js";
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

/** How often a tensor is stored so, where it can be: the last ones are files. */
const weights = { tensor: 1, query: 3, table: 3, view: 2, parquet: 2, csv: 3, files: 2, folders: 2 } as const;
type Kind = keyof typeof weights;
const kinds: readonly Kind[] = ["tensor", "query", "table", "view", "parquet", "csv", "files", "folders"];
const onShards: readonly Kind[] = ["tensor", "table", "view"];
const ofFiles: readonly Kind[] = ["parquet", "csv", "files", "folders"];
const ofParquet: readonly Kind[] = ["parquet", "files", "folders"];

/** A tensor as an input of this name, bound in one of all ways. */
export function storedAs(name: string, tensor: Tensor, store: Store, choice: Choice): Stored {
  const { dialect, folder, shards } = store;
  const possible = kinds.filter((kind) =>
    shards > 1 ? onShards.includes(kind) : folder !== undefined || !ofFiles.includes(kind),
  );
  const kind = choice.weighted(possible, (each) => weights[each]);
  const columnStore = storeFor(kind, store);
  const { type } = tensor;
  const isBlock =
    choice.percent(40) &&
    dialect.arrays !== undefined &&
    kind !== "csv" &&
    type.isBound &&
    type.indexed.length > 0;
  const dimensions = isBlock ? type.mapped : type.dimensions;
  const isPlain = choice.percent(40);
  const table: TableRows = isPlain
    ? { rows: plainRows(tensor, isBlock), duplicates: "error", missing: "error", nulls: "error" }
    : irregularRows(tensor, isBlock, choice, !isBlock || store.types.hasNullArrays);
  const names = choice.shuffled(columnNames);
  const columns = columnsOf(tensor, isBlock, table.rows, { names, store: columnStore }, choice);
  const isPartitioned = shards > 1 && type.mapped.length > 0 && choice.percent(75);
  const partition = isPartitioned ? choice.oneOf(type.mapped).name : undefined;
  const at = dimensions.findIndex((each) => each.name === partition);
  const queries = Array.from({ length: shards }, (_, shard) => {
    const rows = at < 0 ? table.rows : table.rows.filter((row) => shardOf(row.address[at], shards) === shard);
    return queryOf(columns, rows, store, isBlock);
  }).filter((query) => query !== undefined);
  const half = choice.below(table.rows.length + 1);
  // Each file has types and an order of columns of its own.
  const parts = [table.rows.slice(0, half), table.rows.slice(half)].map((rows) =>
    queryOf(
      columnsOf(tensor, isBlock, rows, { names, store: columnStore }, choice),
      rows,
      store,
      isBlock,
      choice,
    ),
  );
  // A folder k=NULL has rows without a label.
  const hasNullName = table.rows.some(({ address }) =>
    address.some((each) => `${each}`.toLowerCase() === "null"),
  );
  const isInFolders = type.mapped.length > 0 && table.rows.length > 0 && !hasNullName;
  const mapped = isInFolders ? choice.oneOf(type.mapped) : undefined;
  const own = columns[dimensions.findIndex((each) => each.name === mapped?.name)]?.name;
  const folders = namesOfFolders.find((each) => each === own);
  const sources = queries.map((query) => sourceOf({ kind, name, query, parts, folders }, store));
  const [source] = sources;
  if (queries.length < shards || source === undefined)
    return { statements: Array.from({ length: shards }, () => []), binding: { tensor } };
  const last = columns.at(-1)?.name ?? "";
  return {
    statements: sources.map((each) => each?.statements ?? []),
    binding: {
      source: source.source,
      dimensions: Object.fromEntries(
        dimensions.map((dimension, at) => [dimension.name, columns[at]?.name ?? ""]),
      ),
      ...(isBlock ? { block: last } : { value: last }),
      // A float is written with as many digits as tell it from others: as a double these are another number.
      ...(isPlain && kind !== "csv" && kind !== "files" && choice.percent(50) ? { isTrusted: true } : {}),
      ...(isPlain && choice.percent(50)
        ? {}
        : { duplicates: table.duplicates, missing: table.missing, nulls: table.nulls }),
      ...(shards === 1 ? {} : partition === undefined ? { isReplicated: true } : { partition }),
    },
  };
}

/** Those of some inputs that have the same addresses as another, as columns of its table. */
export function storedTogether(
  inputs: readonly Input[],
  store: Store,
  choice: Choice,
): ReadonlyMap<string, Stored> {
  const found = new Map<string, Stored>();
  if (store.shards > 1) return found;
  const groups = new Map<string, Input[]>();
  for (const input of inputs) {
    const [{ type, sizes, labels }] = input.values;
    const key = JSON.stringify([`${type.withCells("double")}`, sizes, labels]);
    groups.set(key, [...(groups.get(key) ?? []), input]);
  }
  for (const group of groups.values())
    if (group.length > 1 && choice.percent(70))
      for (const [name, stored] of columnsOfOne(group, store, choice)) found.set(name, stored);
  return found;
}

/** Inputs with the same addresses as columns of one table. */
function columnsOfOne(
  inputs: readonly Input[],
  store: Store,
  choice: Choice,
): readonly (readonly [name: string, Stored])[] {
  const tensors = inputs.map(({ values: [tensor] }) => tensor);
  const [{ name = "", type: { dimensions } = TensorType.scalar } = {}] = inputs;
  const each = tensors.map((tensor) => plainRows(tensor, false));
  const rows = element(each, 0).map(
    ({ address }, at): Row => ({ address, cells: each.flatMap((all) => all[at]?.cells ?? []) }),
  );
  const names = choice.shuffled(columnNames);
  const addresses = dimensions.map(({ kind }, at): Column => {
    const labels = rows.map(({ address }) => address[at]);
    return { name: names[at] ?? "", as: addressType(labels, kind === "indexed", store.types, choice) };
  });
  const cells = tensors.map((tensor, at): Column => {
    const name = names[dimensions.length + at] ?? "";
    return { name, as: cellType(tensor, false, element(each, at), store.types, choice) };
  });
  const query = queryOf([...addresses, ...cells], rows, store, false, choice);
  const kind = choice.oneOf(["query", "table", "view"] as const);
  const source =
    query === undefined ? undefined : sourceOf({ kind, name, query, parts: [], folders: undefined }, store);
  if (source === undefined) return [];
  return inputs.map((input, at) => {
    const binding = {
      source: source.source,
      dimensions: Object.fromEntries(
        input.type.dimensions.map((dimension, position) => [dimension.name, names[position] ?? ""]),
      ),
      value: cells[at]?.name ?? "",
      ...(choice.percent(20) ? { isTrusted: true } : {}),
      ...(choice.percent(20) ? { nulls: "absent" as const } : {}),
    };
    return [input.name, { statements: [at === 0 ? source.statements : []], binding }];
  });
}

/** The rows of one label are all on one shard. */
const shardOf = (label: string | number | undefined, shards: number): number =>
  Math.abs(Math.trunc(textAsNumber(`${label}`))) % shards;

/** A store whose columns a kind can hold. */
function storeFor(kind: Kind, store: Store): Store {
  let { truths, integers } = store.types;
  // A truth that is a text, in a file of texts or beside a file of texts, is no number.
  if (kind === "csv" || kind === "files") truths = [];
  // Parquet has no integers of 128 bits: DuckDB writes them as doubles, which have not all of their digits.
  if (ofParquet.includes(kind)) integers = integers.filter(({ most }) => most < 2n ** 64n);
  return { ...store, types: { ...store.types, truths, integers } };
}

interface Column {
  readonly name: string;
  readonly as: Template;
}

/** What columns are called, words of SQL and names with quotes among them. */
const columnNames = [
  "x",
  "Y",
  "select",
  "a b",
  'c"d',
  "value",
  "it's",
  "group",
  "n0",
  "cells",
  "userId",
  "Order",
  "user",
  "NULL",
  "größe",
  "k.v",
  "1st",
];

/** Those that are the same as names of folders. */
const namesOfFolders = ["x", "Y", "select", "value", "group", "n0", "cells", "userId", "Order", "user"];

function columnsOf(
  tensor: Tensor,
  isBlock: boolean,
  rows: readonly Row[],
  { names, store: { types } }: { readonly names: readonly string[]; readonly store: Store },
  choice: Choice,
): readonly Column[] {
  const { type } = tensor;
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
  order?: Choice,
): string | undefined {
  const { identifier, number, arrays } = dialect;
  const cellText = (cell: number | undefined): string => (cell === undefined ? "NULL" : number(cell));
  const texts = rows.map(({ address, cells }) => {
    const labels = address.map((label) =>
      label === undefined ? "NULL" : typeof label === "number" ? `${label}` : dialect.text(label),
    );
    if (isBlock) return [...labels, cells === undefined ? "NULL" : arrays?.literal(cells.map(cellText))];
    return [...labels, ...(cells ?? [undefined]).map(cellText)];
  });
  const written = texts.map((row) => row.filter((text) => text !== undefined));
  if (written.some((row, at) => row.length < (texts[at]?.length ?? 0))) return undefined;
  const { label, index, number: double } = dialect.types;
  const plain = columns.map((_, at) => {
    const isCell = at >= (rows[0]?.address.length ?? columns.length - 1);
    const isIndex = rows.some(({ address }) => typeof address[at] === "number");
    const cell = isBlock ? types.arrays(types.nullable(double), 0)[0] : types.nullable(double);
    return { name: identifier(`r${at}`), type: isCell ? cell : types.nullable(isIndex ? index : label) };
  });
  const cast = columns.map(({ name, as }, at) => `${as(`r.${identifier(`r${at}`)}`)} AS ${identifier(name)}`);
  const list = order === undefined ? cast : order.shuffled(cast);
  return `SELECT ${list.join(", ")} FROM (${dialect.rows(plain, written)}) AS r`;
}

/** What is stored in which way. */
interface Rows {
  readonly kind: Kind;
  readonly name: string;
  readonly query: string;
  /** The queries of two files with the same rows. */
  readonly parts: readonly (string | undefined)[];
  /** The column whose labels are the names of folders; nothing where there are none. */
  readonly folders: string | undefined;
}

function sourceOf(
  { kind, name, query, parts, folders }: Rows,
  { dialect, folder }: Store,
): { readonly statements: readonly string[]; readonly source: TableBinding["source"] } | undefined {
  const { identifier, writeFile = () => "" } = dialect;
  if (kind === "tensor") return undefined;
  if (kind === "query") return { statements: [], source: { query } };
  if (kind === "table") {
    const table = `input_${name}`;
    return { statements: dialect.writeTable(query, table), source: { table } };
  }
  if (kind === "view") {
    const view = `view_${name}`;
    const statements = [
      `DROP VIEW IF EXISTS ${identifier(view)}`,
      `CREATE VIEW ${identifier(view)} AS ${query}`,
    ];
    return { statements, source: { table: view } };
  }
  if (kind === "files") {
    const queries = parts.filter((each) => each !== undefined);
    if (queries.length < parts.length) return undefined;
    const statements = queries.map((each, at) =>
      writeFile(each, `${folder}/${name}-${at}.parquet`, "parquet"),
    );
    return { statements, source: { file: `${folder}/${name}-*.parquet` } };
  }
  if (kind === "folders" && folders !== undefined) {
    const options = `FORMAT parquet, PARTITION_BY (${identifier(folders)}), OVERWRITE`;
    const statements = [`COPY (${query}) TO '${folder}/${name}' (${options})`];
    return { statements, source: { file: `${folder}/${name}/*/*.parquet` } };
  }
  const format = kind === "csv" ? "csv" : "parquet";
  const file = `${folder}/${name}.${format}`;
  return { statements: [writeFile(query, file, format)], source: { file } };
}
