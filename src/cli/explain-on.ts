import { onCluster, onEngine } from "../sql.js";
import { boundText } from "./bound-text.js";
import { exit, failed } from "./failure.js";
import { type Io, write } from "./io.js";
import { enginesAt, type OnFlags } from "./run-on.js";
import type { SourceText } from "./source-text.js";

/** Prints what an engine says that it will do for the last result, or what each shard does. */
export async function explainOn(
  source: SourceText,
  urls: readonly string[],
  flags: OnFlags,
  io: Io,
): Promise<number> {
  const stop = new AbortController();
  void io.interrupted?.().then(() => stop.abort());
  try {
    const [first, ...others] = enginesAt(urls, io);
    if (others.length > 0) {
      const { bound } = await boundText(source, flags, onCluster([first, ...others]), io);
      const stages = bound
        .stages()
        .map(({ description, statements }) => `${description}:\n\n${statements.join(";\n\n")};\n`);
      await write(io.stdout, stages.length > 0 ? stages.join("\n") : "nothing is computed on the shards\n");
      return exit.fine;
    }
    const { bound } = await boundText(source, flags, onEngine(first), io);
    await write(io.stdout, `${await bound.explain({ timeout: flags.timeout, signal: stop.signal })}\n`);
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}
