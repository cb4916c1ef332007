import type { Dialect, FormatName, InputValue, InputValues, Program } from "../index.js";
import type { Memory } from "./memory.js";
import type { Inspection, Outcome, Reply } from "./reply.js";

/** What a command may ask of the session that it is entered in. */
export interface CommandContext {
  readonly memory: Memory;
  /** The format of values. */
  format: FormatName;
  /** Throws a SphexError where what is kept is no program of the dialect; then nothing has changed. */
  dialect: Dialect;
  /** Whether a reply says how long it took. */
  timing: boolean;
  /** The columns that there are for a reply. */
  readonly width: number;
  /** How many columns a line of a reply may take, where that is known. */
  readonly columns: number | undefined;
  /** Whether values and pictures have colours. */
  readonly inColour: boolean;
  /**
   * Gives an input its value: of its declared type, or of the type that the value says itself.
   * @throws SphexError where the value does not fit.
   */
  set(name: string, value: InputValue): void;
  /** The types of the expressions in a text, one a line. */
  types(text: string): Reply;
  /** What can be said of the one expression in a text, as a program that is run with the values of its inputs. */
  inspect<T>(text: string, inspection: (program: Program, values: InputValues) => Inspection<T>): Outcome;
  /** Enters the statements of a file. The files that it names are also looked for in its folder. */
  load(path: string): Outcome;
  /** The text of a file. Throws an error whose message is the reason. */
  read(path: string): string;
  /** Writes a file. Throws an error whose message is the reason. */
  write(path: string, text: string): void;
  /** Enters what somebody makes of the last line in an editor; nothing where there is no editor. */
  edit(): Outcome | undefined;
}
