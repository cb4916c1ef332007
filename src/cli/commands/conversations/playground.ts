import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { visibleJson } from "../../../index.js";
import { type CommonFlags, withOptions } from "../../options/options.js";
import { listening, portNumber } from "../../servers/listening.js";
import { exit, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

interface PlaygroundFlags extends Pick<CommonFlags, "json"> {
  readonly port: number;
  readonly open: boolean;
}

/** `sphex playground`: the page, served on this machine and opened in a browser. */
export function addPlayground(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("playground")
    .description("open the page: see tensors as you type")
    .option("--port <number>", "where to listen; 0 for any port that is free", portNumber, 8643)
    .option("--no-open", "serve the page without opening a browser");
  withOptions(command, ["json"])
    .addHelpText("after", example)
    .action(async (flags: PlaygroundFlags) => finish(await runPlayground(flags, io)));
}

async function runPlayground({ port, open, json }: PlaygroundFlags, io: Io): Promise<number> {
  // Nothing else needs the network.
  const [{ pageFiles }, { pageHost, servePage }] = await Promise.all([
    import("../../page/page-files.js"),
    import("../../page/page-server.js"),
  ]);
  const files = pageFiles(pageFolder());
  if (files === undefined) throw new UsageError("the page is not there: npm run build makes it");
  const server = await listening(() => servePage(files, port), pageHost, port);
  const { address } = server;
  await write(
    io.stdout,
    json === true
      ? `${visibleJson({ event: "listening", address })}\n`
      : `the page is at ${address}, Ctrl-C ends it\n`,
  );
  if (open && (await io.openBrowser?.(address)) === false)
    await write(io.stderr, `no browser could be opened: open ${address}\n`);
  await io.interrupted?.();
  await server.stop();
  return exit.fine;
}

const pageFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("sphex/package.json")), "dist/web");

const example = `
Only this machine can reach the page, and nothing that is typed into it leaves the browser.

Example:
  $ sphex playground --no-open --port 8000
  the page is at http://127.0.0.1:8000/, Ctrl-C ends it`;
