import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  compile,
  parseType,
  readNpz,
  readTensor,
  Tensor,
  tensorFormats,
  writeNpz,
  writeTensor,
} from "../../src/index.js";
import { readTrainingParquet } from "../../src/models.js";
import { columnsOfChunks } from "../../src/sql/drivers/duckdb-columns.js";
import { duckdb, onEngine } from "../../src/sql.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { engine, hasDuckDb } from "./duckdb.js";
import { expectLabels, hostileLabels, tensorWith } from "./hostile-labels.js";
import { expectNumberLabels } from "./number-labels.js";

/** Labels come out of every file and of DuckDB as they went in, whatever they are. Other engines: engines*.test.ts. */

// The first dimension of a file of text is where its mark would be.
const inFiles = tensorWith(hostileLabels);

test.each(tensorFormats.filter((each) => each !== "npy"))("labels in a file of %s", (format) => {
  const written = writeTensor(inFiles, format);
  const bytes = typeof written === "string" ? new TextEncoder().encode(written) : written;
  expect(readTensor(bytes, format, { type: "tensor(k{})" }).labels).toEqual(inFiles.labels);
});

test("labels in a file of npz", async () => {
  const found = await readNpz(await writeNpz(inFiles), { type: "tensor(k{})" });
  expect(found.labels).toEqual(inFiles.labels);
});

test("a file has one mark at its beginning, and what follows is text", () => {
  const [plain, another] = ["k,value\n\ufeffa,1\n", "\ufeff"];
  const marked = new TextEncoder().encode(another + plain);
  expect(readTensor(marked, "csv", { type: "tensor(k{})" }).labels).toEqual([["\ufeffa"]]);
});

describe.skipIf(!hasDuckDb)("on DuckDB", patient, () => {
  const folder = temporaryFolder();

  test("labels are computed with, written and read", async () => {
    const file = join(folder, "labels.duckdb");
    const targets = [
      { table: "labels" },
      ...["labels.csv", "labels.parquet"].map((name) => ({ file: join(folder, name) })),
    ];
    await expectLabels(duckdb({ file }), { targets });
  });

  test("a computed number of any size is the label of its digits", async () => {
    await expectNumberLabels(engine);
  });

  test("texts are read by versions of the package that only copy bytes", async () => {
    const library = await import("@duckdb/node-api");
    const instance = await library.DuckDBInstance.create();
    const connection = await instance.connect();
    const answer = await connection.run("SELECT unnest([chr(65279) || 'a', NULL, '', repeat('x', 13)]), 7");
    const prototype = {
      ...library.DuckDBBlobVector.prototype,
      getItem: library.DuckDBBlobVector.prototype.getItem,
    };
    const older = { ...library, DuckDBBlobVector: { prototype } };
    expect(columnsOfChunks(older, 2, await answer.fetchAllChunks())).toEqual([
      ["\ufeffa", null, "", "x".repeat(13)],
      [7, 7, 7, 7],
    ]);
    connection.closeSync();
    instance.closeSync();
  });

  test("labels of files that we write are those that it reads", async () => {
    const rows = hostileLabels.map((k, value) => ({ k, value }));
    const files = {
      "own.csv": writeTensor(inFiles, "csv"),
      "own.json": rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    };
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name);
      writeFileSync(file, text);
      const bound = { source: { file }, dimensions: { k: "k" }, value: "value" };
      const found = await compile("input a: tensor(k{})\na + 0").on(onEngine(engine), { a: bound }).run();
      expect(found.labels, name).toEqual(inFiles.labels);
    }
  });

  test("labels of a Parquet file are those that it wrote", async () => {
    const file = join(folder, "rows.parquet");
    const input = compile("input a: tensor(k{})\na + 0").on(onEngine(engine), { a: { tensor: inFiles } });
    await input.materialize({ file });
    const read = await readTrainingParquet(
      readFileSync(file),
      new Map([["k", parseType("tensor(k{},row[])")]]),
    );
    expect(read.k?.labels).toEqual(inFiles.labels);
  });

  test("a column may have any name", async () => {
    const names = ["\ufeffk", "a\nb", "a\u2028b", "k ", '"', "$1"];
    const file = join(folder, "columns.parquet");
    const connection = await engine.connect();
    const columns = names.map((name, at) => `'v${at}' AS "${name.replaceAll('"', '""')}"`);
    await connection.query(`COPY (SELECT ${columns.join(", ")}, 7 AS v) TO '${file}'`);
    await connection.close();
    for (const [at, k] of names.entries())
      for (const source of [{ file }, { query: `SELECT * FROM read_parquet('${file}')` }]) {
        const bound = { source, dimensions: { k }, value: "v" };
        const found = await compile("input a: tensor(k{})\na").on(onEngine(engine), { a: bound }).run();
        expect(found.equals(Tensor.from(found.type, new Map([[`v${at}`, 7]]))), JSON.stringify(k)).toBe(true);
      }
  });
});
