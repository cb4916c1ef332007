import { append } from "../../../language/source/lists.js";
import type { Request } from "../plan/planned.js";
import { readsOfGather } from "../values/gather.js";
import { readsOfThresholdSum } from "../values/threshold-sum.js";
import type { Buffer } from "../values/value.js";
import type { PlanStep, PlanSteps, Stage, StepBlock } from "./step.js";

/** What steps and requests read, the blocks that steps contain, and the stage that a plan may be. */

/** The stage of a plan that has one alone, which ends with results; nothing of a plan that another may continue, or that continues one. */
export function onlyStage({ stages }: PlanSteps): Stage | undefined {
  const [stage, ...others] = stages;
  return others.length > 0 || stage?.request !== undefined ? undefined : stage;
}

/** The blocks within a step. */
export const blocksOf = (step: PlanStep): readonly StepBlock[] =>
  step.kind === "branch" ? [step.yes, step.no] : step.kind === "demand" ? [step.group] : [];

/** The buffers that a step reads itself. */
export function readsOf(step: PlanStep): readonly Buffer[] {
  switch (step.kind) {
    case "loop":
      return step.loop.sources.map(({ slot }) => slot);
    case "contraction":
      return [step.left.slot, step.right.slot];
    case "forest":
      return step.numbers.map(({ access }) => access.slot);
    case "ranking":
      return typeof step.lastRank === "object" ? [step.cells.slot, step.lastRank.slot] : [step.cells.slot];
    case "gather":
      return readsOfGather(step.gather);
    case "scatter":
      return readsOfGather(step.scatter);
    case "scan":
      return [step.scan.cells.slot];
    case "thresholdSum":
      return readsOfThresholdSum(step.sum);
    case "range":
      return step.buffers;
    case "call":
      return step.call.operands.map(({ access }) => access.slot);
    case "branch":
      return [step.condition.slot];
    case "demand":
    case "refuse":
      return [];
  }
}

/** Steps, and all steps in blocks within them: those of a group once, however many branches need it. */
export function* stepsWithin(steps: readonly PlanStep[]): Generator<PlanStep> {
  const seen = new Set<StepBlock>();
  const open = [...steps];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const block of blocksOf(next)) {
      if (seen.has(block)) continue;
      seen.add(block);
      append(open, block.steps);
    }
  }
}

/** What a step reads, in whichever block within it. */
export const allReadsOf = (step: PlanStep): readonly Buffer[] =>
  Array.from(stepsWithin([step]), (each) => readsOf(each)).flat();

/** Buffers that are read after the last step. */
export function readBehind({ stages, results }: PlanSteps): ReadonlySet<Buffer> {
  const requested = stages.flatMap(({ request }) => (request === undefined ? [] : requestedBuffers(request)));
  return new Set([...requested, ...(results ?? []).map(({ value }) => value.source.access.slot)]);
}

/** The buffers that one access of one step reads, and nothing behind the last step. */
export function readOnce(plan: PlanSteps): ReadonlySet<Buffer> {
  const others = new Set(readBehind(plan));
  const once = new Set<Buffer>();
  for (const buffer of plan.stages.flatMap(({ steps }) => steps.flatMap(allReadsOf))) {
    if (others.has(buffer)) continue;
    if (once.delete(buffer)) others.add(buffer);
    else once.add(buffer);
  }
  return once;
}

/** The buffers that a request looks at. */
export function requestedBuffers(request: Request): readonly Buffer[] {
  if (request.kind === "tensor") return request.call.operands.map(({ access }) => access.slot);
  return [request.access.slot];
}
