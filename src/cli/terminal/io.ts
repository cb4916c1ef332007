import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Options, ReplOptions } from "../../index.js";
import { thrownText } from "../../language/source/thrown.js";
import type { Files, PackageOptions } from "../../vespa.js";
import { changes } from "./changes.js";
import { TerminalWriter } from "./terminal-writer.js";
import { UsageError } from "./usage-error.js";
import { TextParts, textOfBytes } from "./utf8.js";
import { readWaitingInput } from "./waiting-input.js";

/** What a language server may read of the machine that it runs on. */
export interface EditorHost {
  readonly programOptions: (path: string | undefined) => Options;
  readonly packageOf: (
    path: string,
  ) => { readonly files: Files; readonly options: PackageOptions } | undefined;
  readonly readNow?: (() => Uint8Array | undefined) | undefined;
}

/**
 * The environment of the command: three streams, a folder, environment variables. A test passes its own and runs the
 * command in-process; `processIo` is the real one.
 */
export interface Io {
  readonly stdin: Readable;
  /** What has come on stdin while nobody could listen. */
  readonly readNow?: () => Uint8Array | undefined;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether each stream is a terminal. */
  readonly isTTY: { readonly stdin: boolean; readonly stdout?: boolean; readonly stderr: boolean };
  /** The columns of the terminal, where there is one. */
  readonly columns?: number | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Registers an action for Ctrl-C, before it ends the command; returns how to remove it. */
  readonly onInterrupt?: (act: () => void) => () => void;
  /** Resolves on Ctrl-C, or when the process is asked to end. */
  readonly interrupted?: () => Promise<void>;
  /** Opens an address in the browser of the user; whether that could be tried. */
  readonly openBrowser?: (address: string) => Promise<boolean>;
  /** Yields whenever one of these files has changed. */
  readonly changes?: (paths: () => readonly string[]) => AsyncIterable<void>;
  /** The REPL, a program of its own, loaded when it is asked for. It returns an exit code. */
  readonly repl: () => Promise<{
    readonly runRepl: (options: ReplOptions<Readable, Writable>) => Promise<number>;
  }>;
  /** The language server, another program of its own. It returns an exit code when the editor, or its input, ends. */
  readonly languageServer?: () => Promise<{
    readonly serveEditor: (input: Readable, output: Writable, host: EditorHost) => Promise<number>;
  }>;
}

/** The programs of their own that the command starts. */
export type Programs = Pick<Io, "repl" | "languageServer">;

export function processIo(programs: Programs): Io {
  const { stdin, stdout, stderr, env } = process;
  const isTTY = {
    stdin: stdin.isTTY === true,
    stdout: stdout.isTTY === true,
    stderr: stderr.isTTY === true,
  };
  return {
    ...{
      stdin,
      readNow: readWaitingInput,
      stdout,
      stderr,
      isTTY,
      cwd: process.cwd(),
      env,
      ...programs,
      onInterrupt,
      interrupted,
      openBrowser: async (address) => (await import("./browser.js")).openBrowser(address),
      changes,
    },
    get columns() {
      // A terminal that does not know its size says 0.
      return stdout.columns || stderr.columns || undefined;
    },
  };
}

/** A second signal has its usual effect. */
async function interrupted(): Promise<void> {
  const waiting = new AbortController();
  const signals = ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal: waiting.signal }));
  await Promise.race(signals);
  waiting.abort();
  await Promise.allSettled(signals);
}

/** The signal has its usual effect after the action. */
function onInterrupt(act: () => void): () => void {
  const react = (): void => {
    act();
    process.kill(process.pid, "SIGINT");
  };
  process.once("SIGINT", react);
  return () => void process.removeListener("SIGINT", react);
}

/**
 * Writes a text with terminal sequences of ours, in which all that comes from elsewhere was made visible; without colours
 * it has none.
 */
export async function writeStyled(stream: Writable, text: string, colour = true): Promise<void> {
  if (!colour || !(stream instanceof TerminalWriter)) return await write(stream, text);
  if (!stream.writeStyled(text)) await once(stream, "drain");
}

/** The same, with terminals to which any text may be written. */
export const withSafeTerminals = (io: Io): Io =>
  Object.create(io, {
    ...(io.isTTY.stdout === true ? { stdout: { value: new TerminalWriter(io.stdout) } } : {}),
    ...(io.isTTY.stderr ? { stderr: { value: new TerminalWriter(io.stderr) } } : {}),
  });

/** Writes, and waits where the reader is slower. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !stream.write(text)) await once(stream, "drain");
}

/** The most characters or bytes of stdin, and of any one line of it: about the longest text there can be. */
const mostInput = 2 ** 29 - 2 ** 16;

function refuseInput(what: string, most: number): never {
  throw new UsageError(`${what} is longer than ${most}`);
}

/** What is read as a whole is read for one thing. */
function requireUnread({ readableDidRead }: Readable): void {
  if (readableDidRead) throw new UsageError("stdin, -, is named for more than one thing");
}

export async function readAll(stdin: Readable, most = mostInput): Promise<string> {
  requireUnread(stdin);
  const texts: string[] = [];
  let length = 0;
  for await (const text of textsOf(stdin)) {
    length += text.length;
    if (length > most) refuseInput("stdin", most);
    texts.push(text);
  }
  return texts.join("");
}

export async function readAllBytes(stdin: Readable, most = mostInput): Promise<Uint8Array> {
  requireUnread(stdin);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stdin) {
    const bytes = bytesOf(part);
    length += bytes.length;
    if (length > most) refuseInput("stdin", most);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/** The lines of a stream as they come, without their ends; the last one may lack its end. */
export async function* linesOf(stdin: Readable, most = mostInput): AsyncGenerator<string> {
  for await (const line of byteLinesOf(stdin, most)) yield ofStdin(() => textOfLine(line));
}

/** The same as bytes, which need not be text. */
export async function* byteLinesOf(stdin: Readable, most = mostInput): AsyncGenerator<Uint8Array> {
  let partial: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    let rest = bytesOf(chunk);
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      if (length + end > most) refuseInput("a line of stdin", most);
      const line = rest.subarray(0, end);
      yield partial.length === 0 ? line : Buffer.concat([...partial, line]);
      rest = rest.subarray(end + 1);
      partial = [];
      length = 0;
    }
    if (rest.length > 0) partial.push(rest);
    length += rest.length;
    if (length > most) refuseInput("a line of stdin", most);
  }
  if (length > 0) yield Buffer.concat(partial);
}

const lineFeed = 0x0a;

/** The text of a line, without a carriage return at its end. @throws Error whose message is the reason where it is none. */
export const textOfLine = (line: Uint8Array): string => textOfBytes(line).replace(/\r$/, "");

/** The texts of a stream as they come. */
export async function* textsOf(stdin: Readable): AsyncGenerator<string> {
  const parts = new TextParts();
  for await (const chunk of stdin) yield ofStdin(() => parts.next(bytesOf(chunk)));
  yield ofStdin(() => parts.end());
}

const bytesOf = (chunk: unknown): Uint8Array =>
  chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(`${chunk}`);

/** What is read of stdin; where that fails, the command was called wrongly. */
function ofStdin<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`cannot read stdin: ${thrownText(error)}`);
  }
}
