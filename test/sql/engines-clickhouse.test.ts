import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { compile, SphexError } from "../../src/index.js";
import {
  type ChdbLibrary,
  type ConformanceCase,
  type ConformanceOptions,
  chdb,
  clickhouse,
  conformance,
  onEngine,
  ownCases,
} from "../../src/sql.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { temporaryFolder } from "../folder.js";
import { problemsOf } from "../problem-codes.js";
import { arrayCases } from "./array-cases.js";
import { type ColumnCase, outcomeOf } from "./column-types.js";
import { expectLabels, hostileLabels } from "./hostile-labels.js";
import { installed, isAsked } from "./installed.js";
import { expectNumberLabels } from "./number-labels.js";
import { expectProduct } from "./products.js";

/** ClickHouse in this process, and its driver for servers: `npm run test:engines`. */
if (!isAsked) console.info("ClickHouse is not tried: npm run test:engines does");
const patience = { timeout: 1_800_000 };
const library = installed("chdb") as ChdbLibrary | undefined; // as its documentation says
const engine = chdb({ library: async () => library ?? expect.unreachable() });

/** What is refused: the remainder of a quotient of more than 52 bits. */
const refusal = "the quotient of a remainder is too large";

async function outcomesOf(cases: Iterable<ConformanceCase>, options: ConformanceOptions = {}) {
  const surprises: string[] = [];
  let agrees = 0;
  for await (const { case: each, outcome } of conformance(engine, cases, options)) {
    if (outcome.kind === "agrees") agrees++;
    if (outcome.kind === "wrong") surprises.push(`${each.expression}: ${outcome.difference}`);
    if (outcome.kind === "unsupported" && !outcome.reason.includes(refusal))
      surprises.push(`${each.expression}: ${outcome.reason}`);
  }
  return { agrees, surprises };
}

