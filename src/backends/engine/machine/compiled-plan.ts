import type { Node } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { NumberFunction } from "../../backend.js";
import type { Steps } from "../../meter.js";
import type { RunContext } from "../../run-context.js";
import { verifyContinuation } from "../ir/continuation.js";
import { layoutOf } from "../layouts/input-layout.js";
import type { Block } from "../memory/arena.js";
import type { Plan } from "../plan/plan.js";
import { type Outcome, Outcomes, type TensorOutcome } from "../plan/planned.js";
import { isVarying } from "../plan/runs/randomness.js";
import { RunCount } from "./blocks.js";
import { type HostInputs, VaryingInput } from "./replays/input-binder.js";
import type { Replay } from "./replays/replay.js";
import { TableBlocks } from "./slots.js";
import { CompiledStage, type CompileOptions, type PlanMemory } from "./stage.js";

/** Makes a plan for the inputs of a run, as far as some outcomes go. */
export type MakePlan = (run: RunContext, outcomes: Outcomes) => Steps<Plan>;

/** For how many outcomes of a request a stage is retained. */
const mostOutcomes = 32;

interface StageNode {
  readonly stage: CompiledStage;
  readonly outcomes: Outcomes;
  /** By outcome, the latest first. */
  readonly next: { readonly outcome: Outcome; readonly node: StageNode }[];
}

/**
 * A plan that can be run, for inputs of certain layouts: stage after stage. Which stage comes after one depends on what a
 * run tells; stages for the latest outcomes are there already.
 */
export class CompiledPlan {
  /** Whether a run goes on, and others wait for nothing of it. */
  isBusy = false;
  private readonly memory: PlanMemory;
  private root: StageNode | undefined;
  private replaying: Replay | undefined;
  /** Whether a call of the reference draws random numbers, or reads inputs of the run by itself. */
  private isVarying = false;

  constructor(
    options: CompileOptions,
    private readonly makePlan: MakePlan,
    run: RunContext,
    span: Span,
  ) {
    this.memory = {
      ...options,
      span,
      tables: new TableBlocks(options.machine.arena),
      runs: new RunCount(),
      bytes: 0,
      current: run,
    };
  }

  /** Of what its steps write to. */
  get bytes(): number {
    return this.memory.bytes;
  }

  /** The first stage; it is there when a run has begun. */
  get first(): CompiledStage | undefined {
    return this.root?.stage;
  }

  /** The stage that the latest run ended with. */
  get last(): CompiledStage | undefined {
    let node = this.root;
    for (let next = node?.next[0]; next !== undefined; next = next.node.next[0]) node = next.node;
    return node?.stage;
  }

  fits(run: RunContext): boolean {
    const { batch } = this.memory;
    // A result of no input of the batch has its dimension, too.
    if (batch !== undefined && run.sizeOf(batch.dimension) !== batch.size) return false;
    return !this.isBusy && this.root?.stage.fits(run) === true;
  }

  /** The results for the inputs of a run, which fit. */
  *run(run: RunContext): Steps<readonly Tensor[]> {
    const read: Block[] = [];
    const { arena } = this.memory.machine;
    this.isBusy = true;
    try {
      this.memory.current = run;
      this.memory.runs.value++;
      // The cells of earlier runs are still there, also those of branches that this one may not take.
      run.meter.store(this.memory.bytes, this.memory.span);
      this.root ??= yield* this.createStage(run, new Outcomes(), undefined);
      return yield* this.runStages(this.root, run, read);
    } finally {
      for (const block of read) arena.release(block);
      this.isBusy = false;
    }
  }

  /** Goes from the first stage to the last; blocks of inputs are added to those that the run reads. */
  private *runStages(first: StageNode, run: RunContext, read: Block[]): Steps<readonly Tensor[]> {
    const { arena } = this.memory.machine;
    const tensors = new Map<Node, Tensor>();
    for (let node = first; ; ) {
      const { stage } = node;
      yield* stage.bind(run, tensors);
      for (const { block } of stage.outside) {
        arena.retain(block);
        read.push(block);
      }
      yield* stage.runInSlices(run);
      const { request } = stage;
      if (request === undefined) return stage.resultTensors();
      const { outcome, tensor } = yield* stage.outcome(run);
      if (tensor !== undefined) tensors.set(request.node, tensor);
      node = yield* this.nextStage(node, outcome, run);
    }
  }

