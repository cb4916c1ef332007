import type { BackendPlan, PlanningOptions } from "../backends/backend.js";
import { Meter } from "../backends/meter.js";
import { requireArgument, requireObject, requireText } from "../language/source/arguments.js";
import { checkCallOptions, type OptionRules } from "../language/source/option-rule.js";
import type { CellArray } from "../language/types/cell.js";
import { isNumberArray } from "../language/values/data/number-array.js";
import { Tensor } from "../language/values/tensor.js";
import { type RunOptions, runRules } from "./async-run.js";
import { HeldTensors } from "./held-tensors.js";
import type { InputValues } from "./inputs/inputs.js";
import { borderText } from "./inspection.js";
import { type FunctionOfInputs, functionOf } from "./number-function.js";
import { limitsOf } from "./options.js";
import { retained } from "./retained.js";
import { batchInputs, dimensionRefused } from "./runs/batch-inputs.js";
import type { Execution, ReadInputs } from "./runs/execution.js";
import type { ProgramPlans } from "./runs/program-plans.js";
import { type Results, type Runnable, resultsOf } from "./runs/results.js";
import type { Run } from "./runs/run.js";

/** The array to write the cells of a result to, of its cell type and count. */
export interface OutputOptions {
  readonly into?: CellArray | undefined;
}

/** The rules of `OutputOptions`. */
const outputRules: OptionRules<OutputOptions> = { into: { form: "a typed array", holds: isNumberArray } };

/** Inputs of many runs at once. */
export type BatchInputs = Readonly<Record<string, Tensor>>;

/** Many runs as one along a dimension, and how its values are planned. */
interface BatchRun {
  readonly dimension: string;
  readonly items: ReadonlyMap<string, Tensor>;
  readonly run: Run;
  readonly plans: ProgramPlans;
  readonly planning: PlanningOptions;
}

/**
 * A program made ready to run often: what depends on constants and on inputs that were fixed is computed and packed, code
 * is made at once, and each run only writes its inputs. Results are the same as those of the program.
 */
export class Prepared<Inputs extends object = InputValues> implements Runnable<Inputs> {
  static readonly name: string = "Prepared";
  private readonly plans: ProgramPlans;
  /** The plan whose latest run may be repeated; absent where limits have to be checked. */
  private readonly plan: BackendPlan | undefined;
  private readonly batches = new Map<string, ProgramPlans>();

  constructor(
    private readonly execution: Execution,
    /** Inputs that are the same in all runs, unless one passes another value; the same tensor again is none. */
    private readonly fixed: ReadonlyMap<string, Tensor>,
  ) {
    const { options, isReplayable } = execution;
    for (const tensor of fixed.values()) retained(tensor);
    this.plans = execution.plans.fresh();
    const planning = { isEager: true, fixed: new Set(fixed.keys()) };
    const plan = this.plans.plan("results", planning, new Meter(limitsOf(options), options.clock));
    this.plan = isReplayable ? plan : undefined;
  }

  /**
   * The last result on these inputs; fixed ones need not be passed again.
   * @throws SphexError as `Program.run` does, and where `into` is not of the result's cell type and count.
   */
  run(inputs?: Inputs, output?: OutputOptions): Tensor {
    if (output !== undefined) checkCallOptions("run", output, outputRules);
    const replayed = this.replayed((plan, values) => plan.replayLast(values), inputs);
    const last = replayed ?? this.execution.last(this.execution.finish(this.newRun(inputs).results()));
    if (output?.into !== undefined) last.copyTo(output.into);
    return last;
  }

  /**
   * Writes the cells of the last result to an array of its cell type and count, in canonical order, and makes no tensor: in
   * a loop without pauses, that is all the memory there is.
   * @throws SphexError as `run` does.
   */
  runInto(array: CellArray, inputs?: Inputs): void {
    requireArgument("runInto", "cells", array, isNumberArray(array));
    if (this.replayed((plan, values) => plan.replayInto(values, array) || undefined, inputs) === true) return;
    this.execution.last(this.execution.finish(this.newRun(inputs).results())).copyTo(array);
  }

