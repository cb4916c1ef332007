import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, parseTensor, SphexError } from "../../src/index.js";
import { onEngine, type TableBinding } from "../../src/sql.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { engine, hasDuckDb } from "./duckdb.js";

/** Files are read as what is written there, however many there are, and whatever their columns are called. */
const folder = temporaryFolder();

async function write(query: string, path: string): Promise<string> {
  const connection = await engine.connect();
  await connection.query(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  await connection.close();
  return path;
}

/** The value of `r`, a tensor of labels, or the codes of its problems. */
async function outcomeOf(source: TableBinding["source"], rules: Partial<TableBinding> = {}): Promise<string> {
  const binding: TableBinding = { source, dimensions: { k: "k" }, value: "v", ...rules };
  try {
    return `${await compile("input r: tensor(k{})\nr").on(onEngine(engine), { r: binding }).run()}`;
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code).join();
    throw error;
  }
}
const written = (text: string): string => `${parseTensor(text)}`;

describe.skipIf(!hasDuckDb)("folders that are columns", patient, () => {
  const values = "SELECT 'in' AS k, 1.5 AS v";

  // biome-ignore format: a table
  test.each([
    { path: "k=zz/p.parquet", query: values,            is: "binding/column" },
    { path: "K=zz/p.parquet", query: values,            is: "binding/column" },
    { path: "v=9/p.parquet",  query: values,            is: "binding/column" },
    { path: "k=zz/q.parquet", query: "SELECT 1.5 AS v", is: "tensor(k{}):{zz:1.5}" },
    { path: "x=9/p.parquet",  query: values,            is: "tensor(k{}):{in:1.5}" },
  ])("a file $path of $query is $is", async ({ path, query, is }) => {
    const file = join(folder, "folders", path);
    mkdirSync(join(file, ".."), { recursive: true });
    expect(await outcomeOf({ file: await write(query, file) })).toBe(is);
  });
});

describe.skipIf(!hasDuckDb)("columns whose names differ by case alone", patient, () => {
  const text = (name: string, header: string): { readonly file: string } => {
    const file = join(folder, name);
    writeFileSync(file, `${header}\na,b,1\n`);
    return { file };
  };

  // biome-ignore format: a table
  test.each([
    { header: "K,k,v",   dimension: "k",  is: "binding/column" },
    { header: "K,k,v",   dimension: "K",  is: "tensor(k{}):{a:1.0}" },
    { header: "K,x,v",   dimension: "k",  is: "tensor(k{}):{a:1.0}" },
    { header: "k,k,v",   dimension: "k",  is: "binding/column" },
    { header: "k,k_1,v", dimension: "k",  is: "tensor(k{}):{a:1.0}" },
    { header: "k,V,v",   dimension: "k",  is: "binding/column" },
  ])("a CSV file with $header of which $dimension is read is $is", async ({ header, dimension, is }) => {
    const source = text(`${header.replaceAll(",", "-")}.csv`, header);
    expect(await outcomeOf(source, { dimensions: { k: dimension } })).toBe(is);
  });

  test("are refused in Parquet, unless the first one is read", async () => {
    // An engine for which these names are equal does not write them.
    const file = await write("SELECT 'a' AS \"kkkk\", 'b' AS \"qqqq\", 1 AS v", join(folder, "case.parquet"));
    writeFileSync(
      file,
      Buffer.from(readFileSync(file).toString("latin1").replaceAll("qqqq", "KKKK"), "latin1"),
    );
    expect(await outcomeOf({ file }, { dimensions: { k: "KKKK" } })).toBe("binding/column");
    expect(await outcomeOf({ file }, { dimensions: { k: "kkkk" } })).toBe("tensor(k{}):{a:1.0}");
  });

  test("are refused in a query, where rows are trusted, too", async () => {
    const query = "SELECT a.*, b.* FROM (SELECT 'a' AS k, 1 AS v) AS a, (SELECT 'b' AS k, 2 AS w) AS b;";
    expect(await outcomeOf({ query })).toBe("binding/column");
    expect(await outcomeOf({ query }, { isTrusted: true })).toBe("binding/column");
  });
});

