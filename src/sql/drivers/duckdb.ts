import { duckdb as dialect } from "../../backends/sql/dialects/duckdb.js";
import type { ResultColumns } from "../../backends/sql/rows/reading.js";
import { checkCallOptions, type OptionRules, object, text } from "../../language/source/option-rule.js";
import type { QueryOptions, QueryProgress, SqlConnection, SqlEngine } from "../driver.js";
import { optional } from "../packages.js";
import { columnsOfChunks } from "./duckdb-columns.js";

/** How DuckDB is opened. */
export interface DuckDbOptions {
  /** A database; without it all is in memory, and what is not there is read from files. */
  readonly file?: string;
  /** Settings of the engine, such as `memory_limit`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const duckDbRules: OptionRules<DuckDbOptions> = { file: text, settings: object };

/** DuckDB within this process, by the package `@duckdb/node-api`. */
export function duckdb(options: DuckDbOptions = {}): SqlEngine {
  checkCallOptions("duckdb", options, duckDbRules);
  const { file, settings = {} } = options;
  return {
    name: file === undefined ? "duckdb" : `duckdb:${file}`,
    dialect,
    connect: async () => {
      const packaged = await library();
      const instance = await packaged.DuckDBInstance.create(file ?? ":memory:", { ...settings });
      const connection = await instance.connect();
      for (const each of [...progressSettings, ...meaningSettings]) await connection.run(each);
      // Without the part that knows of time zones all times are of this one.
      await connection.run("SET TimeZone = 'UTC'").catch(() => undefined);
      return new DuckDbConnection(packaged, connection, () => {
        connection.closeSync();
        instance.closeSync();
      });
    },
  };
}

/** Rows are counted only where a bar of progress would be drawn, which is left to others. */
const progressSettings = [
  "SET enable_progress_bar = true",
  "SET enable_progress_bar_print = false",
  "SET progress_bar_time = 500",
];

/** What arithmetic, labels and orders mean, whatever settings a host has passed. */
const meaningSettings = [
  "SET ieee_floating_point_ops = true",
  "SET integer_division = false",
  "SET default_collation = ''",
  "SET default_order = 'ASC'",
];

/** How often a query is asked to stop until it does, in milliseconds. */
const interruptInterval = 50;

/** How long whoever stops a query waits until it has stopped, in milliseconds: a statement is planned to its end. */
const stoppingTime = 1000;

type DuckDbPackage = typeof import("@duckdb/node-api");

const library = (): Promise<DuckDbPackage> =>
  optional("DuckDB", "@duckdb/node-api", () => import("@duckdb/node-api"));

type Connection = Awaited<ReturnType<import("@duckdb/node-api").DuckDBInstance["connect"]>>;

class DuckDbConnection implements SqlConnection {
  /** What the engine is at, also where nobody waits for it any more. */
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly packaged: DuckDbPackage,
    private readonly connection: Connection,
    private readonly end: () => void,
  ) {}

  async query(text: string, { signal }: QueryOptions = {}): Promise<ResultColumns> {
    signal?.throwIfAborted();
    const running = this.answer(text);
    this.running = running.catch(() => undefined).finally(() => (this.running = undefined));
    if (signal === undefined) return await running;
    let stop = (): void => {};
    const left = new Promise<never>((_, reject) => {
      stop = () => {
        this.connection.interrupt();
        // Of a query that has not begun it would be lost.
        const stopping = setInterval(() => this.connection.interrupt(), interruptInterval);
        const leaving = setTimeout(() => reject(signal.reason), stoppingTime);
        this.running?.finally(() => {
          clearInterval(stopping);
          clearTimeout(leaving);
        });
      };
    });
    signal.addEventListener("abort", stop);
    try {
      return await Promise.race([running, left]);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  private async answer(text: string): Promise<ResultColumns> {
    const result = await this.connection.run(text);
    return columnsOfChunks(this.packaged, result.columnCount, await result.fetchAllChunks());
  }

  async progress(): Promise<QueryProgress | undefined> {
    const { percentage, rows_processed: rows, total_rows_to_process: total } = this.connection.progress;
    return percentage < 0 ? undefined : { rows: Number(rows), total: Number(total) };
  }

  /** A connection that is still at something is closed when that is over. */
  async close(): Promise<void> {
    if (this.running === undefined) this.end();
    else void this.running.then(this.end);
  }
}
