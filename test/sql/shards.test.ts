import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compile, SphexError } from "../../src/index.js";
import { duckdb, onCluster, onEngine, type SqlEngine } from "../../src/sql.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { hasDuckDb } from "./duckdb.js";

/** What tables and shards hold that no statement may take for something else. */

async function filled(engine: SqlEngine, statements: readonly string[]): Promise<SqlEngine> {
  const connection = await engine.connect();
  for (const each of statements) await connection.query(each);
  await connection.close();
  return engine;
}

const codesOf = async (work: () => Promise<unknown>): Promise<readonly string[]> =>
  await work().then(
    () => [],
    (error) => (error instanceof SphexError ? error.problems.map(({ code }) => code) : [`${error}`]),
  );

describe.skipIf(!hasDuckDb)("shards whose rows end at other indexes", patient, () => {
  const folder = temporaryFolder();
  const rows: readonly (readonly (readonly [string, number, number])[])[] = [
    [
      ["a", 0, 1],
      ["a", 2, 3],
      ["d", 0, -2],
    ],
    [
      ["b", 0, 4],
      ["b", 1, 5],
      ["c", 4, 6],
    ],
  ];
  const declared = "input p: tensor(k{},x[])\n";
  const literal = rows
    .flat()
    .map(([k, x, value]) => `{k:${k},x:${x}}:${value}`)
    .join(",");
  const p = `tensor(k{},x[]):{${literal}}`;
  const bindings = {
    p: { source: { table: "p" }, dimensions: { k: "k", x: "x" }, missing: "zero", partition: "k" } as const,
  };
  const shards: SqlEngine[] = [];
  beforeAll(async () => {
    for (const [at, own] of rows.entries())
      shards.push(
        await filled(duckdb({ file: join(folder, `${at}.db`) }), [
          "CREATE TABLE p(k VARCHAR, x BIGINT, value DOUBLE)",
          ...own.map(([k, x, value]) => `INSERT INTO p VALUES ('${k}', ${x}, ${value})`),
        ]),
      );
  });

  test.each([
    "p",
    "map_subspaces(p, f(t)(count(t)))",
    "map_subspaces(p, f(t)(avg(t)))",
    "map_subspaces(p, f(t)(min(t)))",
    "map_subspaces(p, f(t)(sum(t + 1)))",
    "map_subspaces(p, f(t)(sum(concat(t, t, x))))",
    "filter_subspaces(p, f(t)(count(t) > 4))",
    "map(p, f(v)(v + 1))",
    "cell_cast(p, float)",
    "p{x:3}",
    "count(p{x:3})",
    "p{x:2} + 1",
    "merge(p{x:4}, p{x:0}, f(a,b)(a - b))",
    "max(p{x:4} - 9)",
    "p{k:c}",
    "avg(p, x)",
    "sum(p, k)",
    "if(sum(p) > 1, p, p * 2)",
  ])("%s", async (expression) => {
    const text = `${declared}${expression}`;
    const expected = compile(text, { backend: "reference" }).run({ p });
    expect(`${await compile(text).on(onCluster(shards), bindings).run()}`).toBe(`${expected}`);
  });

  test("one label on two of them is told", async () => {
    const split = await Promise.all(
      [1, 2].map((value) =>
        filled(duckdb({ file: join(folder, `split ${value}.db`) }), [
          `CREATE TABLE p AS SELECT 'a' AS k, 0 AS x, ${value}.0::DOUBLE AS value`,
        ]),
      ),
    );
    const bound = compile(`${declared}p`).on(onCluster(split), bindings);
    expect(await codesOf(() => bound.run())).toEqual(["rows/shards"]);
  });
});

describe.skipIf(!hasDuckDb)("a database of somebody", patient, () => {
  const table = (name: string, value: number): string =>
    `CREATE TABLE ${name} AS SELECT 'x' AS k, ${value}.0::DOUBLE AS value`;
  const query = (text: string) => ({ source: { query: text }, dimensions: { k: "k" } });

  test("has tables with the names of parts of a statement", async () => {
    const file = join(temporaryFolder(), "names.db");
    const engine = await filled(duckdb({ file }), [table("a", 1), table("input_1", 100), table("Cells", 7)]);
    const text = "input p: tensor(k{})\ninput q: tensor(k{})\np + q";
    const a = { source: { table: "a" }, dimensions: { k: "k" } };
    for (const [own, expected] of [
      ["SELECT k, value FROM input_1", 101],
      ["SELECT k, value FROM Input_1", 101],
      ["SELECT * FROM cells", 8],
    ] as const)
      expect(
        `${await compile(text)
          .on(onEngine(engine), { p: a, q: query(own) })
          .run()}`,
      ).toBe(`tensor(k{}):{x:${expected}.0}`);
    const typed = await filled(engine, [
      "CREATE OR REPLACE TABLE cells AS SELECT 'x' AS k, '101'::BIT AS value",
    ]);
    const cells = { source: { table: "cells" }, dimensions: { k: "k" } };
    const bound = compile("input p: tensor(k{})\np").on(onEngine(typed), { p: cells });
    expect(await codesOf(() => bound.run())).toEqual(["rows/type"]);
  });

  test.each([
    ["ieee_floating_point_ops", "false"],
    ["integer_division", "true"],
    ["default_collation", "nocase"],
    ["default_order", "desc"],
  ])("has %s = %s", async (name, value) => {
    const engine = duckdb({ settings: { [name]: value } });
    for (const expression of [
      "input x: tensor(x[2])\n7 / (x - 1)",
      "input x: tensor(x[2])\nx / 2",
      "input x: tensor(x[2])\ntensor(k{}):{a:1,A:2} * tensor(k{}):{A:3} * sum(x)",
      "input x: tensor(x[2])\ncell_order(tensor(k{}):{a:1,A:2,b:1} * sum(x), max)",
    ]) {
      const own = query("SELECT * FROM (VALUES (0, 1.0), (1, 4.0)) AS t(k, value)");
      const found = await compile(expression)
        .on(onEngine(engine), { x: { ...own, dimensions: { x: "k" } } })
        .run();
      expect(`${found}`).toBe(`${compile(expression).run({ x: [1, 4] })}`);
    }
  });

  test("wraps whole numbers beyond 64 bits", async () => {
    const numbers = [
      2 ** 64 - 2048,
      14737270264247433000,
      -(2 ** 64) + 2048,
      -(2 ** 63),
      2 ** 63,
      3 * 2 ** 63 + 4096,
    ];
    const text = `input s: tensor()\ncell_cast(tensor(x[6]):[${numbers.join(",")}] * s, long)`;
    const one = { source: { query: "SELECT 1.0::DOUBLE AS value" }, dimensions: {} };
    const found = await compile(text).on(onEngine(duckdb()), { s: one }).run();
    // What BigInt.asIntN(64, BigInt(number)) is of each.
    const expected = numbers.map((each) => Number(BigInt.asIntN(64, BigInt(each))));
    expect(Array.from(found.data, Number)).toEqual(expected);
  });

  test("answers NULL for a number", async () => {
    const { dialect } = duckdb();
    const connect = async () => ({ query: async () => [[null]], close: async () => undefined });
    const bound = compile("input s: tensor()\ns / s").on(onEngine({ name: "other", dialect, connect }), {
      s: { source: { table: "s" }, dimensions: {}, isTrusted: true },
    });
    expect(await codesOf(() => bound.run())).toEqual(["sql/null"]);
  });
});
