import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseType, SphexError } from "../../src/index.js";
import { readTrainingParquet } from "../../src/models.js";
import { temporaryFolder } from "../folder.js";
import { engine, hasDuckDb } from "../sql/duckdb.js";

/** Which columns of a Parquet file, as DuckDB writes it, are columns of an input, and which are refused. */

const inputs = (types: Readonly<Record<string, string>>) =>
  new Map(Object.entries(types).map(([name, type]) => [name, parseType(type)] as const));

const row = "tensor(row[])";

async function textsIn(bytes: Uint8Array, types: Readonly<Record<string, string>>) {
  const tensors = await readTrainingParquet(bytes, inputs(types));
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, `${tensor}`]));
}

/** What is wrong, without the byte. */
async function problemsIn(bytes: Uint8Array, types: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await textsIn(bytes, types);
    return [];
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map(({ description: { message, found } }) => {
      return `${message.replace(/^at byte \d+ /, "")}, found ${found}`;
    });
  }
}

describe.runIf(hasDuckDb)("a file", () => {
  const folder = temporaryFolder();
  const write = async (name: string, select: string): Promise<Uint8Array> => {
    const connection = await engine.connect();
    const path = join(folder, name);
    await connection.query(`copy (${select}) to '${path}' (format parquet, compression uncompressed)`);
    await connection.close();
    return readFileSync(path);
  };

  test("without rows is refused", async () => {
    const none = await write("none.parquet", "select i / 4 as y from range(0) t(i)");
    expect(await problemsIn(none, { y: row })).toEqual(["there must be a row, found 0 rows"]);
  });

  test.each([
    ["x[2]", "a column x[2]"],
    ["other", "no column x[1]"],
  ])("has all columns of an input, and no others that are called so: %s", async (last, found) => {
    const names = last === "other" ? ["x[0]", last] : ["x[0]", "x[1]", last];
    const bytes = await write(
      "parts.parquet",
      `select ${names.map((each) => `1.5 as "${each}"`).join(", ")}`,
    );
    expect(await problemsIn(bytes, { x: "tensor(row[],z[2])" })).toEqual([
      `there must be each of x[0] to x[1] and no more, found ${found}`,
    ]);
  });

  // biome-ignore format: a table
  test.each([
    ["time", "01:02:03"], ["timestamp", "2020-01-01 01:02:03"], ["timestamptz", "2020-01-01 01:02:03+01"],
    ["date", "2020-01-01"], ["interval", "3 days"],
  ])("with %s has no number and no label", async (type, text) => {
    const bytes = await write("times.parquet", `select '${text}'::${type} as k`);
    for (const requested of [row, "tensor(k{},row[])"])
      expect(await problemsIn(bytes, { k: requested })).toEqual([
        "there must be k with numbers, truth values or texts, found dates or times",
      ]);
  });

  test("with two columns of one name has neither", async () => {
    // DuckDB gives no two columns one name: the second name is changed to the first, in the schema and in the row group.
    const bytes = await write("twice.parquet", "select 7 as yy, 1.5::decimal(9, 2) as zz, 2.5::double as x");
    const twice = bytes.map((byte) => (byte === 0x7a ? 0x79 : byte));
    expect(await textsIn(bytes, { yy: row })).toEqual({
      yy: "tensor(row[1]):[7.0]",
    });
    expect(await textsIn(twice, { x: row })).toEqual({
      x: "tensor(row[1]):[2.5]",
    });
    expect(await problemsIn(twice, { yy: row })).toEqual(["there must be one column yy, found yy again"]);
  });
});
