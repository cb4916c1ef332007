import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/index.js";
import {
  type Bindings,
  duckdb,
  type EngineProgress,
  engineOf,
  onCluster,
  onEngine,
  type SqlEngine,
  textEngine,
} from "../../src/sql.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { problemsOf } from "../problem-codes.js";
import { hasDuckDb } from "./duckdb.js";

/** Long work: what is told of it, what stops it, what is tried again, and that nothing of it is left behind. */

/** An engine that loses its connection so often, and says its password whenever it can. */
function unsteady(losses: number, code = "ECONNRESET"): SqlEngine & { readonly attempts: () => number } {
  const { dialect } = textEngine("duckdb");
  let attempts = 0;
  return {
    name: "unsteady",
    dialect,
    secrets: ["hidden"],
    isLost: (error) => error instanceof Error && "code" in error && error.code === "ECONNRESET",
    attempts: () => attempts,
    connect: async () => {
      attempts++;
      return {
        query: async (text) => {
          if (attempts <= losses) throw Object.assign(new Error("lost someone:hidden@there\nmore"), { code });
          return text.startsWith("EXPLAIN") ? [["as hidden"]] : [[2]];
        },
        close: async () => {},
      };
    },
  };
}

describe("a connection that is lost", () => {
  const program = compile("1 + 1");

  test("is another one as often as is asked for, and is told of", async () => {
    const stages: string[] = [];
    const engine = unsteady(2);
    const progress = ({ stage }: EngineProgress): void => void stages.push(stage);
    const found = await program.on(onEngine(engine), {}).run({ retries: 2, progress });
    expect(found.asNumber()).toBe(2);
    expect(engine.attempts()).toBe(3);
    expect(stages).toEqual(["computes", "connects again", "computes", "connects again", "computes"]);
  });

  // biome-ignore format: a table
  test.each([
    { what: "unless it is asked for",   engine: unsteady(1),           retries: 0, attempts: 1 },
    { what: "more often than is asked", engine: unsteady(5),           retries: 1, attempts: 2 },
    { what: "after a wrong statement",  engine: unsteady(1, "SYNTAX"), retries: 3, attempts: 1 },
  ])("is not tried again $what", async ({ engine, retries, attempts }) => {
    const [found] = await problemsOf(() => program.on(onEngine(engine), {}).run({ retries }));
    expect(found).toContain("engine/failed");
    expect(engine.attempts()).toBe(attempts);
  });

  test("is told without its password, and so is a plan", async () => {
    const [found] = await problemsOf(() => program.on(onEngine(unsteady(1)), {}).run());
    expect(found).toContain("lost someone:***@there");
    expect(await program.on(onEngine(unsteady(0)), {}).explain()).toBe("as ***");
  });
});

// biome-ignore format: a table
test.each([
  { url: "postgres://someone:p%40ss@db.example:5432/shop",  secrets: ["p%40ss", "p@ss"], name: "postgres://db.example:5432/shop" },
  { url: "clickhouse://someone:hidden@db.example/shop",     secrets: ["hidden"],         name: "clickhouse://db.example/shop" },
  { url: "postgres://db.example/shop?password=hidden",      secrets: ["hidden"],         name: "postgres://db.example/shop" },
  { url: "postgres://someone:100%@db.example/sale",         secrets: ["100%"],           name: "postgres://db.example/sale" },
  { url: "postgres://db.example/sale?password=100%25",      secrets: ["100%25", "100%"], name: "postgres://db.example/sale" },
])("$name is called so", ({ url, secrets, name }) => {
  const engine = engineOf(url);
  expect([engine.name, engine.secrets]).toEqual([name, secrets]);
});

