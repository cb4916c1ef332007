import { finish, type Steps } from "../backends/meter.js";
import type { Plan } from "../inspect/plan-report/show-plan.js";
import type { Explanation, Root } from "../inspect/provenance/explain.js";
import type { NotFinite } from "../inspect/provenance/origin.js";
import { Insight } from "../inspect/provenance/provenance.js";
import { Trace } from "../inspect/provenance/trace.js";
import type { Why, WhyOptions } from "../inspect/provenance/why.js";
import { primitiveText } from "../language/check/primitive.js";
import type { CheckedProgram } from "../language/check/program.js";
import { overflowProblem, withinMachine } from "../language/limits/overflow.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { Role } from "../language/syntax/tree.js";
import { TensorType } from "../language/types/type.js";
import type { Address } from "../language/values/address.js";
import { Tensor } from "../language/values/tensor.js";
import { type InputValue, type InputValues, placeOf, refuseUnknown, tensorOf } from "./inputs.js";
import { problem } from "./messages.js";
import { canonicalName, type Options } from "./options.js";
import { unhurried } from "./pause.js";
import { type PlanOptions, planOf } from "./plan.js";
import { Prepared } from "./prepared.js";
import { operationsOf, type RunOptions } from "./progress.js";
import type { Results, ResultType } from "./results.js";
import { Engines, Run, unknownName } from "./run.js";
import { Session } from "./session.js";

/** Which result or named value is asked about, by its position or name; the last result unless given. */
export interface Asked {
  readonly result?: number | string;
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
  private readonly engines: Engines;

