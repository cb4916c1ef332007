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
import { Definitions, type LineProgram, type ParsedLine, readLine } from "./definitions.js";
import { earlierName, last, mentionsLast } from "./last-result.js";
import { SessionValues } from "./values.js";

/**
 * What a session remembers: the statements that define names, the values of inputs, and the last
 * result, which is the value of `_`.
 */
export class Memory {
  private currentDefinitions = new Definitions();
  private currentValues = new SessionValues();

  constructor(private readonly options: () => Options) {}

  get definitions(): Definitions {
    return this.currentDefinitions;
  }

  get values(): SessionValues {
    return this.currentValues;
  }

  clear(): void {
    this.currentDefinitions = new Definitions();
    this.currentValues = new SessionValues();
  }

  /**
   * Forgets a name, and its value; returns whether there was one.
   * @throws SphexError where a definition needs it.
   */
  forget(word: string): boolean {
    const name = canonicalName(word);
    const isThere = this.definitions.has(name) || this.values.get(name) !== undefined;
    const next = this.definitions.without([name]);
    const setting = this.values.get(name);
    this.values.delete(name);
    try {
      this.program("0", next);
    } catch (error) {
      if (setting !== undefined) this.values.set(name, setting);
      throw error;
    }
    this.currentDefinitions = next;
    return isThere;
  }

  /**
   * Gives an input its value: of its declared type, or of its own.
   * @throws SphexError where the value does not fit.
   */
  set(inputName: string, value: InputValue): void {
    const name = canonicalName(inputName);
    const isDefined = this.definitions.has(name);
    if (isDefined) this.typed(name, value);
    this.values.set(
      name,
      isDefined ? { value } : { value, tensor: evaluate(name, { [name]: value }, this.options()) },
    );
  }

  /**
   * Reads a line. Where a definition in it mentions the last result, that result gets a name of its own; if the line
   * fails, the next one may use the name.
   */
  read(line: Source): ParsedLine {
    const read = readLine(line);
    const result = this.values.get(last);
    const mentionsResult = !this.definitions.has(last) && !read.defined.has(last) && mentionsLast(line.text);
    if (result === undefined || read.defined.size === 0 || !mentionsResult) return read;
    this.values.prune(this.definitions.texts.map(([, text]) => text));
    const name = earlierName([...this.values.names, ...this.definitions.names]);
    this.values.set(name, result);
    return readLine(line, name);
  }

  /** Remembers the definitions and the result of a line. */
  remember(next: Definitions, incompatible: readonly string[], result: Tensor | undefined): void {
    this.currentDefinitions = next;
    for (const name of incompatible) this.values.delete(name);
    this.values.prune(next.texts.map(([, text]) => text));
    if (result !== undefined) this.values.set(last, { value: result, tensor: result });
  }

  /** Compiles a line after its definitions; inputs that they do not declare have the types of their values. */
  compileLine({ text, name }: LineProgram, defined: Definitions): Program {
    return compile(text, { ...this.options(), name, inputs: this.values.typesExcept(defined) });
  }

  /** The definitions followed by an expression, compiled. */
  program(expression: string, definitions = this.definitions): Program {
    return this.compileLine(definitions.followedBy({ name: "repl", text: expression }), definitions);
  }

  /** A value as a tensor of the type of its input. */
  typed(name: string, value: InputValue, definitions = this.definitions): Tensor {
    return this.program(name, definitions).run({ [name]: value });
  }

  /** The value of a name, if it is quick to compute. */
  quickValue(name: string): Tensor | undefined {
    const options = this.options();
    const limits = { ...options.limits, steps: 20_000, cells: 20_000 };
    try {
      const whole = this.definitions.followedBy({ name: "repl", text: name });
      const inputs = this.values.typesExcept(this.definitions);
      const program = compile(whole.text, { ...options, limits, inputs });
      return program.run(this.values.valuesFor(program));
    } catch (error) {
      if (error instanceof SphexError) return undefined;
      throw error;
    }
  }

  /** The names among these whose values do not fit their new definitions. */
  incompatible(names: Iterable<string>, next: Definitions): string[] {
    return [...names].filter((name) => {
      const setting = this.values.get(name);
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
