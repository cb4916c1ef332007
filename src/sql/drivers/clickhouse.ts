import { clickhouse as dialect } from "../../backends/sql/dialects/clickhouse.js";
import type { ResultColumns } from "../../backends/sql/rows/reading.js";
import { SphexError } from "../../language/source/problem.js";
import { spanOfText } from "../../language/values/messages.js";
import type { QueryOptions, QueryProgress, SqlConnection, SqlEngine } from "../driver.js";
import { problem } from "../messages.js";
import { isNetworkError, publicName, secretsOf } from "../urls.js";
import { answerFormat, answerSettings, columnsOfAnswer, longStatements } from "./clickhouse-answers.js";

/** How long a server may take to stop a query, in milliseconds. */
const longestCancelling = 2_000;

/**
 * A ClickHouse server by its URL, `clickhouse://user:password@host:8123/database`, over HTTP and without a package;
 * `clickhouses://` is over HTTPS.
 */
export function clickhouse(url: string): SqlEngine {
  const server = serverOf(url);
  return {
    name: publicName(url),
    dialect,
    secrets: secretsOf(url),
    isLost: isNetworkError,
    connect: async (signal) => {
      const first = new ClickHouseConnection(server, "");
      const [[id] = []] = await first.query("SELECT generateUUIDv4() AS id", { signal });
      return new ClickHouseConnection(server, `sphex-${id}`);
    },
  };
}

interface Server {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly database: string | undefined;
}

function serverOf(url: string): Server {
  try {
    // A scheme of its own has no rules for hosts and ports.
    const [scheme, rest = ""] = url.split("://");
    const { host, username, password, pathname } = new URL(`http://${rest}`);
    const database = decodeURIComponent(pathname.slice(1));
    const isSecure = scheme === "clickhouses";
    return {
      address: `${isSecure ? "https" : "http"}://${host.includes(":") ? host : `${host}:${isSecure ? 8443 : 8123}`}/`,
      headers: {
        ...(username === "" ? {} : { "X-ClickHouse-User": decodeURIComponent(username) }),
        ...(password === "" ? {} : { "X-ClickHouse-Key": decodeURIComponent(password) }),
      },
      database: database === "" ? undefined : database,
    };
  } catch {
    throw new SphexError([
      problem("engine/unknown", spanOfText("engine", "clickhouse"), { url: publicName(url) }),
    ]);
  }
}

class ClickHouseConnection implements SqlConnection {
  private queries = 0;

  constructor(
    private readonly server: Server,
    /** What the queries of this connection are called on the server; nothing for one that is not stopped there. */
    private readonly id: string,
  ) {}

  async query(text: string, { signal }: QueryOptions = {}): Promise<ResultColumns> {
    signal?.throwIfAborted();
    const id = this.id === "" ? "" : `${this.id}-${++this.queries}`;
    const stop = (): void => void this.cancel(id);
    if (id !== "") signal?.addEventListener("abort", stop);
    try {
      return columnsOfAnswer(await this.post(text, id, signal));
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async progress(): Promise<QueryProgress | undefined> {
    const id = `${this.id}-${this.queries}`;
    const text = `SELECT read_rows, total_rows_approx FROM system.processes WHERE query_id = '${id}'`;
    const answer = columnsOfAnswer(await this.post(text, "", AbortSignal.timeout(longestCancelling)));
    const [rows, total] = answer.map(([value]) => Number(value));
    return rows === undefined || Number.isNaN(rows) ? undefined : { rows, ...(total && { total }) };
  }

  private async post(text: string, id: string, signal: AbortSignal | undefined): Promise<string> {
    const { address, headers, database } = this.server;
    const settings = new URLSearchParams({
      default_format: answerFormat,
      // An error in the middle is then no answer that ends early.
      wait_end_of_query: "1",
      ...textsOf(answerSettings),
      ...textsOf(longStatements),
      ...(id === "" ? {} : { query_id: id }),
      ...(database === undefined ? {} : { database }),
    });
    const response = await fetch(`${address}?${settings}`, {
      method: "POST",
      headers,
      body: text,
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      // "fetch failed" says less than what made it fail.
      throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(answer);
    return answer;
  }

  /** Asks the server to stop a query, and waits no longer for its answer than it is worth. */
  private async cancel(id: string): Promise<void> {
    const text = `KILL QUERY WHERE query_id = '${id}' ASYNC`;
    await this.post(text, "", AbortSignal.timeout(longestCancelling)).catch(() => undefined);
  }

  async close(): Promise<void> {}
}

const textsOf = (settings: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, `${value}`]));
