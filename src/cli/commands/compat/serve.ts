import type { Command } from "commander";
import { visibleJson } from "../../../index.js";
import type { Entry, RunningServer, ServerOptions } from "../../compat/server.js";
import { type CommonFlags, collect, withOptions } from "../../options/options.js";
import { isLoopback } from "../../servers/callers.js";
import { listening, portNumber } from "../../servers/listening.js";
import { exit, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

interface ServeFlags extends CommonFlags {
  readonly port: number;
  readonly host: string;
  readonly allowRemote?: boolean;
  readonly origin?: readonly string[];
}

/** The default bounds of a request. */
const bounds = {
  bytes: 128 * 1024,
  expressions: 200,
  cells: 200_000,
  characters: 16_000_000,
  time: 5_000,
  atOnce: 8,
} as const;

/** `sphex serve`: the evaluation protocol of the playground, on one's own machine. */
export function addServe(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("serve")
    .description("answer the evaluation protocol of the playground of Vespa's documentation")
    .option("--port <number>", "where to listen; 0 for any port that is free", portNumber, 8642)
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .option("--allow-remote", "let --host be an address that other machines can reach")
    .option("--origin <origin>", "let pages of this origin ask; may be repeated", collect);
  withOptions(command, ["json", "cells", "timeout"])
    .addHelpText("after", example)
    .action(async (flags: ServeFlags) => finish(await runServer(flags, io)));
}

async function runServer(flags: ServeFlags, io: Io): Promise<number> {
  const { host, port, origin = [], maxCells, timeout, json } = flags;
  if (!isLoopback(host) && flags.allowRemote !== true) {
    throw new UsageError(`other machines can reach ${host}: write --allow-remote if they may`);
  }
  const log = (entry: Entry): void => {
    if (json === true) io.stdout.write(`${visibleJson({ event: "request", ...entry })}\n`);
  };
  const own = { cells: maxCells ?? bounds.cells, time: timeout ?? bounds.time };
  const running = await startServer({ ...bounds, ...own, host, port, origins: origin.map(originOf), log });
  const { address } = running;
  await write(
    io.stdout,
    json === true
      ? `${visibleJson({ event: "listening", address })}\n`
      : `listening at ${address}, Ctrl-C ends it\n`,
  );
  await io.interrupted?.();
  await running.stop();
  return exit.fine;
}

async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { serve } = await import("../../compat/server.js"); // nothing else needs the network
  return await listening(() => serve(options), options.host, options.port);
}

/** An origin as browsers write it. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin === "null" || !/^\/?$/.test(url.pathname + url.search + url.hash)) {
    throw new UsageError(`--origin ${text} is no origin, such as https://docs.vespa.ai`);
  }
  return url.origin;
}

const example = `
POST /playground/eval takes a form with a field json: [{"cell", "name", "expr", "verbose"?}, …]. A request may have
${bounds.expressions} expressions in ${bounds.bytes} bytes, --max-cells (${bounds.cells}) and --timeout (${bounds.time}) for all of them;
${bounds.atOnce} are evaluated or wait for it at once. With --json, a line for each request goes to stdout.

Example:
  $ sphex serve --port 8642 --origin https://docs.vespa.ai`;
