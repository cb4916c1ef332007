import type { Node } from "../../../language/core/operations.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import { problem } from "../../messages.js";
import { Schedule } from "../ir/schedule.js";
import type { PlanStep, Stage } from "../ir/step.js";
import { requestedBuffers } from "../ir/step-reads.js";
import type { InputLayout } from "../layouts/input-layout.js";
import { renamedAxes } from "../values/axes.js";
import { operations } from "./operations.js";
import { isValue, type Planned } from "./planned.js";
import { type PlanContext, Planner, type Progress } from "./planner.js";
import type { StoredValue } from "./storage.js";

/** A node that a program computes, and the expression that it is the value of. */
export interface Root {
  readonly node: Node;
  readonly span: Span;
}

/**
 * How some nodes are computed for inputs of certain layouts: stages of steps, each planned when a run has answered the request of the
 * one before it. Pure data: the same roots, layouts and outcomes make the same plan, buffer by buffer.
 */
export interface Plan {
  readonly stages: readonly Stage[];
  /** Of the roots, in their order; absent where the last stage has a request, or refuses. */
  readonly results: readonly PlanResult[] | undefined;
  /** Inputs that the plan is for, by name; absent ones without a layout. */
  readonly inputs: ReadonlyMap<string, InputLayout | undefined>;
  /** What became of each node, for those who report on a plan. */
  readonly planner: Planner;
}

export interface PlanResult {
  readonly value: StoredValue;
  readonly type: TensorType;
}

/** Makes a plan, as far as the outcomes go; yields now and then, with the expression that it is at. */
export function* planOf(roots: readonly Root[], context: PlanContext): Generator<Progress, Plan> {
  const planner = new Planner(context, operations);
  const planned: Planned[] = [];
  for (const { node } of roots) planned.push(yield* planner.plan(node));
  const schedule = new Schedule(planner.storage);
  const stages: Stage[] = context.outcomes.resolved.map(({ kind, node }) => {
    const request = planner.resolvedRequests.find((each) => each.kind === kind && each.node === node);
    if (request === undefined) throw new Error("a plan asks again what it asked before");
    return { steps: schedule.stage(requestedBuffers(request)), request };
  });
  const at = planned.findIndex((each) => !isValue(each));
  const [blocker, root] = [planned[at], roots[at]];
  if (blocker !== undefined && root !== undefined) {
    stages.push(lastStage(blocker, root, schedule, context));
    return { stages, results: undefined, inputs: planner.inputs, planner };
  }
  const results = planned.map((each, at) => resultOf(each, roots[at], planner));
  const targets = results.map(({ value }) => value.source.access.slot);
  const refusing = planner.refusingBuffers(roots.map(({ node }) => node));
  stages.push({ steps: schedule.stage([...targets, ...refusing]), request: undefined });
  return { stages, results, inputs: planner.inputs, planner };
}

/**
 * A stage that ends with a request, or that refuses to go on. The runs of a batch would each have an outcome of their own,
 * and so would a node in a body that only the reference computes: for a batch both are refused.
 */
function lastStage(blocker: Planned, { span }: Root, schedule: Schedule, { batch }: PlanContext): Stage {
  if (isValue(blocker)) throw new Error("a value is no obstacle");
  if (blocker.kind === "refused") return { steps: [refusal(blocker.problems)], request: undefined };
  if (batch !== undefined) {
    const where = blocker.kind === "pending" ? blocker.request.node.span : span;
    const problems = [problem("batch/impossible", where, { dimension: batch })];
    return { steps: [refusal(problems)], request: undefined };
  }
  if (blocker.kind === "unsupported") throw new Error(`nothing computes this: ${blocker.reason}`);
  return { steps: schedule.stage(requestedBuffers(blocker.request)), request: blocker.request };
}

const refusal = (problems: readonly Problem[]): PlanStep => ({ kind: "refuse", problems });

function resultOf(planned: Planned, root: Root | undefined, planner: Planner): PlanResult {
  if (root === undefined || !isValue(planned)) throw new Error("each root has a value");
  const { node, span } = root;
  const value = planner.storage.store(planned, node.type.cellType, span);
  const { show } = planner.batching;
  return { value: { ...value, axes: renamedAxes(value.axes, show) }, type: node.type };
}