describe.skipIf(!hasDuckDb)("several files", patient, () => {
  test("have the numbers that each of them has, whatever the types of the first", async () => {
    await write("SELECT 7 AS k, 1::INTEGER AS v", join(folder, "number-0.parquet"));
    await write("SELECT '08' AS k, 2.75::DOUBLE AS v", join(folder, "number-1.parquet"));
    await write("SELECT 0.5::FLOAT AS v, 9 AS k", join(folder, "number-2.parquet"));
    const file = join(folder, "number-*.parquet");
    expect(await outcomeOf({ file })).toBe(written("tensor(k{}):{'7':1, '08':2.75, '9':0.5}"));
  });

  // biome-ignore format: a table
  test.each([
    { first: "'a' AS k, 16777217::INTEGER AS v", second: "'b' AS k, 0.5::FLOAT AS v",  is: "binding/types" },
    { first: "'a' AS k, '0.1' AS v",             second: "'b' AS k, 0.1::FLOAT AS v",  is: "binding/types" },
    { first: "'a' AS k, 0.5::DOUBLE AS v",       second: "'b' AS k, 0.1::FLOAT AS v",  is: "tensor(k{}):{a:0.5, b:0.10000000149011612}" },
    { first: "'a' AS k, 0.5::DOUBLE AS v",       second: "'b' AS k, 3::BIGINT AS v",   is: "tensor(k{}):{a:0.5, b:3.0}" },
    { first: "1::BIGINT AS k, 1 AS v",           second: "2.5::DOUBLE AS k, 2 AS v",   is: "binding/types" },
    { first: "DATE '2024-01-05' AS k, 1 AS v",   second: "TIMESTAMP '2024-01-05 01:00:00' AS k, 2 AS v", is: "binding/types" },
    { first: "uuid() AS k, 1 AS v",              second: "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' AS k, 2 AS v", is: "binding/types" },
    { first: "'ab'::BLOB AS k, 1 AS v",          second: "'a\\x41' AS k, 2 AS v",      is: "binding/types" },
    { first: "'1'::JSON AS k, 1 AS v",           second: "'{' AS k, 2 AS v",           is: "binding/types" },
    { first: "'a' AS k, 0.25::DECIMAL(38,2) AS v", second: "'b' AS k, 7::DECIMAL(38,0) AS v", is: "binding/types" },
    { first: "'a' AS k, 0.25::DECIMAL(37,2) AS v", second: "'b' AS k, 7.5::DECIMAL(36,1) AS v", is: "tensor(k{}):{a:0.25, b:7.5}" },
    { first: "1::BIGINT AS k, 1 AS v",           second: "2::UTINYINT AS k, 2 AS v",   is: "tensor(k{}):{1:1.0, 2:2.0}" },
    { first: "DATE '2024-01-05' AS k, 1 AS v",   second: "'2024-1-5' AS k, 2 AS v",    is: "tensor(k{}):{'2024-01-05':1.0, '2024-1-5':2.0}" },
  ])("of $first and of $second are $is", async ({ first, second, is }) => {
    await write(`SELECT ${first}`, join(folder, "types-0.parquet"));
    await write(`SELECT ${second}`, join(folder, "types-1.parquet"));
    expect(await outcomeOf({ file: join(folder, "types-*.parquet") })).toBe(is);
  });

  test("lack no column silently", async () => {
    await write("SELECT 'a' AS k, 1 AS v", join(folder, "column-0.parquet"));
    await write("SELECT 'b' AS k, 2 AS w", join(folder, "column-1.parquet"));
    expect(await outcomeOf({ file: join(folder, "column-*.parquet") })).toBe("rows/null");
  });

  test.each(["parquet", "csv"])("in folders whose names are labels, of %s", async (format) => {
    for (const label of ["01", "2", "1e3", "-0"]) {
      const own = join(folder, format, `k=${label}`);
      mkdirSync(own, { recursive: true });
      if (format === "csv") writeFileSync(join(own, "a.csv"), `v\n${Number(label)}\n`);
      else await write(`SELECT ${Number(label)} AS v`, join(own, "a.parquet"));
    }
    const file = join(folder, format, `*/*.${format}`);
    expect(await outcomeOf({ file })).toBe(written("tensor(k{}):{'01':1, '2':2, '1e3':1000, '-0':0}"));
    const one = join(folder, format, "k=01", `a.${format}`);
    expect(await outcomeOf({ file: one })).toBe(written("tensor(k{}):{'01':1}"));
  });
});

test.skipIf(!hasDuckDb)(
  "a time with a zone is a label in UTC, whatever the machine's zone is",
  patient,
  async () => {
    const query = "SELECT TIMESTAMPTZ '2024-07-01 00:30:00+02' AS k, 1 AS v";
    const zone = process.env.TZ;
    process.env.TZ = "America/New_York";
    try {
      expect(await outcomeOf({ query })).toBe("tensor(k{}):{'2024-06-30 22:30:00+00':1.0}");
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  },
);

describe.skipIf(!hasDuckDb)("lines of CSV", patient, () => {
  // biome-ignore format: a table
  test.each([
    { lines: "#a,1\nb,2",           is: "tensor(k{}):{'#a':1, b:2}" },
    { lines: "a,1\n#x,2\n#y,3",     is: "tensor(k{}):{a:1, '#x':2, '#y':3}" },
    // To the engine the line that is no row would make the last one a comment.
    { lines: "a,1\n#x\n#y,3",       is: "engine/failed" },
    // The engine would begin with the line that has the fields of most others.
    { lines: "a,1\nk,v,w\nb,2,3\nc,4,5", is: "engine/failed" },
    { lines: "a,1\n\nb,2",          is: "tensor(k{}):{a:1, b:2}" },
    { lines: "a;b,1\nc|d,2\n'e',3", is: "tensor(k{}):{'a;b':1, 'c|d':2, \"'e'\":3}" },
    { lines: "",                    is: "tensor(k{}):{}" },
  ])("$lines are $is", async ({ lines, is }) => {
    const file = join(folder, "lines.csv");
    writeFileSync(file, `k,v\n${lines}\n`);
    expect(await outcomeOf({ file })).toBe(is.startsWith("tensor") ? written(is) : is);
  });
});
