import { postgresql as dialect } from "../../backends/sql/dialects/postgresql.js";
import { exactPostgresql } from "../../backends/sql/dialects/postgresql-exact.js";
import type { ResultColumns } from "../../backends/sql/rows/reading.js";
import { boolean, checkCallOptions, type OptionRules } from "../../language/source/option-rule.js";
import type { QueryOptions, SqlConnection, SqlEngine } from "../driver.js";
import { optional } from "../packages.js";
import { isNetworkError, publicName, secretsOf } from "../urls.js";

type Library = typeof import("pg").default;
type Client = InstanceType<Library["Client"]>;

/** How long a server may take to answer a connection, in milliseconds. */
const longestConnecting = 10_000;

/** How long a server may take to cancel a query before its connection is cut, in milliseconds. */
const longestCancelling = 2_000;

/** How a PostgreSQL server computes. */
export interface PostgresOptions {
  /**
   * Whether what is too large or too small for the server is an infinity or a zero, by functions of the connection, and the
   * remainder of a large quotient exact; otherwise it is a problem, and quick.
   */
  readonly isExact?: boolean;
}

const postgresRules: OptionRules<PostgresOptions> = { isExact: boolean };

/** A PostgreSQL server by its URL, `postgres://user:password@host:port/database`, through the package `pg`. */
export function postgresql(url: string, options: PostgresOptions = {}): SqlEngine {
  checkCallOptions("postgresql", options, postgresRules);
  const { isExact = false } = options;
  const name = publicName(url);
  return {
    name,
    dialect: isExact ? exactPostgresql : dialect,
    secrets: secretsOf(url),
    isLost: (error) => isNetworkError(error) || isShuttingDown(error),
    connect: async (signal) => {
      const { Client } = await library();
      signal?.throwIfAborted();
      const client = new Client(configOf(url));
      const connection = new PostgresConnection(client, () => new Client(configOf(url)));
      const stop = (): void => cut(client);
      signal?.addEventListener("abort", stop);
      try {
        await client.connect();
        // A query whose client is gone ends; a server on a system that cannot tell refuses the setting.
        await client.query(`SET client_connection_check_interval = ${checkInterval}`).catch(() => undefined);
        for (const each of sessionSettings) await client.query(`SET ${each}`);
      } catch (error) {
        signal?.throwIfAborted();
        cut(client);
        throw error;
      } finally {
        signal?.removeEventListener("abort", stop);
      }
      return connection;
    },
  };
}

/**
 * What times and numbers are as texts, whatever a server, a database or a user has set: labels are the same everywhere. And no
 * compilation of expressions, which takes hours for the longest of ours, and no interruption.
 */
const sessionSettings = [
  "jit = off",
  "TimeZone = 'UTC'",
  "DateStyle = ISO",
  "IntervalStyle = postgres",
  "extra_float_digits = 1",
  "standard_conforming_strings = on",
  "bytea_output = hex",
];

/** How often a server looks whether whoever asked is still there, in milliseconds. */
const checkInterval = 2_000;

/** The classes of errors of a connection, of a server that is short of something, and of one that is shut down. */
const passingErrors = ["08", "53", "57P"];

/** What pg, which has no code for it, says of a connection that ended in the middle of a statement, and of one before it. */
const endedConnections = ["Connection terminated", "Client has encountered a connection error"];

function isShuttingDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? `${error.code}` : "";
  return (
    passingErrors.some((each) => code.startsWith(each)) ||
    endedConnections.some((each) => error.message.startsWith(each))
  );
}

const configOf = (connectionString: string) => ({
  connectionString,
  connectionTimeoutMillis: longestConnecting,
  application_name: "sphex",
});

const library = async (): Promise<Library> =>
  (await optional("PostgreSQL", "pg", async () => await import("pg"))).default;

/** Ends a connection whether the server answers or not. */
function cut(client: Client): void {
  client.on("error", () => undefined);
  const { connection } = client as unknown as {
    readonly connection?: { readonly stream?: { destroy(): void } };
  }; // not in its types
  connection?.stream?.destroy();
}

async function askToStop(client: Client, processID: number): Promise<void> {
  await client.connect();
  await client.query("SELECT pg_cancel_backend($1)", [processID]);
  await client.end();
}

class PostgresConnection implements SqlConnection {
  private isCut = false;

  constructor(
    private readonly client: Client,
    private readonly another: () => Client,
  ) {
    // A connection that is lost is told by the query that runs on it.
    client.on("error", () => undefined);
  }

  async query(text: string, { signal }: QueryOptions = {}): Promise<ResultColumns> {
    signal?.throwIfAborted();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      waiting = this.cancel();
    };
    signal?.addEventListener("abort", stop);
    try {
      const { fields, rows } = await this.client.query<unknown[]>({ text, rowMode: "array" });
      return fields.map((_, at) => rows.map((row) => row[at]));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      clearTimeout(waiting);
    }
  }

  /** Asks the server to stop the query; one that goes on with it loses the connection. @returns the wait for that. */
  private cancel(): ReturnType<typeof setTimeout> {
    const { processID } = this.client as unknown as { readonly processID: number }; // not in its types
    const other = this.another();
    other.on("error", () => undefined);
    const timer = setTimeout(() => {
      this.isCut = true;
      cut(this.client);
      cut(other);
    }, longestCancelling);
    askToStop(other, processID).catch(() => cut(other));
    return timer;
  }

  async close(): Promise<void> {
    if (this.isCut) return;
    await this.client.end();
  }
}
