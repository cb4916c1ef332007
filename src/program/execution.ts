import type { Backend } from "../backends/backend.js";
import { finish, Meter, type Steps } from "../backends/meter.js";
import type { Root } from "../inspect/provenance/explain.js";
import type { Trace } from "../inspect/provenance/trace.js";
import type { CheckedProgram } from "../language/check/program.js";
import { overflowProblem, withinMachine } from "../language/limits/overflow.js";
import type { Spend } from "../language/limits/spend.js";
import { requireObject } from "../language/source/arguments.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { TensorType } from "../language/types/type.js";
import { type AxisOrder, axisOrder, isAscending } from "../language/values/axis-order.js";
import { spanOfText } from "../language/values/messages.js";
import { atOnce, type Slices } from "../language/values/slices.js";
import type { Tensor } from "../language/values/tensor.js";
import { operationsOf, type RunOptions, runPausing } from "./async-run.js";
import { chosenBackend } from "./chosen-backend.js";
import { type DeclaredType, type InputValues, rejectUnknown, tensorSlices } from "./inputs.js";
import { problem } from "./messages.js";
import { byCanonicalName, type Options } from "./options.js";
import { type Results, resultsOf } from "./results.js";
import { ProgramPlans, Run } from "./run.js";

/** What one run has of its own: what is noted of it, and its chance. */
export interface OwnRun {
  readonly trace?: Trace;
  readonly random?: () => number;
}

/**
 * How a program is run, whoever asks for it: inputs become tensors of the declared types, a run has its limits, and ends at
 * a stretch or with pauses for other work.
 */
export class Execution {
  readonly plans: ProgramPlans;
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

  /** Inputs by canonical name, as tensors of the declared types. Texts are read within the limit of time. */
  tensors(inputs: object = {}): Map<string, Tensor> {
    return atOnce(this.tensorSlices(inputs));
  }

  /**
   * The same with pauses for other work; an aborted signal ends it. What is small is read before this returns. What is large
   * must not be changed meanwhile.
   */
  async tensorsAsync(inputs: object = {}, signal?: AbortSignal): Promise<Map<string, Tensor>> {
    return await runPausing(this.tensorSlices(inputs), signal, this.span);
  }

  private *tensorSlices(inputs: object): Slices<Map<string, Tensor>> {
    requireObject("inputs", inputs);
    const values = byCanonicalName(inputs as InputValues); // callers without types may give anything
    rejectUnknown([...values.keys()], this.inputNames);
    const tensors = new Map<string, Tensor>();
    let spend: Spend | undefined;
    for (const [name, value] of values) {
      if (typeof value === "string") spend ??= this.spendTime();
      tensors.set(name, yield* tensorSlices(name, value, this.declaredType(name), this.options, spend));
    }
    return tensors;
  }

  /** Work that ends at the limit of time from now on. */
  private spendTime(): Spend {
    const { limits: { time } = {}, clock } = this.options;
    const meter = new Meter(time === undefined ? {} : { time }, clock);
    return (work, span) => void meter.spend(work, span);
  }

  /**
   * Inputs for a plan that repeats its latest run, which copies arrays as they are: if inputs have other axes than their
   * arrays, these become tensors before.
   */
  replayable(inputs: object = {}): InputValues {
    requireObject("inputs", inputs);
    const values = inputs as InputValues; // by names that the compiler of the host may know
    if (this.isCanonical || !Object.values(values).some((value) => ArrayBuffer.isView(value))) return values;
    return Object.fromEntries(this.tensors(values));
  }

  run(
    tensors: ReadonlyMap<string, Tensor>,
    plans: ProgramPlans = this.plans,
    { trace, random }: OwnRun = {},
  ): Run {
    const options = random === undefined ? this.options : { ...this.options, random };
    return new Run(this.checked, tensors, options, plans, trace, this.compiledBytes);
  }

  /** The last result. What a later run on inputs of the same layouts can use is cached. */
  runLast(inputs?: object): Tensor {
    const plan = this.isReplayable ? this.plans.plan(undefined) : undefined;
    const values = this.replayable(inputs);
    const replayed = plan?.replay(values);
    if (replayed !== undefined) return this.last(replayed);
    return this.last(this.finish(this.run(this.tensors(values)).results()));
  }

  /** The last result of a run of which nothing is cached, and what was stored for it. */
  runOnce(inputs?: object): { readonly tensor: Tensor; readonly bytes: number } {
    const plans = this.plans.fresh();
    const run = this.run(this.tensors(inputs), plans);
    plans.plan(undefined, { isOnce: true }, run.meter);
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

  /** The results of a run that has computed these tensors. */
  results(run: Run, tensors: readonly Tensor[]): Results {
    return resultsOf(tensors, (name) => this.finish(run.named(name)));
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
