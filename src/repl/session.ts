import {
  canonicalName,
  compile,
  evaluate,
  type InputValue,
  numberText,
  type Options,
  type Problem,
  type Program,
  type ShowOptions,
  SphexError,
  showProblem,
  type Tensor,
  type TensorType,
} from "../index.js";
import { command } from "./commands.js";
import { Kept, readLine, type Whole } from "./kept.js";
import { OpenLines } from "./lines.js";

/**
 * A conversation: a line goes in, a reply comes out; no stream, no clock. The session keeps the statements that define
 * names. Each new line is compiled behind them as one program, so that a line means what it would mean in a file; only
 * the line's own expressions are evaluated. A line with an error changes nothing.
 */
export interface Reply {
  readonly text: string;
  /** What the text is, or what comes next: `more` waits for the rest of a statement. */
  readonly kind: "answer" | "problem" | "more" | "exit";
}

/** A value given to an input, and the tensor that it is without a declared type. */
interface Setting {
  readonly value: InputValue;
  readonly own?: Tensor;
}

export class Session {
  private kept = new Kept();
  private settings = new Map<string, Setting>();
  private readonly lines = new OpenLines();

  constructor(
    /** Options for one line; called for each, so that `random` begins anew and a name keeps its value. */
    private readonly options: () => Options = () => ({}),
    private readonly manner: ShowOptions = {},
  ) {}

  /** Whether the next line goes on with a statement. */
  get isOpen(): boolean {
    return this.lines.isOpen;
  }

  /** Takes a line as it was typed. */
  enter(line: string): Reply {
    if (!this.isOpen && line.trimStart().startsWith("."))
      return this.guarded(() => command(this, line.trim()));
    const text = this.lines.add(line);
    return text === undefined ? { text: "", kind: "more" } : this.guarded(() => this.statements(text));
  }

  /** The end of all lines: what is still open is taken as it is. */
  finish(): Reply {
    const text = this.lines.take();
    return this.guarded(() => this.statements(text));
  }

  /** Forgets what was typed of an open statement. */
  abandon(): void {
    this.lines.take();
  }

  /** Forgets all names, and all values that were set. */
  clear(): void {
    this.kept = new Kept();
    this.settings = new Map();
  }

  /**
   * Gives an input its value: of its declared type, or of the type that the value says itself.
   * @throws SphexError where the value does not fit.
   */
  set(given: string, value: InputValue): void {
    const name = canonicalName(given);
    if (this.kept.has(name)) {
      this.tryOut(name, value, this.kept);
      this.settings.set(name, { value });
    } else this.settings.set(name, { value, own: evaluate(name, { [name]: value }, this.options()) });
  }

  /** The types of the expressions in a text, one a line. */
  types(text: string): Reply {
    const line = { name: "repl", text };
    const { problems, defined } = readLine(line);
    if (problems.length > 0) return this.told(problems);
    if (text.trim() === "" || defined.size > 0) return { text: ".type takes an expression", kind: "problem" };
    const whole = this.kept.and(line);
    return this.about(whole, () => {
      const { results } = this.compiled(whole, this.kept);
      return { text: results.map(({ type }) => `${type}`).join("\n"), kind: "answer" };
    });
  }

  private statements(text: string): Reply {
    const line = { name: "repl", text };
    const { problems, defined, expressions } = readLine(line);
    if (problems.length > 0) return this.told(problems);
    const others = this.kept.without(defined.keys());
    const [whole, next] = [others.and(line), others.with(defined)];
    return this.about(whole, () => {
      const program = this.compiled(whole, next);
      const unfit = [...defined.keys()].filter((name) => !this.stillFits(name, next));
      const results = expressions === 0 ? [] : program.runAll(this.values(program, unfit)).results;
      this.kept = next;
      for (const name of unfit) this.settings.delete(name);
      const warnings = program.warnings.flatMap((each) => whole.problem(each));
      return { text: [...this.shown(warnings), ...results.map(valueText)].join("\n"), kind: "answer" };
    });
  }

  /** Compiles a text in which these names are defined; what was set beside them has its own type. */
  private compiled({ text }: Whole, defined: Kept): Program {
    const types = [...this.settings].flatMap(([name, { own }]): [string, TensorType][] =>
      own === undefined || defined.has(name) ? [] : [[name, own.type]],
    );
    return compile(text, { ...this.options(), name: "repl", inputs: Object.fromEntries(types) });
  }

  private values({ inputs }: Program, unfit: readonly string[]): Record<string, InputValue> {
    const used = [...this.settings].filter(([name]) => inputs.has(name) && !unfit.includes(name));
    return Object.fromEntries(used.map(([name, { value }]) => [name, value]));
  }

  /** Whether what was set for a name, if anything, is also a value of its new definition. */
  private stillFits(name: string, next: Kept): boolean {
    const setting = this.settings.get(name);
    try {
      if (setting !== undefined) this.tryOut(name, setting.value, next);
      return true;
    } catch (error) {
      if (error instanceof SphexError) return false;
      throw error;
    }
  }

  private tryOut(name: string, value: InputValue, kept: Kept): void {
    this.compiled(kept.and({ name: "repl", text: name }), kept).run({ [name]: value });
  }

  /** A reply about a line of a whole; problems are shown at their places in the line. */
  private about(whole: Whole, reply: () => Reply): Reply {
    try {
      return reply();
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      return this.told(error.problems.flatMap((each) => whole.problem(each)));
    }
  }

  private guarded(reply: () => Reply): Reply {
    try {
      return reply();
    } catch (error) {
      if (error instanceof SphexError) return this.told(error.problems);
      const message = error instanceof Error ? error.message : `${error}`;
      return { text: `internal error: ${message}`, kind: "problem" };
    }
  }

  private told(problems: readonly Problem[]): Reply {
    return { text: this.shown(problems).join("\n\n"), kind: "problem" };
  }

  private shown(problems: readonly Problem[]): string[] {
    return problems.map((each) => showProblem(each, this.manner));
  }
}

/** The literal form; a scalar is just its number. */
function valueText(tensor: Tensor): string {
  return tensor.type.isScalar ? numberText(tensor.asNumber()) : `${tensor}`;
}
