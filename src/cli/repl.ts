import type { Command } from "commander";
import type { Options } from "../index.js";
import { manner } from "./failure.js";
import { type Io, readText } from "./io.js";
import { type Given, libraryOptions, running, withOptions } from "./options.js";
import { settingsOf } from "./settings.js";

/** `sphex repl`: a conversation, or a script from stdin. */
export function addRepl(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("repl"), ["set", "inputs", ...running])
    .description("read statements and print the values of expressions as they come")
    .addHelpText("after", example)
    .action(async (given: Given) => {
      const settings = settingsOf(given, io);
      const readFile = (path: string): string => readText(path, io.cwd);
      const options = (): Options => ({ ...libraryOptions(given), readFile });
      const { converse } = await io.repl();
      const ends = { input: io.stdin, output: io.stdout, errors: io.stderr, isTTY: io.isTTY.stdin };
      finish(await converse({ options, manner: manner(io), settings, ...ends }));
    });
}

const example = `
Example:
  $ printf 'a = 2\\na ^ 10\\n' | sphex repl
  1024.0`;
