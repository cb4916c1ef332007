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
} from "../../index.js";
import { type EvaluatedLine, type Evaluation, evaluationOf } from "../evaluation.js";
import { valueMentions } from "../value-mentions.js";
import { CachedValues } from "./cached-values.js";
import { Definitions, type LineProgram, type ParsedLine, readLine } from "./definitions.js";
import { earlierName, isEarlier, last, mentionsLast } from "./last-result.js";
import { SessionValues, type Setting } from "./values.js";

/**
 * What a session remembers: the statements that define names, the values of inputs, and the last
 * result, which is the value of `_`.
 */
export class Memory {
  private currentDefinitions = new Definitions();
  private currentValues = new SessionValues();
  /** The values of definitions that were computed. */
  readonly cached = new CachedValues();
  /** What there was before each change, the latest last. */
  private past: State[] = [];

  constructor(private readonly options: () => Options) {}

  get definitions(): Definitions {
    return this.currentDefinitions;
  }

  get values(): SessionValues {
    return this.currentValues;
  }

  /** Goes back to what there was before the latest change; returns the names that this concerns, or undefined where nothing changed. */
  undo(): readonly string[] | undefined {
    const state = this.past.pop();
    if (state === undefined) return undefined;
    // What was printed last is still that.
    const result = this.values.get(last);
    if (result !== undefined) state.values.set(last, result);
    const concerned = namesThatDiffer(state, { definitions: this.definitions, values: this.values });
    this.currentDefinitions = state.definitions;
    this.currentValues = state.values;
    this.cached.clear();
    return concerned;
  }

  private record(): void {
    this.past = [
      ...this.past.slice(1 - mostStates),
      { definitions: this.definitions, values: this.values.copy() },
    ];
  }

  clear(): void {
    this.record();
    this.cached.clear();
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
    const before = { definitions: this.definitions, values: this.values.copy() };
    const setting = this.values.get(name);
    this.values.delete(name);
    try {
      this.program("0", next);
    } catch (error) {
      if (setting !== undefined) this.values.set(name, setting);
      throw error;
    }
    this.currentDefinitions = next;
    this.cached.forget([name], this.definitions.texts);
    if (isThere) this.past = [...this.past.slice(1 - mostStates), before];
    return isThere;
  }

  /**
   * Gives an input its value: of its declared type, or of its own.
   * @throws SphexError where the value does not fit, or a definition needs what it was.
   */
  set(inputName: string, value: InputValue): void {
    const name = canonicalName(inputName);
    const isDefined = this.definitions.has(name);
    if (isDefined) this.typed(name, value);
    const setting = isDefined
      ? { value }
      : { value, tensor: evaluate(name, { [name]: value }, this.options()) };
    this.record();
    this.values.set(name, setting);
    try {
      this.program("0");
    } catch (error) {
      this.undo();
      throw error;
    }
    this.cached.forget([name], this.definitions.texts);
  }

  /**
   * Reads a line. Where a definition in it mentions the last result, or what it defines anew, that value gets a name of its own; if the
   * line fails, the next one may use the name.
   */
  read(line: Source): ParsedLine {
    const valuesIn = this.valuesIn();
    const read = readLine(line, valuesIn);
    const result = this.values.get(last);
    const mentionsResult = !this.definitions.has(last) && !read.defined.has(last) && mentionsLast(line.text);
    const settings = this.renewed(read).flatMap((name): [string, Setting][] => {
      const value = this.cached.get(name);
      return value === undefined ? [] : [[name, { value, tensor: value }]];
    });
    if (result !== undefined && read.defined.size > 0 && mentionsResult) settings.push([last, result]);
    if (settings.length === 0) return read;
    this.values.prune(this.definitions.texts.map(([, text]) => text));
    const renamed = new Map<string, string>();
    for (const [name, setting] of settings) {
      const other = earlierName([...this.values.names, ...this.definitions.names]);
      this.values.set(other, { ...setting, enteredAs: name });
      renamed.set(name, other);
    }
    return readLine(line, valuesIn, renamed);
  }

  private valuesIn(): ReturnType<typeof valueMentions> {
    const options = { ...this.options(), inputs: this.values.typesExcept(this.definitions) };
    return valueMentions(this.definitions, options);
  }

  /** The names that a line defines by what they were: `total = total + 1`. */
  renewedBy(line: Source): readonly string[] {
    return this.renewed(readLine(line, this.valuesIn()));
  }

  private renewed({ problems, renewed }: ParsedLine): readonly string[] {
    return problems.length > 0 ? [] : renewed.filter((name) => this.definitions.isFormula(name));
  }

  /** Remembers the definitions and the result of a line, which defines these names. */
  remember(
    next: Definitions,
    defined: Iterable<string>,
    incompatible: readonly string[],
    result: Tensor | undefined,
  ): void {
    const names = [...defined];
    if (names.length > 0) this.record();
    this.cached.forget(names, this.definitions.texts);
    this.cached.forget(names, next.texts);
    this.currentDefinitions = next;
    for (const name of incompatible) this.values.delete(name);
    this.values.prune(next.texts.map(([, text]) => text));
    if (result !== undefined) this.values.set(last, { value: result, tensor: result });
  }

  /** Compiles a line after its definitions; inputs that they do not declare have the types of their values. */
  compileLine({ text, name }: LineProgram, defined: Definitions): Program {
    return compile(text, { ...this.options(), name, inputs: this.values.typesExcept(defined) });
  }

  /** How a line is evaluated, with the values that are cached. */
  evaluation(line: EvaluatedLine): Evaluation {
    const { texts } = line.definitions;
    this.cached.forget(line.defined, texts);
    return evaluationOf(line, this.cached, this.options(), this.values);
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
    const value = this.cached.get(name);
    if (value !== undefined) return value;
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

/** What a change begins with, for `.undo`. */
interface State {
  readonly definitions: Definitions;
  readonly values: SessionValues;
}

const mostStates = 100;

function namesThatDiffer(one: State, other: State): readonly string[] {
  const [texts, otherTexts] = [one, other].map(({ definitions }) => new Map(definitions.texts));
  const names = [one, other].flatMap(({ definitions, values }) => [...definitions.names, ...values.names]);
  const differs = (name: string): boolean =>
    texts?.get(name) !== otherTexts?.get(name) ||
    one.values.get(name)?.value !== other.values.get(name)?.value;
  return [...new Set(names)].filter((name) => name !== last && !isEarlier(name) && differs(name));
}
