import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../src/index.js";
import {
  type ConformanceCase,
  conformance,
  type GrpcLibrary,
  onEngine,
  ownCases,
  type SqlEngine,
  spark,
} from "../../src/sql.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { temporaryFolder } from "../folder.js";
import { problemsOf } from "../problem-codes.js";
import { expectLabels, hostileLabels } from "./hostile-labels.js";
import { installed, isAsked } from "./installed.js";
import { expectNumberLabels } from "./number-labels.js";
import { expectProduct } from "./products.js";
import { type SparkCluster, sparkHome, startSpark } from "./spark.js";

/** Spark on a master and two workers of this machine, through Spark Connect: `npm run test:engines`. */
if (!isAsked) console.info("Spark is not tried: npm run test:engines does");
const patience = { timeout: 7_200_000 };
const library = installed("@grpc/grpc-js") as GrpcLibrary | undefined; // as its documentation says
const home = library === undefined ? undefined : sparkHome();
/** One case of so many. */
const oneOf = Number(process.env.SPARK_CASES ?? 1);
/** A statement of a case has a handful of rows: tasks for more than one worker would take longer than they do. */
const inOneTask: Readonly<Record<string, string>> = {
  "spark.sql.adaptive.enabled": "false",
  "spark.sql.leafNodeDefaultParallelism": "1",
  "spark.sql.shuffle.partitions": "1",
};

describe.skipIf(home === undefined)("Spark", patience, () => {
  const folder = temporaryFolder();
  let cluster: SparkCluster | undefined;
  beforeAll(async () => {
    cluster = await startSpark(home ?? "", folder);
  }, 600_000);
  afterAll(() => cluster?.stop());
  const engine = () => spark(cluster?.url ?? "", { library: async () => library ?? expect.unreachable() });

  /** The engine with settings for each of its sessions. */
  const settled = (settings: Readonly<Record<string, string>>): SqlEngine => ({
    ...engine(),
    connect: async (signal) => {
      const connection = await engine().connect(signal);
      for (const [name, value] of Object.entries(settings)) await connection.query(`SET ${name} = ${value}`);
      return connection;
    },
  });

  async function outcomesOf(cases: readonly ConformanceCase[], on: SqlEngine = engine()) {
    const surprises: string[] = [];
    let agrees = 0;
    const all = cases.values();
    // A session for each worker; what one has taken is no case of the other.
    const session = async (): Promise<void> => {
      for await (const { case: each, outcome } of conformance(on, { [Symbol.iterator]: () => all })) {
        if (outcome.kind === "agrees") agrees++;
        if (outcome.kind === "wrong") surprises.push(`${each.expression}: ${outcome.difference}`);
        if (outcome.kind === "unsupported") surprises.push(`${each.expression}: ${outcome.reason}`);
      }
    };
    await Promise.all([session(), session()]);
    return { agrees, surprises };
  }

  test("works on both workers", async () => {
    const connection = await engine().connect();
    const pid = "reflect('java.lang.ProcessHandle', 'current')";
    await expect
      .poll(
        async () => new Set((await connection.query(`SELECT ${pid} AS p FROM range(0, 8, 1, 8)`))[0]).size,
        {
          timeout: 120_000,
        },
      )
      .toBe(2);
    await connection.close();
  });

  test("our own cases agree", async () => {
    const { agrees, surprises } = await outcomesOf(ownCases);
    expect(surprises).toEqual([]);
    expect(agrees).toBe(ownCases.length);
  });

  test.each(["engine", "random"].filter(hasCases))("cases of %s agree", async (suite) => {
    const cases = casesOf(suite)
      .filter((_, at) => at % oneOf === 0)
      .map(
        ({ expr, vars }): ConformanceCase => ({
          expression: expr,
          inputs: inputsOf(vars ?? {}),
          dialect: "vespa",
        }),
      );
    const { agrees, surprises } = await outcomesOf(cases, settled(inOneTask));
    console.info(`Spark: ${agrees} of ${cases.length} cases of ${suite} agree`);
    expect(surprises).toEqual([]);
    expect(agrees).toBeGreaterThan(cases.length * 0.9);
  });

  test("labels are data, whatever they look like, and one of ten megabytes", async () => {
    const labels = [...hostileLabels, "a\0b", "x".repeat(10_000_000)];
    await expectLabels(engine(), { labels, selects: false });
  });

  test("a computed number of 38 digits is the label of them, and a larger one is refused", async () => {
    await expectNumberLabels(engine(), 1e38);
    const [found] = await problemsOf(() => expectNumberLabels(engine()));
    expect(found).toContain("engine/failed");
  });

  test("cells are multiplied in the order of their addresses", async () => {
    await expectProduct(engine());
  });

  test("a result is written to a table, which the next program reads", async () => {
    const query = "SELECT concat('u', id % 100) AS u, id AS i, double(id) AS v FROM range(0, 10000, 1, 4)";
    const rows = { source: { query }, dimensions: { user: "u", item: "i" }, value: "v" };
    const sums = compile("input r: tensor(user{},item{})\nsum(r, item)").on(onEngine(engine()), { r: rows });
    await sums.materialize({ table: "sums" });
    const table = { source: { table: "sums" }, dimensions: { user: "user" } };
    const most = compile("input s: tensor(user{})\nreduce(s, max)").on(onEngine(engine()), { s: table });
    // The hundred numbers that are 99 modulo 100.
    expect((await most.run()).asNumber()).toBe(100 * 99 + (100 * 99 * 100) / 2);
  });

  test("what takes too long is stopped on the cluster", async () => {
    const slow = compile("sum(tensor(x[100000],y[100000])(sin(x + y)), x)").on(onEngine(engine()), {});
    const [found] = await problemsOf(() => slow.run({ timeout: 5000 }));
    expect(found).toContain("engine/stopped");
    expect((await compile("1 + 1").on(onEngine(engine()), {}).run()).asNumber()).toBe(2);
  });
});
