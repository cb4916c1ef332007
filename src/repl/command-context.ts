import type { Dialect, FormatName, InputValue, InputValues, Program } from "../index.js";
import type { Memory } from "./memory/memory.js";
import type { PortabilityNotes } from "./portability-notes.js";
import type { Inspection, Outcome, Reply } from "./reply.js";

/** The session as its commands see it. */
export interface CommandContext {
  readonly memory: Memory;
  /** The format of values. */
  format: FormatName;
  /** @throws SphexError where the definitions are no program of the dialect; then nothing has changed. */
  dialect: Dialect;
  /** Whether a reply has the time that it took. */
  timing: boolean;
  /** What was entered that Vespa does not have. */
  readonly portability: PortabilityNotes;
  /** The width of a reply. */
  readonly width: number;
  /** The largest width of a line, where there is one. */
  readonly columns: number | undefined;
  /** Whether values and pictures have colours. */
  readonly inColour: boolean;
  /**
   * Gives an input its value: of its declared type, or of its own.
   * @throws SphexError where the value does not fit.
   */
  set(name: string, value: InputValue): void;
  /** The types of the expressions in a text, one a line. */
  types(text: string): Reply;
  /** Inspects the one expression in a text, as a program that is run on the values of its inputs. */
  inspect<T>(text: string, inspection: (program: Program, values: InputValues) => Inspection<T>): Outcome;
  /** Enters the statements of a file. The files that it names are also looked for in its folder. */
  load(path: string): Outcome;
  /** The text of a file. @throws Error whose message is the reason. */
  read(path: string): string;
  /** Writes a file. @throws Error whose message is the reason. */
  write(path: string, text: string): void;
  /** How many lines the screen has, where there is one. */
  readonly rows: number | undefined;
  /** The formula of a name and its value, which is computed unless it is known; undefined where there is no such name. */
  value(name: string): Outcome | undefined;
  /** Enters the last line after it was edited; undefined where there is no editor. */
  edit(): Outcome | undefined;
}
