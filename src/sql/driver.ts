import type { SqlDialect } from "../backends/sql/dialect.js";
import type { ResultColumns } from "../backends/sql/reading.js";

/** An engine as this wing uses it: a few lines for each, and all that one needs for an engine of one's own. */
export interface SqlEngine {
  /** What it is called in messages: never with a password. */
  readonly name: string;
  readonly dialect: SqlDialect;
  /** An aborted signal ends the attempt. */
  readonly connect: (signal?: AbortSignal) => Promise<SqlConnection>;
}

/** A connection, on which one statement runs at a time. */
export interface SqlConnection {
  /** The answer to a statement, column by column. An aborted signal stops it where it runs, and rejects. */
  readonly query: (text: string, options?: QueryOptions) => Promise<ResultColumns>;
  readonly close: () => Promise<void>;
}

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
}
