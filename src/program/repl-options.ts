import type { ShowTensorOptions } from "../formats/show/show.js";
import type { ShowOptions } from "../language/source/show.js";
import type { Progress } from "./async-run.js";
import type { InputValues } from "./inputs/inputs.js";
import type { Options } from "./options.js";

/**
 * What the REPL is started with: at a terminal, which has prompts, or with a file or a pipe, without. This interface is
 * all that the command and the REPL share. The types of the streams depend on the host.
 */
export interface ReplOptions<Input, Output> {
  /** Fresh options for each line. */
  readonly options: () => Options;
  readonly problemOptions: ShowOptions;
  /** How values are shown; called for each line, since a window can change its width. */
  readonly tensorOptions?: () => ShowTensorOptions;
  /** Inputs that have a value from the start. */
  readonly settings: InputValues;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Whether the input is a terminal. */
  readonly isTTY: boolean;
  /** The folder that files are named from, if there are files. */
  readonly cwd?: string;
  /**
   * The text of a file that the user names, relative to that folder. Those that programs name are read as the options of
   * a line have it.
   */
  readonly readFile?: (path: string) => string;
  /** How files are written; without it there is no history, no `.save` and no editor. */
  readonly files?: FileWriter;
  /** Environment variables: the locations of the history and the editor. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Runs a task and shows its progress, where there is a terminal. */
  readonly withProgress?: <T>(task: (progress: (at: Progress) => void) => Promise<T>) => Promise<T>;
}

/**
 * How files are written: replaced in one step, or appended to, with a mode where they are new. Paths are relative to the
 * folder of the session. Both throw an error whose message is the reason in plain words.
 */
export interface FileWriter {
  readonly replace: (path: string, content: string | Uint8Array, mode?: number) => void;
  readonly append: (path: string, content: string, mode?: number) => void;
}
