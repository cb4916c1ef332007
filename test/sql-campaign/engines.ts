import { duckdb, postgresql } from "../../src/sql.js";
import type { CampaignOptions } from "./campaign.js";

/** DuckDB, which reads and writes files in a folder. */
export const onDuckDb = (folder: string): CampaignOptions => ({
  engine: duckdb(),
  store: {
    dialect: duckdb().dialect,
    folder,
    types: {
      integers: ["BIGINT", "INTEGER", "SMALLINT"],
      cells: { float: "FLOAT", int8: "TINYINT", short: "SMALLINT", int: "INTEGER" },
      decimal: "DECIMAL(38, 3)",
    },
  },
  refusals: [],
});

/** PostgreSQL, which reads no files, and refuses what is out of range. */
export const onPostgres = (url: string): CampaignOptions => ({
  engine: postgresql(url),
  store: {
    dialect: postgresql(url).dialect,
    folder: undefined,
    types: {
      integers: ["bigint", "integer", "smallint"],
      cells: { float: "float4", short: "smallint", int: "integer" },
      decimal: "numeric(40, 3)",
    },
  },
  refusals: [
    "value out of range: overflow",
    "value out of range: underflow",
    // The remainder of a quotient of more than 52 bits.
    "cannot take square root of a negative number",
  ],
});
