import { type Command, Option } from "commander";
import { dialectNames, onEngine, textEngine } from "../../../sql.js";
import { type BindingFlags, boundText } from "../../databases/bound-text.js";
import { withBindingOptions } from "../../databases/options.js";
import { withOptions } from "../../options/options.js";
import { programText } from "../../program/source-text.js";
import { exit, failed } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

interface SqlFlags extends Omit<BindingFlags, "dialect"> {
  readonly dialect: string;
}

/** `sphex sql FILE`: the statements that compute the results of a program. */
export function addSql(program: Command, io: Io, finish: (code: number) => void): void {
  const command = withOptions(program.command("sql"), ["set", "inputs", "reading", "optimise"])
    .description("print a program as SQL, with comments that name its expressions")
    .argument("<file>", "the program, or - for stdin")
    .addOption(
      new Option("--dialect <name>", "the SQL of this engine").choices(dialectNames).default(dialectNames[0]),
    );
  withBindingOptions(command)
    .addHelpText("after", example)
    .action(async (file: string, flags: SqlFlags) => finish(await printSql(file, flags, io)));
}

async function printSql(file: string, { dialect, ...flags }: SqlFlags, io: Io): Promise<number> {
  try {
    const source = await programText(file, io, flags);
    const engine = onEngine(textEngine(dialect));
    const { bound, results } = await boundText(source, flags, engine, io, { isSelfNamed: true });
    const texts = Array.from({ length: results }, (_, result) => `${bound.sql({ result })};\n`);
    await write(io.stdout, texts.join("\n"));
    return exit.fine;
  } catch (error) {
    return await failed(error, {}, io);
  }
}

const example = `
An input that nothing is bound to is read from a table of its name, with a column for each dimension and one called value.

Example:
  $ printf 'input r: tensor(user{},item{})\\nsum(r, item)' | sphex sql -
  WITH -- tensor(user{},item{}): r
  input_1 AS (
    SELECT CAST(t."item" AS VARCHAR) AS "item", CAST(t."user" AS VARCHAR) AS "user", CAST(t."value" AS DOUBLE) AS "value"
    FROM "r" AS t
  ),
  -- tensor(user{}): sum(r, item)
  sum_1 AS (
    SELECT a."user", sum(a."value") AS "value"
    FROM input_1 AS a
    GROUP BY a."user"
  )
  SELECT "user", "value"
  FROM sum_1
  ORDER BY "user";`;
