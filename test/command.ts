import { Readable, Writable } from "node:stream";
import { main } from "../src/cli/main.js";
import type { Io } from "../src/cli/terminal/io.js";
import { temporaryFolder } from "./folder.js";

/** The command, run in-process in a folder of its own: arguments and streams in, texts and an exit code out. */
export interface Command {
  readonly folder: string;
  readonly run: (args: readonly string[], world?: World) => Promise<Outcome>;
}

export interface World {
  /** The texts, or bytes, that come over stdin, chunk by chunk. */
  readonly stdin?: Iterable<string | Uint8Array>;
  /** Told whatever is written to stdout, as it comes. */
  readonly seen?: (text: string) => void;
  readonly interrupted?: () => Promise<void>;
}

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function command(): Command {
  const folder = temporaryFolder();
  const run = async (
    args: readonly string[],
    { stdin = [], seen, interrupted }: World = {},
  ): Promise<Outcome> => {
    const texts = { out: "", err: "" };
    const collector = (name: "out" | "err", tell?: (text: string) => void): Writable =>
      new Writable({
        write: (chunk, _, done) => {
          texts[name] += chunk;
          tell?.(`${chunk}`);
          done();
        },
      });
    const io: Io = {
      stdin: Readable.from(stdin),
      stdout: collector("out", seen),
      stderr: collector("err"),
      isTTY: { stdin: false, stderr: false },
      cwd: folder,
      env: {},
      repl: () => import("../src/repl/terminal/terminal.js"),
      ...(interrupted === undefined ? {} : { interrupted }),
    };
    return { code: await main(args, io), ...texts };
  };
  return { folder, run };
}
