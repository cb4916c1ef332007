import {
  canonicalName,
  type Dialect,
  type FormatName,
  type InputValue,
  type InputValues,
  type Options,
  type Program,
  type RunOptions,
  type ShowOptions,
  type ShowTensorOptions,
  type Source,
  showTensors,
} from "../index.js";
import type { CommandContext } from "./command-context.js";
import { command } from "./commands.js";
import { Evaluator } from "./evaluator.js";
import type { SessionHost } from "./host.js";
import { readLine } from "./memory/definitions.js";
import { EarlierValues } from "./memory/earlier-values.js";
import { Memory } from "./memory/memory.js";
import { isCommand, OpenLines } from "./open-lines.js";
import type { PortabilityNotes } from "./portability-notes.js";
import { finishedNow, followed, type Inspection, type Outcome, type Pending, type Reply } from "./reply.js";
import { asRead } from "./terminal/file-paths.js";

export type { Reply };

/**
 * A session of the REPL: a line goes in, a reply comes out; no stream, no clock. The session keeps the statements that define
 * names. Each new line is compiled behind them as one program, so that a line means what it would mean in a file; only
 * the line's own expressions are evaluated. A line with an error changes nothing, nor does one that is cancelled.
 */
export class Session implements CommandContext {
  readonly memory = new Memory(() => this.options());
  private readonly evaluator: Evaluator;
  private readonly lines = new OpenLines();
  private chosenFormat: FormatName | undefined;
  private chosenDialect: Dialect | undefined;
  /** What was entered last: where `.editor` begins. */
  private recent = "";
  timing = false;
  /** How many lines were entered, where messages count them: in a script. */
  private count: number | undefined;

  constructor(
    /** Options for one line; called for each, so that `random` begins anew and a name keeps its value. */
    private readonly hostOptions: () => Options = () => ({}),
    private readonly problemOptions: ShowOptions = {},
    private readonly tensorOptions: () => ShowTensorOptions = () => ({}),
    private readonly host: SessionHost = {},
  ) {
    this.evaluator = new Evaluator(this.memory, {
      problems: problemOptions,
      tensors: () => ({ ...this.tensorOptions(), format: this.format }),
      clock: () => (this.timing ? this.hostOptions().clock : undefined),
      width: () => this.width,
    });
  }

  /** The format of values: what was chosen, or what they are shown in otherwise. */
  get format(): FormatName {
    return this.chosenFormat ?? this.tensorOptions().format ?? "literal";
  }

  set format(format: FormatName) {
    this.chosenFormat = format;
  }

  get columns(): number | undefined {
    return this.tensorOptions().width ?? this.problemOptions.width;
  }

  get rows(): number | undefined {
    return this.host.rows?.();
  }

  get inColour(): boolean {
    return this.tensorOptions().colour === true;
  }

  get dialect(): Dialect {
    return this.chosenDialect ?? this.hostOptions().dialect ?? "formalism";
  }

  set dialect(dialect: Dialect) {
    const before = this.chosenDialect;
    this.chosenDialect = dialect;
    try {
      this.memory.program("0");
    } catch (error) {
      this.chosenDialect = before;
      throw error;
    }
    // A name stands for its formula, which may have another value now.
    this.memory.cached.clear();
  }

  /** Whether the next line goes on with a statement. */
  get isOpen(): boolean {
    return this.lines.isOpen;
  }

  get width(): number {
    return this.tensorOptions().width ?? 100;
  }

  /** What was entered that Vespa does not have. */
  get portability(): PortabilityNotes {
    return this.evaluator.portability;
  }

  /** From now on lines are those of a script: the places of problems have their numbers, and notes wait for its end. */
  readScript(): void {
    this.count = 0;
    this.portability.isQuiet = true;
  }

  /** Takes a line as it was typed. */
  enter(line: string): Reply {
    return finishedNow(this.start(line));
  }

  /** As `enter`; while a line is evaluated, other work goes on, and an aborted signal cancels it. */
  enterAsync(line: string, options: RunOptions = {}): Reply | Promise<Reply> {
    const outcome = this.start(line);
    return outcome.kind === "pending" ? this.finishPending(outcome, options) : outcome;
  }