  constructor(
    private readonly checked: CheckedProgram,
    private readonly options: Options,
  ) {
    this.engines = new Engines(checked, options);
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

  /** As `run`, for a program that is not run again: nothing is kept for a second time. */
  runOnce(inputs: InputValues = {}): Tensor {
    const engines = this.engines.anew();
    engines.engine(undefined, { isOnce: true });
    const run = new Run(this.checked, this.tensors(inputs), this.options, engines);
    return this.last(withinMachine(this.place, () => finish(run.results())));
  }

  /** All results on these inputs. Throws as `run` does. */
  runAll(inputs: InputValues = {}): Results {
    return this.runWith(inputs, new Map());
  }

  /** As `run`, letting other work go on at least every 10 ms; stops soon after the signal is aborted. */
  async runAsync(inputs: InputValues = {}, options: RunOptions = {}): Promise<Tensor> {
    return this.last((await this.runAllAsync(inputs, options)).results);
  }

  /** As `runAll`, in the manner of `runAsync`. */
  async runAllAsync(inputs: InputValues = {}, options: RunOptions = {}): Promise<Results> {
    const run = this.started(inputs, new Map());
    return this.resultsOf(run, await this.patient(run, run.results(), this.checked.results, options));
  }

  /** How the results on these inputs come about: each expression with a summary of its value. Throws as `run` does. */
  explain(inputs: InputValues = {}): Explanation {
    const { results } = this.checked;
    return this.look(inputs, results, (insight) => insight.explain(results));
  }

  /** As `explain`, in the manner of `runAsync`. */
  async explainAsync(inputs: InputValues = {}, options: RunOptions = {}): Promise<Explanation> {
    const { results } = this.checked;
    return await this.lookAsync(inputs, results, options, (insight) => insight.explain(results));
  }

  /**
   * How the engine computes the results on inputs of these sizes: what the optimiser made of the program, the steps, and
   * whether each value is stored, seen in the cells of another, or never stored at all. Throws as `run` does.
   */
  plan(inputs: InputValues = {}, options: PlanOptions = {}): Plan {
    if (this.results.length === 0) this.last([]); // throws the problem that says so
    const run = this.started(inputs, new Map());
    return withinMachine(this.place, () => finish(planOf(this.engines, run, this.options, options)));
  }

  /**
   * Which cells, by which operations, make the cell at this address, which has a label for each dimension.
   * @throws SphexError where the address does not fit, and as `run` does.
   */
  why(address: Address = {}, inputs: InputValues = {}, options: Asked & WhyOptions = {}): Why {
    const result = this.asked(options);
    return this.look(inputs, [result], (insight) => insight.why(result.node, address, options));
  }

  /** As `why`, in the manner of `runAsync`. */
  async whyAsync(
    address: Address = {},
    inputs: InputValues = {},
    options: Asked & WhyOptions & RunOptions = {},
  ): Promise<Why> {
    const result = this.asked(options);
    const see = (insight: Insight): Why => insight.why(result.node, address, options);
    return await this.lookAsync(inputs, [result], options, see);
  }

  /** Where NaN or an infinity first arises from finite cells, in the result asked about or in any. Throws as `run` does. */
  whyNotFinite(inputs: InputValues = {}, options: Asked & WhyOptions = {}): NotFinite {
    const results = options.result === undefined ? this.checked.results : [this.asked(options)];
    return this.look(inputs, results, (insight) => insight.notFinite(options));
  }

  /**
   * A result, or a named value, as an expression of the core functions alone, which reads back to the same value.
   * @throws SphexError where it would be too long.
   */
  primitive(options: Asked = {}): string {
    const { node } = this.asked(options);
    return withinMachine(this.place, () => primitiveText(node));
  }

  /**
   * The program made ready to run often. Inputs that are given here are the same in all its runs, and what depends on
   * them alone is computed once.
   * @throws SphexError where an input is unknown or of the wrong type.
   */
  prepare(inputs: InputValues = {}): Prepared {
    const fixed = this.tensors(inputs);
    const engines = this.engines.anew();
    const engine = engines.engine(undefined, { isEager: true, fixed: new Set(fixed.keys()) });
    // An input that is given although it was fixed has the given value in that run alone.
    const isFixed = (given: ReadonlyMap<string, Tensor>): boolean =>
      [...given.keys()].every((name) => !fixed.has(name));
    const checked = (given: InputValues): readonly Tensor[] => {
      const own = this.tensors(given);
      const engine = isFixed(own) ? engines : this.engines;
      const run = new Run(this.checked, new Map([...fixed, ...own]), this.options, engine);
      return withinMachine(this.place, () => finish(run.results()));
    };
    const batches = new Map<string, Engines>();
    const batched = (dimension: string, given: InputValues): readonly Tensor[] => {
      const items = this.batch(dimension, given);
      const key = `${isFixed(items)} ${dimension}`;
      const known = batches.get(key) ?? this.engines.anew();
      batches.set(key, known);
      const names = isFixed(items) ? fixed.keys() : [];
      known.engine(undefined, { isEager: true, fixed: new Set(names), batch: dimension });
      const run = new Run(this.checked, new Map([...fixed, ...items]), this.options, known);
      return withinMachine(this.place, () => finish(run.results()));
    };
    const hasLimits = this.options.limits?.steps !== undefined || this.options.limits?.time !== undefined;
    const quick = hasLimits ? undefined : engine;
    return new Prepared(quick, checked, this.place, batched);
  }

  /** Inputs of many runs at once, as tensors: without the dimension they are of the declared types. */
  private batch(dimension: string, inputs: InputValues): Map<string, Tensor> {
    const sizes = new Set<number | undefined>();
    const items = Object.entries(inputs).map(([given, value]): [string, Tensor] => {
      const name = canonicalName(given);
      const declared = this.inputs.get(name);
      const tensor = value instanceof Tensor ? value : tensorOf(name, value, declared, this.options);
      const axis = tensor.type.dimension(dimension);
      if (axis === undefined || declared === undefined)
        return [name, tensorOf(name, tensor, declared, this.options)];
      sizes.add(axis.kind === "indexed" ? axis.size : undefined);
      const rest = tensor.type.dimensions.filter((each) => each.name !== dimension);
      const item = TensorType.of(rest.length === 0 ? "double" : tensor.type.cellType, rest);
      if (item.equals(declared) && !declared.dimension(dimension)) return [name, tensor];
      const values = { name, type: item, declared };
      throw new SphexError([problem("input/type", placeOf(name, `${tensor.type}`), values)]);
    });
    refuseUnknown([...items.map(([name]) => name)], [...this.inputs.keys()]);
    const isInResult = this.results.some(({ type }) => type.dimension(dimension) !== undefined);
    if (sizes.size === 1 && !sizes.has(undefined) && !isInResult) return new Map(items);
    const values = { dimension, inputs: items.map(([name, { type }]) => ({ name, type })) };
    throw new SphexError([problem("batch/dimension", placeOf("batch", dimension), values)]);
  }

  /** Keeps variable and persistent tensors between runs. */
  session(): Session {
    const initial = (name: string): Tensor =>
      finish(new Run(this.checked, new Map(), this.options, this.engines).declared(name));
    const types = new Map([...this.variables, ...this.persistents]);
    return new Session(types, this.options, (inputs, state) => this.runWith(inputs, state), initial);
  }

  /** Where a problem of a whole run is shown: at its last result. */
  private get place(): Span {
    return this.results.at(-1)?.span ?? placeOf(this.options.name ?? "program", "");
  }

  private runWith(inputs: InputValues, state: ReadonlyMap<string, Tensor>): Results {
    const run = this.started(inputs, state);
    return this.resultsOf(
      run,
      withinMachine(this.place, () => finish(run.results())),
    );
  }

  private resultsOf(run: Run, results: readonly Tensor[]): Results {
    return { results, value: (name) => withinMachine(this.place, () => finish(run.named(name))) };
  }

  /** Looks at a run that has found the values of these nodes. */
  private look<T>(inputs: InputValues, roots: readonly Root[], see: (insight: Insight) => T): T {
    if (roots.length === 0) this.last([]); // throws the problem that says so
    const trace = new Trace(this.options.clock);
    const { evaluation } = this.started(inputs, new Map(), trace);
    return withinMachine(this.place, () => {
      for (const { node } of roots) finish(evaluation.value(node));
      return see(new Insight(evaluation, trace));
    });
  }

  private async lookAsync<T>(
    inputs: InputValues,
    roots: readonly Root[],
    options: RunOptions,
    see: (insight: Insight) => T,
  ): Promise<T> {
    if (roots.length === 0) this.last([]); // throws the problem that says so
    const trace = new Trace(this.options.clock);
    const run = this.started(inputs, new Map(), trace);
    await this.patient(run, run.values(roots), roots, options);
    return withinMachine(this.place, () => see(new Insight(run.evaluation, trace)));
  }

  /** Lets a run go on while other work does, and tells how far it is. */
  private async patient<T>(
    run: Run,
    steps: Steps<T>,
    roots: readonly Root[],
    { signal, progress }: RunOptions,
  ): Promise<T> {
    const operations = progress === undefined ? 0 : operationsOf(roots.map(({ node }) => node));
    const { meter } = run;
    const tell = (): void =>
      progress?.({
        span: meter.latest ?? this.place,
        steps: meter.steps,
        done: run.evaluation.computedCount,
        operations,
      });
    try {
      return await unhurried(steps, signal, this.place, tell);
    } catch (error) {
      throw overflowProblem(error, this.place);
    }
  }

  private asked({ result = this.results.length - 1 }: Asked): Root {
    const { results, values } = this.checked;
    const named = typeof result === "string" ? values.get(result) : undefined;
    if (named !== undefined) return { node: named };
    if (typeof result === "string") throw unknownName(result);
    const root = results[result];
    if (root === undefined) throw new SphexError([problem("program/no-result", this.place, {})]);
    return root;
  }

  private started(inputs: InputValues, state: ReadonlyMap<string, Tensor>, trace?: Trace): Run {
    const tensors = new Map([...state, ...this.tensors(inputs)]);
    return new Run(this.checked, tensors, this.options, this.engines, trace);
  }

  /** Given inputs by canonical name, as tensors of the declared types. */
  private tensors(inputs: InputValues): Map<string, Tensor> {
    const given = new Map(Object.entries(inputs).map(([name, value]) => [canonicalName(name), value]));
    refuseUnknown([...given.keys()], [...this.inputs.keys()]);
    const tensor = ([name, value]: [string, InputValue]): [string, Tensor] => [
      name,
      tensorOf(name, value, this.inputs.get(name), this.options),
    ];
    return new Map([...given].map(tensor));
  }

  private last(results: readonly Tensor[]): Tensor {
    const last = results.at(-1);
    if (last === undefined) throw new SphexError([problem("program/no-result", this.place, {})]);
    return last;
  }
}
