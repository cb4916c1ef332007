import { finish, Meter, type Steps } from "../backends/meter.js";
import type { Plan } from "../inspect/plan-report/show-plan.js";
import type { Explanation, Root } from "../inspect/provenance/explain.js";
import type { NotFinite } from "../inspect/provenance/not-finite.js";
import { Provenance } from "../inspect/provenance/provenance.js";
import { Trace } from "../inspect/provenance/trace.js";
import type { Why, WhyOptions } from "../inspect/provenance/why.js";
import { primitiveText } from "../language/check/primitive.js";
import type { CheckedProgram } from "../language/check/program.js";
import { overflowProblem, withinMachine } from "../language/limits/overflow.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { Role } from "../language/syntax/tree.js";
import type { TensorType } from "../language/types/type.js";
import type { Address } from "../language/values/address.js";
import { axisOrder, isAscending } from "../language/values/axis-order.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import { operationsOf, type RunOptions, runPausing } from "./async-run.js";
import { batchInputs } from "./batch-inputs.js";
import { chosenBackend } from "./chosen-backend.js";
import type { CoreProgram, ExternalEngine } from "./external.js";
import { type DeclaredType, type InputValue, type InputValues, rejectUnknown, tensorOf } from "./inputs.js";
import { problem } from "./messages.js";
import { canonicalName, limitsOf, type Options } from "./options.js";
import { type PlanOptions, planOf } from "./plan.js";
import { Prepared, type Transposition } from "./prepared.js";
import { ProgramPlans, type Results, type ResultType, Run, type SessionResults, unknownName } from "./run.js";
import { Session } from "./session.js";
import { originIn, type TrainingProgram, trainableOf, withoutText } from "./training/trainable.js";

/** Selects a result or a named value, by position or name; the last result by default. */
export interface ResultSelection {
  readonly result?: number | string;
}

/** A compiled program: its inputs and results with their types, and ways to run it. Immutable; runs are independent. */
export class Program<Inputs extends object = InputValues> {
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
  private readonly plans: ProgramPlans;
  /** Whether a run for inputs of the layouts of an earlier one needs no meter: no limit holds that it could reach. */
  private readonly isReplayable: boolean;
  private readonly transposed: Transposition | undefined;

  constructor(
    private readonly checked: CheckedProgram,
    private readonly options: Options,
    /** What was stored when it was compiled, which counts in each run. */
    private readonly compiledBytes = 0,
    /** The program with more statements. */
    private readonly extended: (statements: string) => Program = withoutText,
  ) {
    const backend = chosenBackend(checked, options);
    this.plans = new ProgramPlans(checked, backend, options.optimise !== false);
    this.isReplayable = options.limits?.steps === undefined && options.limits?.time === undefined;
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
    this.transposed = this.transposition();
  }

  /**
   * The last result on these inputs.
   * @throws SphexError where an input is missing, unknown or of the wrong type, or a limit is reached.
   */
  run(inputs?: Inputs): Tensor {
    const plan = this.isReplayable ? this.plans.plan(undefined) : undefined;
    const values = (inputs ?? {}) as InputValues; // by names that the compiler of the host may know
    const canonical = this.transposed === undefined ? values : this.transposed(values);
    return this.last(plan?.replay(canonical) ?? this.runWith(canonical, new Map()).results);
  }

  /** As `run`, for a program that is run only once: nothing is cached. */
  runOnce(inputs?: Inputs): Tensor {
    const plans = this.plans.fresh();
    const run = this.runOf(this.tensors(inputs), plans);
    plans.plan(undefined, { isOnce: true }, run.meter);
    return this.last(withinMachine(this.span, () => finish(run.results())));
  }

  /** All results on these inputs. Throws as `run` does. */
  runAll(inputs?: Inputs): Results {
    return this.runWith(inputs, new Map());
  }

  /** As `run`, letting other work go on at least every 10 ms; stops soon after the signal is aborted. */
  async runAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Tensor> {
    return this.last((await this.runAllAsync(inputs, options)).results);
  }

