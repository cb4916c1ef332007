import type { Command } from "commander";
import { nearest, preludeText } from "../../../index.js";
import { exit, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex prelude [NAME]`: the functions that are written in the language itself. */
export function addPrelude(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("prelude")
    .description("print the functions that are written in the language itself, or one of them")
    .argument("[name]", "the name of a function")
    .addHelpText("after", example)
    .action(async (name: string | undefined) => {
      await write(io.stdout, `${name === undefined ? preludeText.trim() : definition(name)}\n`);
      finish(exit.fine);
    });
}

/** A definition with the comment in front of it: both stand between blank lines. */
function definition(name: string): string {
  const blocks = preludeText.split(/\n\s*\n/).map((each) => each.trim());
  const definitions = new Map(blocks.map((block) => [/^(\w+)\(/m.exec(block)?.[1] ?? "", block]));
  definitions.delete("");
  const block = definitions.get(name);
  if (block !== undefined) return block;
  const guess = nearest(name, definitions.keys());
  throw new UsageError(`the prelude has no ${name}${guess === undefined ? "" : `: did you mean ${guess}?`}`);
}

const example = `
Example:
  $ sphex prelude softmax`;
