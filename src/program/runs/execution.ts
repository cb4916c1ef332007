import type { Backend } from "../../backends/backend.js";
import { finish, Meter, type Steps } from "../../backends/meter.js";
import { reference } from "../../backends/reference/backend.js";
import { workOf } from "../../backends/reference/work.js";
import type { Root } from "../../inspect/provenance/explain.js";
import type { Trace } from "../../inspect/provenance/trace.js";
import type { CheckedProgram } from "../../language/check/statements/program.js";
import { overflowProblem, withinMachine } from "../../language/limits/overflow.js";
import { atOnce, type Slices } from "../../language/limits/slices.js";
import { requireObject } from "../../language/source/arguments.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { TensorType } from "../../language/types/type.js";
import { type AxisOrder, axisOrder, isAscending } from "../../language/values/data/axis-order.js";
import { element } from "../../language/values/element.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { type NamedValueOptions, operationsOf, type RunOptions, runPausing } from "../async-run.js";
import { HeldTensors } from "../held-tensors.js";
import { type DeclaredType, type InputValues, meteredSlices, rejectUnknown } from "../inputs/inputs.js";
import { problem } from "../messages.js";
import { byCanonicalName, limitsOf, type Options } from "../options.js";
import { chosenBackend } from "./chosen-backend.js";
import { ProgramPlans } from "./program-plans.js";
import { type Results, resultsOf } from "./results.js";
import { Run } from "./run.js";

/** Inputs as tensors of the declared types, and the meter that has counted what they took, and goes on in their run. */
export interface ReadInputs {
  readonly tensors: ReadonlyMap<string, Tensor>;
  readonly meter: Meter;
}

/** What runs a program on inputs of some sizes: another, where these decide what it computes. */
export interface SizedRun {
  readonly execution: Execution;
  readonly inputs: ReadInputs;
}

/** Inputs, held for a run with pauses: what the host disposes of meanwhile keeps its cells until it is released. */
interface HeldInputs extends ReadInputs {
  readonly release: () => void;
}

/** The rest of what has begun with a slice: a pause, and then the others. */
function* slicesAfter<T>(slices: Slices<T>): Slices<T> {
  yield;
  return yield* slices;
}

/** The most cells that are read and written in a run without a plan. */
const mostWorkUnplanned = 5000;

/** What one run has of its own: tensors that were there before its inputs, what is noted of it, and its chance. */
export interface OwnRun {
  readonly before?: ReadonlyMap<string, Tensor>;
  readonly trace?: Trace;
  readonly random?: () => number;
}

/**
 * How a program is run, whoever asks for it: inputs become tensors of the declared types, a run has its limits, and ends at
 * a stretch or with pauses for other work.
 */
export class Execution {
  readonly plans: ProgramPlans;
  /** Those of sessions, which have inputs that the program has not: the tensors that a session keeps. */
  readonly sessionPlans: ProgramPlans;
  readonly backend: Backend;
  /** Whether a run for inputs of the layouts of an earlier one needs no meter: no limit holds that it could reach. */
  readonly isReplayable: boolean;
  /** Whether arrays have the axes of their inputs, so that they may be copied as they are. */
  private readonly isCanonical: boolean;
  readonly inputNames: readonly string[];

  constructor(
    readonly checked: CheckedProgram,
    readonly options: Options,
    /** What was stored when it was compiled, which counts in each run. */
    private readonly compiledBytes: number,
  ) {
    this.backend = chosenBackend(checked, options);
    this.plans = new ProgramPlans(checked, this.backend, options.optimise !== false);
    this.sessionPlans = this.plans.fresh();
    this.isReplayable = options.limits?.steps === undefined && options.limits?.time === undefined;
    this.inputNames = [...checked.declared].flatMap(([name, { role }]) => (role === "input" ? [name] : []));
    this.isCanonical = this.inputNames.every((name) => isAscending(this.axisOrder(name).indexed));
  }

