import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { parseType, readTrainingTable } from "../../src/index.js";
import { readTrainingParquet } from "../../src/models.js";
import { columnsOfArrow } from "../../src/sql/drivers/arrow-stream.js";
import { parquetOf, parquetWith } from "./parquet.js";
import { attempt, type GrowthRow, many, row, rowsOf, type Texts } from "./row.js";

/** Tables: those to train on, as CSV and Parquet, and the streams of Arrow that servers answer. */

const inputs = new Map([
  ["x", parseType("tensor(row[])")],
  ["k", parseType("tensor(row[],k{})")],
]);

const wide = (count: number) => new Map([["x", parseType(`tensor(row[],x[${Math.ceil(count)}])`)]]);
const columnsOf = (count: number): string[] =>
  Array.from({ length: Math.ceil(count) }, (_, at) => `x[${at}]`);

const lines: Texts = [
  ["lines", (n) => `x,k\n${many(n / 5, (i) => `${i % 10},a${i % 7}`, "\n")}`],
  ["lines of one label", (n) => `x,k\n${many(n / 4, () => "1,a", "\n")}`],
  ["wrong lines", (n) => `x,k\n${many(n / 2, () => "a", "\n")}`],
  ["columns of one name", (n) => `${many(n / 2, () => "x", ",")}\n1,2`],
  ["other columns", (n) => `${many(n / 6, (i) => `y${i}`, ",")}\n1,2`],
  ["quotes", (n) => `x,k\n${'"'.repeat(n)}`],
  ["commas", (n) => `x,k\n${",".repeat(n)}`],
  ["line breaks", (n) => `x,k${"\n".repeat(n)}`],
];

/** A file of Parquet, where a list of columns is all that differs. */
const reads = (name: string, bytes: (size: number) => Uint8Array): GrowthRow =>
  row(`parquet: ${name}`, bytes, (file) =>
    attempt(() => readTrainingParquet(file, new Map([...inputs].slice(0, 1)))),
  );

/** The driver turns what an answer throws into a problem. */
function answer(bytes: Uint8Array): void {
  try {
    columnsOfArrow(bytes);
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
  }
}

const list = <T>(count: number, value: (at: number) => T): T[] =>
  Array.from({ length: Math.ceil(count) }, (_, at) => value(at));
const column = (count: number) =>
  vectorFromArray(
    list(count, (at) => at / 3),
    new Float64(),
  );

export const tableRows: readonly GrowthRow[] = [
  ...rowsOf("table to train on", lines, (text) =>
    attempt(() => readTrainingTable({ name: "t.csv", text }, inputs)),
  ),
  row(
    "table to train on: columns",
    (n) => ({
      text: `${columnsOf(n / 10).join(",")}\n${columnsOf(n / 10)
        .map(() => "1")
        .join(",")}\n`,
      inputs: wide(n / 10),
    }),
    ({ text, inputs: own }) => readTrainingTable({ name: "t.csv", text }, own),
  ),
  reads("rows", (n) => parquetOf(["x"], 1, 1, Math.ceil(n / 8))),
  reads("pages", (n) => parquetOf(["x"], 1, Math.ceil(n / 30), 1)),
  reads("groups of rows", (n) => parquetOf(["x"], Math.ceil(n / 80), 1, 1)),
  reads("other columns", (n) => parquetOf(["x", ...list(n / 80, (at) => `y${at}`)], 1, 1, 1)),
  row(
    "parquet: columns",
    (n) => ({ file: parquetOf(columnsOf(n / 80), 1, 1, 1), inputs: wide(n / 80) }),
    ({ file, inputs: own }) => readTrainingParquet(file, own),
  ),
  reads("zeros", (n) => parquetWith(new Uint8Array(n))),
  reads("structures in structures", (n) => parquetWith(new Uint8Array(n).fill(0x1c))),
  reads("lists in lists", (n) => parquetWith(new Uint8Array(n).fill(0x19))),
  row("arrow: rows", (n) => tableToIPC(new Table({ a: column(n / 8) }), "stream"), answer),
  row(
    "arrow: texts",
    (n) =>
      tableToIPC(
        new Table({
          a: vectorFromArray(
            list(n / 8, (at) => `a${at}`),
            new Utf8(),
          ),
        }),
        "stream",
      ),
    answer,
  ),
  row(
    "arrow: columns",
    (n) => tableToIPC(new Table(Object.fromEntries(list(n / 200, (at) => [`a${at}`, column(1)]))), "stream"),
    answer,
  ),
  row(
    "arrow: messages",
    (n) => {
      const one = new Table({ a: column(1) }).batches;
      return tableToIPC(new Table(list(n / 200, () => one).flat()), "stream");
    },
    answer,
  ),
  row("arrow: zeros", (n) => new Uint8Array(n), answer),
  row("arrow: ones", (n) => new Uint8Array(n).fill(255), answer),
];