describe.skipIf(library === undefined)("ClickHouse", patience, () => {
  test("our own cases agree", async () => {
    const { agrees, surprises } = await outcomesOf(ownCases);
    expect(surprises).toEqual([]);
    expect(agrees).toBeGreaterThan(ownCases.length - 4);
  });

  test("what is computed of arrays agrees", async () => {
    const { agrees, surprises } = await outcomesOf(arrayCases, { hasBlocks: true });
    expect(surprises).toEqual([]);
    expect(agrees).toBe(arrayCases.length);
  });

  test.each(["engine", "random"].filter(hasCases))("the cases of %s agree", async (suite) => {
    const cases = casesOf(suite).map(
      ({ expr, vars }): ConformanceCase => ({
        expression: expr,
        inputs: inputsOf(vars ?? {}),
        dialect: "vespa",
      }),
    );
    const { agrees, surprises } = await outcomesOf(cases);
    expect(surprises).toEqual([]);
    expect(agrees).toBeGreaterThan(cases.length * 0.9);
  });

  // biome-ignore format: a table
  test.each<ColumnCase>([
    { query: "SELECT toDate('2024-02-29') AS k, toDecimal64('0.1', 3) AS v",              type: "tensor(k{})", is: "tensor(k{}):{'2024-02-29':0.1}" },
    { query: "SELECT CAST('b' AS Enum8('a' = 0, 'b' = 1)) AS k, toUInt64(7) AS v",        type: "tensor(k{})", is: "tensor(k{}):{b:7.0}" },
    { query: "SELECT toFixedString('ab', 5) AS k, true AS v",                             type: "tensor(k{})", is: "tensor(k{}):{ab:1.0}" },
    { query: "SELECT 'a' AS k, toDate('2024-02-29') AS v",                                type: "tensor(k{})", is: "rows/type" },
    { query: "SELECT 'a' AS k, CAST('b' AS Enum8('a' = 0, 'b' = 1)) AS v",                type: "tensor(k{})", is: "rows/type" },
    { query: "SELECT 'a' AS k, toNullable(toDateTime('2024-02-29 00:00:00')) AS v",       type: "tensor(k{})", is: "rows/type" },
    { query: "SELECT toDate('1970-01-02') AS k, 1 AS v",                                  type: "tensor(k[])", binding: { missing: "zero" }, is: "rows/type" },
    { query: "SELECT toDateTime('2024-07-01 00:30:00', 'Europe/Berlin') AS k, 1 AS v",     type: "tensor(k{})", is: "tensor(k{}):{'2024-07-01 00:30:00':1.0}" },
    { query: "SELECT toDateTime(1719786600) AS k, 1 AS v",                                type: "tensor(k{})", is: "tensor(k{}):{'2024-06-30 22:30:00':1.0}" },
    { query: "SELECT toInt8(0) AS k, 1 AS v WHERE 0",                                     type: "tensor(k[])", is: "tensor(k[]):{}" },
    { query: "SELECT toInt8(0) AS k, NULL AS v",                                          type: "tensor(k[],x[2])", binding: { dimensions: { k: "k", x: "k" }, nulls: "absent" }, is: "tensor(k[],x[2]):{}" },
    { query: "SELECT 1.5 AS k, 7 AS v",                                                   type: "tensor(k[])", binding: { missing: "zero" }, is: "rows/index" },
    { query: "SELECT toUInt64(18446744073709551615) AS k, 7 AS v",                        type: "tensor(k[])", binding: { missing: "zero" }, is: "rows/index" },
    { query: "SELECT 'a' AS k, NULL AS v UNION ALL SELECT 'b', 2",                        type: "tensor(k{})", is: "rows/null" },
    { query: "SELECT 'a' AS k, NULL AS v UNION ALL SELECT 'b', 2",                        type: "tensor(k{})", binding: { nulls: "absent" }, is: "tensor(k{}):{b:2.0}" },
    { query: "SELECT NULL AS k, 1 AS v UNION ALL SELECT 0, 2",                            type: "tensor(k[])", binding: { nulls: "absent" }, is: "tensor(k[]):{0:2.0}" },
    { query: "SELECT 'a' AS k, [1, NULL] AS v",                                           type: "tensor(k{},x[2])", binding: { block: "v" }, is: "rows/null" },
    { query: "SELECT 'a' AS k, [1, NULL] AS v",                                           type: "tensor(k{},x[2])", binding: { block: "v", nulls: "absent", missing: "zero" }, is: "tensor(k{},x[2]):{a:[1.0, 0.0]}" },
    { query: "SELECT 'a' AS k, CAST([] AS Array(Int8)) AS v",                             type: "tensor(k{},x[2])", binding: { block: "v" }, expression: "sum(r, x)", is: "rows/missing" },
    { query: "SELECT 'a' AS k, CAST([] AS Array(Int8)) AS v",                             type: "tensor(k{},x[2])", binding: { block: "v", missing: "zero" }, is: "tensor(k{},x[2]):{a:[0.0, 0.0]}" },
  ])("$query bound to $type with $binding is $is", async (each) => {
    expect(await outcomeOf(engine, each)).toBe(each.is);
  });

  test("arrays are joined with cells of a column that may be NULL", async () => {
    const program = compile("input a: tensor(k{})\ninput b: tensor(k{},x[2])\nsum(a * b, x)");
    const dimensions = { k: "k" };
    const bindings = {
      a: { source: { query: "SELECT 'u' AS k, toNullable(2.5) AS value" }, dimensions },
      b: { source: { query: "SELECT 'u' AS k, [3, 4] AS v" }, dimensions, block: "v" },
    };
    const found = await program.on(onEngine(engine), bindings).run();
    expect(`${found}`).toBe("tensor(k{}):{u:17.5}");
  });

  test("a computed number is the label of its digits, and one of 2^255 and more is refused", async () => {
    await expectNumberLabels(engine, 2 ** 254);
    const [found] = await problemsOf(() => expectNumberLabels(engine));
    expect(found).toContain("the number of a label is too large");
  });

  test("cells are multiplied in the order of their addresses", async () => {
    await expectProduct(engine);
    // Columns of a type that may be NULL, as those of a Parquet file are.
    const query = "SELECT CAST('a' AS Nullable(String)) AS k, CAST(3 AS Nullable(Float64)) AS v";
    const t = { source: { query }, dimensions: { k: "k" }, value: "v" };
    const program = compile("input t: tensor(k{})\nreduce(t, prod)\nreduce(t * tensor(x[2]):[1,2], prod, k)");
    const [all, each] = await program.on(onEngine(engine), { t }).runAll();
    expect([`${all}`, `${each}`]).toEqual(["tensor():{3.0}", "tensor(x[2]):[3.0, 6.0]"]);
  });

  test("labels are data, whatever they look like, and one of ten megabytes", async () => {
    const labels = [...hostileLabels, "a\0b", "x".repeat(10_000_000)];
    const folder = temporaryFolder();
    await expectLabels(chdb({ folder, library: async () => library ?? expect.unreachable() }), {
      labels,
      targets: [{ table: "labels" }],
    });
  });
});