  private async finishPending({ later }: Pending, options: RunOptions): Promise<Reply> {
    try {
      return await later(options);
    } catch (error) {
      if (options.signal?.aborted === true) return { text: "cancelled", kind: "problem" };
      return this.evaluator.failed(error);
    }
  }

  /** The end of all lines: an open statement is taken as it is. */
  finish(): Reply {
    const source = this.typed(this.lines.take());
    return finishedNow(this.entered(source));
  }

  /** Forgets what was typed of an open statement. */
  abandon(): void {
    this.lines.take();
  }

  set(name: string, value: InputValue): void {
    this.memory.set(name, value);
  }

  types(text: string): Reply {
    const line = this.typed(text);
    const { problems, defined } = readLine(line);
    if (problems.length > 0) return this.evaluator.problemReply(problems);
    if (text.trim() === "" || defined.size > 0) return { text: ".type takes an expression", kind: "problem" };
    const { definitions } = this.memory;
    return this.evaluator.about(definitions.followedBy(line), (lineProgram) => {
      const { results } = this.memory.compileLine(lineProgram, definitions);
      return { text: results.map(({ type }) => `${type}`).join("\n"), kind: "answer" };
    });
  }

  inspect<T>(text: string, inspection: (program: Program, values: InputValues) => Inspection<T>): Outcome {
    const line = this.typed(text);
    const { problems, defined, expressions } = readLine(line);
    if (problems.length > 0) return this.evaluator.problemReply(problems);
    if (expressions !== 1 || defined.size > 0) return { text: "this takes one expression", kind: "problem" };
    const { definitions, values } = this.memory;
    return this.evaluator.about(definitions.followedBy(line), (lineProgram) => {
      const program = this.memory.compileLine(lineProgram, definitions);
      const { now, later, show } = inspection(program, values.valuesFor(program));
      return this.evaluator.pending(lineProgram, now, later, (value) => ({
        text: show(value),
        kind: "answer",
      }));
    });
  }

  load(path: string): Outcome {
    return this.entered(asRead({ name: path, text: this.read(path) }));
  }

  read(path: string): string {
    const { readFile = this.hostOptions().readFile } = this.host;
    if (readFile === undefined) throw new Error("there are no files here");
    return readFile(path);
  }

  write(path: string, text: string): void {
    if (this.host.writeFile === undefined) throw new Error("there are no files here");
    this.host.writeFile(path, text);
  }

  edit(): Outcome | undefined {
    const text = this.host.edit?.(this.recent);
    return text === undefined ? undefined : this.entered({ name: "repl", text });
  }

  value(word: string): Outcome | undefined {
    const { definitions } = this.memory;
    const name = canonicalName(word);
    const formula = definitions.isFormula(name) ? new Map(definitions.texts).get(name) : undefined;
    if (formula === undefined) return undefined;
    return followed(this.evaluator.computed([name]), (reply) => {
      const value = this.memory.cached.get(name);
      if (value === undefined) return reply;
      const shown = showTensors([value], { ...this.tensorOptions(), format: this.format });
      const asEntered = new EarlierValues(this.memory.values).text(formula);
      return { text: `${asEntered}\n${shown}`, kind: "answer" };
    });
  }

  private start(line: string): Outcome {
    if (this.count !== undefined) this.count++;
    if (!this.isOpen && isCommand(line)) return this.evaluator.guarded(() => command(this, line.trim()));
    const text = this.lines.add(line);
    if (text === undefined) return { text: "", kind: "more" };
    return this.entered(this.typed(text));
  }

  /** A text is entered as a file is; of several statements in one line all are, or none. */
  private entered(source: Source): Outcome {
    if (source.text.trim() !== "") this.recent = source.text;
    const { evaluator } = this;
    const isBlock = source.text.trim().includes("\n");
    return evaluator.guarded(() => (isBlock ? evaluator.block(source) : evaluator.statements(source)));
  }

  /** What was typed, with the number of its first line where lines are counted. */
  private typed(text: string): Source {
    const source = { name: "repl", text };
    if (this.count === undefined) return source;
    return { ...source, firstLine: this.count - text.split("\n").length + 1 };
  }

  private options(): Options {
    return { ...this.hostOptions(), dialect: this.dialect };
  }
}