  /** The span for problems of a whole run: its last result. */
  get span(): Span {
    return this.checked.results.at(-1)?.span ?? spanOfText(this.options.name ?? "program", "");
  }

  /** The type of an input, a variable or a persistent tensor, with the axes of its declaration. */
  declaredType(name: string): DeclaredType | undefined {
    return this.checked.declared.get(name);
  }

  /** The order of the axes of arrays that become an input. */
  axisOrder(name: string): AxisOrder {
    const { type = TensorType.scalar, axes } = this.declaredType(name) ?? {};
    return axisOrder(type, axes);
  }

  /** Inputs by canonical name, as tensors of the declared types. */
  tensors(inputs: object = {}): ReadonlyMap<string, Tensor> {
    return this.read(inputs).tensors;
  }

  /** The same for a run, whose limits hold from here on; the meter may have counted work before. */
  read(inputs: object = {}, meter = this.newMeter()): ReadInputs {
    return atOnce(this.inputSlices(inputs, meter));
  }

  /**
   * The same with pauses for other work; an aborted signal ends it. What is small is read before this returns. What is large
   * must not be changed meanwhile.
   */
  async readAsync(inputs: object = {}, signal?: AbortSignal): Promise<HeldInputs> {
    const held = new HeldTensors();
    try {
      const slices = this.inputSlices(inputs, this.newMeter(), (tensor) => held.add(tensor));
      return { ...(await runPausing(slices, signal, this.span)), release: () => held.release() };
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** Reads inputs as `readAsync` does, and lets them go when the work on them has ended. */
  async withInputs<T>(
    inputs: object | undefined,
    signal: AbortSignal | undefined,
    work: (inputs: ReadInputs) => Promise<T>,
  ): Promise<T> {
    const read = await this.readAsync(inputs, signal);
    try {
      return await work(read);
    } finally {
      read.release();
    }
  }

  /** Tensors as the inputs of a run. */
  counted(tensors: ReadonlyMap<string, Tensor>): ReadInputs {
    const meter = this.newMeter();
    this.countCompiled(meter);
    for (const [name, { bytes }] of tensors) meter.store(bytes, spanOfText(name, name));
    return { tensors, meter };
  }

  private newMeter(): Meter {
    return new Meter(limitsOf(this.options), this.options.clock);
  }

  private countCompiled(meter: Meter): void {
    meter.bytes += this.compiledBytes;
  }

  private *inputSlices(
    inputs: object,
    meter: Meter,
    hold: (tensor: Tensor) => void = () => undefined,
  ): Slices<ReadInputs> {
    requireObject("inputs", inputs);
    const values = byCanonicalName(inputs as InputValues); // callers without types may give anything
    rejectUnknown([...values.keys()], this.inputNames);
    meter.resume();
    this.countCompiled(meter);
    // A first slice of each, which is all of what is small; then the rest of what is large.
    const stored = (name: string, tensor: Tensor): Tensor => {
      meter.store(tensor.bytes, spanOfText(name, name));
      hold(tensor);
      return tensor;
    };
    const begun = Array.from(values, ([name, value]) => {
      const slices = meteredSlices(name, value, this.declaredType(name), this.options, meter);
      const step = slices.next();
      return { name, slices, tensor: step.done === true ? stored(name, step.value) : undefined };
    });
    const tensors = new Map<string, Tensor>();
    for (const { name, slices, tensor } of begun)
      tensors.set(name, tensor ?? stored(name, yield* slicesAfter(slices)));
    meter.pause();
    return { tensors, meter };
  }

  /**
   * Inputs for a plan that repeats its latest run, which copies arrays as they are: if inputs have other axes than their
   * arrays, these become tensors before.
   */
  replayable(inputs: object = {}): InputValues {
    const values = inputs as InputValues; // by names that the compiler of the host may know
    if (this.isCanonical) return values; // if it is no such object, no run is repeated
    requireObject("inputs", inputs);
    if (!Object.values(values).some((value) => ArrayBuffer.isView(value))) return values;
    return Object.fromEntries(this.tensors(values));
  }

  run(
    { tensors, meter }: ReadInputs = this.read(),
    plans: ProgramPlans = this.plans,
    { before, trace, random = this.options.random }: OwnRun = {},
  ): Run {
    meter.resume();
    if (before === undefined) return new Run(this.checked, tensors, meter, plans, random, trace);
    for (const [name, { bytes }] of before)
      if (!tensors.has(name)) meter.store(bytes, spanOfText(name, name));
    return new Run(this.checked, new Map([...before, ...tensors]), meter, plans, random, trace);
  }

  /** All results, with pauses for other work, and with them the named values that the options list. */
  async allResultsAsync(read: ReadInputs, options: RunOptions & NamedValueOptions): Promise<Results> {
    const run = this.run(read);
    const { values = [] } = options;
    const tensors = await this.finishAsync(run, run.results(values), options);
    const count = this.checked.results.length;
    const computed = values.map((name, at) => [name, element(tensors, count + at)] as const);
    return this.results(run, tensors.slice(0, count), undefined, new Map(computed));
  }

  /** The last result. What a later run on inputs of the same layouts can use is cached. */
  runLast(inputs?: object, meter?: Meter): Tensor {
    const plan = this.isReplayable ? this.plans.plan("results") : undefined;
    const values = this.replayable(inputs);
    const replayed = plan?.replayLast(values);
    if (replayed !== undefined) return replayed;
    return this.last(this.finish(this.run(this.read(values, meter)).results()));
  }

  /**
   * The last result of a run of which nothing is cached, and what was stored for it. Where that is few cells, and the options
   * choose no backend, there is no plan: it would take longer than all else.
   */
  runOnce(inputs?: object, meter?: Meter): { readonly tensor: Tensor; readonly bytes: number } {
    const read = this.read(inputs, meter);
    const roots = this.checked.results.map(({ node }) => node);
    const isSmall = this.options.backend === undefined && workOf(roots, read.tensors) <= mostWorkUnplanned;
    const plans = this.plans.fresh(isSmall ? reference : this.backend);
    const run = this.run(read, plans);
    plans.plan("results", { isOnce: true }, run.meter);
    const tensor = this.last(this.finish(run.results()));
    return { tensor, bytes: run.meter.bytes };
  }

  /** Runs at a stretch. */
  finish<T>(steps: Steps<T>): T {
    return withinMachine(this.span, () => finish(steps));
  }

  /** Runs with pauses for other work, and reports its progress. */
  async finishAsync<T>(
    run: Run,
    steps: Steps<T>,
    options: RunOptions,
    roots: readonly Root[] = this.checked.results,
  ): Promise<T> {
    const { signal, progress } = options;
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

  /**
   * The results of a run that has computed these tensors, and perhaps some named values. The others are computed once, and no time goes
   * by until they are read; `plan` makes their plans where these are not the usual ones.
   */
  results(
    run: Run,
    tensors: readonly Tensor[],
    plan: (name: string) => void = () => undefined,
    computed: ReadonlyMap<string, Tensor> = new Map(),
  ): Results {
    const named = new Map(computed);
    const compute = (name: string): Tensor => {
      run.meter.resume();
      try {
        plan(name);
        return this.finish(run.named(name));
      } finally {
        run.meter.pause();
      }
    };
    run.meter.pause();
    return resultsOf(tensors, (name) => {
      const value = named.get(name) ?? compute(name);
      named.set(name, value);
      return value;
    });
  }

  /** @throws SphexError where a program has no result. */
  last(tensors: readonly Tensor[]): Tensor {
    const last = tensors[tensors.length - 1];
    if (last === undefined) throw this.noResult();
    return last;
  }

  noResult(): SphexError {
    return new SphexError([problem("program/no-result", this.span, {})]);
  }
}
