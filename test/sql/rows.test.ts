import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, parseTensor } from "../../src/index.js";
import { duckdb, onCluster, onEngine, type SqlEngine, type TableBinding } from "../../src/sql.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { problemsOf } from "../problem-codes.js";
import { engine, hasDuckDb } from "./duckdb.js";
import { expectProduct } from "./products.js";

/** Rows become the cells that their binding says, and no others. */
const on = onEngine(engine);

const resultOf = async (type: string, binding: TableBinding, expression = "r"): Promise<string> =>
  `${await compile(`input r: ${type}\n${expression}`).on(on, { r: binding }).run()}`;
const written = (text: string): string => `${parseTensor(text)}`;

const rows = (query: string, rules: Partial<TableBinding> = {}): TableBinding => ({
  source: { query },
  dimensions: { x: "x" },
  value: "v",
  ...rules,
});

describe.skipIf(!hasDuckDb)("rows", patient, () => {
  test("that an unbound dimension lacks are 0, the first ones and those that no row has", async () => {
    const binding = rows("SELECT 3 AS x, 7 AS v UNION ALL SELECT 1, 5", { missing: "zero" });
    expect(await resultOf("tensor(x[])", binding, "r + 1")).toBe(
      written("tensor(x[]):{{x:0}:1, {x:1}:6, {x:2}:1, {x:3}:8}"),
    );
    expect(
      await resultOf("tensor(x[])", rows("SELECT 1 AS x, 2 AS v WHERE false", { missing: "zero" })),
    ).toBe(written("tensor(x[]):{}"));
  });

  test("that are left out for a NULL lack no cells", async () => {
    const query = "SELECT 'a' AS k, 0 AS x, 1 AS v UNION ALL SELECT 'b', 0, NULL";
    const binding = rows(query, { dimensions: { k: "k", x: "x" }, nulls: "absent" });
    expect(await resultOf("tensor(k{},x[1])", binding)).toBe("tensor(k{},x[1]):{a:[1.0]}");
  });

  // biome-ignore format: a table
  test.each([
    { duplicates: "max", value: "'NaN'::DOUBLE", cell: "NaN" },
    { duplicates: "min", value: "'NaN'::DOUBLE", cell: "NaN" },
    { duplicates: "sum", value: "-0e0",          cell: "-0.0" },
    { duplicates: "avg", value: "-0e0",          cell: "-0.0" },
  ] as const)("that are alone stay as they are, whatever becomes of others: $duplicates of $cell", async ({ duplicates, value, cell }) => {
    const query = `SELECT 'a' AS x, ${value} AS v UNION ALL SELECT 'b', 3 UNION ALL SELECT 'b', 3`;
    const binding = rows(query, { duplicates });
    expect(await resultOf("tensor(x{})", binding)).toBe(
      `tensor(x{}):{a:${cell}, b:${duplicates === "sum" ? "6.0" : "3.0"}}`,
    );
  });
});

describe.skipIf(!hasDuckDb)("labels of files are what is written", patient, () => {
  const folder = temporaryFolder();
  const labels = ["01", "1.0", "2024-1-5", "TRUE", "12:00", "", "it's", "null"];
  const expected = written(
    `tensor(x{}):{'':5, '01':0, '1.0':1, '12:00':4, '2024-1-5':2, TRUE:3, "it's":6, null:7}`,
  );

  test("in CSV", async () => {
    const file = join(folder, "labels.csv");
    writeFileSync(file, ["x,v", ...labels.map((label, at) => `"${label}",${at}`)].join("\n"));
    expect(await resultOf("tensor(x{})", { ...rows(""), source: { file } })).toBe(expected);
  });

  test("in JSON, dates among them, and arrays are blocks", async () => {
    const file = join(folder, "labels.json");
    writeFileSync(file, JSON.stringify(labels.map((x, v) => ({ x, v, other: "2024-1-5", block: [v, 1] }))));
    expect(await resultOf("tensor(x{})", { ...rows(""), source: { file } })).toBe(expected);
    const blocks: TableBinding = { source: { file }, dimensions: { x: "x" }, block: "block" };
    expect(await resultOf("tensor(x{},y[2])", blocks, "sum(r, x)")).toBe("tensor(y[2]):[28.0, 8.0]");
  });

  test("in CSV of texts alone, whose first line names the columns all the same", async () => {
    const file = join(folder, "texts.csv");
    writeFileSync(file, "x,v\na,b\n");
    const texts = { ...rows(""), source: { file } };
    const [found] = await problemsOf(() => resultOf("tensor(x{})", texts));
    expect(found).toContain("Could not convert string 'b' to DOUBLE");
  });
});

test.skipIf(!hasDuckDb)(
  "an input's default may have dimensions that the program has nowhere else",
  async () => {
    const text = "input d: tensor(k{}) = tensor(k{},y[2]):{a:[1,2],b:[3,4]}{y:1}\nd + 1";
    expect(`${await compile(text).on(on, {}).run()}`).toBe("tensor(k{}):{a:3.0, b:5.0}");
  },
);

