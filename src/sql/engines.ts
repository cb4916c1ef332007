import { SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/values/messages.js";
import type { SqlEngine } from "./driver.js";
import { chdb } from "./drivers/chdb.js";
import { clickhouse } from "./drivers/clickhouse.js";
import { duckdb } from "./drivers/duckdb.js";
import { type PostgresOptions, postgresql } from "./drivers/postgresql.js";
import { spark } from "./drivers/spark.js";
import { problem } from "./messages.js";

/** How engines compute that do not compute by IEEE 754: PostgreSQL alone. */
export type EngineOptions = PostgresOptions;

/**
 * The engine of a URL: `duckdb`, `duckdb:FILE`, `postgres://…`, `clickhouse://…`, `chdb`, `sc://…`. @throws SphexError where
 * there is none.
 */
export function engineOf(url: string, options: EngineOptions = {}): SqlEngine {
  const separator = url.indexOf(":");
  const [scheme, rest] = separator < 0 ? [url, ""] : [url.slice(0, separator), url.slice(separator + 1)];
  if (scheme === "duckdb") return duckdb(rest === "" ? {} : { file: rest });
  if (scheme === "postgres" || scheme === "postgresql") return postgresql(url, options);
  if (scheme === "clickhouse" || scheme === "clickhouses") return clickhouse(url);
  if (scheme === "sc" || scheme === "spark") return spark(url);
  if (scheme === "chdb") return chdb(rest === "" ? {} : { folder: rest });
  throw new SphexError([problem("engine/unknown", spanOfText("engine", scheme), { url: scheme })]);
}
