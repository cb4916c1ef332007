import { requireObject, requireText } from "../language/source/arguments.js";
import { nearest } from "../language/source/nearest.js";
import { checkCallOptions, type OptionRules, object } from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import { type RunOptions, runRules } from "./async-run.js";
import { type InputValues, tensorOf } from "./inputs/inputs.js";
import { borderText } from "./inspection.js";
import { problem } from "./messages.js";
import { retained } from "./retained.js";
import type { Execution, ReadInputs, SizedRun } from "./runs/execution.js";
import { changingDefaults, retainedTypes } from "./runs/initial-values.js";
import type { Results, Runnable } from "./runs/results.js";
import type { AssigningOutcome, Run } from "./runs/run.js";
import { settled } from "./training/checkpoint.js";
import { type TrainingProgress, trained } from "./training/train.js";
import { type SettledOptions, type TrainOptions, trainRules } from "./training/train-options.js";
import type { Trainable } from "./training/trainable.js";
import type { TrainedSession } from "./training/trained-program.js";

/** What a run of a session assigns beside the assignments of the program. */
export interface AssignOptions {
  /**
   * For variable or persistent tensors, the named values of the run that they take afterwards:
   * `{ assign: { seen: "total" } }`.
   */
  readonly assign?: Readonly<Record<string, string>>;
}

/** The rules of `AssignOptions`. */
const assignRules: OptionRules<AssignOptions> = { assign: object };

/** A run, and what has begun it. */
interface StartedRun {
  readonly execution: Execution;
  readonly run: Run;
}

/**
 * A program with a memory: keeps its variable and persistent tensors between runs. A run sees them as they are and
 * changes none; the program's assignments do when it has succeeded, and `assign`, and what may be assigned is checked before anything changes.
 */
export class Session<Inputs extends object = InputValues> implements Runnable<Inputs> {
  static readonly name: string = "Session";
  /** The types of the tensors that the session keeps. */
  readonly types: ReadonlyMap<string, TensorType>;
  private state = new Map<string, Tensor>();
  /** Tensors that runs have seen whose named values may be computed of them later. */
  private readonly seen = new WeakSet<Tensor>();
  /** Initial values that would be others if they were computed again; they are when somebody first needs one. */
  private begun: ReadonlyMap<string, Tensor> | undefined;
  /** The end of the asynchronous runs so far: they go one after the other. */
  private latest: Promise<unknown> = Promise.resolve();
  /** What the run assigns, when it ends, that is under way. */
  private pending: readonly string[] = [];

  constructor(
    private readonly execution: Execution,
    private readonly training: (session: TrainedSession, options: SettledOptions) => Trainable,
    private readonly forRun: (inputs: ReadInputs) => SizedRun,
  ) {
    this.types = retainedTypes(execution.checked);
  }

  /**
   * Changes the variables so that what the program minimises gets smaller on these data, and reports each epoch. The data are read
   * at once: what becomes of the arrays afterwards changes nothing. The variables are those of the last step also where it throws,
   * or is left; what is assigned between two epochs, the next one begins with.
   * @throws SphexError where the program minimises nothing, the data do not fit, or a number is not finite any more.
   */
  train(options: TrainOptions): AsyncGenerator<TrainingProgress> {
    checkCallOptions("train", options, trainRules);
    const decided = settled(options);
    checkCallOptions("train", decided, trainRules); // those of a checkpoint, too
    return trained(this.training(this.trained, decided), decided, (step) => this.inTurn(step));
  }

  /** The last result on these inputs. @throws SphexError as `Program.run` does, and then nothing has changed. */
  run(inputs?: Inputs, assigning?: AssignOptions): Tensor {
    return this.execution.last(this.runAll(inputs, assigning));
  }

  /**
   * All results on these inputs; afterwards the assignments of the program are made, and those of the options. If anything
   * fails, nothing changes; so it does where it assigns while another run is under way that does.
   */
  runAll(inputs?: Inputs, options: AssignOptions = {}): Results {
    checkCallOptions("runAll", options, assignRules);
    const assign = { ...options.assign };
    const { execution, run } = this.newRun(inputs);
    const end = this.begin(assign);
    try {
      return this.assigned(execution, run, execution.finish(run.assigning(assign)));
    } finally {
      end();
    }
  }

  /** As `run`, letting other work go on meanwhile, as `Runnable.runAsync` says; stops soon after the signal is aborted. */
  async runAsync(inputs?: Inputs, options: RunOptions & AssignOptions = {}): Promise<Tensor> {
    return this.execution.last(await this.runAllAsync(inputs, options));
  }

  /**
   * As `runAll`, asynchronous as `runAsync`. Asynchronous runs of a session go one after the other, so that each sees what
   * those before it have assigned.
   */
  async runAllAsync(inputs?: Inputs, options: RunOptions & AssignOptions = {}): Promise<Results> {
    checkCallOptions("runAllAsync", options, { ...runRules, ...assignRules });
    const { assign: written, ...running } = options;
    const assign = { ...written };
    const read = this.execution.readAsync(inputs, options.signal);
    read.catch(() => undefined); // it is awaited in its turn
    return await this.inTurn(async () => {
      const inputs = await read;
      try {
        return await this.runInTurn(inputs, assign, running);
      } finally {
        inputs.release();
      }
    });
  }

