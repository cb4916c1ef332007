import { duckdb, engineOf, type SqlEngine } from "../../src/sql.js";

/** DuckDB for tests: an optional package, which may not be there for this machine. */
export const hasDuckDb: boolean = await import("@duckdb/node-api").then(
  () => true,
  () => false,
);
if (!hasDuckDb) console.info("the package @duckdb/node-api is not installed: nothing is run on DuckDB");

export const engine: SqlEngine = duckdb();
export { engineOf };
