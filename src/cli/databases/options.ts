import { type Command, Option } from "commander";
import { collect } from "../options/options.js";

/** The options of commands that work with databases, as they are added to a command. */

/** The options that say where inputs are: `--table` and `--bindings`. */
export const withBindingOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--table <name=table(columns)>",
        "bind an input to a table or a file; may be repeated: --table 'r=r.parquet(user=user_id,value=stars)'",
      ).argParser(collect),
    )
    .option("--bindings <file>", "bind inputs as a file in YAML or JSON says");

/** `--exact`, which is about PostgreSQL alone. */
export const withExact = (command: Command): Command =>
  command.option(
    "--exact",
    "on PostgreSQL: numbers out of its range become infinities and zeros, as elsewhere, and are no problem; this takes longer",
  );

/** All options of a program that may run on a database: where its inputs are, and on which engine or which shards it runs. */
export const withDatabaseOptions = (command: Command): Command =>
  withExact(withBindingOptions(command))
    .option(
      "--on <engine>",
      "run it on a database: duckdb, duckdb:FILE, postgres://…, clickhouse://…, sc://… or chdb; several are the shards of a cluster",
      collect,
    )
    .option(
      "--partition <name=dimension>",
      "with shards: by whose labels the rows of an input are spread",
      collect,
    )
    .option("--replicated <name>", "with shards: an input of which each shard has all rows", collect);