  /**
   * The last result, which must be a number, as a function of the values of these inputs, in this order: of all that are not
   * fixed, in the order of the text, unless names are passed. A call with numbers looks up no name and makes no tensor: it
   * takes a third of the time of `run`, where all that is computed is numbers.
   * @throws SphexError where the result is not a number, and where a name is unknown or there twice; the function as `run`
   * does, and where its arguments are not as many as the names.
   */
  toFunction(...names: readonly (string & keyof Inputs)[]): FunctionOfInputs {
    const { execution, plan } = this;
    const varying = execution.inputNames.filter((name) => !this.fixed.has(name));
    const run = (inputs: InputValues): Tensor => this.run(inputs as Inputs & InputValues); // of its names
    return functionOf({ execution, plan, run }, names.length > 0 ? names : varying);
  }

  /** All results on these inputs. @throws SphexError as `run` does. */
  runAll(inputs?: Inputs): Results {
    const values = this.asTensors(inputs);
    const replayed = this.replayed((plan, own) => plan.replay(own), values);
    if (replayed === undefined) {
      // A plan that draws random numbers is not repeated: its named values are those of the run that drew them.
      const drawing = this.newRun(values);
      return this.execution.results(drawing, this.execution.finish(drawing.results()));
    }
    let run: Run | undefined;
    return resultsOf(replayed, (name) => {
      run ??= this.newRun(values);
      return this.execution.finish(run.named(name));
    });
  }

  /** As `run`, letting other work go on meanwhile, as `Runnable.runAsync` says; stops soon after the signal is aborted. */
  async runAsync(inputs?: Inputs, options: RunOptions & OutputOptions = {}): Promise<Tensor> {
    checkCallOptions("runAsync", options, { ...runRules, ...outputRules });
    const { into, ...others } = options;
    return this.written(await this.runAllAsync(inputs, others), { into });
  }

  /** As `runAll`, asynchronous as `runAsync`. */
  async runAllAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Results> {
    checkCallOptions("runAllAsync", options, runRules);
    const { execution } = this;
    return await execution.withInputs(inputs, options.signal, async (read) => {
      const run = this.runOf(read);
      return execution.results(run, await execution.finishAsync(run, run.results(), options));
    });
  }

  /**
   * The last result for many runs at once. Inputs are tensors; those that differ from run to run have the dimension, with
   * a size, over and above their types, and the result has it too: for a net of `input x: tensor(i[784])`, a batch of 64
   * is `runBatch("b", { x })` with a `tensor(b[64],i[784])`. Random numbers, and functions of the host that take nothing of it, have one
   * value for all runs.
   * @throws SphexError where no input has the dimension, where its sizes differ or the program knows it already, where
   * the result cannot be computed for all at once, and as `run` does.
   */
  runBatch(dimension: string, inputs: BatchInputs): Tensor {
    return this.execution.last(this.runAllBatch(dimension, inputs));
  }

  /** All results for many runs at once. @throws SphexError as `runBatch` does. */
  runAllBatch(dimension: string, inputs: BatchInputs): Results {
    const batch = this.newBatch(dimension, inputs);
    return this.batchResults(batch, this.execution.finish(batch.run.results()));
  }

  /** As `runBatch`, asynchronous as `runAsync`. */
  async runBatchAsync(dimension: string, inputs: BatchInputs, options: RunOptions = {}): Promise<Tensor> {
    return this.execution.last(await this.runAllBatchAsync(dimension, inputs, options));
  }

