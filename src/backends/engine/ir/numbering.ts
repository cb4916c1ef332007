import type { Plan } from "../plan/plan.js";
import type { Buffer } from "../values/value.js";
import type { StepBlock } from "./step.js";
import { blocksOf, readsOf, requestedBuffers } from "./step-reads.js";

/**
 * The buffers of a plan in the order in which its steps come to them. Plans of the same layouts and outcomes give the same
 * number to the same buffer, and a plan for more outcomes only adds to those of a plan for fewer.
 */
export function numbered(plan: Plan): ReadonlyMap<Buffer, number> {
  const numbers = new Map<Buffer, number>();
  const number = (buffer: Buffer): void => {
    if (!numbers.has(buffer)) numbers.set(buffer, numbers.size);
  };
  const seen = new Set<StepBlock>();
  for (const stage of plan.stages) {
    numberBlock(stage, number, seen);
    if (stage.request !== undefined) for (const buffer of requestedBuffers(stage.request)) number(buffer);
  }
  for (const { value } of plan.results ?? []) number(value.source.access.slot);
  return numbers;
}

function numberBlock(block: StepBlock, number: (buffer: Buffer) => void, seen: Set<StepBlock>): void {
  if (seen.has(block)) return;
  seen.add(block);
  for (const step of block.steps) {
    for (const buffer of readsOf(step)) number(buffer);
    for (const inner of blocksOf(step)) numberBlock(inner, number, seen);
    if ("writes" in step) number(step.writes);
  }
}
