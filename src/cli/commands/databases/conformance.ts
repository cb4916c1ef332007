import { gunzipSync } from "node:zlib";
import type { Command } from "commander";
import { type InputValue, parseJson } from "../../../index.js";
import { type ConformanceCase, conformance, ownCases } from "../../../sql.js";
import { withExact } from "../../databases/options.js";
import { enginesAt } from "../../databases/run-on.js";
import { readNamed } from "../../files/files.js";
import { bytesAt } from "../../files/sources.js";
import { collect } from "../../options/options.js";
import { exit, failed, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";
import { textOfBytes } from "../../terminal/utf8.js";

interface ConformanceFlags {
  readonly on: string;
  readonly cases?: readonly string[];
  readonly list?: boolean;
  readonly exact?: boolean;
}

/** `sphex conformance --on URL`: whether an engine has the values that the language says. */
export function addConformance(program: Command, io: Io, finish: (code: number) => void): void {
  withExact(program.command("conformance"))
    .description("compare what an engine computes with the reference evaluator, case by case")
    .requiredOption("--on <engine>", "duckdb, duckdb:FILE, postgres://…, clickhouse://…, sc://… or chdb")
    .option(
      "--cases <file>",
      "more cases: lines of JSON with expr and vars, which may be gzipped, or - for stdin; may be repeated",
      collect,
    )
    .option("--list", "list the cases that the engine cannot compute, with the reasons")
    .addHelpText("after", example)
    .action(async (flags: ConformanceFlags) => finish(await run(flags, io)));
}

async function run(
  { on, cases = [], list = false, exact = false }: ConformanceFlags,
  io: Io,
): Promise<number> {
  const all = [...ownCases];
  for (const path of cases) for (const each of await casesIn(path, io)) all.push(each);
  const stop = new AbortController();
  void io.interrupted?.().then(() => stop.abort());
  const counts = { agrees: 0, wrong: 0, unsupported: 0, refused: 0 };
  try {
    const [engine] = enginesAt([on], { exact }, io);
    for await (const { case: each, outcome } of conformance(engine, all, { signal: stop.signal })) {
      counts[outcome.kind]++;
      const detail =
        outcome.kind === "wrong" ? outcome.difference : outcome.kind === "unsupported" ? outcome.reason : "";
      if (outcome.kind === "wrong" || (list && outcome.kind === "unsupported"))
        await write(io.stdout, `${outcome.kind}: ${each.expression}\n  ${detail}\n`);
    }
  } catch (error) {
    if (stop.signal.aborted) return exit.problems;
    return await failed(error, {}, io);
  }
  const { agrees, wrong, unsupported, refused } = counts;
  await write(
    io.stdout,
    `${agrees} agree, ${wrong} are wrong, ${unsupported} cannot be computed, and ${refused} have no value to compare\n`,
  );
  return wrong === 0 ? exit.fine : exit.problems;
}

const gzip = [0x1f, 0x8b];

const uncompressed = (bytes: Uint8Array): string =>
  textOfBytes(gzip.every((each, at) => bytes[at] === each) ? gunzipSync(bytes) : bytes);

async function casesIn(path: string, io: Io): Promise<ConformanceCase[]> {
  const name = path === "-" ? "stdin" : path;
  const bytes = await bytesAt(path, io);
  const text = readNamed(name, io, () => uncompressed(bytes));
  return text.split("\n").flatMap((line, at): ConformanceCase[] => {
    if (line.trim() === "") return [];
    const { tree } = parseJson({ name, text: line });
    const expression = tree?.member("expr")?.string;
    if (expression === undefined) throw new UsageError(`${name}:${at + 1} has no expr`);
    const inputs = Array.from(tree?.member("vars")?.entries() ?? [], ([name, { value }]) => [
      name,
      value as InputValue, // the library refuses what is no input
    ]);
    return [{ expression, inputs: Object.fromEntries(inputs), dialect: "vespa" }];
  });
}

const example = `
Example:
  $ sphex conformance --on duckdb`;
