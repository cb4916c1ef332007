import {
  canonicalName,
  compile,
  evaluate,
  type InputValue,
  type Options,
  type Program,
  type Source,
  SphexError,
  type Tensor,
} from "../index.js";
import { Kept, type Line, readLine, type Whole } from "./definitions.js";
import { earlierName, last, mentionsLast } from "./last-result.js";
import { Given } from "./values.js";

/**
 * What a session remembers: the statements that define names, the values that were given to inputs, and the last
 * result, which is a value given to `_`.
 */
export class Memory {
  private statements = new Kept();
  private values = new Given();

  constructor(private readonly options: () => Options) {}

  get kept(): Kept {
    return this.statements;
  }

  get given(): Given {
    return this.values;
  }

  clear(): void {
    this.statements = new Kept();
    this.values = new Given();
  }

  /**
   * Gives an input its value: of its declared type, or of the type that the value says itself.
   * @throws SphexError where the value does not fit.
   */
  set(given: string, value: InputValue): void {
    const name = canonicalName(given);
    const isKept = this.kept.has(name);
    if (isKept) this.typed(name, value);
    this.given.set(
      name,
      isKept ? { value } : { value, own: evaluate(name, { [name]: value }, this.options()) },
    );
  }

  /**
   * What a line says. Where it keeps a statement that mentions the last result, that result gets a name of its own;
   * should the line fail, the name is free for the next one.
   */
  read(line: Source): Line {
    const read = readLine(line);
    const result = this.given.get(last);
    const isMeant = !this.kept.has(last) && !read.defined.has(last) && mentionsLast(line.text);
    if (result === undefined || read.defined.size === 0 || !isMeant) return read;
    this.given.prune(this.kept.texts.map(([, text]) => text));
    const name = earlierName([...this.given.names, ...this.kept.names]);
    this.given.set(name, result);
    return readLine(line, name);
  }

  /** What holds after a line. */
  remember(next: Kept, unfit: readonly string[], result: Tensor | undefined): void {
    this.statements = next;
    for (const name of unfit) this.given.delete(name);
    this.given.prune(next.texts.map(([, text]) => text));
    if (result !== undefined) this.given.set(last, { value: result, own: result });
  }

  /** Compiles a text in which these names are defined; what was set beside them has its own type. */
  compiled({ text, name }: Whole, defined: Kept): Program {
    return compile(text, { ...this.options(), name, inputs: this.given.typesBut(defined) });
  }

  /** What is kept, with an expression behind it. */
  program(expression: string, kept = this.kept): Program {
    return this.compiled(kept.and({ name: "repl", text: expression }), kept);
  }

  /** A value in the type of the input that it is for, before it is its value. */
  typed(name: string, value: InputValue, kept = this.kept): Tensor {
    return this.program(name, kept).run({ [name]: value });
  }

  /** The value of a name, if it is quickly found. */
  glimpse(name: string): Tensor | undefined {
    const options = this.options();
    const limits = { ...options.limits, steps: 20_000, cells: 20_000 };
    try {
      const whole = this.kept.and({ name: "repl", text: name });
      const inputs = this.given.typesBut(this.kept);
      const program = compile(whole.text, { ...options, limits, inputs });
      return program.run(this.given.valuesFor(program));
    } catch (error) {
      if (error instanceof SphexError) return undefined;
      throw error;
    }
  }

  /** The names among these for which a value was set that is none of their new definitions. */
  unfit(names: Iterable<string>, next: Kept): string[] {
    return [...names].filter((name) => {
      const setting = this.given.get(name);
      try {
        if (setting !== undefined) this.typed(name, setting.value, next);
        return false;
      } catch (error) {
        if (error instanceof SphexError) return true;
        throw error;
      }
    });
  }
}
