import type { SqlDialect } from "../backends/sql/dialect.js";
import type { ResultColumns } from "../backends/sql/rows/reading.js";

/** An engine as this wing uses it: a few lines for each, and all that one needs for an engine of one's own. */
export interface SqlEngine {
  /** What it is called in messages: never with a password. */
  readonly name: string;
  readonly dialect: SqlDialect;
  /** Texts that no message may have: passwords, as they are written and as they are meant. */
  readonly secrets?: readonly string[];
  /** An aborted signal ends the attempt. */
  readonly connect: (signal?: AbortSignal) => Promise<SqlConnection>;
  /** Whether an error is that of a connection or a server that is gone, so that another attempt may do; none is by default. */
  readonly isLost?: (error: unknown) => boolean;
}

/** A connection, on which one statement runs at a time. */
export interface SqlConnection {
  /** The answer to a statement, column by column. An aborted signal stops it where it runs, and rejects. */
  readonly query: (text: string, options?: QueryOptions) => Promise<ResultColumns>;
  /** How much of the running query is done; absent, or nothing, where the engine does not tell. */
  readonly progress?: () => Promise<QueryProgress | undefined>;
  readonly close: () => Promise<void>;
}

/** What a query has done so far. */
export interface QueryProgress {
  readonly rows: number;
  /** As far as the engine can tell. */
  readonly total?: number;
}

/** Options of a query that a driver sends. */
export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
}
