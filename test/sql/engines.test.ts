import { beforeAll, describe, expect, test } from "vitest";
import { compile, parseType, SphexError, Tensor } from "../../src/index.js";
import {
  type Bindings,
  type ClusterProgram,
  type ConformanceCase,
  type ConformanceOptions,
  conformance,
  onCluster,
  onEngine,
  ownCases,
  type PostgresOptions,
  postgresql,
  type SqlEngine,
} from "../../src/sql.js";
import { casesOf, inputsOf } from "../conformance/cases.js";
import { temporaryFolder } from "../folder.js";
import { arrayCases } from "./array-cases.js";
import { type ColumnCase, outcomeOf } from "./column-types.js";
import { expectLabels, hostileLabels, tensorWith } from "./hostile-labels.js";
import { isAsked } from "./installed.js";
import { expectNumberLabels } from "./number-labels.js";
import { hasPostgres, type Server, startServers } from "./postgres.js";
import { expectProduct } from "./products.js";

/**
 * PostgreSQL, by servers that are started here, wherever their programs are. Of the random cases each tenth is tried: others
 * on another DAY, and all by `npm run test:engines`.
 */
const patience = { timeout: 900_000 };
/** On a busy machine. */
const waiting = { timeout: 120_000, interval: 200 };
const day = Number(process.env.DAY ?? 0);

/** The first line of what a server says that it did. */
const uppermostRows = /^[^\n]*\(actual [^)]*rows=(\d+)/;

/** How many queries the stages of a program are for all shards together: what must be there before them has no plan. */
const statementsOn = (bound: ClusterProgram, shards: number): number =>
  bound
    .stages()
    .reduce(
      (sum, { kind, statements }) =>
        sum +
        statements.filter((text) => !text.startsWith("CREATE")).length * (kind === "first" ? 1 : shards),
      0,
    );

async function problemsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof SphexError)
      return error.problems.map(({ code, description }) => `${code} ${JSON.stringify(description)}`);
    throw error;
  }
}