  /** As `runAll`, asynchronous as `runAsync`. */
  async runAllAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Results> {
    const run = this.newRun(inputs, new Map());
    return this.resultsOf(run, await this.finishAsync(run, run.results(), this.checked.results, options));
  }

  /** How the results on these inputs come about: each expression with a summary of its value. Throws as `run` does. */
  explain(inputs?: Inputs): Explanation {
    const { results } = this.checked;
    return this.inspect(inputs, results, (provenance) => provenance.explain(results));
  }

  /** As `explain`, asynchronous as `runAsync`. */
  async explainAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Explanation> {
    const { results } = this.checked;
    return await this.inspectAsync(inputs, results, options, (provenance) => provenance.explain(results));
  }

  /**
   * How the backend computes the results on inputs of these sizes, or the engine where the backend has no plan: the stages of the optimiser, the steps, and
   * whether each value is stored, a view of another, or never stored at all. Throws as `run` does.
   */
  plan(inputs?: Inputs, options: PlanOptions = {}): Plan {
    if (this.results.length === 0) this.last([]); // throws the problem
    const run = this.newRun(inputs, new Map());
    return withinMachine(this.span, () => finish(planOf(this.plans, run, this.options, options)));
  }

  /**
   * Which cells, by which operations, make the cell at this address, which has a label for each dimension.
   * @throws SphexError where the address does not fit, and as `run` does.
   */
  why(address: Address = {}, inputs?: Inputs, options: ResultSelection & WhyOptions = {}): Why {
    const result = this.selectedRoot(options);
    return this.inspect(inputs, [result], (provenance) => provenance.why(result.node, address, options));
  }

  /** As `why`, asynchronous as `runAsync`. */
  async whyAsync(
    address: Address = {},
    inputs?: Inputs,
    options: ResultSelection & WhyOptions & RunOptions = {},
  ): Promise<Why> {
    const result = this.selectedRoot(options);
    const read = (provenance: Provenance): Why => provenance.why(result.node, address, options);
    return await this.inspectAsync(inputs, [result], options, read);
  }

  /** Where NaN or an infinity first arises from finite cells, in the selected result or in any. Throws as `run` does. */
  whyNotFinite(inputs?: Inputs, options: ResultSelection & WhyOptions = {}): NotFinite {
    const results = options.result === undefined ? this.checked.results : [this.selectedRoot(options)];
    return this.inspect(inputs, results, (provenance) => provenance.notFinite(options));
  }

  /**
   * A result, or a named value, as an expression of the core functions alone, which reads back to the same value.
   * @throws SphexError where it would be too long.
   */
  primitive(options: ResultSelection = {}): string {
    const { node } = this.selectedRoot(options);
    return withinMachine(this.span, () => primitiveText(node));
  }

  /**
   * The program made ready to run often. Inputs that are passed here are the same in all its runs, and what depends
   * on them alone is computed once.
   * @throws SphexError where an input is unknown or of the wrong type.
   */
  prepare(inputs?: Inputs): Prepared<Inputs> {
    const fixed = this.tensors(inputs);
    const plans = this.plans.fresh();
    const planning = { isEager: true, fixed: new Set(fixed.keys()) };
    const plan = plans.plan(undefined, planning, new Meter(limitsOf(this.options), this.options.clock));
    // A fixed input that is passed again has the new value in that run only.
    const isFixed = (runInputs: ReadonlyMap<string, Tensor>): boolean =>
      [...runInputs.keys()].every((name) => !fixed.has(name));
    const runChecked = (runInputs: InputValues): readonly Tensor[] => {
      const own = this.tensors(runInputs);
      const ownPlans = isFixed(own) ? plans : this.plans;
      const run = this.runOf(new Map([...fixed, ...own]), ownPlans);
      return withinMachine(this.span, () => finish(run.results()));
    };
    const batches = new Map<string, ProgramPlans>();
    const { inputs: types, results, options } = this;
    const declared = (name: string): DeclaredType | undefined => this.declaredType(name);
    const batchContext = { inputs: types, results, options, declared, backend: this.plans.backend };
    const runBatched = (dimension: string, runInputs: InputValues): readonly Tensor[] => {
      const items = batchInputs(dimension, runInputs, batchContext);
      const key = `${isFixed(items)} ${dimension}`;
      const batchPlans = batches.get(key) ?? this.plans.fresh();
      batches.set(key, batchPlans);
      const names = isFixed(items) ? fixed.keys() : [];
      const run = this.runOf(new Map([...fixed, ...items]), batchPlans);
      batchPlans.plan(undefined, { isEager: true, fixed: new Set(names), batch: dimension }, run.meter);
      return withinMachine(this.span, () => finish(run.results()));
    };
    return new Prepared<Inputs>(
      this.isReplayable ? plan : undefined,
      runChecked,
      this.span,
      runBatched,
      this.transposed,
    );
  }

