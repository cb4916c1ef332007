import { sqlMessages } from "../backends/sql/messages.js";
import { limitMessages } from "../language/limits/messages.js";
import { labelText } from "../language/source/escapes.js";
import { didYouMean, error } from "../language/source/message.js";
import { problemsOf } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";

/** What can be wrong with bindings, with the rows that they name, and with the engines that have these. */
export const engineMessages = {
  "binding/syntax": error(({ reason }: { reason: string }) => ({
    message: "this is not a binding of an input",
    found: reason,
    expected: "NAME=TABLE(DIMENSION=COLUMN,…,value=COLUMN)",
  })),
  "binding/key": error(({ key, nearest }: { key: string; nearest: string | undefined }) => ({
    message: `a binding has no ${key}`,
    hint: didYouMean(nearest),
  })),
  "binding/value": error(({ key, found, expected }: { key: string; found: string; expected: string }) => ({
    message: `this cannot be the ${key} of a binding`,
    found,
    expected,
  })),
  "binding/dimension": error(
    ({ name, dimension, type }: { name: string; dimension: string; type: TensorType }) => ({
      message:
        type.dimension(dimension) === undefined
          ? `the input ${name} has no dimension ${dimension}`
          : `the dimension ${dimension} of the input ${name} has no column`,
      found: `an input of ${type}`,
      expected: "a column for each of its dimensions",
    }),
  ),
  "binding/column": error(
    ({ name, column, alike }: { name: string; column: string; alike: readonly string[] }) => ({
      message: `the engine cannot distinguish the column ${column} of ${name} from another one`,
      found: `the columns ${alike.join(", ")}`,
      expected: "names that differ by more than the case of their letters",
      hint: "rename one of them, where the file is made or in the query",
    }),
  ),
  "binding/types": error(
    ({ name, column, types }: { name: string; column: string; types: readonly string[] }) => ({
      message: `the files of ${name} disagree about the type of the column ${column}`,
      found: types.join(", "),
      expected: "types that can be combined into one without changing any value",
      hint: "write the files with one type, or bind a query that casts what each of them has",
    }),
  ),
  "binding/block": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `the input ${name} has no blocks for a column of arrays`,
    found: `an input of ${type}`,
    expected: "a type whose indexed dimensions have sizes, and no column for any of them",
  })),
  "binding/file": error(({ engine, file }: { engine: string; file: string }) => ({
    message: `${engine} does not read this file`,
    found: file,
    expected: "the name of a table, or a file that the engine reads",
    hint: "load the file into a table first",
  })),
  "binding/placement": error(({ name }: { name: string }) => ({
    message: `nothing states how the rows of ${name} are distributed over the shards`,
    found: "a table of a cluster",
    expected: "the mapped dimension by which it is partitioned, or that it is replicated",
    hint: `partition: DIMENSION or replicated: true in the file of bindings; --partition ${name}=DIMENSION, --replicated ${name}`,
  })),
  "rows/null": error(({ name, rows }: { name: string; rows: number }) => ({
    message: `rows of ${name} lack a label or a value`,
    found: `${rows} ${rows === 1 ? "row" : "rows"} with NULL`,
    expected: "a value in each column",
    hint: "nulls: absent leaves these rows out",
  })),
  "rows/duplicate": error(({ name, rows }: { name: string; rows: number }) => ({
    message: `addresses of ${name} have more than one row`,
    found: `${rows} such ${rows === 1 ? "address" : "addresses"}`,
    expected: "one row for each cell",
    hint: "duplicates: sum, max, min or avg combines them into one cell",
  })),
  "rows/shards": error(({ labels }: { labels: readonly string[] }) => ({
    message: `two shards have rows of ${labels.map(labelText).join(", ")}`,
    found: "parts of what belongs together",
    expected: "all rows of a label of the partition on one shard",
  })),
  "rows/index": error(({ name, rows, type }: { name: string; rows: number; type: TensorType }) => ({
    message: `rows of ${name} are outside of its dimensions`,
    found: `${rows} ${rows === 1 ? "row" : "rows"} with an index that does not belong to ${type}`,
    expected: "whole numbers from 0, below the size of the dimension",
  })),
  "rows/missing": error(({ name, rows }: { name: string; rows: number }) => ({
    message: `dense blocks of ${name} lack cells`,
    found: `${rows} ${rows === 1 ? "cell" : "cells"} without a row`,
    expected: "a row for each cell of a block",
    hint: "missing: zero makes them 0",
  })),
  "rows/type": error(({ name, rows }: { name: string; rows: number }) => ({
    message: `a column of ${name} that should have numbers has something else`,
    found: `${rows} ${rows === 1 ? "row" : "rows"} with a date, a time, bits or an element of an enumeration`,
    expected: "numbers, or a query that converts the column to numbers",
  })),
  "engine/failed": error(
    ({ engine, stage, reason }: { engine: string; stage: string | undefined; reason: string }) => ({
      message: `${engine} refused or lost the query${stage === undefined ? "" : ` that ${stage}`}`,
      found: reason,
    }),
  ),
  "engine/stopped": error(({ engine, reason }: { engine: string; reason: string }) => ({
    message: `the query was stopped on ${engine}`,
    found: reason,
  })),
  "engine/unknown": error(({ url }: { url: string }) => ({
    message: "there is no engine of this name",
    found: url,
    expected: "duckdb, duckdb:FILE, postgres://…, clickhouse://…, sc://… or chdb",
  })),
  "engine/dialect": error(
    ({ name, nearest, names }: { name: string; nearest: string | undefined; names: readonly string[] }) => ({
      message: `there is no dialect ${name}`,
      found: name,
      expected: names.join(", "),
      hint: didYouMean(nearest),
    }),
  ),
  "engine/package": error(({ engine, name }: { engine: string; name: string }) => ({
    message: `${engine} needs the package ${name}, which is not installed`,
    found: "no such package",
    expected: name,
    hint: `npm install ${name}`,
  })),
  "engine/target": error(({ target, expected }: { target: string; expected: string }) => ({
    message: "results cannot be written there",
    found: target,
    expected,
  })),
};

declare module "../language/source/problem.js" {
  interface MessageTables {
    readonly sql: typeof engineMessages;
  }
}

export const problem = problemsOf<"language/limits" | "backends/sql" | "sql">({
  ...limitMessages,
  ...sqlMessages,
  ...engineMessages,
});
