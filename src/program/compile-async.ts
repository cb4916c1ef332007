import { Meter } from "../backends/meter.js";
import { isBytesFormat, tensorFormatOf } from "../formats/interchange.js";
import { filePaths, modelPaths } from "../language/check/models/file-paths.js";
import type { Slices } from "../language/limits/slices.js";
import { requireObject, requireText } from "../language/source/arguments.js";
import { abortSignal, call, checkCallOptions, type OptionRules } from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { programSlices } from "../language/syntax/parse.js";
import { spanOfText } from "../language/values/messages.js";
import { runPausing, throwIfAborted, untilAborted } from "./async-run.js";
import { programSlicesOf } from "./compile.js";
import type { InputsOf } from "./inputs/declared-inputs.js";
import type { InputValues } from "./inputs/input-value.js";
import { checkOptions } from "./option-rules.js";
import { limitsOf, type Options } from "./options.js";
import type { Program } from "./program.js";

/** Options of a program whose files may come from elsewhere than this moment: a reader may return a promise. */
export interface AsyncOptions extends Omit<Options, "readFile" | "readBytes"> {
  readonly readFile?: (path: string) => string | Promise<string>;
  /** Bytes of models must not be changed afterwards, as `Options` says. */
  readonly readBytes?: (path: string) => Uint8Array | Promise<Uint8Array>;
  /** Gives up reading, with the problem `limit/cancelled`. */
  readonly signal?: AbortSignal;
}

const ownRules: OptionRules<Pick<AsyncOptions, "readFile" | "readBytes" | "signal">> = {
  readFile: call,
  readBytes: call,
  signal: abortSignal,
};

const isArchive = (path: string): boolean => path.toLowerCase().endsWith(".npz");

/** The outcome of reading a file. */
type ReadFile<T> = { readonly content: T } | { readonly error: unknown };

/**
 * As `compile`, with readers of files that may return promises: all files that the program names are read at once, each
 * once, before it is compiled. Other work goes on between statements; a statement that takes longer than a page or a server may
 * pause, or a file, belongs in a worker.
 * @throws SphexError as `compile` does, and where the signal is aborted.
 */
export function compileAsync<const Text extends string>(
  text: Text,
  options?: AsyncOptions & { readonly inputs?: never },
): Promise<Program<InputsOf<Text>>>;
export function compileAsync<Inputs extends object = InputValues>(
  text: string,
  options?: AsyncOptions,
): Promise<Program<Inputs>>;
export async function compileAsync(text: string, options: AsyncOptions = {}): Promise<Program> {
  requireText("compileAsync", text);
  requireObject("options", options);
  const { readFile, readBytes, signal, ...others } = options;
  checkOptions(others);
  checkCallOptions("compileAsync", { signal, readFile, readBytes }, ownRules);
  const name = options.name ?? "program";
  const span = spanOfText(name, "");
  throwIfAborted(signal, span);
  const { paths, models } = await runPausing(fileSlices(text, others), signal, span);
  const isBytes = (path: string): boolean =>
    readFile === undefined || isArchive(path) || isBytesFormat(tensorFormatOf(path) ?? "literal");
  const [texts, bytes] = await untilAborted(
    Promise.all([
      contents(
        paths.filter((path) => !isBytes(path)),
        readFile,
      ),
      contents([...new Set([...paths.filter(isBytes), ...models])], readBytes),
    ]),
    signal,
    span,
  );
  const found = {
    ...others,
    ...(readFile === undefined ? {} : { readFile: readIn(texts) }),
    ...(readBytes === undefined ? {} : { readBytes: readIn(bytes) }),
  };
  return await runPausing(programSlicesOf(text, found), signal, span);
}

/** The files that a program names. Where reading it is more than the limits allow, compiling it tells so. */
function* fileSlices(
  text: string,
  options: Options,
): Slices<{ readonly paths: readonly string[]; readonly models: readonly string[] }> {
  const source = { name: "program", text };
  const meter = new Meter(limitsOf(options), options.clock);
  try {
    meter.store(2 * text.length, { source, start: 0, end: text.length });
    const spend = (work: number, span: Span): void => void meter.spend(work, span);
    const { tree = { statements: [] } } = yield* programSlices(source, limitsOf(options).nesting, spend);
    return { paths: [...filePaths(tree)], models: [...modelPaths(tree)] };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { paths: [], models: [] };
  }
}

async function contents<T>(
  paths: readonly string[],
  read: ((path: string) => T | Promise<T>) | undefined,
): Promise<ReadonlyMap<string, ReadFile<T>>> {
  if (read === undefined) return new Map();
  const entries = paths.map(async (path): Promise<[string, ReadFile<T>]> => {
    try {
      return [path, { content: await read(path) }];
    } catch (error) {
      return [path, { error }];
    }
  });
  return new Map(await Promise.all(entries));
}

/** A reader of what was read; what went wrong is thrown where the program names the file. */
const readIn =
  <T>(files: ReadonlyMap<string, ReadFile<T>>) =>
  (path: string): T => {
    const file = files.get(path);
    if (file === undefined) throw new Error("it was not read");
    if ("error" in file) throw file.error;
    return file.content;
  };
