import type { Command } from "commander";
import { type Io, readAll } from "./io.js";
import { type Given, running, withOptions } from "./options.js";
import { runText } from "./running.js";

/** `sphex eval EXPR`: the value of one expression. */
export function addEval(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("eval"), ["set", "inputs", "json", ...running])
    .description("print the value of one expression, in which line breaks mean nothing")
    .argument("<expression>", "the expression, or - for stdin; write -- before one that begins with -")
    .addHelpText("after", example)
    .action(async (expression: string, given: Given) => {
      const text = expression === "-" ? await readAll(io.stdin) : expression;
      finish(await runText({ kind: "expression", name: "expression", text }, given, io));
    });
}

const example = `
Example:
  $ sphex eval 'l1_normalize(q, x)' --set 'q=tensor(x[2]):[1,3]'
  tensor(x[2]):[0.25, 0.75]`;
