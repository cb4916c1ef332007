import { resolve } from "node:path";
import { type Tensor, tensorJson, visibleJson } from "../index.js";
import { type EngineRunOptions, engineOf, onCluster, onEngine, type Target } from "../sql.js";
import { type BindingFlags, boundText } from "./bound-text.js";
import { exit, failed, UsageError } from "./failure.js";
import { type Io, write } from "./io.js";
import { tensorOptions, writeTensors } from "./output.js";
import type { SourceText } from "./source-text.js";

export interface OnFlags extends BindingFlags {
  readonly on?: readonly string[];
  readonly into?: string;
}

/** Runs a program on an engine, or on the shards of a cluster, and writes its results here or there. */
export async function runOn(
  source: SourceText,
  urls: readonly string[],
  flags: OnFlags,
  io: Io,
): Promise<number> {
  const stop = new AbortController();
  void io.interrupted?.().then(() => stop.abort());
  const options: EngineRunOptions = { signal: stop.signal, timeout: flags.timeout };
  try {
    const [first, ...others] = urls.map((url) => engineOf(located(url, io)));
    if (first === undefined) throw new UsageError("--on names no engine");
    if (others.length > 0) {
      if (flags.into !== undefined) throw new UsageError("--into is for one engine, not for shards");
      const { bound } = await boundText(source, flags, onCluster([first, ...others]), io);
      await writeResults(await bound.runAll(options), flags, io);
      return exit.fine;
    }
    const { bound } = await boundText(source, flags, onEngine(first), io);
    if (flags.into === undefined) await writeResults(await bound.runAll(options), flags, io);
    else await bound.materialize(targetOf(flags.into, io), options);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

async function writeResults(results: readonly Tensor[], flags: OnFlags, io: Io): Promise<void> {
  if (flags.json === true)
    await write(io.stdout, `${visibleJson({ results: results.map((each) => tensorJson(each)) })}\n`);
  else await writeTensors(results, tensorOptions(flags, io), io);
}

/** A database in a file lies where the command is run. */
export function located(url: string, io: Io): string {
  const prefix = "duckdb:";
  return url.startsWith(prefix) && url.length > prefix.length
    ? `${prefix}${resolve(io.cwd, url.slice(prefix.length))}`
    : url;
}

function targetOf(text: string, io: Io): Target {
  const prefix = "table:";
  return text.startsWith(prefix) ? { table: text.slice(prefix.length) } : { file: resolve(io.cwd, text) };
}
