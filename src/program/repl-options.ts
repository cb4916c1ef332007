import type { ShowTensorOptions } from "../formats/show/show.js";
import type { ShowOptions } from "../language/source/show.js";
import type { Progress } from "./async-run.js";
import type { InputValues } from "./inputs.js";
import type { Options } from "./options.js";

/**
 * What a conversation in the language is started with: by a terminal, which has prompts, or by a file or a pipe,
 * without. Whoever starts one and whoever holds it know nothing else of each other. The streams are those of the
 * machine that both run on, of which nothing is known here.
 */
export interface ReplOptions<Input, Output> {
  /** Fresh options for each line. */
  readonly options: () => Options;
  readonly problemOptions: ShowOptions;
  /** How values are shown, asked for each line: a window can change its width. */
  readonly tensorOptions?: () => ShowTensorOptions;
  /** Inputs that have a value from the start. */
  readonly settings: InputValues;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Whether somebody types the input. */
  readonly isTTY: boolean;
  /** The folder that files are named from, if there are files. */
  readonly cwd?: string;
  /** Where to find the history and the editor. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Shows that a line takes its time, where somebody sees it. */
  readonly withProgress?: <T>(task: (progress: (at: Progress) => void) => Promise<T>) => Promise<T>;
}