describe.skipIf(!hasPostgres)("PostgreSQL", patience, () => {
  const folder = temporaryFolder();
  const shards: Server[] = [];
  let url = "";
  beforeAll(async () => {
    const [node, ...others] = await startServers(folder, 4);
    url = node?.url ?? "";
    shards.push(...others);
    return () => {
      for (const each of [node, ...others]) each?.stop();
    };
  }, patience.timeout);

  const outcomesOf = async (
    cases: Iterable<ConformanceCase>,
    { isExact = false, ...options }: ConformanceOptions & PostgresOptions = {},
  ) => {
    const wrong: string[] = [];
    const reasons = new Set<string>();
    let agrees = 0;
    for await (const { case: each, outcome } of conformance(postgresql(url, { isExact }), cases, options)) {
      if (outcome.kind === "agrees") agrees++;
      if (outcome.kind === "wrong") wrong.push(`${each.expression}: ${outcome.difference}`);
      if (outcome.kind === "unsupported") reasons.add(outcome.reason.split(": ").slice(1).join(": "));
    }
    return { agrees, wrong, reasons };
  };
  /** What PostgreSQL refuses to compute; whoever needs it is told. */
  const refusals = [
    "value out of range: overflow",
    "value out of range: underflow",
    // The remainder of a quotient of more than 52 bits.
    "cannot take square root of a negative number",
    // A statement that its planner needs more than a gigabyte for.
    "invalid memory alloc request size 1073741824",
    "\0",
  ];

  test("labels are what they are, whatever a role has set for texts", async () => {
    const set = async (...settings: readonly string[]): Promise<void> => {
      const connection = await postgresql(url).connect();
      for (const each of settings) await connection.query(`ALTER ROLE CURRENT_USER ${each}`);
      await connection.close();
    };
    const labels = ["C:\\new", "\\' || current_database() --", "a\\"];
    const tensor = Tensor.from(parseType("tensor(k{})"), new Map(labels.map((each, at) => [each, at + 1])));
    const bytes = {
      source: { query: "SELECT '\\x6162ff'::bytea AS k, 4.0::float8 AS value" },
      dimensions: { k: "k" },
    };
    await set("SET standard_conforming_strings = off", "SET bytea_output = escape");
    try {
      const program = compile("input p: tensor(k{})\ninput q: tensor(k{})\nmerge(p, q, f(a,b)(a + b))");
      const found = await program.on(onEngine(postgresql(url)), { p: { tensor }, q: bytes }).run();
      expect(found.labels).toEqual([...labels, "\\x6162ff"].sort().map((each) => [each]));
    } finally {
      await set("RESET standard_conforming_strings", "RESET bytea_output");
    }
  });

  test("our own cases agree, or are refused for a reason", async () => {
    const { agrees, wrong, reasons } = await outcomesOf(ownCases);
    expect(wrong).toEqual([]);
    expect([...reasons].filter((each) => !refusals.includes(each))).toEqual([]);
    expect(agrees).toBeGreaterThan(ownCases.length - 18);
  });

  test("with exact helpers our own cases agree, all of them, and so do arrays", async () => {
    const all = { wrong: [], reasons: new Set() };
    expect(await outcomesOf(ownCases, { isExact: true })).toEqual({ agrees: ownCases.length, ...all });
    expect(await outcomesOf(arrayCases, { isExact: true, hasBlocks: true })).toEqual({
      agrees: arrayCases.length,
      ...all,
    });
  });

  test("what is computed of arrays agrees", async () => {
    const { agrees, wrong, reasons } = await outcomesOf(arrayCases, { hasBlocks: true });
    expect(wrong).toEqual([]);
    expect([...reasons].filter((each) => !refusals.includes(each))).toEqual([]);
    expect(agrees).toBeGreaterThan(arrayCases.length - 4);
  });

  test.each([
    { suite: "engine", days: 1 },
    { suite: "random", days: isAsked ? 1 : 10 },
    { suite: "random", days: isAsked ? 2 : 20, isExact: true },
  ])("the cases of $suite agree, or are refused for a reason; with exact helpers: $isExact", async (each) => {
    const { suite, days, isExact = false } = each;
    const cases = casesOf(suite)
      .filter((_, at) => at % days === day % days)
      .map(
        ({ expr, vars }): ConformanceCase => ({
          expression: expr,
          inputs: inputsOf(vars ?? {}),
          dialect: "vespa",
        }),
      );
    const { agrees, wrong, reasons } = await outcomesOf(cases, { isExact });
    const expected = isExact ? [] : refusals;
    expect(wrong).toEqual([]);
    expect([...reasons].filter((reason) => !expected.includes(reason))).toEqual([]);
    // A clone has no cases of other engines.
    expect(agrees).toBeGreaterThanOrEqual(cases.length * 0.9);
  });

  // biome-ignore format: a table
  test.each<ColumnCase>([
    { query: "SELECT DATE '2024-02-29' AS k, 0.1::numeric AS v",           type: "tensor(k{})", is: "tensor(k{}):{'2024-02-29':0.1}" },
    { query: "SELECT true AS k, 'Infinity'::numeric AS v",                 type: "tensor(k{})", is: "tensor(k{}):{true:Infinity}" },
    { query: "SELECT 1.50::numeric(9,3) AS k, 0.5::float4 AS v",           type: "tensor(k{})", is: "tensor(k{}):{'1.500':0.5}" },
    { query: "SELECT TIMESTAMPTZ '2024-07-01 00:30:00.25+02' AS k, 1 AS v", type: "tensor(k{})", is: "tensor(k{}):{'2024-06-30 22:30:00.25+00':1.0}" },
    { query: "SELECT 0.1::float8 + 0.2::float8 AS k, 1 AS v",              type: "tensor(k{})", is: "tensor(k{}):{'0.30000000000000004':1.0}" },
    // Blanks behind a text of a fixed length are no part of it.
    { query: "SELECT 'a '::char(5) AS k, 1 AS v UNION ALL SELECT 'b'::char(3), 2", type: "tensor(k{})", is: "tensor(k{}):{a:1.0, b:2.0}" },
    { query: "SELECT 'a '::text AS k, 1 AS v UNION ALL SELECT 'a', 2",     type: "tensor(k{})", is: "tensor(k{}):{a:2.0, 'a ':1.0}" },
    { query: "SELECT 'a' AS k, B'1010' AS v",                              type: "tensor(k{})", is: "engine/failed" },
    { query: "SELECT 'a' AS k, DATE '2024-02-29' AS v",                    type: "tensor(k{})", is: "engine/failed" },
    { query: "SELECT 'a' AS k, true AS v",                                 type: "tensor(k{})", is: "engine/failed" },
    { query: "SELECT 1.5 AS k, 7 AS v",                                    type: "tensor(k[])", binding: { missing: "zero" }, is: "rows/index" },
    { query: "SELECT 0.4::float8 AS k, 7 AS v",                            type: "tensor(k[])", binding: { missing: "zero" }, is: "rows/index" },
    { query: "SELECT 'a' AS k, ARRAY[[1, 2], [3, 4]] AS v",                type: "tensor(k{},x[4])", binding: { block: "v" }, is: "tensor(k{},x[4]):{a:[1.0, 2.0, 3.0, 4.0]}" },
    { query: "SELECT 'a' AS k, ARRAY[[1, 2], [3, 4], [5, 6]] AS v",        type: "tensor(k{},x[2],y[3])", binding: { block: "v" }, is: "rows/type" },
    { query: "SELECT 'a' AS k, ARRAY[[1, 2, 3], [4, 5, 6]] AS v",          type: "tensor(k{},x[2],y[3])", binding: { block: "v" }, is: "tensor(k{},x[2],y[3]):{a:[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}" },
    { query: "SELECT 'a' AS k, ARRAY[1, 2, 3, 4, 5, 6] AS v",              type: "tensor(k{},x[2],y[3])", binding: { block: "v" }, is: "tensor(k{},x[2],y[3]):{a:[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}" },
    { query: "SELECT 'a' AS k, '[0:1]={1,2}'::int[] AS v",                 type: "tensor(k{},x[2])", binding: { block: "v" }, expression: "sum(r * r, x)", is: "tensor(k{}):{a:5.0}" },
    { query: "SELECT 'a' AS k, NULL::int[] AS v",                          type: "tensor(k{},x[2])", binding: { block: "v" }, expression: "sum(r, x)", is: "rows/null" },
    { query: "SELECT 'a' AS k, '{}'::int[] AS v",                          type: "tensor(k{},x[2])", binding: { block: "v" }, expression: "sum(r, x)", is: "rows/missing" },
    { query: "SELECT 'a' AS k, '{}'::int[] AS v",                          type: "tensor(k{},x[2])", binding: { block: "v", missing: "zero" }, is: "tensor(k{},x[2]):{a:[0.0, 0.0]}" },
  ])("$query bound to $type with $binding is $is", async (each) => {
    expect(await outcomeOf(postgresql(url), each)).toBe(each.is);
  });

  test("a result may replace the table that it is computed from", async () => {
    const engine = postgresql(url);
    const connection = await engine.connect();
    const name = "n".repeat(63);
    await connection.query(`CREATE TABLE ${name} AS SELECT 'a' AS k, 3 AS value`);
    const program = compile("input t: tensor(k{})\nt * 2");
    const bound = program.on(onEngine(engine), { t: { source: { table: name }, dimensions: { k: "k" } } });
    await bound.materialize({ table: `public.${name}` });
    await bound.materialize({ table: name });
    expect(await connection.query(`SELECT * FROM ${name}`)).toEqual([["a"], [12]]);
    await connection.close();
  });

  test("labels are data, whatever they look like, and one of ten megabytes; one with a NUL is refused", async () => {
    const labels = [...hostileLabels, "x".repeat(10_000_000)];
    await expectLabels(postgresql(url), { labels, targets: [{ table: "labels" }] });
    const withNul = { a: { tensor: tensorWith(["a\0b"]) } };
    const bound = compile("input a: tensor(k{})\na + 1").on(onEngine(postgresql(url)), withNul);
    const [found] = await problemsOf(() => bound.run());
    expect(found).toContain("sql/label");
  });

  test("a computed number of any size is the label of its digits", async () => {
    await expectNumberLabels(postgresql(url));
    await expectNumberLabels(postgresql(url, { isExact: true }));
  });

  test("cells are multiplied in the order of their addresses", async () => {
    await expectProduct(postgresql(url));
    await expectProduct(postgresql(url, { isExact: true }));
  });

  test("a query that takes too long is cancelled on the server, and the next one runs", async () => {
    const slow = compile("sum(tensor(x[100000],y[10000])(sin(x + y)))").on(onEngine(postgresql(url)), {});
    expect((await problemsOf(() => slow.run({ timeout: 300 })))[0]).toContain("engine/stopped");
    const connection = await postgresql(url).connect();
    const running = async (): Promise<number> => {
      const [[count = -1] = []] = await connection.query(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sphex' AND state = 'active' AND pid <> pg_backend_pid()",
      );
      return Number(count);
    };
    await expect.poll(running, waiting).toBe(0);
    await connection.close();
    expect(
      (
        await compile("1 + 1")
          .on(onEngine(postgresql(url)), {})
          .run()
      ).asNumber(),
    ).toBe(2);
  });

  test("a server that is not there is named, and its password is not", async () => {
    const [found] = await problemsOf(() =>
      compile("1")
        .on(onEngine(postgresql("postgres://someone:hidden@127.0.0.1:1/db")), {})
        .run(),
    );
    expect(found).toContain("postgres://127.0.0.1:1/db");
    expect(found).not.toContain("hidden");
  });

  describe("three shards", () => {
    const engines: SqlEngine[] = [];
    const users = 60;
    const rating = (user: number, item: number): number => ((user * 7 + item * 13) % 11) - 5;
    const hasRating = (user: number, item: number): boolean => (user * 5 + item * 3) % 4 !== 0;
    const items = 20;
    const pairs = Array.from(
      { length: users * items },
      (_, at) => [Math.floor(at / items), at % items] as const,
    );
    const rows = pairs.filter(([user, item]) => hasRating(user, item));
    const features = Array.from({ length: items * 3 }, (_, at) => [Math.floor(at / 3), at % 3] as const);
    const insert = (table: string, list: readonly (readonly (string | number)[])[]): string =>
      list.length === 0
        ? "SELECT 1"
        : `INSERT INTO ${table} VALUES ${list.map((row) => `(${row.map((each) => (typeof each === "number" ? each : `'${each}'`)).join(", ")})`).join(", ")}`;
    beforeAll(async () => {
      engines.push(...shards.map((each) => postgresql(each.url)));
      for (const [at, engine] of engines.entries()) {
        const connection = await engine.connect();
        await connection.query("CREATE TABLE ratings (user_id text, item_id text, stars float8)");
        await connection.query("CREATE TABLE items (item_id text, feature text, weight float8)");
        const own = rows.filter(([user]) => user % 3 === at);
        await connection.query(
          insert(
            "ratings",
            own.map(([user, item]) => [`u${user}`, `i${item}`, rating(user, item)]),
          ),
        );
        await connection.query(
          insert(
            "items",
            features.map(([item, feature]) => [`i${item}`, `f${feature}`, item / 7 + feature]),
          ),
        );
        await connection.close();
      }
    });
    const bindings: Bindings = {
      r: {
        source: { table: "ratings" },
        dimensions: { user: "user_id", item: "item_id" },
        value: "stars",
        partition: "user",
      },
      w: {
        source: { table: "items" },
        dimensions: { item: "item_id", feature: "feature" },
        value: "weight",
        isReplicated: true,
      },
    };
    const literal = (
      names: readonly string[],
      list: readonly (readonly [readonly string[], number])[],
    ): string =>
      `tensor(${names.map((name) => `${name}{}`).join(",")}):{${list.map(([labels, value]) => `{${labels.map((label, at) => `${names[at]}:${label}`).join(",")}}:${value}`).join(",")}}`;
    const inputs = {
      r: literal(
        ["item", "user"],
        rows.map(([user, item]) => [[`i${item}`, `u${user}`], rating(user, item)]),
      ),
      w: literal(
        ["feature", "item"],
        features.map(([item, feature]) => [[`f${feature}`, `i${item}`], item / 7 + feature]),
      ),
    };
    const declared = "input r: tensor(user{},item{})\ninput w: tensor(item{},feature{})\n";

    // biome-ignore format: a table
    test.each([
      { text: "sum(r * w, item)",                    moved: users * 3, kinds: ["union"] },
      { text: "sum(sum(r * w, item), user)",         moved: 3 * 3,     kinds: ["partial"] },
      { text: "sum(r)",                              moved: 3,         kinds: ["partial"] },
      { text: "reduce(r, avg)",                      moved: 2 * 3,     kinds: ["partial"] },
      { text: "reduce(r, avg, user)",                moved: 2 * 3 * items, kinds: ["partial"] },
      { text: "reduce(r, max, user) - reduce(r, min, user)", moved: 4 * 3 * items, kinds: ["partial", "partial"] },
      { text: "reduce(r, count)",                    moved: 3,         kinds: ["partial"] },
      { text: "reduce(r, prod, item)",               moved: users,     kinds: ["union"] },
      { text: "reduce(r, prod, user)",               moved: rows.length, kinds: ["union"] },
      { text: "sum(softmax(r, item) ^ 2)",           moved: 3,         kinds: ["partial"] },
      { text: "sum(map_subspaces(r, f(t)(t * 2)), user)", moved: 3 * items, kinds: ["partial"] },
      { text: "sum(filter_subspaces(r, f(t)(t > 2)), user)", moved: 3 * items, kinds: ["partial"] },
      { text: "sum(reduce(sum(r * w, item), max, feature), user)", moved: 3, kinds: ["partial"] },
      { text: "sum(merge(r, r * 2, f(a,b)(a + b)), item)", moved: users, kinds: ["union"] },
      { text: "reduce(r, median)",                   moved: rows.length, kinds: ["union"] },
      { text: "sum(w, item) + 1",                    moved: 3,         kinds: ["first"] },
      { text: "r{user: u7}",                         moved: items,     kinds: ["union"] },
      { text: "sum(r{user: u7} * w, item)",          moved: items + items * 3, kinds: ["first", "union"] },
      { text: "r{user: u7, item: i2}",               moved: rows.length, kinds: ["union"] },
      { text: "sum(r, item) / sum(r)",               moved: users + 3, kinds: ["partial", "union"] },
      { text: "2 + 3",                               moved: 0,         kinds: [] },
    ])("$text moves no more than it must, and is what one machine computes", async ({ text, moved, kinds }) => {
      const program = compile(declared + text);
      const bound = program.on(onCluster(engines), bindings);
      let cells = 0;
      const found = await bound.run({ moved: (_, count) => void (cells += count) });
      const expected = program.run(inputs);
      expect(found.type.equals(expected.type)).toBe(true);
      expect(found.labels).toEqual(expected.labels);
      for (const at of expected.data.keys())
        expect(Math.abs(found.at(at) - expected.at(at))).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(expected.at(at))));
      expect(cells).toBeLessThanOrEqual(moved);
      // By the shards' own account, too: the rows of the uppermost step of each plan.
      const plans = (await bound.explain({ run: true })).split("\n\n");
      const handedOver = plans.flatMap((plan) => uppermostRows.exec(plan)?.[1] ?? []).map(Number);
      expect(handedOver.length).toBe(statementsOn(bound, engines.length));
      expect(handedOver.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(moved);
      expect(bound.stages().map(({ kind }) => kind).sort()).toEqual(kinds);
    });

    test("a table that is neither partitioned nor replicated is refused", async () => {
      const { r, w } = bindings;
      if (r === undefined || w === undefined || !("source" in r)) throw new Error("these are tables");
      const { partition: _, ...rest } = r;
      const [found] = await problemsOf(async () =>
        compile(`${declared}sum(r * w)`).on(onCluster(engines), { r: rest, w }),
      );
      expect(found).toContain("binding/placement");
    });

    test("a shard that is paused, or is gone, is named; there is no partial result, and the next run works", async () => {
      const bound = compile(`${declared}sum(r)`).on(onCluster(engines), bindings);
      const before = await bound.run();
      const [, second, third] = shards;
      if (second === undefined || third === undefined) throw new Error("there are three shards");
      process.kill(second.pid, "SIGSTOP");
      const [paused] = await problemsOf(() => bound.run({ timeout: 8000 }));
      process.kill(second.pid, "SIGCONT");
      expect(paused).toContain("engine/stopped");
      expect(paused).toContain(`127.0.0.1:${second.port}`);
      expect((await bound.run()).equals(before)).toBe(true);
      third.stop();
      const [gone] = await problemsOf(() => bound.run({ timeout: 120_000 }));
      expect(gone).toContain("engine/failed");
      expect(gone).toContain(`127.0.0.1:${third.port}`);
      third.start();
      expect((await bound.run()).equals(before)).toBe(true);
    });
  });
});
