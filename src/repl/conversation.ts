import type { Readable, Writable } from "node:stream";
import type { InputValues, Options, ShowOptions, ShowTensorOptions } from "../index.js";
import type { Environment } from "./machine.js";

/** What a conversation is started with: by a terminal, which has prompts, or by a file or a pipe, without. */
export interface Conversation {
  /** Fresh options for each line. */
  readonly options: () => Options;
  readonly manner: ShowOptions;
  /** How values are shown, asked for each line: a window can change its width. */
  readonly showing?: () => ShowTensorOptions;
  /** Inputs that have a value from the start. */
  readonly settings: InputValues;
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  /** Whether somebody types the input. */
  readonly isTTY: boolean;
  /** The folder that files are named from, if there are files. */
  readonly cwd?: string;
  /** Where to find the history and the editor. */
  readonly env?: Environment;
  /** Shows that a line takes its time, where somebody sees it. */
  readonly patiently?: <T>(work: Promise<T>) => Promise<T>;
}