  /** The quick path copies arrays as they are; if inputs have other axes than theirs, arrays become tensors before it. */
  private transposition(): Transposition | undefined {
    const isCanonical = [...this.inputs.keys()].every((name) => {
      const { type, axes } = this.declaredType(name) ?? {};
      return type === undefined || axes === undefined || isAscending(axisOrder(type, axes).indexed);
    });
    if (isCanonical) return undefined;
    return (inputs) =>
      Object.values(inputs).some((value) => ArrayBuffer.isView(value))
        ? Object.fromEntries(this.tensors(inputs))
        : inputs;
  }

  /**
   * The program on an engine elsewhere, such as a database, with what is bound to its inputs there: see `sphex/sql`.
   * @throws SphexError where the bindings do not fit.
   */
  on<Bindings, Bound>(engine: ExternalEngine<Bindings, Bound>, bindings: Bindings): Bound {
    if (this.results.length === 0) this.last([]); // throws the problem
    const core: CoreProgram = {
      roots: this.plans.optimisedRoots(undefined),
      inputs: this.inputs,
      canonicalName,
      defaultOf: (name) => this.checked.declared.get(name)?.value,
      tensorOf: (name, value) => tensorOf(name, value, this.declaredType(name), this.options),
      limits: limitsOf(this.options),
      span: this.span,
    };
    return withinMachine(this.span, () => engine.bind(core, bindings));
  }

  /** Keeps variable and persistent tensors between runs. */
  session(): Session<Inputs> {
    const initial = (name: string): Tensor => finish(this.runOf(new Map(), this.plans).declared(name));
    const types = new Map([...this.variables, ...this.persistents]);
    const declaredType = (name: string): DeclaredType | undefined => this.declaredType(name);
    const training = (statements: string): TrainingProgram => this.extended(statements).trainingProgram();
    return new Session<Inputs>(
      types,
      declaredType,
      this.options,
      (inputs, state) => this.runAssigning(inputs, state),
      initial,
      (session, options) => trainableOf(this.checked, training, session, options),
    );
  }

  /** The span for problems of a whole run: its last result. */
  private get span(): Span {
    return this.results.at(-1)?.span ?? spanOfText(this.options.name ?? "program", "");
  }

  private runWith(inputs: object | undefined, state: ReadonlyMap<string, Tensor>): Results {
    const run = this.newRun(inputs, state);
    return this.resultsOf(
      run,
      withinMachine(this.span, () => finish(run.results())),
    );
  }

  /** How training runs this program, which has the statements of an optimiser. */
  private trainingProgram(): TrainingProgram {
    const { objective } = this.checked;
    return {
      inputs: this.inputs,
      tensors: (data) => this.tensors(data),
      step: (inputs, state) =>
        withinMachine(this.span, () => finish(this.newRun(inputs, state).trainingStep())),
      origin: (inputs, state) =>
        this.inspect(inputs, objective === undefined ? [] : [objective], originIn, state),
    };
  }

