import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { duckdb as dialect } from "../../src/backends/sql/dialects/duckdb.js";
import { StatementLowering } from "../../src/backends/sql/lowering.js";
import { indented, queryText } from "../../src/backends/sql/query.js";
import { keyColumns } from "../../src/backends/sql/relation.js";
import { compile, compileExpression, evaluate, parseTensor, SphexError } from "../../src/index.js";
import { Graph } from "../../src/language/core/graph.js";
import { inputTypes } from "../../src/program/inputs/inputs.js";
import { type Bindings, onEngine, ownCases, parseTable, readBindings } from "../../src/sql.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { engine, hasDuckDb } from "./duckdb.js";

/** Programs as SQL: the invariants of relations, texts from outside, bindings, and the command. */
const on = onEngine(engine);

async function codesOf(act: () => unknown): Promise<readonly string[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

describe.skipIf(!hasDuckDb)("relations", patient, () => {
  test("every relation of a tensor has unique addresses, complete blocks, values, and indexes from 0", async () => {
    const connection = await engine.connect();
    const broken: string[] = [];
    let checked = 0;
    for (const { expression, inputs } of ownCases) {
      const { types, values } = inputTypes(inputs, {});
      const { statements, text } = invariants(expression, types, values);
      for (const [name, statement] of statements) {
        const [[count = 0] = []] = await connection.query(`${text}\n${statement}`);
        if (Number(count) !== 0) broken.push(`${expression}: ${name}`);
        checked++;
      }
    }
    await connection.close();
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(300);
  });
});

type Values = ReturnType<typeof inputTypes>;

/** For each relation that is a tensor a statement that counts what breaks an invariant. */
function invariants(expression: string, types: Values["types"], values: Values["values"]) {
  const graph = new Graph();
  const bind = (program: {
    readonly roots: readonly { readonly node: Parameters<StatementLowering["root"]>[0] }[];
  }) => program.roots.map(({ node }) => node);
  const [root] = compileExpression(expression, { inputs: types }).on({ bind }, {});
  if (root === undefined) throw new Error("there is no root");
  const lowering = new StatementLowering([root], {
    dialect,
    input: (name) => {
      const tensor = values[name];
      return tensor && { node: graph.constant(tensor, root.span) };
    },
  });
  const tensors = new Map<
    string,
    { readonly type: (typeof root)["type"]; readonly keys: readonly string[] }
  >();
  const relation = lowering.relation.bind(lowering);
  lowering.relation = (node, scope) => {
    const found = relation(node, scope);
    tensors.set(found.name, { type: found.type, keys: keyColumns(found.keys) });
    return found;
  };
  lowering.root(root);
  const { names, tables } = lowering;
  const text = `WITH ${tables.map(({ name, query }) => `${name} AS (\n${indented(queryText(query))}\n)`).join(",\n")}`;
  const statements = Array.from(tensors, ([name, { type, keys }]): [string, string] => {
    const columns = (dimensions: typeof type.dimensions): string[] =>
      dimensions.map((each) => names.dimension(each.name));
    const addresses = [...keys, ...columns(type.dimensions)];
    const grouped = (by: readonly string[]): string => (by.length === 0 ? "" : `GROUP BY ${by.join(", ")}`);
    const cells = type.isBound
      ? `${type.blockSize}`
      : `(SELECT ${columns(type.indexed)
          .map((each) => `(max(${each}) + 1)`)
          .join(" * ")} FROM ${name} AS a WHERE true)`;
    const isUnboundByCall = !type.isBound && keys.length > 0;
    const counts = [
      `(SELECT count(*) FROM ${name} WHERE ${[...addresses, names.value].map((each) => `${each} IS NULL`).join(" OR ")})`,
      `(SELECT count(*) FROM (SELECT 1 FROM ${name} ${grouped(addresses)} HAVING count(*) > 1))`,
      ...(isUnboundByCall
        ? []
        : [
            `(SELECT count(*) FROM (SELECT 1 FROM ${name} ${grouped([...keys, ...columns(type.mapped)])} HAVING count(*) <> ${cells} AND count(*) > 0))`,
          ]),
      ...columns(type.indexed).map((each) => `(SELECT count(*) FROM ${name} WHERE ${each} < 0)`),
      // A tensor of one block has it, whatever it is computed from.
      ...(type.isDense && type.isBound && keys.length === 0
        ? [`(SELECT abs(count(*) - ${type.blockSize}) FROM ${name})`]
        : []),
    ];
    return [name, `SELECT ${counts.join(" + ")}`];
  });
  return { text, statements };
}

describe.skipIf(!hasDuckDb)("texts from outside", patient, () => {
  const hostile = [
    `'`,
    `"`,
    `\\`,
    "`",
    "--",
    "/*",
    "; DROP TABLE t",
    "\0",
    "a\0b",
    "\n",
    "$1",
    "?",
    "é",
    "😀",
    " ",
    "",
  ];

  test("labels are data, whatever they look like", async () => {
    const labels = new Map(hostile.map((label, at) => [label, at]));
    const tensor = evaluate("a", { a: "tensor(k{}):{}" });
    const input = (await import("../../src/index.js")).Tensor.from(tensor.type, labels);
    const program = compileExpression("a * 2", { inputs: { a: "tensor(k{})" } });
    const found = await program.on(on, { a: { tensor: input } }).run();
    expect(found.equals(program.run({ a: input }))).toBe(true);
    for (const label of hostile.filter((each) => !each.includes("\0"))) {
      const sliced = compileExpression(`a{k: ${JSON.stringify(label)}}`, { inputs: { a: "tensor(k{})" } });
      expect((await sliced.on(on, { a: { tensor: input } }).run()).asNumber()).toBe(labels.get(label));
    }
  });

  test("a label of ten megabytes is one", async () => {
    const label = "x".repeat(10_000_000);
    const { Tensor, parseType } = await import("../../src/index.js");
    const input = Tensor.from(parseType("tensor(k{})"), new Map([[label, 3]]));
    const program = compileExpression("a + 1", { inputs: { a: "tensor(k{})" } });
    const found = await program.on(on, { a: { tensor: input } }).run();
    expect(found.labels[0]?.[0]?.length).toBe(label.length);
  });

  test("half a character is refused: UTF-8 cannot hold it", async () => {
    const { Tensor, parseType } = await import("../../src/index.js");
    const input = Tensor.from(parseType("tensor(k{})"), new Map([["\ud800", 3]]));
    const program = compileExpression("a + 1", { inputs: { a: "tensor(k{})" } });
    expect(await codesOf(() => program.on(on, { a: { tensor: input } }).run())).toEqual(["sql/label"]);
  });

  test("dimensions that differ in case are different columns", async () => {
    const text = "tensor(x[2],X[2],value[2]):[[[1,2],[3,4]],[[5,6],[7,8]]]";
    const found = await compileExpression("sum(a, x) + rename(sum(a, X), x, X)", {
      inputs: { a: parseTensor(text).type },
    })
      .on(on, { a: { tensor: text } })
      .run();
    expect(`${found}`).toBe(`${evaluate("sum(a, x) + rename(sum(a, X), x, X)", { a: text })}`);
  });
});

test.skipIf(!hasDuckDb)("an expression of several lines is a comment of one, and ends nothing", async () => {
  const text = "sum(tensor(k{}):{\n'; DROP':1, '*/':2\n})\n+ 1 # ; DROP";
  const bound = compileExpression(text).on(on, {});
  const comments = bound
    .sql()
    .split("\n")
    .filter((line) => line.startsWith("--"));
  expect(comments).toContainEqual(expect.stringContaining("tensor(k{}):{ '; DROP':1, '*/':2 }"));
  expect((await bound.run()).asNumber()).toBe(4);
});

describe.skipIf(!hasDuckDb)("bindings", patient, () => {
  const program = compile("input r: tensor(user{},item{})\nsum(r, item)");
  const rows = (values: string): Bindings => ({
    r: {
      source: { query: `SELECT * FROM (VALUES ${values}) AS v (u, i, s)` },
      dimensions: { user: "u", item: "i" },
      value: "s",
    },
  });

  test("rows are cells", async () => {
    const found = await program.on(on, rows("('a', 1, 2.5), ('a', 2, 3), ('b', 1, 4)")).run();
    expect(`${found}`).toBe("tensor(user{}):{a:5.5, b:4.0}");
  });

  // biome-ignore format: a table
  test.each([
    { values: "('a', 1, 2), ('a', 1, 3)", code: "rows/duplicate" },
    { values: "('a', 1, NULL)",           code: "rows/null" },
    { values: "(NULL, 1, 2)",             code: "rows/null" },
  ])("$code where rows are $values", async ({ values, code }) => {
    expect(await codesOf(() => program.on(on, rows(values)).run())).toEqual([code]);
  });

  test("duplicates become one cell, and rows with NULL none, where the binding says so", async () => {
    const { r } = rows("('a', 1, 2), ('a', 1, 3), ('b', 1, NULL), ('c', 1, 7)");
    if (r === undefined || !("source" in r)) throw new Error("there is a table");
    const found = await program.on(on, { r: { ...r, duplicates: "max", nulls: "absent" } }).run();
    expect(`${found}`).toBe("tensor(user{}):{a:3.0, c:7.0}");
  });

  test("the text of a query stays as it is", async () => {
    const { r } = rows("('a\nb', 1, 2)");
    const found = await program.on(on, { ...(r && { r }) }).run();
    expect(found.labels).toEqual([["a\nb"]]);
  });

  const dense = compile("input d: tensor(k{},x[3])\nd * 2");
  const denseRows = (values: string, more = {}): Bindings => ({
    d: {
      source: { query: `SELECT * FROM (VALUES ${values}) AS v (k, x, value)` },
      dimensions: { k: "k", x: "x" },
      ...more,
    },
  });

  test("a dense block lacks no cell, unless what is missing is 0", async () => {
    expect(await codesOf(() => dense.on(on, denseRows("('a', 0, 1), ('a', 2, 3)")).run())).toEqual([
      "rows/missing",
    ]);
    expect(await codesOf(() => dense.on(on, denseRows("('a', 3, 1)")).run())).toEqual(["rows/index"]);
    const filled = await dense.on(on, denseRows("('a', 0, 1), ('a', 2, 3)", { missing: "zero" })).run();
    expect(`${filled}`).toBe("tensor(k{},x[3]):{a:[2.0, 0.0, 6.0]}");
  });

  test("an array is a block", async () => {
    const blocks: Bindings = {
      d: {
        source: { query: "SELECT * FROM (VALUES ('a', [1, 2, 3]), ('b', [4, 5, 6])) AS v (k, e)" },
        dimensions: { k: "k" },
        block: "e",
      },
    };
    expect(`${await dense.on(on, blocks).run()}`).toBe(
      "tensor(k{},x[3]):{a:[2.0, 4.0, 6.0], b:[8.0, 10.0, 12.0]}",
    );
  });

  test("cells are stored in the type of the input", async () => {
    const float = compile("input r: tensor<float>(user{},item{})\nr");
    const found = await float.on(on, rows("('a', 1, 0.1)")).run();
    expect(`${found}`).toBe("tensor<float>(item{},user{}):{{item:1,user:a}:0.1}");
  });

  test("an input without a binding is its default, and one without a default is a problem", async () => {
    const both = compile("input a: tensor()\ninput b: tensor() = 3\na + b");
    expect((await both.on(on, { a: { tensor: 4 } }).run()).asNumber()).toBe(7);
    expect(await codesOf(() => both.on(on, {}).run())).toEqual(["sql/unbound-input"]);
    expect(await codesOf(() => both.on(on, { c: { tensor: 4 } }))).toEqual(["binding/key"]);
    expect(await codesOf(() => compile("random(x[2])").on(on, {}).run())).toEqual(["sql/unsupported"]);
  });

  test("a query that is interrupted ends, and the next one runs", async () => {
    const slow = compile("sum(tensor(x[100000],y[100000])(sin(x + y)))");
    const bound = slow.on(on, {});
    const stop = new AbortController();
    const running = codesOf(() => bound.run({ signal: stop.signal }));
    setTimeout(() => stop.abort(), 200);
    expect(await running).toEqual(["engine/stopped"]);
    expect(await codesOf(() => bound.run({ timeout: 100 }))).toEqual(["engine/stopped"]);
    expect((await compile("1 + 1").on(on, {}).run()).asNumber()).toBe(2);
  });

  test("an interruption is not lost where the query has hardly begun", async () => {
    const connection = await engine.connect();
    const slow =
      "SELECT sum(sin(a.range + b.range)) FROM range(100000) a, range(100000) b WHERE a.range >= 0";
    for (const turns of [0, 0, 0, 1, 2, 4, 8, 16, 32, 64]) {
      const stop = new AbortController();
      const running = connection.query(slow, { signal: stop.signal });
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      stop.abort();
      await expect(running).rejects.toThrow("aborted");
    }
    await connection.close();
  });
});

// biome-ignore format: a table
test.each([
  { text: "r=r.parquet(user=u,value=v)",      binding: { source: { file: "r.parquet" }, dimensions: { user: "u" }, value: "v" } },
  { text: "query(q)=s.t(x=\"a,b)=\",block=e)", binding: { source: { table: "s.t" }, dimensions: { x: "a,b)=" }, block: "e" } },
  { text: "n=t(value=v)",                     binding: { source: { table: "t" }, dimensions: {}, value: "v" } },
  { text: "😀=😀.csv(😀=😀,value=v)",             binding: { source: { file: "😀.csv" }, dimensions: { "😀": "😀" }, value: "v" } },
])("$text is a binding", ({ text, binding }) => {
  expect(parseTable(text)[1]).toEqual(binding);
});

test.each([
  "",
  "r",
  "r=t",
  "=t(a=b)",
  "r=(a=b)",
  "r=t(a)",
  "r=t(a=b,a=c)",
  "r=t(a=)",
  "r=t(a=b",
  "r=t(,)",
])("%j is no binding", async (text) => {
  expect(await codesOf(() => parseTable(text))).toEqual(["binding/syntax"]);
});

test("a file of bindings is read with the places of all that is wrong", async () => {
  const text =
    "r:\n  file: r.parquet\n  dimensions: {user: u}\n  duplicates: sum\nq: {table: t, query: x, dimensons: 1, nulls: maybe}\n";
  try {
    await readBindings({ name: "bindings.yaml", text });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const found = error.problems.map(({ code, position }) => `${code} ${position.line}:${position.column}`);
    expect(found).toEqual(["binding/key 5:25", "binding/value 5:46", "binding/value 5:4"]);
  }
});

describe.skipIf(!hasDuckDb)("the command", patient, () => {
  const folder = temporaryFolder();
  const { run, folder: cwd } = command();
  beforeAll(() => {
    writeFileSync(join(cwd, "p.sphex"), "input r: tensor(user{},item{})\nsum(r, item)\n");
    writeFileSync(join(cwd, "r.csv"), "u,i,s\na,1,2\na,2,3\nb,1,4\n");
  });
  const table = ["--table", "r=r.csv(user=u,item=i,value=s)"];

  test("runs a program on the rows of a file", async () => {
    const { out, err, code } = await run(["run", "p.sphex", "--on", "duckdb", ...table]);
    expect([code, err, out]).toEqual([0, "", "tensor(user{}):{a:5.0, b:4.0}\n"]);
  });

  test("writes a result to a file, which the next run reads", async () => {
    const into = join(folder, "out.parquet");
    expect((await run(["run", "p.sphex", "--on", "duckdb", ...table, "--into", into])).code).toBe(0);
    writeFileSync(join(cwd, "q.sphex"), "sum(s)\n");
    const read = await run(["run", "q.sphex", "--on", "duckdb", "--table", `s=${into}(user=user)`]);
    expect([read.err, read.out]).toEqual(["", "9.0\n"]);
  });

  test("prints SQL that runs as it is", async () => {
    const { out } = await run(["sql", "p.sphex", ...table]);
    const connection = await engine.connect();
    expect(await connection.query(out)).toEqual([
      ["a", "b"],
      [5, 4],
    ]);
    await connection.close();
  });

  test("prints what the engine will do, and what shards would", async () => {
    const one = await run(["explain", "p.sphex", "--on", "duckdb", ...table]);
    expect([one.err, one.out]).toEqual(["", expect.stringContaining("HASH_GROUP_BY")]);
    const cluster = ["--on", "duckdb", "--on", "duckdb", "--partition", "r=user"];
    const shards = await run(["explain", "p.sphex", ...cluster, ...table]);
    expect([shards.err, shards.out]).toEqual(["", expect.stringMatching(/^each shard computes its part/)]);
    // A plan of each.
    expect(shards.out.split("HASH_GROUP_BY").length).toBe(1 + 2);
  });

  test("prints how many rows the engine expects, and how many there were", async () => {
    const expected = await run(["explain", "p.sphex", "--on", "duckdb", ...table]);
    expect(expected.out).not.toContain("Total Time");
    const found = await run(["explain", "p.sphex", "--on", "duckdb", ...table, "--run"]);
    expect([found.err, found.out]).toEqual(["", expect.stringContaining("Total Time")]);
    expect(found.out.split("HASH_GROUP_BY").length).toBe(1 + 2);
  });

  test("refuses results of more cells than it may read", async () => {
    const { err, code } = await run(["run", "p.sphex", "--on", "duckdb", ...table, "--max-cells", "1"]);
    expect(code).toBe(1);
    expect(err).toContain("limit/cells");
    // More are not counted.
    expect(err).toContain("at least 2 cells");
  });

  test("prints a plan of each result, and what a query that fails was for", async () => {
    writeFileSync(join(cwd, "two.sphex"), "input r: tensor(user{},item{})\nsum(r, item)\nsum(r)\n");
    const { out } = await run(["explain", "two.sphex", "--on", "duckdb", ...table]);
    const [first = "", second = ""] = out.split("\nresult 2 of 2\n");
    expect(first).toContain("result 1 of 2\n");
    expect(first).toContain("HASH_GROUP_BY");
    expect(second).toContain("UNGROUPED_AGGREGATE");
    const wrong = ["--table", "r=r.csv(user=usr,item=i,value=s)"];
    const { err } = await run(["run", "p.sphex", "--on", "duckdb", ...wrong]);
    expect(err).toContain("duckdb refused or lost the query that checks the rows of r");
    expect(err).toContain('"usr"');
  });
});
