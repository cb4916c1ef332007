import { isBytesFormat, tensorFormatOf } from "../formats/interchange.js";
import { filePaths, modelPaths } from "../language/check/file-paths.js";
import { requireObject, requireText } from "../language/source/arguments.js";
import { parseProgram } from "../language/syntax/parse.js";
import { spanOfText } from "../language/values/messages.js";
import { untilAborted } from "./async-run.js";
import { compile } from "./compile.js";
import { checkOptions } from "./option-rules.js";
import { limitsOf, type Options } from "./options.js";
import type { Program } from "./program.js";

/** Options of a program whose files may come from elsewhere than this moment: a reader may return a promise. */
export interface AsyncOptions extends Omit<Options, "readFile" | "readBytes"> {
  readonly readFile?: (path: string) => string | Promise<string>;
  readonly readBytes?: (path: string) => Uint8Array | Promise<Uint8Array>;
  /** Gives up reading, with the problem `limit/cancelled`. */
  readonly signal?: AbortSignal;
}

const isArchive = (path: string): boolean => path.toLowerCase().endsWith(".npz");

/** The outcome of reading a file. */
type ReadFile<T> = { readonly content: T } | { readonly error: unknown };

/**
 * As `compile`, with readers of files that may return promises: all files that the program names are read at once, each
 * once, before it is compiled.
 * @throws SphexError as `compile` does, and where the signal is aborted.
 */
export async function compileAsync(text: string, options: AsyncOptions = {}): Promise<Program> {
  requireText("compileAsync", text);
  requireObject("options", options);
  const { readFile, readBytes, signal, ...others } = options;
  checkOptions(others);
  const name = options.name ?? "program";
  const { tree } = parseProgram({ name, text }, limitsOf(others).nesting);
  const paths = [...filePaths(tree ?? { statements: [] })];
  const models = [...modelPaths(tree ?? { statements: [] })];
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
    spanOfText(name, ""),
  );
  return compile(text, {
    ...others,
    ...(readFile === undefined ? {} : { readFile: readIn(texts) }),
    ...(readBytes === undefined ? {} : { readBytes: readIn(bytes) }),
  });
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