  /** A run with what its assignments are, computed together: they share what they have in common with the results. */
  private runAssigning(inputs: object | undefined, state: ReadonlyMap<string, Tensor>): SessionResults {
    const run = this.newRun(inputs, state);
    const { results, assigned } = withinMachine(this.span, () => finish(run.assigning()));
    return { ...this.resultsOf(run, results), assigned };
  }

  private resultsOf(run: Run, results: readonly Tensor[]): Results {
    return { results, value: (name) => withinMachine(this.span, () => finish(run.named(name))) };
  }

  /** Reads from a traced run that has computed these nodes. */
  private inspect<T>(
    inputs: object | undefined,
    roots: readonly Root[],
    read: (provenance: Provenance) => T,
    state: ReadonlyMap<string, Tensor> = new Map(),
  ): T {
    if (roots.length === 0) this.last([]); // throws the problem
    const trace = new Trace(this.options.clock);
    const { evaluation } = this.newRun(inputs, state, trace);
    return withinMachine(this.span, () => {
      for (const { node } of roots) finish(evaluation.value(node));
      return read(new Provenance(evaluation, trace));
    });
  }

  private async inspectAsync<T>(
    inputs: object | undefined,
    roots: readonly Root[],
    options: RunOptions,
    read: (provenance: Provenance) => T,
  ): Promise<T> {
    if (roots.length === 0) this.last([]); // throws the problem
    const trace = new Trace(this.options.clock);
    const run = this.newRun(inputs, new Map(), trace);
    await this.finishAsync(run, run.values(roots), roots, options);
    return withinMachine(this.span, () => read(new Provenance(run.evaluation, trace)));
  }

  /** Finishes a run with pauses for other work, and reports its progress. */
  private async finishAsync<T>(
    run: Run,
    steps: Steps<T>,
    roots: readonly Root[],
    { signal, progress }: RunOptions,
  ): Promise<T> {
    const operations = progress === undefined ? 0 : operationsOf(roots.map(({ node }) => node));
    const { meter } = run;
    const report = (): void =>
      progress?.({
        span: meter.latest ?? this.span,
        steps: meter.steps,
        done: run.evaluation.computedCount,
        operations,
      });
    try {
      return await runPausing(steps, signal, this.span, report);
    } catch (error) {
      throw overflowProblem(error, this.span);
    }
  }

  private selectedRoot({ result = this.results.length - 1 }: ResultSelection): Root {
    const { results, values } = this.checked;
    const named = typeof result === "string" ? values.get(result) : undefined;
    if (named !== undefined) return { node: named };
    if (typeof result === "string") throw unknownName(result);
    const root = results[result];
    if (root === undefined) throw new SphexError([problem("program/no-result", this.span, {})]);
    return root;
  }

  private newRun(inputs: object | undefined, state: ReadonlyMap<string, Tensor>, trace?: Trace): Run {
    const tensors = new Map([...state, ...this.tensors(inputs)]);
    return this.runOf(tensors, this.plans, trace);
  }

  private runOf(tensors: ReadonlyMap<string, Tensor>, plans: ProgramPlans, trace?: Trace): Run {
    return new Run(this.checked, tensors, this.options, plans, trace, this.compiledBytes);
  }

  /** Inputs by canonical name, as tensors of the declared types. */
  private tensors(inputs: object = {}): Map<string, Tensor> {
    const values = new Map(Object.entries(inputs).map(([name, value]) => [canonicalName(name), value]));
    rejectUnknown([...values.keys()], [...this.inputs.keys()]);
    const tensor = ([name, value]: [string, InputValue]): [string, Tensor] => [
      name,
      tensorOf(name, value, this.declaredType(name), this.options),
    ];
    return new Map([...values].map(tensor));
  }

  /** The type of an input, a variable or a persistent tensor, with the axes of its declaration. */
  private declaredType(name: string): DeclaredType | undefined {
    return this.checked.declared.get(name);
  }

  private last(results: readonly Tensor[]): Tensor {
    const last = results.at(-1);
    if (last === undefined) throw new SphexError([problem("program/no-result", this.span, {})]);
    return last;
  }
}
