import { clickhouse as dialect } from "../../backends/sql/dialects/clickhouse.js";
import type { ResultColumns } from "../../backends/sql/rows/reading.js";
import { call, checkCallOptions, type OptionRules, text } from "../../language/source/option-rule.js";
import type { QueryOptions, SqlConnection, SqlEngine } from "../driver.js";
import { optional } from "../packages.js";
import { answerFormat, answerSettings, columnsOfAnswer, longStatements } from "./clickhouse-answers.js";

/** What is used of the package `chdb`, whose types are not there unless it is. */
export interface ChdbLibrary {
  readonly Session: new (folder?: string) => ChdbSession;
}

interface ChdbSession {
  queryAsync(
    text: string,
    options: { readonly format: string; readonly signal?: AbortSignal },
  ): Promise<{ text(): string }>;
  close(): void;
}

/** How chDB is opened. */
export interface ChdbOptions {
  /** A folder of data; without it the package makes one, and removes it when the connection is closed. */
  readonly folder?: string;
  /** The package, where it is not found by its name. */
  readonly library?: () => Promise<ChdbLibrary>;
}

const chdbRules: OptionRules<ChdbOptions> = { folder: text, library: call };

/**
 * ClickHouse within this process, by the package `chdb`. A query that is stopped is no longer waited for, but goes on within
 * the process until it ends: the package has no way to stop it.
 */
export function chdb(options: ChdbOptions = {}): SqlEngine {
  checkCallOptions("chdb", options, chdbRules);
  const { folder, library = installed } = options;
  return {
    name: folder === undefined ? "chdb" : `chdb:${folder}`,
    dialect,
    connect: async () => {
      const { Session } = await library();
      const connection = new ChdbConnection(new Session(folder));
      const settings = Object.entries({ ...answerSettings, ...longStatements });
      await connection.query(`SET ${settings.map(([name, value]) => `${name} = '${value}'`).join(", ")}`);
      return connection;
    },
  };
}

/** A name that bundlers do not look for. */
const packageName: string = "chdb";
const installed = (): Promise<ChdbLibrary> =>
  optional("ClickHouse", packageName, async () => (await import(packageName)) as ChdbLibrary); // its types are not there unless it is

class ChdbConnection implements SqlConnection {
  constructor(private readonly session: ChdbSession) {}

  async query(text: string, { signal }: QueryOptions = {}): Promise<ResultColumns> {
    signal?.throwIfAborted();
    try {
      const options = { format: answerFormat, ...(signal === undefined ? {} : { signal }) };
      const answer = await this.session.queryAsync(text, options);
      return columnsOfAnswer(answer.text());
    } catch (error) {
      // The answer to the next query would begin with what has been written of this one.
      if (signal?.aborted !== true)
        await this.session.queryAsync("SELECT 1", { format: answerFormat }).catch(() => undefined);
      signal?.throwIfAborted();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.session.close();
  }
}
