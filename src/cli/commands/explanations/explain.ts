import type { Command } from "commander";
import { showExplanation, showPlan } from "../../../index.js";
import { explainOn } from "../../databases/explain-on.js";
import { withDatabaseOptions } from "../../databases/options.js";
import { type OnFlags, refuseEngineOptions } from "../../databases/run-on.js";
import { runOptions, withOptions } from "../../options/options.js";
import { displayOptions, inspect, subjectDescription, textOf } from "../../program/inspect.js";
import type { Io } from "../../terminal/io.js";

interface PlanFlags {
  readonly plan?: boolean;
  readonly run?: boolean;
}

/** `sphex explain EXPR`: the expressions that results are made of, each with a summary of its value. */
export function addExplain(program: Command, io: Io, finish: (code: number) => void): void {
  const command = withOptions(program.command("explain"), [
    "set",
    "inputs",
    "reading",
    "json",
    "optimise",
    ...runOptions,
  ])
    .description("print the expressions that a result is made of, with their types, sizes, ranges and times")
    .argument("<what>", subjectDescription)
    .option(
      "--plan",
      "print how it is computed instead: what the optimiser does, the steps, and what is stored",
    )
    .option(
      "--run",
      "with --plan: run the steps some more times, and print how long each takes; with --on: run the statement, and print how many rows there were",
    );
  withDatabaseOptions(command)
    .addHelpText("after", example)
    .action(async (what: string, flags: OnFlags & PlanFlags) => {
      if (flags.on !== undefined)
        return finish(await explainOn(await textOf(what, flags, io), flags.on, flags, io));
      refuseEngineOptions(flags);
      finish(
        await inspect(what, flags, io, async (program, values, runner) => {
          if (flags.plan === true || flags.run === true) {
            const data = program.plan(values, { run: flags.run === true });
            return { data, text: () => showPlan(data, displayOptions(io)) };
          }
          const data = await runner(
            () => program.explain(values),
            (progress) => program.explainAsync(values, { progress }),
          );
          return { data, text: () => showExplanation(data, displayOptions(io)) };
        }),
      );
    });
}

const example = `
Of what is computed for each turn of a generator, or of a branch that was not taken, there is no one value.
The time of an expression does not include that of its parts.

With --on it is what the database says that it will do, or what each shard does and says; with --run also what it did.

Example:
  $ sphex explain 'sum(q * q, x)' --set 'q=tensor(x[2]):[3,4]'
  expression     operation          type          cells  minimum  maximum    ms  share
  sum(q * q, x)  reduce sum over x  tensor()          1     25.0     25.0  0.02    13%
  └ q * q        join multiply      tensor(x[2])      2      9.0     16.0  0.09    60%
    ├ q          input q            tensor(x[2])      2      3.0      4.0  0.04    27%
    └ q          input q
  0.15 ms in all

  $ sphex explain --plan 'sum(q * q, x)' --set 'q=tensor(x[2]):[3,4]'`;