  private *createStage(run: RunContext, outcomes: Outcomes, before: StageNode | undefined): Steps<StageNode> {
    const plan = yield* this.makePlan(run, outcomes);
    if (before !== undefined) verifyContinuation(before.stage.plan, plan);
    const stage = new CompiledStage(plan, this.memory, before?.stage);
    if (before === undefined) {
      this.isVarying = [...plan.planner.calls.values()].some(isVarying);
    }
    return { stage, outcomes, next: [] };
  }

  /** The stage for an outcome: one that is there, or a new one. */
  private *nextStage(node: StageNode, outcome: Outcome, run: RunContext): Steps<StageNode> {
    const { next, outcomes, stage } = node;
    const at = next.findIndex((each) => isSame(each.outcome, outcome) && each.node.stage.fits(run));
    const [existing] = at < 0 ? [] : next.splice(at, 1);
    if (existing !== undefined) {
      next.unshift(existing);
      return existing.node;
    }
    if (stage.request === undefined) throw new Error("a stage that asks nothing has none after it");
    const created = yield* this.createStage(run, outcomes.with(stage.request, outcome), node);
    next.unshift({ outcome, node: created });
    for (const old of next.splice(mostOutcomes)) releaseAll(old.node);
    return created;
  }

  /**
   * Runs on values that need no other form, where the plan has one stage; absent where a value needs one, or is
   * missing, or unknown. Limits were checked by the first run.
   */
  replay(inputs: HostInputs): Replay | undefined {
    // What a run was promised by the host is its own.
    if (this.isBusy || this.memory.current.drawn.size > 0) return undefined;
    const replaying = this.replaying ?? this.startReplaying(inputs);
    if (replaying === undefined) return undefined;
    // A function of the host may run the program that calls it, which takes another plan then.
    this.isBusy = true;
    try {
      return replaying.run(inputs) ? replaying : undefined;
    } finally {
      this.isBusy = false;
    }
  }

  private startReplaying(inputs: HostInputs): Replay | undefined {
    const stage = this.root?.stage;
    if (stage?.results === undefined || this.isVarying) return undefined;
    this.replaying = stage.replay([...stage.varyingInputs(), ...this.unusedInputs(inputs, stage)]);
    return this.replaying;
  }

  /** Inputs that the program declares and the plan does not need: their forms are as those of the latest run, which was checked. */
  private unusedInputs(values: HostInputs, { plan }: CompiledStage): readonly VaryingInput[] {
    return Object.keys(values).flatMap((name) => {
      const tensor = plan.inputs.has(name) ? undefined : this.memory.current.input(name);
      return tensor === undefined ? [] : [new VaryingInput(layoutOf(name, tensor, false), undefined)];
    });
  }

  /** The last result as `BackendPlan.numberFunction` has it, where the latest run had just these inputs, all of them numbers. */
  numberFunction(names: readonly string[]): NumberFunction | undefined {
    const { current } = this.memory;
    const stage = this.root?.stage;
    if (stage === undefined || this.isVarying || current.drawn.size > 0) return undefined;
    if (!names.every((name) => current.input(name)?.type.isScalar === true)) return undefined;
    const inputs = stage.varyingInputs();
    // Of other inputs there is no value, and of fixed ones no other.
    if (!inputs.every(({ name }) => names.includes(name)) || !stage.isVaried(names)) return undefined;
    return stage.replay(inputs)?.numberFunction?.(names);
  }

  /** Gives back the memory of slots whose cells no result looks at: the plan is not used again. */
  release(): void {
    if (this.root !== undefined) releaseAll(this.root);
    this.memory.tables.release();
  }
}

function releaseAll({ stage, next }: StageNode): void {
  stage.release();
  for (const { node } of next) releaseAll(node);
}

function isSame(left: Outcome, right: Outcome): boolean {
  if (left instanceof Int32Array)
    return (
      right instanceof Int32Array &&
      left.length === right.length &&
      left.every((row, at) => row === right[at])
    );
  if (typeof left !== "object" || typeof right !== "object" || right instanceof Int32Array)
    return left === right;
  return isSameTensor(left, right);
}

const isSameTensor = (left: TensorOutcome, right: TensorOutcome): boolean =>
  left.index === right.index && left.sizes.join() === right.sizes.join();
