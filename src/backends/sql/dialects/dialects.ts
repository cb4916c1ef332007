import type { SqlDialect } from "../dialect.js";
import { bigquery } from "./bigquery.js";
import { clickhouse } from "./clickhouse.js";
import { duckdb } from "./duckdb.js";
import { postgresql } from "./postgresql.js";
import { exactPostgresql } from "./postgresql-exact.js";
import { snowflake } from "./snowflake.js";
import { spark } from "./spark.js";
import { trino } from "./trino.js";

/** The dialects, a file each; the first is that of the engine that comes with nothing to set up. */
export const dialects: readonly SqlDialect[] = [
  duckdb,
  postgresql,
  exactPostgresql,
  clickhouse,
  spark,
  trino,
  bigquery,
  snowflake,
];

/** The names of all dialects of SQL. */
export const dialectNames: readonly string[] = dialects.map(({ name }) => name);

export const dialectNamed = (name: string): SqlDialect | undefined =>
  dialects.find((each) => each.name === name);
