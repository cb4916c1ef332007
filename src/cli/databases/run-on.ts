import { resolve } from "node:path";
import { compileExpression, type Tensor, tensorJson, visibleJson } from "../../index.js";
import {
  type EngineProgress,
  type EngineRunOptions,
  engineOf,
  onCluster,
  onEngine,
  type SqlEngine,
  type Target,
} from "../../sql.js";
import { writeFileBy } from "../files/files.js";
import { tensorOptions, writeTensors } from "../options/output.js";
import type { SourceText } from "../program/source-text.js";
import { exit, failed, UsageError } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { withProgress } from "../terminal/progress.js";
import { type BindingFlags, boundText } from "./bound-text.js";

export interface OnFlags extends BindingFlags {
  readonly on?: readonly string[];
  readonly into?: string;
  readonly retries?: number;
  readonly exact?: boolean;
}

/** The options that say something about an engine. */
// biome-ignore format: a list
const optionsOfEngines = [
  "table", "bindings", "into", "partition", "replicated", "retries", "exact",
] as const satisfies readonly (keyof OnFlags)[];

/**
 * Where a program runs on this machine, refuses the options that nothing would look at.
 * @throws UsageError for the first of them.
 */
export function refuseEngineOptions(flags: OnFlags): void {
  for (const name of optionsOfEngines)
    if (flags[name] !== undefined)
      throw new UsageError(`--${name} is for programs on an engine: name it with --on`);
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
  const options: EngineRunOptions = { signal: stop.signal, timeout: flags.timeout, retries: flags.retries };
  try {
    const [first, ...others] = enginesAt(urls, flags, io);
    const target = flags.into === undefined ? undefined : targetOf(flags.into, io);
    if (others.length > 0) {
      const { bound, results } = await boundText(source, flags, onCluster([first, ...others]), io);
      refuseSeveral(results, target, source);
      if (target === undefined)
        await writeResults(await shown(io, options, (each) => bound.runAll(each)), flags, io);
      else if ("table" in target) await shown(io, options, (each) => bound.materialize(target.table, each));
      else await writeFile(await shown(io, options, (each) => bound.run(each)), target, options);
      return exit.fine;
    }
    const { bound, results } = await boundText(source, flags, onEngine(first), io);
    refuseSeveral(results, target, source);
    if (target === undefined)
      await writeResults(await shown(io, options, (each) => bound.runAll(each)), flags, io);
    else await shown(io, options, (each) => written(first, target, (to) => bound.materialize(to, each)));
    return exit.fine;
  } catch (error) {
    return await failed(error, flags, io);
  }
}

/** A target takes one result, and nothing says which of several. */
function refuseSeveral(results: number, target: Target | undefined, { name }: SourceText): void {
  if (target !== undefined && results > 1)
    throw new UsageError(
      `--into writes one result, and ${name} has ${results}: leave only one of them in it`,
    );
}

/** A run whose stages are shown meanwhile, at a terminal. */
const shown = <T>(
  io: Io,
  options: EngineRunOptions,
  run: (options: EngineRunOptions) => Promise<T>,
): Promise<T> =>
  // Ctrl-C stops the query, and the problem that says so is the end.
  withProgress(
    (tell) => run({ ...options, progress: (at) => tell(stageText(at)) }),
    Object.create(io, { onInterrupt: { value: undefined } }),
  );

function stageText({ engine, stage, query }: EngineProgress): string {
  const rows = query === undefined ? "" : `, ${query.rows.toLocaleString("en")} rows`;
  const total = query?.total === undefined ? "" : ` of ${query.total.toLocaleString("en")}`;
  return `${engine} ${stage}${rows}${total}`;
}

/** What shards have computed together, in a file here: DuckDB writes it. */
async function writeFile(result: Tensor, target: Target, options: EngineRunOptions): Promise<void> {
  const program = compileExpression("result", { inputs: { result: result.type } });
  const engine = engineOf("duckdb");
  const bound = program.on(onEngine(engine), { result: { tensor: result } });
  await written(engine, target, (to) => bound.materialize(to, options));
}

/** Writes to a target; a file that an engine writes here is replaced when it is whole. */
async function written(
  { dialect }: SqlEngine,
  target: Target,
  write: (target: Target) => Promise<void>,
): Promise<void> {
  const isFile = "file" in target && [".parquet", ".csv"].some((end) => target.file.endsWith(end));
  if (!isFile || dialect.writeFile === undefined) return await write(target);
  await writeFileBy(target.file, (file) => write({ file }));
}

async function writeResults(results: readonly Tensor[], flags: OnFlags, io: Io): Promise<void> {
  if (flags.json === true)
    await write(io.stdout, `${visibleJson({ results: results.map((each) => tensorJson(each)) })}\n`);
  else await writeTensors(results, tensorOptions(flags, io), io);
}

/**
 * The engines of `--on`: one, or the shards of a cluster.
 * @throws UsageError where there is none.
 */
export function enginesAt(
  urls: readonly string[],
  { exact = false }: Pick<OnFlags, "exact">,
  io: Io,
): readonly [SqlEngine, ...SqlEngine[]] {
  const [first, ...others] = urls.map((url) => engineOf(located(url, io), { isExact: exact }));
  if (first === undefined) throw new UsageError("--on names no engine");
  return [first, ...others];
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
