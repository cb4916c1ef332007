import type { Plan } from "../plan/plan.js";
import type { Buffer } from "../values/value.js";
import { numbered } from "./numbering.js";
import type { PlanStep, StepBlock } from "./step.js";
import { blocksOf, readsOf } from "./step-reads.js";

/**
 * Sees that a plan begins with the stages of the one for fewer outcomes: those have been run when the next is planned, and are
 * not run again. A step that only the longer plan has there would never run, and its cells would be those of anything.
 * @throws Error which says what.
 */
export function verifyContinuation(before: Plan, after: Plan): void {
  const [from, to] = [numbered(before), numbered(after)];
  const isSame = (one: Buffer, other: Buffer): boolean =>
    from.get(one) === to.get(other) && one.length === other.length && one.cellType === other.cellType;
  const areSame = (some: readonly Buffer[], others: readonly Buffer[]): boolean =>
    some.length === others.length && some.every((each, at) => isSame(each, others[at] as Buffer)); // as many
  const seen = new Set<StepBlock>();
  const isSameBlock = (one: StepBlock, other: StepBlock): boolean => {
    if (seen.has(one)) return true;
    seen.add(one);
    return (
      one.steps.length === other.steps.length &&
      one.steps.every((step, at) => isSameStep(step, other.steps[at]))
    );
  };
  const isSameStep = (one: PlanStep, other: PlanStep | undefined): boolean => {
    if (one.kind !== other?.kind || !areSame(readsOf(one), readsOf(other))) return false;
    if (!areSame(writesOf(one), writesOf(other))) return false;
    const [blocks, others] = [blocksOf(one), blocksOf(other)];
    return (
      blocks.length === others.length &&
      blocks.every((block, at) => isSameBlock(block, others[at] as StepBlock)) // as many
    );
  };
  for (const [at, stage] of before.stages.entries()) {
    const other = after.stages[at];
    if (other === undefined || stage.request?.kind !== other.request?.kind || !isSameBlock(stage, other))
      throw new Error("a plan begins with the stages of the one before");
  }
}

const writesOf = (step: PlanStep): readonly Buffer[] => ("writes" in step ? [step.writes] : []);