  /** As `runAllBatch`, asynchronous as `runAsync`. */
  async runAllBatchAsync(dimension: string, inputs: BatchInputs, options: RunOptions = {}): Promise<Results> {
    checkCallOptions("runAllBatchAsync", options, runRules);
    const held = new HeldTensors();
    try {
      const batch = this.newBatch(dimension, inputs, (tensor) => held.add(tensor));
      const { run } = batch;
      return this.batchResults(batch, await this.execution.finishAsync(run, run.results(), options));
    } finally {
      held.release();
    }
  }

  /** What `console.log` of Node shows: the inputs and the results, with their types. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return borderText("Prepared program", this.execution.checked);
  }

  /** What the plan repeats for inputs, or for those of them that are not what is fixed. */
  private replayed<T>(
    replay: (plan: BackendPlan, values: InputValues) => T | undefined,
    inputs: object | undefined,
  ): T | undefined {
    const { plan, execution } = this;
    if (plan === undefined) return undefined;
    const found = replay(plan, execution.replayable(inputs));
    if (found !== undefined || inputs === undefined || this.fixed.size === 0) return found;
    const entries = Object.entries(inputs);
    const varying = entries.filter(([name, value]) => value === undefined || this.fixed.get(name) !== value);
    if (varying.length === entries.length) return undefined;
    return replay(plan, execution.replayable(Object.fromEntries(varying)));
  }

  private newRun(inputs: object | undefined): Run {
    return this.runOf(this.execution.read(inputs));
  }

  private runOf(own: ReadInputs): Run {
    const plans = this.isFixed(own.tensors) ? this.plans : this.execution.plans;
    return this.execution.run(own, plans, { before: this.fixed });
  }

  private newBatch(
    dimension: string,
    inputs: BatchInputs,
    hold: (tensor: Tensor) => void = () => undefined,
  ): BatchRun {
    requireText("runBatch", dimension);
    requireObject("runBatch", inputs);
    const { execution, fixed } = this;
    const items = batchInputs(dimension, inputs, fixed, execution);
    for (const tensor of items.values()) hold(tensor);
    const key = `${this.isFixed(items)} ${dimension}`;
    const plans = this.batches.get(key) ?? execution.plans.fresh();
    this.batches.set(key, plans);
    const names = this.isFixed(items) ? fixed.keys() : [];
    const run = execution.run(execution.counted(items), plans, { before: fixed });
    const planning = { isEager: true, fixed: new Set(names), batch: dimension };
    plans.plan("results", planning, run.meter);
    return { dimension, items, run, plans, planning };
  }

  /** Named values are those of all runs of the batch, too; one that has the dimension already cannot have it once more. */
  private batchResults(
    { dimension, items, run, plans, planning }: BatchRun,
    tensors: readonly Tensor[],
  ): Results {
    const { values } = this.execution.checked;
    return this.execution.results(run, tensors, (name) => {
      if (values.get(name)?.type.dimension(dimension) !== undefined) throw dimensionRefused(dimension, items);
      plans.plan({ named: name }, planning, run.meter);
    });
  }

  /** Whether all fixed inputs are what they were. One that is passed another tensor has that value in that run only. */
  private isFixed(inputs: ReadonlyMap<string, Tensor>): boolean {
    return [...inputs].every(([name, tensor]) => !this.fixed.has(name) || this.fixed.get(name) === tensor);
  }

  /** Inputs that a host cannot change any more, when it asks for a named value later. */
  private asTensors(inputs: object | undefined): object | undefined {
    if (this.execution.checked.values.size === 0 || inputs === undefined) return inputs;
    requireObject("inputs", inputs);
    const isChangeable = (value: unknown): boolean => typeof value === "object" && !(value instanceof Tensor);
    if (!Object.values(inputs).some(isChangeable)) return { ...inputs };
    return Object.fromEntries(this.execution.tensors(inputs));
  }

  private written(results: readonly Tensor[], { into }: OutputOptions = {}): Tensor {
    const last = this.execution.last(results);
    if (into !== undefined) last.copyTo(into);
    return last;
  }
}