  private async runInTurn(
    inputs: ReadInputs,
    assign: Readonly<Record<string, string>>,
    options: RunOptions,
  ): Promise<Results> {
    const end = this.begin(assign);
    try {
      const { execution, run } = this.runOf(inputs);
      return this.assigned(execution, run, await execution.finishAsync(run, run.assigning(assign), options));
    } finally {
      end();
    }
  }

  /**
   * The present tensor of a name.
   * @throws SphexError where the session keeps none of that name.
   */
  get(name: string): Tensor {
    requireText("get", name);
    this.typeOf(name);
    return retained(this.present(name));
  }

  private present(name: string): Tensor {
    const { execution } = this;
    const tensor = this.state.get(name) ?? this.initial.get(name);
    return tensor ?? execution.finish(execution.run().declared(name));
  }

  /** Itself, for a training, whose steps read its tensors where they lie. */
  private get trained(): TrainedSession {
    return {
      types: this.types,
      present: (name) => this.present(name),
      isSeen: (tensor) => this.seen.has(tensor),
      replace: (values) => this.store(this.assignable(values)),
    };
  }

  /**
   * Gives variable and persistent tensors new values, all of them or, if one does not fit, none.
   * @throws SphexError with a problem for each that does not fit, and where a run is under way that assigns to one of them when it ends.
   */
  assign(values: InputValues): void {
    requireObject("assign", values);
    const next = this.assignable(values);
    // Cells that were freed already are missed before anything changes.
    for (const tensor of next.values()) retained(tensor);
    this.store(next);
  }

  /** Values that may be assigned at present. */
  private assignable(values: InputValues): ReadonlyMap<string, Tensor> {
    this.refuse(this.pending.filter((name) => Object.hasOwn(values, name)));
    return this.tensors(values);
  }

  /** Values of variable and persistent tensors, in their types. */
  private tensors(values: InputValues): ReadonlyMap<string, Tensor> {
    const { execution } = this;
    const tensors = Object.entries(values).map(([name, value]): [string, Tensor] => {
      this.typeOf(name);
      return [name, tensorOf(name, value, execution.declaredType(name), execution.options)];
    });
    return new Map(tensors);
  }

  private store(next: ReadonlyMap<string, Tensor>): void {
    this.state = new Map([...this.state, ...next]);
  }

  /**
   * Gives every tensor its initial value again.
   * @throws SphexError while a run is under way that assigns when it ends.
   */
  reset(): void {
    this.refuse(this.pending);
    this.state = new Map();
  }

  /** What `console.log` of Node shows: the inputs and the results, with their types. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return borderText("Session", this.execution.checked);
  }

  private get initial(): ReadonlyMap<string, Tensor> {
    if (this.begun === undefined) {
      const { execution } = this;
      // All in one run, so that each random number is drawn once.
      const run = execution.run();
      const names = changingDefaults(execution.checked);
      this.begun = new Map(names.map((name) => [name, execution.finish(run.declared(name))]));
    }
    return this.begun;
  }

  /** Does something after the asynchronous runs and the steps of training so far: they go one after the other. */
  private inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.latest.then(work);
    this.latest = turn.catch(() => undefined); // whoever waits for the work hears of it
    return turn;
  }

  /**
   * Begins a run, and returns what ends it. One that assigns has seen the tensors as they are, so that nothing else may assign to them
   * meanwhile: neither its host functions nor, where it pauses, anybody else.
   */
  private begin(assign: Readonly<Record<string, string>>): () => void {
    const names = [...this.execution.checked.assignments.keys(), ...Object.keys(assign)];
    if (names.length === 0) return () => undefined;
    this.refuse(this.pending);
    this.pending = names;
    return () => {
      this.pending = [];
    };
  }

  private refuse(names: readonly string[]): void {
    if (names.length === 0) return;
    throw new SphexError([problem("session/busy", this.execution.span, { names })]);
  }

  private newRun(inputs: object | undefined): StartedRun {
    return this.runOf(this.execution.read(inputs));
  }

  private runOf(read: ReadInputs): StartedRun {
    const { execution, inputs } = this.forRun(read);
    const before = new Map([...this.initial, ...this.state]);
    if (execution.checked.values.size > 0) for (const tensor of before.values()) this.seen.add(tensor);
    return { execution, run: execution.run(inputs, execution.sessionPlans, { before }) };
  }

  /** The results of a run, after what it assigns has been assigned. */
  private assigned(execution: Execution, run: Run, { results, assigned }: AssigningOutcome): Results {
    this.store(this.tensors(assigned));
    return execution.results(run, results);
  }

  private typeOf(name: string): TensorType {
    const { types } = this;
    const type = types.get(name);
    if (type === undefined) {
      throw new SphexError([
        problem("role/unknown", spanOfText(name, name), { name, nearest: nearest(name, types.keys()) }),
      ]);
    }
    return type;
  }
}
