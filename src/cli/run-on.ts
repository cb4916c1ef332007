import { resolve } from "node:path";
import { tensorJson, visibleJson } from "../index.js";
import { type BoundProgram, engineOf, type Target } from "../sql.js";
import { type BindingFlags, boundText } from "./bound-text.js";
import { exit, failed } from "./failure.js";
import { type Io, write } from "./io.js";
import { tensorOptions, writeTensors } from "./output.js";
import type { SourceText } from "./source-text.js";

export interface OnFlags extends BindingFlags {
  readonly on?: string;
  readonly into?: string;
}

/** Runs a program on an engine, and writes its results here or there. */
export async function runOn(source: SourceText, url: string, flags: OnFlags, io: Io): Promise<number> {
  const stop = new AbortController();
  void io.interrupted?.().then(() => stop.abort());
  try {
    const { bound } = await boundText(source, flags, engineOf(located(url, io)), io);
    const options = { signal: stop.signal, timeout: flags.timeout };
    if (flags.into === undefined) await writeResults(bound, options, flags, io);
    else await bound.materialize(targetOf(flags.into, io), options);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

type RunOptions = Parameters<BoundProgram["runAll"]>[0];

async function writeResults(bound: BoundProgram, options: RunOptions, flags: OnFlags, io: Io): Promise<void> {
  const results = await bound.runAll(options);
  if (flags.json === true)
    await write(io.stdout, `${visibleJson({ results: results.map((each) => tensorJson(each)) })}\n`);
  else await writeTensors(results, tensorOptions(flags, io), io);
}

/** A database in a file lies where the command is run. */
function located(url: string, io: Io): string {
  const prefix = "duckdb:";
  return url.startsWith(prefix) && url.length > prefix.length
    ? `${prefix}${resolve(io.cwd, url.slice(prefix.length))}`
    : url;
}

function targetOf(text: string, io: Io): Target {
  const prefix = "table:";
  return text.startsWith(prefix) ? { table: text.slice(prefix.length) } : { file: resolve(io.cwd, text) };
}
