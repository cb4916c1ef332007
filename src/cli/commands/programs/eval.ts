import type { Command } from "commander";
import { type CommonFlags, collect, engineOptions, runOptions, withOptions } from "../../options/options.js";
import { settingsFor } from "../../options/settings.js";
import { refuseFile, runText } from "../../program/source-text.js";
import { exit, UsageError } from "../../terminal/failure.js";
import { type Io, readAll } from "../../terminal/io.js";

/** `sphex eval EXPR`: the value of one expression. */
export function addEval(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("eval"), [
    "set",
    "inputs",
    "json",
    "format",
    "optimise",
    "portable",
    ...runOptions,
    ...engineOptions,
  ])
    .description("print the value of one expression, in which line breaks mean nothing")
    .argument("[expression]", "the expression, or - for stdin; write -- before one that begins with -")
    .option("-e, --expression <text>", "an expression; may be repeated, for the value of each", collect)
    .addHelpText("after", example)
    .action(
      async (last: string | undefined, flags: CommonFlags & { readonly expression?: readonly string[] }) => {
        const expressions = [...(flags.expression ?? []), ...(last === undefined ? [] : [last])];
        if (expressions.length === 0) throw new UsageError("missing required argument 'expression'");
        let code: number = exit.fine;
        for (const each of expressions) {
          refuseFile(each, io);
          const text = each === "-" ? await readAll(io.stdin) : each;
          const set = settingsFor(text, expressions, flags.set);
          code = Math.max(
            code,
            await runText({ kind: "expression", name: "expression", text }, { ...flags, set }, io),
          );
        }
        finish(code);
      },
    );
}

const example = `
Example:
  $ sphex eval 'l1_normalize(q, x)' --set 'q=tensor(x[2]):[1,3]'
  tensor(x[2]):[0.25, 0.75]`;
