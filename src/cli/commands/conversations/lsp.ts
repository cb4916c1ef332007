import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { WatchedModels } from "../../models/watched-models.js";
import { schemaAt } from "../../packages/package-files.js";
import { programReaders } from "../../program/source-text.js";
import type { EditorHost, Io } from "../../terminal/io.js";
import { underlying } from "../../terminal/terminal-writer.js";
import { UsageError } from "../../terminal/usage-error.js";

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
      finish(await serveEditor(io.stdin, underlying(io.stdout), hostOf(io, new WatchedModels())));
      // The editor may leave it open, and the process would wait for more.
      io.stdin.destroy();
    });
}

const hostOf = (io: Io, models: WatchedModels): EditorHost => ({
  readNow: io.readNow,
  // A program reads what lies in its folder; one that is not saved reads nothing.
  programOptions: (path) => {
    if (path === undefined) return {};
    const readers = programReaders(dirname(path), []);
    const readBytes = (file: string): Uint8Array =>
      models.bytes(resolve(dirname(path), file), () => readers.readBytes(file));
    return { ...readers, readBytes, models: models.read, showFileContents: false };
  },
  packageOf: (path) => {
    if (!existsSync(dirname(path))) return undefined;
    const { files, options } = schemaAt(path, resolve(io.cwd, path));
    const readBytes = (file: string): Uint8Array =>
      models.bytes(`${options.root ?? ""}${file}`, () => files.readBytes?.(file) ?? new Uint8Array());
    return { files: { ...files, readBytes }, options: { ...options, models: models.read } };
  },
});

const example = `
An editor starts it for files called *.sphex, and *.sd and *.profile of Vespa, by this command.

Example:
  $ sphex lsp --stdio`;
