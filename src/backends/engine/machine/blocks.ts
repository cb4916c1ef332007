import { SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { readCell } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { finish, type Meter, type Steps } from "../../meter.js";
import type { BranchStep, DemandStep, PlanStep as PlannedStep, StepBlock, StepGroup } from "../ir/step.js";
import type { Slot, Step } from "../loop.js";
import type { Buffer } from "../values/value.js";
import { compiledForest } from "./forest-step.js";
import { compiledGather } from "./labels/gather-step.js";
import { compiledScatter } from "./labels/scatter-step.js";
import { compiledRange } from "./range-step.js";
import { compiledRanking } from "./ranking-step.js";
import { compiledScan } from "./scan-step.js";
import {
  type CompiledStep,
  compiledCall,
  compiledContraction,
  compiledLoop,
  compiledSegments,
  type StepContext,
} from "./steps.js";
import { compiledThresholdSum } from "./threshold-sum-step.js";

/** What blocks are compiled with. */
export interface BlockContext extends StepContext {
  /** @throws SphexError where so many cells are beyond the limits. */
  readonly allow: (buffer: Buffer, span: Span) => void;
  /** Counts runs: a group is computed once in each. */
  readonly runs: RunCount;
  readonly groups: Map<number, CompiledGroup>;
  /** Called with every step that is compiled, for reports. */
  readonly watch?: ((planned: PlannedStep, compiled: CompiledStep) => void) | undefined;
}

/** How many runs of a plan have begun. */
export class RunCount {
  value = 0;
}

/** Steps that are compiled when a run first comes to them. Those that are the same in all runs are run once. */
export class CompiledBlock {
  private steps: readonly CompiledStep[] | undefined;

  constructor(
    private readonly block: StepBlock,
    private readonly context: BlockContext,
  ) {}

  /** The steps of all runs but the first; absent until that has come to the end of them. */
  get repeated(): readonly CompiledStep[] | undefined {
    return this.steps;
  }

  /** Runs all steps without pausing. */
  readonly run = (): void => {
    const { steps } = this;
    if (steps === undefined) {
      finish(this.first(undefined));
      return;
    }
    for (let at = 0; at < steps.length; at++) {
      const { step } = steps[at] as CompiledStep; // within the list
      step.run(0, step.extent);
    }
  };

  /** Runs all steps in slices, so that limits hold and other work can be done in between. */
  runInSlices(meter: Meter): Steps<void> {
    return this.steps === undefined ? this.first(meter) : runSteps(this.steps, meter);
  }

  /** Compiles each step, and runs it. */
  private *first(meter: Meter | undefined): Steps<void> {
    const repeated: CompiledStep[] = [];
    for (const [planned, compiled] of compiledSteps(this.block, this.context)) {
      this.context.watch?.(planned, compiled);
      if (meter === undefined) compiled.step.run(0, compiled.step.extent);
      else yield* runSteps([compiled], meter);
      if (!compiled.isOnce) repeated.push(compiled);
    }
    this.steps = repeated;
  }
}

/** A block that several branches need: computed by the first that comes to it in a run. */
export class CompiledGroup {
  private readonly block: CompiledBlock;
  private lastRun = -1;

  constructor(
    group: StepGroup,
    private readonly context: BlockContext,
  ) {
    this.block = new CompiledBlock(group, context);
  }

  run(): void {
    const { runs } = this.context;
    if (this.lastRun === runs.value) return;
    this.block.run();
    this.lastRun = runs.value;
  }

  *runInSlices(meter: Meter): Steps<void> {
    const { runs } = this.context;
    if (this.lastRun === runs.value) return;
    yield* this.block.runInSlices(meter);
    this.lastRun = runs.value;
  }
}

/** The steps of a block, each compiled when it is asked for. */
function* compiledSteps(
  { steps }: StepBlock,
  context: BlockContext,
): Generator<readonly [PlannedStep, CompiledStep]> {
  for (let at = 0; at < steps.length; at++) {
    const [planned, next] = [element(steps, at), steps[at + 1]];
    if (planned.kind === "loop" && planned.isSegmented === true && next?.kind === "loop") {
      for (const { writes, span } of [planned, next]) context.allow(writes, span);
      const [summing, reading] = compiledSegments(planned, next, context);
      yield [planned, summing];
      yield [next, reading];
      at++;
    } else yield [planned, compiledStep(planned, context)];
  }
}

function compiledStep(planned: PlannedStep, context: BlockContext): CompiledStep {
  if ("writes" in planned) context.allow(planned.writes, planned.span);
  switch (planned.kind) {
    case "loop":
      return compiledLoop(planned, context);
    case "contraction":
      return compiledContraction(planned, context);
    case "forest":
      return compiledForest(planned, context);
    case "ranking":
      return compiledRanking(planned, context);
    case "gather":
      return compiledGather(planned, context);
    case "scatter":
      return compiledScatter(planned, context);
    case "scan":
      return compiledScan(planned, context);
    case "thresholdSum":
      return compiledThresholdSum(planned, context);
    case "range":
      return compiledRange(planned, context);
    case "call":
      return compiledCall(planned, context);
    case "branch":
      return compiledBranch(planned, context);
    case "demand":
      return compiledDemand(planned, context);
    case "refuse": {
      const refuse = (): never => {
        throw new SphexError(planned.problems);
      };
      const [first] = planned.problems;
      if (first === undefined) throw new Error("a refusal has a reason");
      return { step: stepOf("refuses", refuse), span: first.span, isOnce: false };
    }
  }
}

const stepOf = (description: string, run: () => void): Step => ({ extent: 1, work: 1, description, run });

function compiledBranch(
  { condition, yes, no, span, isOnce }: BranchStep,
  context: BlockContext,
): CompiledStep {
  const slot: Slot = context.slotOf(condition.slot);
  const [ofYes, ofNo] = [new CompiledBlock(yes, context), new CompiledBlock(no, context)];
  const chosen = (): CompiledBlock =>
    readCell(condition.cellType, slot.block.cells, condition.offset) !== 0 ? ofYes : ofNo;
  const runInSlices = (): Steps<void> => chosen().runInSlices(context.current().meter);
  return { step: stepOf("one of two branches", () => chosen().run()), span, isOnce, runInSlices };
}

function compiledDemand({ group, span }: DemandStep, context: BlockContext): CompiledStep {
  const compiled = context.groups.get(group.number) ?? new CompiledGroup(group, context);
  context.groups.set(group.number, compiled);
  const runInSlices = (): Steps<void> => compiled.runInSlices(context.current().meter);
  return {
    step: stepOf("what several branches need", () => compiled.run()),
    span,
    isOnce: false,
    runInSlices,
  };
}

/** How much work is done between two looks at the clock, or two chances to pause. */
const sliceWork = 250_000;

/** Runs steps in slices, one after the other. */
function* runSteps(steps: readonly CompiledStep[], meter: Meter): Steps<void> {
  for (let at = 0; at < steps.length; at++) {
    const { step, span, runInSlices } = steps[at] as CompiledStep; // within the list
    if (runInSlices !== undefined) {
      yield* runInSlices();
      continue;
    }
    const { extent, work, threads = 1 } = step;
    const share = (threads * sliceWork * Math.max(extent, 1)) / Math.max(work, 1);
    const slice = Math.max(threads, Math.floor(share));
    let from = 0;
    do {
      const to = Math.min(from + slice, extent);
      if (meter.spend((work * (to - from)) / Math.max(extent, 1), span)) yield;
      step.run(from, to);
      from = to;
    } while (from < extent);
  }
}
