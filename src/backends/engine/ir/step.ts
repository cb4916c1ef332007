import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Loop } from "../loop.js";
import type { Request } from "../plan/planned.js";
import type { StoredValue } from "../values/storage.js";
import type { Buffer, BufferAccess, Producer, ReferenceCall } from "../values/value.js";

/** A loop over buffers, with arrays for its tables. */
export type BufferLoop = Loop<Buffer, Int32Array>;

/** What a plan does, one thing after the other. Each step writes to one buffer, and says for which expression it works. */
export type PlanStep =
  | LoopStep
  | ContractionStep
  | ForestStep
  | RankingStep
  | GatherStep
  | ScatterStep
  | ScanStep
  | ThresholdSumStep
  | RangeStep
  | CallStep
  | BranchStep
  | DemandStep
  | RefuseStep;

interface WritingStep {
  readonly writes: Buffer;
  readonly span: Span;
  /** Whether it reads nothing that differs from run to run, and is not repeated. */
  readonly isOnce: boolean;
}

export interface LoopStep extends WritingStep {
  readonly kind: "loop";
  readonly loop: BufferLoop;
  /**
   * Where it writes the same cells in all runs, and other loops write the others: which of the loops it is. It is not repeated as
   * long as the buffer has the memory that it was run for.
   */
  readonly lasting?: number | undefined;
  /**
   * Whether it sums segments, some neighbouring indexes of its outermost axis each, for the loop behind it. That alone reads the
   * sums, each at one index of its own: the two may be run as one, and then no sum is stored.
   */
  readonly isSegmented?: boolean | undefined;
}

/** Whether each run does it anew, and all of it. */
export const isRepeated = ({ isOnce, lasting }: LoopStep): boolean => !isOnce && lasting === undefined;

export interface ContractionStep
  extends WritingStep,
    Omit<Extract<Producer, { kind: "contraction" }>, "kind"> {
  readonly kind: "contraction";
}

export interface ForestStep extends WritingStep, Omit<Extract<Producer, { kind: "forest" }>, "kind"> {
  readonly kind: "forest";
}

export interface RankingStep extends WritingStep, Omit<Extract<Producer, { kind: "ranking" }>, "kind"> {
  readonly kind: "ranking";
}

export interface GatherStep extends WritingStep, Omit<Extract<Producer, { kind: "gather" }>, "kind"> {
  readonly kind: "gather";
}

export interface ScatterStep extends WritingStep, Omit<Extract<Producer, { kind: "scatter" }>, "kind"> {
  readonly kind: "scatter";
}

export interface ScanStep extends WritingStep, Omit<Extract<Producer, { kind: "scan" }>, "kind"> {
  readonly kind: "scan";
}

export interface ThresholdSumStep
  extends WritingStep,
    Omit<Extract<Producer, { kind: "thresholdSum" }>, "kind"> {
  readonly kind: "thresholdSum";
}

export interface RangeStep extends WritingStep, Omit<Extract<Producer, { kind: "range" }>, "kind"> {
  readonly kind: "range";
}

export interface CallStep extends WritingStep {
  readonly kind: "call";
  readonly call: ReferenceCall;
  /** Whether it draws random numbers, so that each run computes it anew, once. */
  readonly isRandom: boolean;
}

/** One of two blocks, both of which end with what writes the buffer. */
export interface BranchStep extends WritingStep {
  readonly kind: "branch";
  readonly condition: BufferAccess;
  readonly yes: StepBlock;
  readonly no: StepBlock;
}

/** The steps of a group, unless this run did them already: what several branches need, and nothing else. */
export interface DemandStep {
  readonly kind: "demand";
  readonly group: StepGroup;
  /** Of the first expression here that needs the group. */
  readonly span: Span;
}

/** Ends the run. */
export interface RefuseStep {
  readonly kind: "refuse";
  readonly problems: readonly Problem[];
}

export interface StepBlock {
  readonly steps: readonly PlanStep[];
}

export interface StepGroup extends StepBlock {
  readonly number: number;
}

/** Steps up to where the plan depends on cells, or to its results. */
export interface Stage extends StepBlock {
  /** What a run must tell before the next stage is planned. Absent where the results are there. */
  readonly request: Request | undefined;
}

/** What is read of the buffers when all steps are done. */
export interface PlanResult {
  readonly value: StoredValue;
  readonly type: TensorType;
}

/** The steps of a plan, and what they are for. */
export interface PlanSteps {
  readonly stages: readonly Stage[];
  /** Of the roots, in their order; absent where the last stage has a request, or refuses. */
  readonly results: readonly PlanResult[] | undefined;
}

/** For buffers that lie in the memory of another: which one. */
export type SharedMemory = ReadonlyMap<Buffer, Buffer>;
