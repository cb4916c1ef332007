import { readdirSync, readFileSync } from "node:fs";
import { Bool, Float64, Int32, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { parseType, readTrainingTable } from "../../../src/index.js";
import { readTrainingParquet } from "../../../src/models.js";
import { readBindings } from "../../../src/sql/bindings-file.js";
import { columnsOfArrow } from "../../../src/sql/drivers/arrow-stream.js";
import type { Choice } from "../../hunt/choice.js";
import { Grammar } from "../grammar.js";
import { bytesSurface, laterOutcome, outcome, type Surface, textSurface } from "../surface.js";
import { testFolder } from "../test-folder.js";

/** Tables: what training reads, where databases have them, and what servers answer. */

// biome-ignore format: a grammar
const grammar = new Grammar({
  csv:      ["x,y,k\n<line*\n>", "<name*,>\n<line*\n>"],
  line:     ["<field>,<field>,<field>", "<field*,>"],
  field:    ["1", "-0.5", "a", "", '"b,c"', "NaN", "1e400"],
  name:     ["x", "y", "k", "x.1", "value", "", '"a b"'],
  bindings: ["<input*\n>", "{<flow*, >}", "<value>"],
  input:    ["q:\n  <key>\n  <key>", "q: {<flow*, >}", "<name>: <value>"],
  key:      ["table: t", "file: a.csv", "query: select 1", "dimensions: {k: k}", "dimensions: <value>", "value: <value>", "block: b", "duplicates: sum", "missing: <value>", "trusted: true", "<name>: <value>"],
  flow:     ["table: t", "dimensions: {<flow*, >}", "k: <value>", "q: {<flow*, >}", "? a : b", "<<: *a"],
  value:    ["1", "a", "null", "[<value*, >]", "{<flow*, >}", "*a", "&a 1", "!!int 3", '"\\n"', "zero", "refuse"],
});

const inputs = new Map([
  ["x", parseType("tensor(row[])")],
  ["y", parseType("tensor(row[],x[2])")],
  ["k", parseType("tensor(row[],k{})")],
]);

const folder = testFolder("formats/parquet");
let files: readonly Uint8Array[] | undefined;

/** Files of a library, in which all sorts of bytes are then changed. */
function parquet(choice: Choice): Uint8Array {
  files ??= parquetFiles();
  return choice.oneOf(files);
}

function parquetFiles(): Uint8Array[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".parquet"));
  return names.sort().map((name) => Uint8Array.from(readFileSync(new URL(name, folder))));
}

/** A stream of Arrow with columns of some kinds, in some of whose rows there is nothing. */
function arrow(choice: Choice): Uint8Array {
  const rows = choice.below(9);
  const list = <T>(value: (at: number) => T): (T | null)[] =>
    Array.from({ length: rows }, (_, at) => (choice.percent(20) ? null : value(at)));
  const columns = {
    a: vectorFromArray(
      list((at) => at / 3),
      new Float64(),
    ),
    b: vectorFromArray(
      list((at) => "x".repeat(at)),
      new Utf8(),
    ),
    c: vectorFromArray(
      list((at) => at),
      new Int32(),
    ),
    d: vectorFromArray(
      list((at) => at % 2 === 0),
      new Bool(),
    ),
  };
  return tableToIPC(new Table(columns), "stream");
}

/** The driver turns what an answer throws into a problem; anything but an error of that kind, or no end, is a fault. */
function attemptArrow(bytes: Uint8Array): void {
  try {
    columnsOfArrow(bytes);
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
  }
}

export const tableSurfaces: readonly Surface[] = [
  textSurface({
    name: "table to train on",
    weight: 1,
    derive: (choice) => grammar.derive("csv", choice),
    attempt: (text) => void outcome(() => readTrainingTable({ name: "table.csv", text }, inputs)),
  }),
  textSurface({
    name: "bindings",
    weight: 1,
    derive: (choice) => grammar.derive("bindings", choice),
    attempt: async (text) => void (await laterOutcome(() => readBindings({ name: "bindings.yaml", text }))),
  }),
  bytesSurface({
    name: "parquet",
    weight: 1,
    derive: parquet,
    attempt: async (bytes) =>
      void (await laterOutcome(() => readTrainingParquet(bytes, inputs, { limits: { bytes: 1e8 } }))),
  }),
  bytesSurface({ name: "arrow", weight: 1, derive: arrow, attempt: attemptArrow }),
];
