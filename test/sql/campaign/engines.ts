import { type ChdbLibrary, chdb, duckdb, postgresql } from "../../../src/sql.js";
import type { CampaignOptions } from "./campaign.js";
import { signed, unsigned } from "./columns.js";

/** DuckDB, which reads and writes files in a folder. */
export const onDuckDb = (folder: string): CampaignOptions => ({
  engine: duckdb(),
  store: {
    dialect: duckdb().dialect,
    folder,
    shards: 1,
    types: {
      texts: ["VARCHAR"],
      enumeration: (texts) => `ENUM(${texts.map((each) => `'${each.replaceAll("'", "''")}'`).join(", ")})`,
      folded: (x) => `CAST(${x} AS VARCHAR) COLLATE NOCASE`,
      written: {
        date: ["DATE"],
        time: ["TIMESTAMP", "TIMESTAMP_S"],
        moment: ["TIMESTAMP", "TIMESTAMP_NS"],
        zoned: ["TIMESTAMPTZ"],
        clock: ["TIME"],
        uuid: ["UUID"],
        truth: ["BOOLEAN"],
        hundredth: ["DECIMAL(38, 2)", "DECIMAL(9, 2)"],
        half: ["DOUBLE", "FLOAT", "DECIMAL(9, 1)"],
      },
      integers: [
        ...signed({ BIGINT: 64, INTEGER: 32, SMALLINT: 16, TINYINT: 8, HUGEINT: 128 }),
        ...unsigned({ UBIGINT: 64, UINTEGER: 32, USMALLINT: 16, UTINYINT: 8, UHUGEINT: 128 }),
      ],
      indexes: ["DOUBLE", "DECIMAL(18, 0)", "VARCHAR"],
      numbers: ["DOUBLE", "DOUBLE", "VARCHAR"],
      truths: ["BOOLEAN"],
      cells: { float: "FLOAT", int8: "TINYINT", short: "SMALLINT", int: "INTEGER" },
      decimals: ["DECIMAL(38, 3)"],
      nullable: (type) => type,
      arrays: (type, length) => (length > 0 ? [`${type}[]`, `${type}[${length}]`] : [`${type}[]`]),
      hasNullArrays: true,
    },
  },
  // Of two files.
  refusals: ["binding/types"],
});

/** Three databases of DuckDB as the shards of a cluster: tables are partitioned by one of their dimensions, or are on each. */
export const onShards = (folder: string): CampaignOptions => {
  const { engine, store, refusals } = onDuckDb(folder);
  return { engine, store: { ...store, folder: undefined, shards: 3 }, refusals };
};

/** PostgreSQL, which reads no files, and refuses what is out of range. */
export const onPostgres = (url: string): CampaignOptions => ({
  engine: postgresql(url),
  store: {
    dialect: postgresql(url).dialect,
    folder: undefined,
    shards: 1,
    types: {
      texts: ["text", "varchar"],
      enumeration: undefined,
      folded: (x) => `CAST(${x} AS text) COLLATE "POSIX"`,
      padded: (length) => `char(${length})`,
      written: {
        date: ["date"],
        time: ["timestamp"],
        moment: ["timestamp"],
        zoned: ["timestamptz"],
        clock: ["time"],
        uuid: ["uuid"],
        truth: ["boolean"],
        hundredth: ["numeric(18, 2)", "numeric"],
        half: ["float8", "float4", "numeric(18, 1)"],
      },
      integers: [...signed({ bigint: 64, integer: 32, smallint: 16, "numeric(40, 0)": 128 })],
      indexes: ["float8", "numeric(18, 0)", "text"],
      numbers: ["float8", "float8", "text"],
      truths: [],
      cells: { float: "float4", short: "smallint", int: "integer" },
      decimals: ["numeric(40, 3)"],
      nullable: (type) => type,
      arrays: (type) => [`${type}[]`],
      hasNullArrays: true,
    },
  },
  refusals: [
    "value out of range: overflow",
    "value out of range: underflow",
    // The remainder of a quotient of more than 52 bits.
    "cannot take square root of a negative number",
  ],
});

/** ClickHouse in this process, where the package `chdb` is. */
export const onClickHouse = (library: () => Promise<ChdbLibrary>): CampaignOptions => ({
  engine: chdb({ library }),
  store: {
    dialect: chdb().dialect,
    folder: undefined,
    shards: 1,
    types: {
      texts: ["String", "LowCardinality(String)"],
      enumeration: undefined,
      written: {
        date: ["Date", "Date32"],
        time: ["DateTime", "DateTime64(0)"],
        moment: ["DateTime64(6)"],
        zoned: [],
        clock: [],
        uuid: ["UUID"],
        truth: ["Bool"],
        hundredth: ["Decimal(38, 2)"],
        half: ["Float64", "Float32", "Decimal(9, 1)"],
      },
      integers: [
        ...signed({ Int64: 64, Int32: 32, Int16: 16, Int8: 8, Int128: 128 }),
        ...unsigned({ UInt64: 64, UInt32: 32, UInt16: 16, UInt8: 8, UInt256: 256 }),
      ],
      indexes: ["Float64", "Decimal(18, 0)", "String"],
      numbers: ["Float64", "Float64", "String"],
      truths: ["Bool"],
      cells: { float: "Float32", int8: "Int8", short: "Int16", int: "Int32" },
      decimals: ["Decimal(38, 3)"],
      nullable: (type) =>
        type.startsWith("LowCardinality") ? "LowCardinality(Nullable(String))" : `Nullable(${type})`,
      arrays: (type) => [`Array(${type})`],
      hasNullArrays: false,
    },
  },
  refusals: ["the quotient of a remainder is too large", "the number of a label is too large"],
});
