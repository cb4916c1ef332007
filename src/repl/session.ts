import {
  type Dialect,
  type FormatName,
  type InputValue,
  type InputValues,
  type Options,
  type Problem,
  type Program,
  type RunOptions,
  type ShowOptions,
  type ShowTensorOptions,
  type Source,
  SphexError,
  showProblem,
  showTensors,
  type Tensor,
} from "../index.js";
import type { CommandContext } from "./command-context.js";
import { command } from "./commands.js";
import { type LineProgram, readLine } from "./definitions.js";
import { readIn, type SessionHost } from "./host.js";
import { Memory } from "./memory.js";
import { OpenLines } from "./open-lines.js";
import { durationText, type Inspection, type Outcome, type Pending, type Reply } from "./reply.js";

export type { Outcome, Reply };

function thrown(error: unknown): never {
  throw error;
}

/**
 * A session of the REPL: a line goes in, a reply comes out; no stream, no clock. The session keeps the statements that define
 * names. Each new line is compiled behind them as one program, so that a line means what it would mean in a file; only
 * the line's own expressions are evaluated. A line with an error changes nothing, nor does one that is cancelled.
 */
export class Session implements CommandContext {
  readonly memory = new Memory(() => this.options());
  private readonly lines = new OpenLines();
  private chosenFormat: FormatName | undefined;
  private chosenDialect: Dialect | undefined;
  private folders: readonly string[] = [];
  /** What was entered last: where `.editor` begins. */
  private recent = "";
  timing = false;

