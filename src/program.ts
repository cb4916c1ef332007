import { finish, Meter, type Steps } from "./backends/meter.js";
import { boxed, Evaluation, unboxed, type Value } from "./backends/reference/evaluation.js";
import { type InputValues, placeOf, refuseUnknown, tensorOf } from "./inputs.js";
import type { CheckedProgram, Declared } from "./meaning/program.js";
import { canonicalName, limitsOf, type Options } from "./options.js";
import { unhurried } from "./pause.js";
import { uniform } from "./random.js";
import { Session } from "./session.js";
import { overflowProblem, withinMachine } from "./source/overflow.js";
import { type Problem, problem, SphexError } from "./source/problem.js";
import type { Span } from "./source/span.js";
import type { Role } from "./syntax/tree.js";
import type { TensorType } from "./types/type.js";
import type { Tensor } from "./values/tensor.js";

/** A result of a program: its type, its place in the text, and its name if it is a named value. */
export interface ResultType {
  readonly type: TensorType;
  readonly span: Span;
  readonly name?: string;
}

/** The results of a run, by position; named values are worked out when they are asked for. */
export interface Results {
  readonly results: readonly Tensor[];
  /** @throws SphexError for a name that the program does not define. */
  readonly value: (name: string) => Tensor;
}

/** A compiled program: its inputs and results with their types, and ways to run it. Immutable; runs do not meet. */
export class Program {
  /** The inputs by canonical name: what a run must be given, unless the program has a default. */
  readonly inputs: ReadonlyMap<string, TensorType>;
  readonly constants: ReadonlyMap<string, TensorType>;
  readonly variables: ReadonlyMap<string, TensorType>;
  readonly persistents: ReadonlyMap<string, TensorType>;
  /** The results in the order of the text. */
  readonly results: readonly ResultType[];
  /** Named values with their types. */
  readonly values: ReadonlyMap<string, TensorType>;
  /** What does not stop the program from running. */
  readonly warnings: readonly Problem[];

  constructor(
    private readonly checked: CheckedProgram,
    private readonly options: Options,
  ) {
    const ofRole = (role: Role): ReadonlyMap<string, TensorType> =>
      new Map(
        [...checked.declared].flatMap(([name, each]) => (each.role === role ? [[name, each.type]] : [])),
      );
    this.inputs = ofRole("input");
    this.constants = ofRole("constant");
    this.variables = ofRole("variable");
    this.persistents = ofRole("persistent");
    this.results = checked.results.map(({ node, span, name }) =>
      name === undefined ? { type: node.type, span } : { type: node.type, span, name },
    );
    this.values = new Map([...checked.values].map(([name, node]) => [name, node.type]));
    this.warnings = checked.problems;
  }

  /**
   * The last result on these inputs.
   * @throws SphexError where an input is missing, unknown or of the wrong type, or a limit is reached.
   */
  run(inputs: InputValues = {}): Tensor {
    return this.last(this.runAll(inputs).results);
  }

  /** All results on these inputs. Throws as `run` does. */
  runAll(inputs: InputValues = {}): Results {
    return this.runWith(inputs, new Map());
  }

  /** As `run`, letting other work go on at least every 10 ms; stops soon after the signal is aborted. */
  async runAsync(
    inputs: InputValues = {},
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Tensor> {
    const run = this.started(inputs, new Map());
    try {
      return this.last(await unhurried(run.results(), signal, this.place));
    } catch (error) {
      throw overflowProblem(error, this.place);
    }
  }

  /** Keeps variable and persistent tensors between runs. */
  session(): Session {
    const initial = (name: string): Tensor =>
      finish(new Run(this.checked, new Map(), this.options).declared(name));
    return new Session(this, this.options, (inputs, state) => this.runWith(inputs, state), initial);
  }

  /** Where a problem of a whole run is shown: at its last result. */
  private get place(): Span {
    return this.results.at(-1)?.span ?? placeOf(this.options.name ?? "program", "");
  }

  private runWith(inputs: InputValues, state: ReadonlyMap<string, Tensor>): Results {
    const run = this.started(inputs, state);
    const results = withinMachine(this.place, () => finish(run.results()));
    return { results, value: (name) => withinMachine(this.place, () => finish(run.named(name))) };
  }

  private started(inputs: InputValues, state: ReadonlyMap<string, Tensor>): Run {
    const given = new Map(Object.entries(inputs).map(([name, value]) => [canonicalName(name), value]));
    refuseUnknown([...given.keys()], [...this.inputs.keys()]);
    const tensors = new Map<string, Tensor>(state);
    for (const [name, value] of given)
      tensors.set(name, tensorOf(name, value, this.inputs.get(name), this.options));
    return new Run(this.checked, tensors, this.options);
  }

  private last(results: readonly Tensor[]): Tensor {
    const last = results.at(-1);
    if (last === undefined) throw new SphexError([problem("program/no-result", this.place, {})]);
    return last;
  }
}

/** One run: an evaluation with its inputs, the defaults of those that are not given, and its meter. */
class Run {
  private readonly evaluation: Evaluation;

  constructor(
    private readonly checked: CheckedProgram,
    private readonly tensors: ReadonlyMap<string, Tensor>,
    options: Options,
  ) {
    const meter = new Meter(limitsOf(options), options.clock);
    const random = options.random ?? uniform(0);
    this.evaluation = new Evaluation({ meter, random, input: (name, span) => this.input(name, span) });
  }

  *results(): Steps<readonly Tensor[]> {
    const results: Tensor[] = [];
    for (const { node } of this.checked.results)
      results.push(boxed(yield* this.evaluation.value(node), node.type));
    return results;
  }

  *named(name: string): Steps<Tensor> {
    const node = this.checked.values.get(name);
    if (node === undefined) {
      throw new SphexError([
        problem("name/unknown", placeOf(name, name), { name, nearest: undefined, isFunction: false }),
      ]);
    }
    return boxed(yield* this.evaluation.value(node), node.type);
  }

  /** The value that a tensor was declared with. */
  *declared(name: string): Steps<Tensor> {
    const { type, value } = this.checked.declared.get(name) ?? {};
    if (type === undefined || value === undefined) throw new Error(`${name} was not declared with a value`);
    return boxed(yield* this.evaluation.value(value), type);
  }

  private *input(name: string, span: Span): Steps<Value> {
    const tensor = this.tensors.get(name);
    if (tensor !== undefined) return unboxed(tensor);
    const declared: Declared | undefined = this.checked.declared.get(name);
    if (declared?.value !== undefined) return yield* this.evaluation.value(declared.value);
    throw new SphexError([problem("input/missing", span, { name, type: `${declared?.type}` })]);
  }
}