describe.skipIf(!hasDuckDb)("results that are written", patient, () => {
  const text = "input r: tensor(user{},item{})\nsum(r, item)";
  const rows = (query: string): Bindings => ({
    r: { source: { query }, dimensions: { user: "u", item: "i" }, partition: "user", isTrusted: true },
  });
  const table = (user: string): string => `SELECT '${user}' AS u, 'x' AS i, 3 AS value`;
  const broken = "SELECT error('broken') AS u, 'x' AS i, 3 AS value";
  const cells = async (engine: SqlEngine): Promise<unknown> => {
    const connection = await engine.connect();
    const found = await connection.query("SELECT * FROM sums ORDER BY ALL").catch(() => undefined);
    await connection.close();
    return found;
  };

  test("are there, or what was there before", async () => {
    const engine = duckdb({ file: join(temporaryFolder(), "data.db") });
    const program = compile(text);
    await program.on(onEngine(engine), rows(table("a"))).materialize({ table: "sums" });
    const [found] = await problemsOf(() =>
      program.on(onEngine(engine), rows(broken)).materialize({ table: "sums" }),
    );
    expect(found).toContain("broken");
    expect(await cells(engine)).toEqual([["a"], [3]]);
  });

  test("may replace the table that they are computed from, or a view of it", async () => {
    const engine = duckdb({ file: join(temporaryFolder(), "data.db") });
    const connection = await engine.connect();
    await connection.query("CREATE TABLE t AS SELECT 'a' AS k, 3 AS value");
    await connection.query("CREATE VIEW v AS SELECT * FROM t");
    await connection.close();
    for (const table of ["t", "v"])
      await compile("input t: tensor(k{})\nt * 2")
        .on(onEngine(engine), { t: { source: { table }, dimensions: { k: "k" } } })
        .materialize({ table: "main.t" });
    const again = await engine.connect();
    expect(await again.query("SELECT * FROM t")).toEqual([["a"], [12]]);
    await again.close();
  });

  test("are on all shards, each its part, or on none", async () => {
    const folder = temporaryFolder();
    const shards = ["one", "two"].map((name) => duckdb({ file: join(folder, `${name}.db`) }));
    for (const [at, shard] of shards.entries()) {
      const connection = await shard.connect();
      await connection.query(`CREATE TABLE r AS ${table(`user ${at}`)}`);
      await connection.close();
    }
    const bindings = rows("SELECT * FROM r");
    await compile(text).on(onCluster(shards), bindings).materialize("sums");
    expect(await Promise.all(shards.map(cells))).toEqual([
      [["user 0"], [3]],
      [["user 1"], [3]],
    ]);
    // What is computed from all of them is the same on each.
    await compile(`${text}\nsum(r, user)`).on(onCluster(shards), bindings).materialize("sums");
    expect(await Promise.all(shards.map(cells))).toEqual([
      [["x"], [6]],
      [["x"], [6]],
    ]);
    const [second] = shards.slice(1);
    const connection = await second?.connect();
    await connection?.query("DROP TABLE r");
    await connection?.close();
    const [found] = await problemsOf(() => compile(text).on(onCluster(shards), bindings).materialize("sums"));
    expect(found).toContain("two.db");
    expect(await Promise.all(shards.map(cells))).toEqual([
      [["x"], [6]],
      [["x"], [6]],
    ]);
  });
});

describe.skipIf(!hasDuckDb)("the command", patient, () => {
  const { run, folder } = command();
  const shards = ["--on", "duckdb", "--on", "duckdb", "--replicated", "r"];
  const bound = ["--table", "r=r.csv(user=u,item=i,value=s)"];

  test("writes what shards compute to a file, or to a table of each", async () => {
    writeFileSync(join(folder, "p.sphex"), "input r: tensor(user{},item{})\nsum(r, item)\n");
    writeFileSync(join(folder, "r.csv"), "u,i,s\na,1,2\na,2,3\nb,1,4\n");
    const { err, code } = await run(["run", "p.sphex", ...shards, ...bound, "--into", "out.csv"]);
    expect([err, code]).toEqual(["", 0]);
    writeFileSync(join(folder, "q.sphex"), "sum(s)\n");
    const read = await run(["run", "q.sphex", "--on", "duckdb", "--table", "s=out.csv(user=user)"]);
    expect(read.out).toBe("9.0\n");
    const files = ["one.db", "two.db"].flatMap((name) => ["--on", `duckdb:${name}`]);
    const into = await run(["run", "p.sphex", ...files, "--replicated", "r", ...bound, "--into", "table:t"]);
    expect([into.err, into.code]).toEqual(["", 0]);
    const table = ["--on", "duckdb:two.db", "--table", "s=t(user=user)"];
    expect((await run(["run", "q.sphex", ...table])).out).toBe("9.0\n");
  });

  test("stops a query that is interrupted, and leaves nothing", async () => {
    writeFileSync(join(folder, "slow.sphex"), "sum(tensor(x[100000],y[100000])(sin(x + y)), x)\n");
    const interrupted = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 300));
    const slow = ["run", "slow.sphex", "--on", "duckdb", "--into", "slow.parquet"];
    const { err, code } = await run(slow, { interrupted });
    expect(code).toBe(1);
    expect(err).toContain("engine/stopped");
    expect(existsSync(join(folder, "slow.parquet"))).toBe(false);
  });

  test("refuses what is for engines alone", async () => {
    const { err } = await run(["run", "p.sphex", "--retries", "2"]);
    expect(err).toContain("--retries is for programs on an engine");
  });
});