  constructor(
    /** Options for one line; called for each, so that `random` begins anew and a name keeps its value. */
    private readonly hostOptions: () => Options = () => ({}),
    private readonly problemOptions: ShowOptions = {},
    private readonly tensorOptions: () => ShowTensorOptions = () => ({}),
    private readonly host: SessionHost = {},
  ) {}

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
  }

  /** Whether the next line goes on with a statement. */
  get isOpen(): boolean {
    return this.lines.isOpen;
  }

  /** What was typed so far of an open statement. */
  get openText(): string {
    return this.lines.text;
  }

  get width(): number {
    return this.tensorOptions().width ?? 100;
  }

  /** Takes a line as it was typed. */
  enter(line: string): Reply {
    return this.finishNow(this.start(line));
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
      return this.guarded(() => thrown(error));
    }
  }

  /** The end of all lines: an open statement is taken as it is. */
  finish(): Reply {
    const text = this.lines.take();
    return this.finishNow(this.guarded(() => this.statements({ name: "repl", text })));
  }

  /** Forgets what was typed of an open statement. */
  abandon(): void {
    this.lines.take();
  }

  set(name: string, value: InputValue): void {
    this.memory.set(name, value);
  }

  types(text: string): Reply {
    const line = { name: "repl", text };
    const { problems, defined } = readLine(line);
    if (problems.length > 0) return this.problemReply(problems);
    if (text.trim() === "" || defined.size > 0) return { text: ".type takes an expression", kind: "problem" };
    const { definitions } = this.memory;
    return this.about(definitions.followedBy(line), (lineProgram) => {
      const { results } = this.memory.compileLine(lineProgram, definitions);
      return { text: results.map(({ type }) => `${type}`).join("\n"), kind: "answer" };
    });
  }

  inspect<T>(text: string, inspection: (program: Program, values: InputValues) => Inspection<T>): Outcome {
    const line = { name: "repl", text };
    const { problems, defined, expressions } = readLine(line);
    if (problems.length > 0) return this.problemReply(problems);
    if (expressions !== 1 || defined.size > 0) return { text: "this takes one expression", kind: "problem" };
    const { definitions, values } = this.memory;
    return this.about(definitions.followedBy(line), (lineProgram) => {
      const program = this.memory.compileLine(lineProgram, definitions);
      const { now, later, show } = inspection(program, values.valuesFor(program));
      return this.pending(lineProgram, now, later, (value) => ({ text: show(value), kind: "answer" }));
    });
  }

  load(path: string): Outcome {
    const text = this.read(path);
    const folder = /^(.*)[/\\]/.exec(path)?.[1];
    if (folder !== undefined && !this.folders.includes(folder)) this.folders = [...this.folders, folder];
    return this.statements({ name: path, text });
  }

  read(path: string): string {
    const { readFile = this.hostOptions().readFile } = this.host;
    if (readFile === undefined) throw new Error("there are no files here");
    return readIn(this.folders, readFile)(path);
  }

  write(path: string, text: string): void {
    if (this.host.writeFile === undefined) throw new Error("there are no files here");
    this.host.writeFile(path, text);
  }

  edit(): Outcome | undefined {
    const text = this.host.edit?.(this.recent);
    return text === undefined ? undefined : this.statements({ name: "repl", text });
  }

  private start(line: string): Outcome {
    if (!this.isOpen && line.trimStart().startsWith("."))
      return this.guarded(() => command(this, line.trim()));
    const text = this.lines.add(line);
    if (text === undefined) return { text: "", kind: "more" };
    return this.guarded(() => this.statements({ name: "repl", text }));
  }

  private statements(line: Source): Outcome {
    if (line.text.trim() !== "") this.recent = line.text;
    const { memory } = this;
    const { problems, defined, expressions } = memory.read(line);
    if (problems.length > 0) return this.problemReply(problems);
    const elapsed = this.stopwatch();
    const others = memory.definitions.without(defined.keys());
    const next = others.with(defined);
    return this.about(others.followedBy(line, defined.size > 0), (lineProgram) => {
      const program = memory.compileLine(lineProgram, next);
      const incompatible = memory.incompatible(defined.keys(), next);
      const reply = (results: readonly Tensor[]): Reply => {
        memory.remember(next, incompatible, results.at(-1));
        const warnings = program.warnings.flatMap((each) => lineProgram.problem(each));
        const values = showTensors(results, { ...this.tensorOptions(), format: this.format });
        const texts = [
          ...this.problemTexts(warnings),
          ...(results.length === 0 ? [] : [values]),
          ...elapsed(),
        ];
        return { text: texts.join("\n"), kind: "answer" };
      };
      if (expressions === 0) return reply([]);
      const inputs = memory.values.valuesFor(program, incompatible);
      return this.pending(
        lineProgram,
        () => program.runAll(inputs),
        (options) => program.runAllAsync(inputs, options),
        reply,
      );
    });
  }

  /** A reply that needs a run; its problems are shown at their spans in the line. */
  private pending<T>(
    lineProgram: LineProgram,
    now: () => T,
    later: (options: RunOptions) => Promise<T>,
    reply: (value: T) => Reply,
  ): Pending {
    return {
      kind: "pending",
      now: () => this.guarded(() => this.about(lineProgram, () => reply(now()))),
      later: async (options) => {
        try {
          const value = await later(options);
          return this.guarded(() => this.about(lineProgram, () => reply(value)));
        } catch (error) {
          if (options.signal?.aborted === true) throw error;
          return this.guarded(() => this.about(lineProgram, () => thrown(error)));
        }
      },
    };
  }

  private finishNow(outcome: Outcome): Reply {
    return outcome.kind === "pending" ? outcome.now() : outcome;
  }

  private options(): Options {
    const { readFile, readBytes, ...options } = this.hostOptions();
    return {
      ...options,
      dialect: this.dialect,
      ...(readFile === undefined ? {} : { readFile: readIn(this.folders, readFile) }),
      ...(readBytes === undefined ? {} : { readBytes: readIn(this.folders, readBytes) }),
    };
  }

  /** Measures the time from now on, where the timer is on and there is a clock. */
  private stopwatch(): () => readonly string[] {
    const { clock } = this.hostOptions();
    if (!this.timing || clock === undefined) return () => [];
    const start = clock();
    return () => [`(${durationText(clock() - start)})`];
  }

  /** A reply to a line; problems of its program are shown at their spans in the line. */
  private about<O extends Outcome>(
    lineProgram: LineProgram,
    reply: (lineProgram: LineProgram) => O,
  ): O | Reply {
    try {
      return reply(lineProgram);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      return this.problemReply(error.problems.flatMap((each) => lineProgram.problem(each)));
    }
  }

  private guarded<O extends Outcome>(reply: () => O): O | Reply {
    try {
      return reply();
    } catch (error) {
      if (error instanceof SphexError) return this.problemReply(error.problems);
      const message = error instanceof Error ? error.message : `${error}`;
      return { text: `internal error: ${message}`, kind: "problem" };
    }
  }

  private problemReply(problems: readonly Problem[]): Reply {
    return { text: this.problemTexts(problems).join("\n\n"), kind: "problem" };
  }

  private problemTexts(problems: readonly Problem[]): string[] {
    return problems.map((each) => showProblem(each, this.problemOptions));
  }
}
