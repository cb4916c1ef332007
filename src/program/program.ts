import { finish, type Steps } from "../backends/meter.js";
import type { Plan } from "../inspect/plan-report/show-plan.js";
import type { Explanation, Root } from "../inspect/provenance/explain.js";
import type { NotFinite } from "../inspect/provenance/not-finite.js";
import { Provenance } from "../inspect/provenance/provenance.js";
import { Trace } from "../inspect/provenance/trace.js";
import type { Why, WhyOptions } from "../inspect/provenance/why.js";
import { primitiveText } from "../language/check/primitive/primitive.js";
import type { CheckedProgram } from "../language/check/statements/program.js";
import { bitsOf, isMadeVolatile, reaches } from "../language/core/operations.js";
import { withinMachine } from "../language/limits/overflow.js";
import type { Slices } from "../language/limits/slices.js";
import { requireText } from "../language/source/arguments.js";
import { boolean, checkCallOptions, count, type OptionRules } from "../language/source/option-rule.js";
import type { Problem } from "../language/source/problem.js";
import type { Role } from "../language/syntax/tree.js";
import type { TensorType } from "../language/types/type.js";
import type { Address } from "../language/values/address.js";
import { element } from "../language/values/element.js";
import type { Tensor } from "../language/values/tensor.js";
import { type NamedValueOptions, namedValueRules, type RunOptions, runRules } from "./async-run.js";
import type { CoreProgram, ExternalEngine } from "./external.js";
import { type InputValues, tensorOf } from "./inputs/inputs.js";
import { borderOf, borderText, type ProgramBorder } from "./inspection.js";
import { byCanonicalName, limitsOf, type Options } from "./options.js";
import { type PlanOptions, planOf, planRules } from "./plan.js";
import { Prepared } from "./prepared.js";
import { type RunningBackend, runningBackend } from "./runs/chosen-backend.js";
import { Execution, type OwnRun, type ReadInputs, type SizedRun } from "./runs/execution.js";
import { unknownName } from "./runs/program-plans.js";
import type { Results, Runnable } from "./runs/results.js";
import type { ResultType, Run } from "./runs/run.js";
import { trainingRuns } from "./runs/training-runs.js";
import { Session } from "./session.js";
import { trainableOf } from "./training/trained-program.js";
import { type Extend, originIn, type TrainingProgram, withoutText } from "./training/training-program.js";

/** Selects a result or a named value, by position or name; the last result by default. */
export interface ResultSelection {
  readonly result?: number | string;
}

/** Options of `program.primitive`. */
export interface PrimitiveOptions extends ResultSelection {
  /** Whether it stands in a rank profile of Vespa, which changes expressions when it deploys them: their values are the same there, too. */
  readonly deployed?: boolean;
}

/** The rules of a choice of a result. */
const selectionRules: OptionRules<ResultSelection> = {
  result: {
    form: "the name or the number of a result",
    holds: (value) => typeof value === "string" || typeof value === "number",
  },
};

const primitiveRules: OptionRules<PrimitiveOptions> = { ...selectionRules, deployed: boolean };
const whyRules: OptionRules<ResultSelection & WhyOptions> = { ...selectionRules, steps: count };

const madeOfInputs = bitsOf(["input"]);

/** Runs that take fewer milliseconds are repeated, this often, before their times are told. */
const longestCold = 20;
const warmRuns = 2;

/** A compiled program: its inputs and results with their types, and ways to run it. Immutable; runs are independent. */
export class Program<Inputs extends object = InputValues> implements Runnable<Inputs> {
  static readonly name: string = "Program";
  /** The inputs by canonical name; a run needs those without a default. */
  readonly inputs: ReadonlyMap<string, TensorType>;
  readonly constants: ReadonlyMap<string, TensorType>;
  readonly variables: ReadonlyMap<string, TensorType>;
  readonly persistents: ReadonlyMap<string, TensorType>;
  /** The results in the order of the text. */
  readonly results: readonly ResultType[];
  /** Named values with their types. */
  readonly values: ReadonlyMap<string, TensorType>;
  /** Problems that are no errors. */
  readonly warnings: readonly Problem[];
  protected readonly execution: Execution;