test.skipIf(!hasDuckDb)("a chain of sums is planned in a time by its length", patient, async () => {
  const steps = Array.from({ length: 40 }, (_, at) => `v${at + 1} = v${at} - sum(v${at}) / 4`);
  const chain = compile(["input v0: tensor(x{})", ...steps, "sum(v40)"].join("\n"));
  const v0 = rows("SELECT 'a' AS x, 3 AS v UNION ALL SELECT 'b', 1");
  // Each step halves the sum of two cells.
  expect((await chain.on(on, { v0 }).run()).asNumber()).toBe(4 / 2 ** 40);
});

describe.skipIf(!hasDuckDb)("a cluster", () => {
  const shards = onCluster([engine, engine]);
  const table = rows("SELECT 'a' AS x, 3 AS v UNION ALL SELECT 'b', 4", { isReplicated: true });

  test("computes an input's default from the table that it names", async () => {
    const text = "input r: tensor(x{})\ninput d: tensor(x{}) = r * 2\nsum(d) + sum(r)";
    expect((await compile(text).on(shards, { r: table }).run()).asNumber()).toBe(21);
  });

  test("of many shards has no listeners to one signal that Node warns of", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listen);
    const many = onCluster(Array.from({ length: 12 }, () => engine));
    const partitioned = rows("SELECT 'a' AS x, 3 AS v", { partition: "x", isTrusted: true });
    const { signal } = new AbortController();
    const bound = compile("input r: tensor(x{})\nr * 2").on(many, { r: partitioned });
    await bound.materialize("doubled", { signal });
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });

  test("adds up parts that are beyond what the cells of the result can hold", async () => {
    const folder = temporaryFolder();
    const shardOf = async (name: string, cells: string): Promise<SqlEngine> => {
      const shard = duckdb({ file: join(folder, name) });
      const connection = await shard.connect();
      await connection.query(`CREATE TABLE t AS SELECT * FROM (VALUES ${cells}) AS r (x, y, v)`);
      await connection.close();
      return shard;
    };
    const cluster = onCluster([
      await shardOf("first.db", "('a', 'p', 3e38), ('b', 'p', 3e38)"),
      await shardOf("second.db", "('c', 'p', -3e38)"),
    ]);
    const r: TableBinding = {
      source: { table: "t" },
      dimensions: { x: "x", y: "y" },
      value: "v",
      partition: "x",
    };
    for (const [aggregator, expected] of [
      ["sum", "3.0E38"],
      ["avg", "1.0E38"],
    ]) {
      const program = compile(`input r: tensor<float>(x{},y{})\n${aggregator}(r, x)`);
      expect(`${await program.on(cluster, { r }).run()}`).toBe(`tensor<float>(y{}):{p:${expected}}`);
    }
  });

  test("refuses random numbers", async () => {
    expect(await problemsOf(() => compile("random(1)").on(shards, {}).run())).toEqual([
      expect.stringContaining("sql/unsupported"),
    ]);
  });
});

test.skipIf(!hasDuckDb)(
  "an expression of numbers alone is computed in as many steps as it takes",
  async () => {
    const program = compile("hamming(1, join(1, 1, f(a,b)(a)) + 2)", { dialect: "vespa" });
    expect((await program.on(on, {}).run()).asNumber()).toBe(1);
  },
);

test.skipIf(!hasDuckDb)("blocks that meet no cell of an unbound dimension are none", async () => {
  const text = "input r: tensor(x[])\ntensor(k{},x[3]):{a:[1,2,3]} * r";
  const tensor = parseTensor("tensor(x[]):{}");
  const expected = compile(text, { backend: "reference" }).run({ r: tensor });
  expect(expected.rows).toBe(0);
  expect(`${await compile(text).on(on, { r: { tensor } }).run()}`).toBe(`${expected}`);
});

/** D24: a dense result has zeros, as many as the other dimensions of both sides say. */
// biome-ignore format: a table
test.skipIf(!hasDuckDb).each([
  { text: "a + b",                                   is: "tensor(x[1],y[]):{{x:0,y:0}:0.0, {x:0,y:1}:0.0}" },
  { text: "a + c",                                   is: "tensor(x[1],y[]):{}" },
  { text: "a * (c * (b + 1))",                       is: "tensor(x[1],y[]):{}" },
  { text: "reduce(a * b, count, x)",                 is: "tensor(y[]):{0:1.0, 1:1.0}" },
  { text: "tensor(i[2])(reduce(a * (b + i), count))", is: "tensor(i[2]):[2.0, 2.0]" },
])("where no cells of $text meet, it is $is", async ({ text, is }) => {
  const inputs = {
    a: "tensor(x[1],y[]):{{x:0,y:0}:2,{x:0,y:1}:5}",
    b: "tensor(x[]):{}",
    c: "tensor(x[],y[]):{}",
  };
  const types = "input a: tensor(x[1],y[])\ninput b: tensor(x[])\ninput c: tensor(x[],y[])";
  const program = compile(`${types}\n${text}`, { backend: "reference" });
  const bound = Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, { tensor }]));
  expect(`${program.run(inputs)}`).toBe(is);
  expect(`${await program.on(on, bound).run()}`).toBe(is);
});

test.skipIf(!hasDuckDb)("cells are multiplied in the order of their addresses", async () => {
  await expectProduct(engine);
});
