import { listUnder } from "../../../language/source/lists.js";
import type { PlanSteps, SharedMemory, StepBlock } from "../ir/step.js";
import { allReadsOf, onlyStage, readBehind } from "../ir/step-reads.js";
import type { Buffer } from "../values/value.js";

/**
 * Which buffers may lie in the same memory: those of the same type and length whose lives do not overlap. A buffer lives
 * from the step that writes it to the last that reads it. What is read in other runs or stages, or leaves as a result,
 * has memory of its own; and so has what a branch or a group computes, since not every run does, and what cells last in.
 */
export function place(plan: PlanSteps): SharedMemory {
  const stage = onlyStage(plan);
  if (stage === undefined) return new Map();
  const ranges = liveRangesIn(stage, new Set([...readBehind(plan), ...lastingIn(stage)]));
  const [starts, ends] = [byStep(ranges, "start"), byStep(ranges, "end")];
  const free = new Map<string, Buffer[]>();
  const memory = new Map<Buffer, Buffer>();
  for (const at of stage.steps.keys()) {
    for (const buffer of starts.get(at) ?? []) {
      const owner = free.get(kindOf(buffer))?.pop();
      if (owner !== undefined) memory.set(buffer, owner);
    }
    // What the step reads for the last time is free behind it, not for what it writes.
    for (const buffer of ends.get(at) ?? [])
      listUnder(free, kindOf(buffer)).push(memory.get(buffer) ?? buffer);
  }
  return memory;
}

const kindOf = ({ cellType, length }: Buffer): string => `${cellType} ${length}`;

/** The buffers whose lives start, or end, at each step. */
function byStep(
  ranges: ReadonlyMap<Buffer, LiveRange>,
  which: keyof LiveRange,
): ReadonlyMap<number, readonly Buffer[]> {
  const steps = new Map<number, Buffer[]>();
  for (const [buffer, range] of ranges) listUnder(steps, range[which]).push(buffer);
  return steps;
}

interface LiveRange {
  readonly start: number;
  readonly end: number;
}

/** The lives of buffers that are computed, and read, within a block in every run. */
function liveRangesIn({ steps }: StepBlock, without: ReadonlySet<Buffer>): ReadonlyMap<Buffer, LiveRange> {
  const ranges = new Map<Buffer, LiveRange>();
  for (const [at, step] of steps.entries()) {
    for (const buffer of allReadsOf(step)) {
      const range = ranges.get(buffer);
      if (range !== undefined) ranges.set(buffer, { ...range, end: at });
    }
    if (!("writes" in step) || step.isOnce || without.has(step.writes)) continue;
    ranges.set(step.writes, { start: ranges.get(step.writes)?.start ?? at, end: at });
  }
  return ranges;
}

/** Buffers some of whose cells last from run to run. */
const lastingIn = ({ steps }: StepBlock): readonly Buffer[] =>
  steps.flatMap((step) => (step.kind === "loop" && step.lasting !== undefined ? [step.writes] : []));

/** Sees that no step reads memory in which another buffer lies by then. @throws Error where one does. */
export function verifyMemory({ stages }: PlanSteps, memory: SharedMemory): void {
  const occupants = new Map<Buffer, Buffer>();
  const memoryOf = (buffer: Buffer): Buffer => memory.get(buffer) ?? buffer;
  for (const step of stages.at(-1)?.steps ?? []) {
    for (const buffer of allReadsOf(step)) {
      const occupant = occupants.get(memoryOf(buffer));
      if (occupant !== undefined && occupant !== buffer)
        throw new Error("the plan is not sound: memory is used too early");
    }
    if ("writes" in step) occupants.set(memoryOf(step.writes), step.writes);
  }
}