  constructor(
    private readonly checked: CheckedProgram,
    private readonly options: Options,
    /** What was stored when it was compiled, which counts in each run. */
    compiledBytes = 0,
    /** The program with more statements. */
    private readonly extended: Extend<Program> = withoutText,
  ) {
    this.execution = new Execution(checked, options, compiledBytes);
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
   * The indexed dimensions of an input, a variable or a persistent tensor in the order in which its declaration writes them: that of the
   * axes of arrays that become it. Of any other name there are none.
   */
  axes(name: string): readonly string[] {
    requireText("axes", name);
    const type = this.execution.declaredType(name)?.type;
    if (type === undefined) return [];
    return this.execution.axisOrder(name).indexed.map((at) => element(type.indexed, at).name);
  }

  /**
   * The last result on these inputs.
   * @throws SphexError where an input is missing, unknown or of the wrong type, or a limit is reached.
   */
  run(inputs?: Inputs): Tensor {
    return this.execution.runLast(inputs);
  }

  /** As `run`, for a program that is run only once: nothing is cached. */
  runOnce(inputs?: Inputs): Tensor {
    return this.execution.runOnce(inputs).tensor;
  }

  /** All results on these inputs. @throws SphexError as `run` does. */
  runAll(inputs?: Inputs): Results {
    return this.runWith(inputs);
  }

  /** As `run`, letting other work go on meanwhile, as `Runnable.runAsync` says; stops soon after the signal is aborted. */
  async runAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Tensor> {
    checkCallOptions("runAsync", options, runRules);
    return this.execution.last(await this.runAllAsync(inputs, options));
  }

  /** As `runAll`, asynchronous as `runAsync`. */
  async runAllAsync(inputs?: Inputs, options: RunOptions & NamedValueOptions = {}): Promise<Results> {
    checkCallOptions("runAllAsync", options, { ...runRules, ...namedValueRules });
    return await this.execution.withInputs(inputs, options.signal, (read) =>
      this.execution.allResultsAsync(read, options),
    );
  }

  /** How another program is run. */
  protected static executionOf(program: Program): Execution {
    return program.execution;
  }

  /** What runs the program, and what that does without on this host. */
  get backend(): RunningBackend {
    return runningBackend(this.execution.backend);
  }

  /** How the results on these inputs come about: each expression with a summary of its value. @throws SphexError as `run` does. */
  explain(inputs?: Inputs): Explanation {
    const { results } = this.checked;
    return this.inspect(inputs, results, (provenance) => finish(this.explained(inputs, provenance)));
  }

  /** As `explain`, asynchronous as `runAsync`. */
  async explainAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Explanation> {
    checkCallOptions("explainAsync", options, runRules);
    const { results } = this.checked;
    return await this.inspectAsync(inputs, results, options, (provenance, tensors) =>
      this.explained(Object.fromEntries(tensors), provenance),
    );
  }

  /**
   * How the backend computes the results on inputs of these sizes, or the engine where the backend has no plan: the stages of the optimiser, the steps, and
   * whether each value is stored, a view of another, or never stored at all.
   * @throws SphexError as `run` does.
   */
  plan(inputs?: Inputs, options: PlanOptions = {}): Plan {
    checkCallOptions("plan", options, planRules);
    if (this.results.length === 0) throw this.execution.noResult();
    const run = this.newRun(inputs, new Map());
    return withinMachine(this.execution.span, () =>
      finish(planOf(this.execution.plans, run, this.options, options)),
    );
  }

  /**
   * Which cells, by which operations, make the cell at this address, which has a label for each dimension.
   * @throws SphexError where the address does not fit, and as `run` does.
   */
  why(address: Address = {}, inputs?: Inputs, options: ResultSelection & WhyOptions = {}): Why {
    checkCallOptions("why", options, whyRules);
    const result = this.selectedRoot(options);
    const roots = this.inOrder(result);
    return this.inspect(inputs, roots, (provenance) => provenance.why(result.node, address, options));
  }

  /** As `why`, asynchronous as `runAsync`. */
  async whyAsync(
    address: Address = {},
    inputs?: Inputs,
    options: ResultSelection & WhyOptions & RunOptions = {},
  ): Promise<Why> {
    checkCallOptions("whyAsync", options, { ...whyRules, ...runRules });
    const result = this.selectedRoot(options);
    const read = (provenance: Provenance): Slices<Why> => provenance.whySlices(result.node, address, options);
    return await this.inspectAsync(inputs, this.inOrder(result), options, read);
  }

  /** Where NaN or an infinity first arises from finite cells, in the selected result or in any. @throws SphexError as `run` does. */
  whyNotFinite(inputs?: Inputs, options: ResultSelection & WhyOptions = {}): NotFinite {
    checkCallOptions("whyNotFinite", options, whyRules);
    const results = options.result === undefined ? this.checked.results : [this.selectedRoot(options)];
    return this.inspect(inputs, results, (provenance) => provenance.notFinite(options));
  }

  /**
   * A result, or a named value, as an expression of the core functions alone, which reads back to the same value.
   * @throws SphexError where it would be too long.
   */
  primitive(options: PrimitiveOptions = {}): string {
    checkCallOptions("primitive", options, primitiveRules);
    const { node } = this.selectedRoot(options);
    return withinMachine(this.execution.span, () => primitiveText(node, options.deployed));
  }

  /**
   * The program made ready to run often. Inputs that are passed here are the same in all its runs, and what depends
   * on them alone is computed once. The collector gives back what it holds, and is told of that between two tasks: a loop that
   * prepares thousands of programs with large inputs, and never pauses, fills the engine's 4 GB, and is many times slower then.
   * @throws SphexError where an input is unknown or of the wrong type.
   */
  prepare(inputs?: Inputs): Prepared<Inputs> {
    return new Prepared<Inputs>(this.execution, this.execution.tensors(inputs));
  }

  /**
   * The program on an engine elsewhere, such as a database, with what is bound to its inputs there: see `sphex/sql`.
   * @throws SphexError where the bindings do not fit.
   */
  on<Bindings, Bound>(engine: ExternalEngine<Bindings, Bound>, bindings: Bindings): Bound {
    if (this.results.length === 0) throw this.execution.noResult();
    const core: CoreProgram = {
      roots: this.execution.plans.optimisedRoots("results"),
      inputs: this.inputs,
      byCanonicalName,
      axisOrder: (name) => this.execution.axisOrder(name),
      defaultOf: (name) => this.checked.declared.get(name)?.value,
      tensorOf: (name, value) => tensorOf(name, value, this.execution.declaredType(name), this.options),
      limits: limitsOf(this.options),
      span: this.execution.span,
    };
    return withinMachine(this.execution.span, () => engine.bind(core, bindings));
  }

  /**
   * What missing inputs are, of those that have a default; undefined where that depends on other inputs or on chance.
   * @internal
   */
  defaults(): ReadonlyMap<string, Tensor | undefined> {
    const run = this.execution.run();
    const defaults = new Map<string, Tensor | undefined>();
    for (const name of this.inputs.keys()) {
      const value = this.checked.declared.get(name)?.value;
      if (value === undefined) continue;
      const varies = isMadeVolatile(value) || reaches(value, madeOfInputs);
      defaults.set(name, varies ? undefined : this.execution.finish(run.declared(name)));
    }
    return defaults;
  }

  /** Keeps variable and persistent tensors between runs. */
  session(): Session<Inputs> {
    const training: Extend<TrainingProgram> = (statements, called) =>
      this.extended(statements, called).trainingProgram();
    return new Session<Inputs>(
      this.execution,
      (session, options) => trainableOf(this.checked, training, session, options, this.execution.span),
      (inputs) => this.forRun(inputs),
    );
  }

  /** What `console.log` of Node shows: the inputs and the results, with their types. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return borderText("Program", this.execution.checked);
  }

  /** The form that `JSON.stringify` writes: the inputs and the results, with their types. */
  toJSON(): ProgramBorder {
    return borderOf(this.execution.checked);
  }

  /** What is computed to look at a root: in a program that draws random numbers all results, which draw theirs in their order. */
  private inOrder(root: Root): readonly Root[] {
    const { graph, results } = this.checked;
    return graph.draws === 0 ? [root] : [...results, root];
  }

  private runWith(inputs: object | undefined): Results {
    const { execution } = this;
    const run = this.newRun(inputs);
    return execution.results(run, execution.finish(run.results()));
  }

  /** What runs the program on inputs that were read. */
  protected forRun(inputs: ReadInputs): SizedRun {
    return { execution: this.execution, inputs };
  }

  /**
   * How training runs this program, which has the statements of an optimiser.
   * @internal
   */
  trainingProgram(): TrainingProgram {
    const { objective } = this.checked;
    const roots = objective === undefined ? [] : [objective];
    return trainingRuns(this.checked, this.execution, (inputs, state) =>
      this.inspect(inputs, roots, originIn, state),
    );
  }

  /**
   * The explanation of a later run, where the first was short: code that has never run takes many times as long. Random
   * numbers are those of the first run.
   */
  private *explained(inputs: object | undefined, first: Provenance): Steps<Explanation> {
    const { results, graph } = this.checked;
    const isLong = (first.time ?? Number.POSITIVE_INFINITY) >= longestCold;
    if (isLong || graph.draws > 0) return first.explain(results);
    let latest = first;
    for (let left = warmRuns; left > 0; left--) {
      const trace = new Trace(this.options.clock);
      const run = this.newRun(inputs, new Map(), { trace });
      yield* run.values(results);
      latest = this.provenance(run, trace);
    }
    return latest.explain(results, { isWarm: true });
  }

  /** Reads from a traced run that has computed these nodes. */
  private inspect<T>(
    inputs: object | undefined,
    roots: readonly Root[],
    read: (provenance: Provenance) => T,
    state: ReadonlyMap<string, Tensor> = new Map(),
  ): T {
    if (roots.length === 0) throw this.execution.noResult();
    const trace = new Trace(this.options.clock);
    const run = this.newRun(inputs, state, { trace });
    return withinMachine(this.execution.span, () => {
      finish(run.values(roots));
      return read(this.provenance(run, trace));
    });
  }

  private provenance(run: Run, trace: Trace): Provenance {
    return new Provenance(run.evaluation, trace, this.checked.values, (name) => run.computedDefault(name));
  }

  private async inspectAsync<T>(
    inputs: object | undefined,
    roots: readonly Root[],
    options: RunOptions,
    read: (provenance: Provenance, tensors: ReadonlyMap<string, Tensor>) => Steps<T>,
  ): Promise<T> {
    if (roots.length === 0) throw this.execution.noResult();
    const trace = new Trace(this.options.clock);
    const { execution } = this;
    return await execution.withInputs(inputs, options.signal, async (own) => {
      const run = execution.run(own, execution.plans, { trace });
      await execution.finishAsync(run, run.values(roots), options, roots);
      const steps = read(this.provenance(run, trace), own.tensors);
      return await execution.finishAsync(run, steps, options, roots);
    });
  }

  private selectedRoot(options: ResultSelection): Root {
    const { result = this.results.length - 1 } = options;
    const { results, values } = this.checked;
    const named = typeof result === "string" ? values.get(result) : undefined;
    if (named !== undefined) return { node: named };
    if (typeof result === "string") throw unknownName(result);
    const root = results[result];
    if (root === undefined) throw this.execution.noResult();
    return root;
  }

  private newRun(
    inputs: object | undefined,
    state: ReadonlyMap<string, Tensor> = new Map(),
    own: OwnRun = {},
  ): Run {
    return this.execution.run(this.execution.read(inputs), this.execution.plans, { before: state, ...own });
  }
}
