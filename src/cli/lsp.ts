import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Options } from "../index.js";
import { models } from "../models.js";
import type { Io } from "./io.js";
import { packageAt } from "./package-files.js";
import { programReaders } from "./source-text.js";
import { underlying } from "./terminal-writer.js";
import { UsageError } from "./usage-error.js";

/** `sphex lsp`: answers an editor, which starts it, over the Language Server Protocol. */
export function addLsp(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("lsp")
    .description("answer an editor over the Language Server Protocol")
    .option("--stdio", "on stdin and stdout, which is the only way")
    .addHelpText("after", example)
    .action(async () => {
      if (io.languageServer === undefined) throw new UsageError("there is no language server here");
      if (io.isTTY.stdin) throw new UsageError("an editor starts it; there is nothing to type here");
      const { serveEditor } = await io.languageServer();
      const packageOf = (path: string) => (existsSync(path) ? packageAt(path, io) : undefined);
      finish(await serveEditor(io.stdin, underlying(io.stdout), { programOptions, packageOf }));
      // The editor may leave it open, and the process would wait for more.
      io.stdin.destroy();
    });
}

/** A program reads what lies in its folder; one that is not saved reads nothing. */
const programOptions = (path: string | undefined): Options =>
  path === undefined ? {} : { ...programReaders(dirname(path), []), models, showFileContents: false };

const example = `
An editor starts it for files called *.sphex, and *.sd and *.profile of Vespa, by this command.

Example:
  $ sphex lsp --stdio`;