/** What a server of ClickHouse answers, from the engine in this process. */
async function served<T>(use: (url: string, requests: readonly Request[]) => Promise<T>): Promise<T> {
  const { Session } = library ?? expect.unreachable();
  const session = new Session();
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const each of request) chunks.push(each as Buffer); // as streams of bytes are
    const body = Buffer.concat(chunks).toString();
    const settings = new URL(request.url ?? "", "http://localhost").searchParams;
    const format = settings.get("default_format") ?? "";
    requests.push({ body, user: `${request.headers["x-clickhouse-user"]}`, id: settings.get("query_id") });
    if (body.includes("sleep")) return;
    try {
      await session.queryAsync(
        `SET output_format_json_quote_denormals = ${settings.get("output_format_json_quote_denormals")}`,
        { format },
      );
      response.end((await session.queryAsync(body, { format })).text());
    } catch (error) {
      response.statusCode = 500;
      response.end(`${error instanceof Error ? error.message : error}`);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    return await use(`clickhouse://someone:hidden@127.0.0.1:${port}/default`, requests);
  } finally {
    server.closeAllConnections();
    server.close();
    session.close();
  }
}

interface Request {
  readonly body: string;
  readonly user: string;
  readonly id: string | null;
}

describe.skipIf(library === undefined)("a server of ClickHouse", patience, () => {
  test("answers programs over HTTP, numbers that are none included", async () => {
    await served(async (url, requests) => {
      const program = compile("tensor(x[4]):[1 / 0, -1 / 0, 0 / 0, -0.0] + 0");
      const found = await program.on(onEngine(clickhouse(url)), {}).run();
      expect(found.equals(program.run())).toBe(true);
      expect(new Set(requests.map(({ user }) => user))).toEqual(new Set(["someone"]));
    });
  });

  test("is asked to stop what takes too long, and is named without its password", async () => {
    await served(async (url, requests) => {
      const query = "SELECT 'a' AS k, sleep(3) AS value";
      const bindings = { r: { source: { query }, dimensions: { k: "k" }, isTrusted: true } };
      const bound = compile("input r: tensor(k{})\nsum(r)").on(onEngine(clickhouse(url)), bindings);
      const error: unknown = await bound.run({ timeout: 2000 }).catch((each: unknown) => each);
      if (!(error instanceof SphexError)) expect.unreachable();
      expect(error.problems.map(({ code }) => code)).toEqual(["engine/stopped"]);
      expect(JSON.stringify(error.problems.map(({ description }) => description))).not.toContain("hidden");
      await expect.poll(() => requests.at(-1)?.body, { timeout: 60_000 }).toContain("KILL QUERY");
      const stopped = requests.find(({ body }) => body.includes("sleep"))?.id;
      expect(requests.at(-1)?.body).toContain(`'${stopped}'`);
    });
  });
});
