import { onCluster, onEngine } from "../../sql.js";
import type { SourceText } from "../program/source-text.js";
import { exit, failed } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { boundText } from "./bound-text.js";
import { enginesAt, type OnFlags } from "./run-on.js";

/** Prints what an engine says that it will do for each result, or what each shard will; and what they did. */
export async function explainOn(
  source: SourceText,
  urls: readonly string[],
  flags: OnFlags & { readonly run?: boolean },
  io: Io,
): Promise<number> {
  const stop = new AbortController();
  void io.interrupted?.().then(() => stop.abort());
  try {
    const [first, ...others] = enginesAt(urls, flags, io);
    const options = { timeout: flags.timeout, signal: stop.signal, run: flags.run === true };
    if (others.length > 0) {
      const { bound } = await boundText(source, flags, onCluster([first, ...others]), io);
      await write(io.stdout, `${await bound.explain(options)}\n`);
      return exit.fine;
    }
    const { bound, results } = await boundText(source, flags, onEngine(first), io);
    for (let result = 0; result < results; result++) {
      const title = results > 1 ? `${result > 0 ? "\n" : ""}result ${result + 1} of ${results}\n` : "";
      await write(io.stdout, `${title}${await bound.explain({ ...options, result })}\n`);
    }
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}
