/**
 * Sphex on databases: programs as SQL, run where the data is. `program.on(onEngine(duckdb()), bindings)` is a program whose
 * inputs are tables. What an engine needs is loaded when it is used.
 */

export type { SqlDialect } from "./backends/sql/dialect.js";
export { dialectNames } from "./backends/sql/dialects/dialects.js";
export type { ResultColumns } from "./backends/sql/rows/reading.js";
export {
  type Binding,
  type Bindings,
  type DuplicateRule,
  isTable,
  type TableBinding,
  type TableSource,
} from "./sql/bindings.js";
export { readBindings } from "./sql/bindings-file.js";
export { BoundProgram, onEngine, type Target } from "./sql/bound-program.js";
export { ClusterProgram, type ClusterStage, onCluster } from "./sql/cluster.js";
export { type ConformanceCase, ownCases } from "./sql/conformance/cases.js";
export {
  type CaseOutcome,
  type ConformanceOptions,
  conformance,
} from "./sql/conformance/conformance.js";
export type { QueryOptions, QueryProgress, SqlConnection, SqlEngine } from "./sql/driver.js";
export { type ChdbLibrary, type ChdbOptions, chdb } from "./sql/drivers/chdb.js";
export { clickhouse } from "./sql/drivers/clickhouse.js";
export { type DuckDbOptions, duckdb } from "./sql/drivers/duckdb.js";
export { type PostgresOptions, postgresql } from "./sql/drivers/postgresql.js";
export {
  type GrpcClient,
  type GrpcLibrary,
  type GrpcStream,
  type SparkOptions,
  spark,
} from "./sql/drivers/spark.js";
export { type EngineOptions, engineOf } from "./sql/engines.js";
export type {} from "./sql/messages.js";
export type { ClusterReport, EngineRunOptions, ExplainOnOptions, SqlOptions } from "./sql/run-options.js";
export type { EngineProgress } from "./sql/session.js";
export { parseTable } from "./sql/table-option.js";
export { textEngine } from "./sql/text-engine.js";
