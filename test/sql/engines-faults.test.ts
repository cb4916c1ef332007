import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { type Bindings, onCluster, onEngine, postgresql } from "../../src/sql.js";
import { temporaryFolder } from "../folder.js";
import { problemsOf } from "../problem-codes.js";
import { hasPostgres, type Server, startServers } from "./postgres.js";
import { type CuttableWay, proxyTo } from "./proxy.js";

/** What fails in the middle of a query on shards of PostgreSQL, wherever its programs are. */
const patience = { timeout: 600_000 };
const waiting = { timeout: 120_000, interval: 200 };

describe.skipIf(!hasPostgres)("shards that fail during a query", patience, () => {
  const folder = temporaryFolder();
  const servers: Server[] = [];
  let proxy: CuttableWay | undefined;
  beforeAll(async () => {
    servers.push(...(await startServers(folder, 2)));
    for (const { url } of servers) {
      const connection = await postgresql(url).connect();
      await connection.query(
        "CREATE TABLE r AS SELECT 'u' || n AS u, n AS v FROM generate_series(1, 4) AS s (n)",
      );
      await connection.close();
    }
    proxy = await proxyTo(second().port);
  }, patience.timeout);
  afterAll(() => {
    proxy?.close();
    for (const each of servers) each.stop();
  });

  const second = (): Server => servers[1] ?? expect.unreachable();
  const way = (): CuttableWay => proxy ?? expect.unreachable();
  const program = compile("input r: tensor(user{})\nsum(r)");
  /** Rows that take so many seconds to come. */
  const rows = (seconds: number): Bindings => ({
    r: {
      source: { query: `SELECT u, v FROM r, (SELECT pg_sleep(${seconds})) AS s` },
      dimensions: { user: "u" },
      value: "v",
      partition: "user",
      isTrusted: true,
    },
  });
  const urls = (): readonly string[] => {
    const own = second();
    return [servers[0]?.url ?? "", own.url.replace(`${own.port}`, `${way().port}`)];
  };
  const run = (seconds: number, options = {}): Promise<unknown> =>
    program
      .on(onCluster(urls().map((each) => postgresql(each))), rows(seconds))
      .run({ timeout: 120_000, ...options });

  const active = async (): Promise<number> => {
    const connection = await postgresql(second().url).connect();
    const [[count = 0] = []] = await connection.query(
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active' AND pid <> pg_backend_pid()",
    );
    await connection.close();
    return Number(count);
  };
  const isRunning = (): Promise<void> => expect.poll(active, waiting).toBeGreaterThan(0);
  const isFine = async (): Promise<void> => {
    await expect.poll(async () => await problemsOf(() => run(0)), waiting).toEqual([]);
  };

  test("one whose process is killed", async () => {
    const running = problemsOf(() => run(60));
    await isRunning();
    process.kill(second().pid, "SIGKILL");
    const [found] = await running;
    expect(found).toContain("engine/failed");
    expect(found).toContain(`127.0.0.1:${way().port}`);
    await expect
      .poll(() => {
        try {
          second().start();
          return true;
        } catch {
          return false;
        }
      }, waiting)
      .toBe(true);
    await isFine();
  });

  test("one whose connections are cut, and one that is tried again", async () => {
    const running = problemsOf(() => run(60));
    await isRunning();
    way().cut();
    expect((await running)[0]).toContain("engine/failed");
    await isFine();
    const again = problemsOf(() => run(10, { retries: 1 }));
    await isRunning();
    way().cut();
    expect(await again).toEqual([]);
  });

  test("one that no longer answers, whatever is sent to it", async () => {
    const running = problemsOf(() => run(60, { timeout: 15_000 }));
    await isRunning();
    way().block();
    const [found] = await running;
    expect(found).toContain("engine/stopped");
    expect(found).toContain("longer than it may");
    way().restore();
    await isFine();
  });

  test("a client that is killed leaves no query and no table of its own on the server", async () => {
    const script = join(folder, "client.mjs");
    writeFileSync(
      script,
      `import pg from ${JSON.stringify(import.meta.resolve("pg"))};
const client = new pg.Client(${JSON.stringify(second().url)});
await client.connect();
await client.query("SET client_connection_check_interval = 2000");
await client.query("SELECT pg_sleep(300)");`,
    );
    const client = spawn(process.execPath, [script], { stdio: "ignore" });
    await isRunning();
    client.kill("SIGKILL");
    await expect.poll(active, waiting).toBe(0);
    const connection = await postgresql(second().url).connect();
    // What our own connections ask for.
    expect(await connection.query("SHOW client_connection_check_interval")).toEqual([["2s"]]);
    await connection.close();
    const prod = compile("input r: tensor(user{})\nreduce(r, prod)");
    await prod.on(onEngine(postgresql(second().url)), rows(0)).run();
    const left = await postgresql(second().url).connect();
    await expect
      .poll(async () => {
        const count = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'sphex%'";
        return (await left.query(count)).map((each) => each.map(Number));
      }, waiting)
      .toEqual([[0]]);
    await left.close();
  });
});
