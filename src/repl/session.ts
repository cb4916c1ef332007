import {
  canonicalName,
  compile,
  evaluate,
  type InputValue,
  nearest,
  numberText,
  type Options,
  type Problem,
  type Program,
  type ShowOptions,
  SphexError,
  showProblem,
  type Tensor,
} from "../index.js";
import { Kept, readLine } from "./kept.js";
import { OpenLines } from "./lines.js";

/**
 * A conversation: a line goes in, a reply comes out; no stream, no clock. The session keeps the statements that define
 * names. Each new line is compiled behind them as one program, so that a line means what it would mean in a file; only
 * the line's own expressions are evaluated. A line with an error changes nothing.
 */
export interface Reply {
  readonly text: string;
  /** Where the text belongs, and what comes next: `more` waits for the rest of a statement. */
  readonly kind: "answer" | "problem" | "more" | "exit";
}

export class Session {
  private kept = new Kept();
  private settings = new Map<string, InputValue>();
  private readonly lines = new OpenLines();

  constructor(
    /** Options for one line; called for each, so that `random` begins anew and a name keeps its value. */
    private readonly options: () => Options,
    private readonly manner: ShowOptions = {},
  ) {}

  /** Whether the next line goes on with a statement. */
  get isOpen(): boolean {
    return this.lines.isOpen;
  }

  /** Takes a line as it was typed. */
  enter(line: string): Reply {
    if (!this.isOpen && line.trimStart().startsWith(".")) return this.guarded(() => this.command(line.trim()));
    const text = this.isOpen && line.trim() === "" ? this.lines.take() : this.lines.add(line);
    return text === undefined ? { text: "", kind: "more" } : this.guarded(() => this.statements(text));
  }

  /** The end of the text: what is still open is taken as it is. */
  finish(): Reply {
    const text = this.lines.take();
    return this.guarded(() => this.statements(text));
  }

  /** Forgets what was typed of an open statement. */
  abandon(): void {
    this.lines.take();
  }

  /**
   * Gives an input its value, by its declared type where it has one.
   * @throws SphexError where the value does not fit.
   */
  set(given: string, value: InputValue): void {
    const name = canonicalName(given);
    const options = this.options();
    if (this.kept.has(name)) {
      const whole = this.kept.and({ name: "repl", text: name });
      compile(whole.text, { ...options, name: "repl", inputs: this.hostTypes() }).run({ ...this.values(), [name]: value });
    } else evaluate(name, { [name]: value }, options);
    this.settings.set(name, value);
  }

  private statements(text: string): Reply {
    const line = { name: "repl", text };
    const { problems, defined, expressions } = readLine(line);
    if (problems.length > 0) return this.told(problems);
    const others = this.kept.without(defined.keys());
    const whole = others.and(line);
    try {
      const program = this.compiled(whole.text, new Set(defined.keys()));
      const results = expressions === 0 ? [] : program.runAll(this.values(program)).results;
      this.kept = others.with(defined);
      const warnings = program.warnings.flatMap((each) => whole.problem(each)).map((each) => showProblem(each, this.manner));
      return { text: [...warnings, ...results.map(valueText)].join("\n"), kind: "answer" };
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      return this.told(error.problems.flatMap((each) => whole.problem(each)));
    }
  }
}
