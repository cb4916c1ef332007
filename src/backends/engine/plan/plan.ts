import type { Node } from "../../../language/core/operations.js";
import type { Problem } from "../../../language/source/problem.js";
import { element } from "../../../language/values/element.js";
import type { Root } from "../../backend.js";
import { problem } from "../../messages.js";
import { ordered } from "../ir/schedule.js";
import type { PlanResult, PlanSteps, SharedMemory } from "../ir/step.js";
import { requestedBuffers } from "../ir/step-reads.js";
import type { InputLayout } from "../layouts/input-layout.js";
import { type DraftStage, draftOf } from "../passes/draft.js";
import { draftPasses, passesWithout } from "../passes/passes.js";
import { renamedAxes } from "../values/axes.js";
import type { Buffer, Value } from "../values/value.js";
import { operations } from "./operations.js";
import { isValue, type Planned, type Request } from "./planned.js";
import { type PlanContext, Planner, type Progress } from "./planner.js";
import { drawnBuffers } from "./runs/randomness.js";

/**
 * How some nodes are computed for inputs of certain layouts: stages of steps, each planned when a run has answered the request of the
 * one before it. Pure data: the same roots, layouts and outcomes make the same plan, buffer by buffer.
 */
export interface Plan extends PlanSteps {
  readonly memory: SharedMemory;
  /** Inputs that the plan is for, by name; absent ones without a layout. */
  readonly inputs: ReadonlyMap<string, InputLayout | undefined>;
  /** What became of each node, for those who report on a plan. */
  readonly planner: Planner;
}

/** Makes a plan, as far as the outcomes go; yields now and then, with the expression that it is at. */
export function* planOf(roots: readonly Root[], context: PlanContext): Generator<Progress, Plan> {
  const { omitted, watch } = context.passes ?? {};
  const passes = passesWithout(omitted);
  const planner = new Planner(context, operations, passes, nodesOf(roots));
  const planned: Planned[] = [];
  for (const { node } of roots) planned.push(yield* planner.plan(node));
  const results = resultsOf(planned, roots, planner);
  const { inputs, storage } = planner;
  const first = draftOf(draftStages(planned, roots, results, planner), storage);
  watch?.("share", first);
  const draft = draftPasses.reduce((before, name) => {
    const after = passes[name](before, planner);
    watch?.(name, after);
    return after;
  }, first);
  const finished = passes.finish({ stages: ordered(draft), results }, planner);
  const embedded = passes.embed(finished, planner);
  const steps = passes.segment(embedded, planner);
  return { ...steps, memory: passes.place(steps, planner), inputs: inputs.layouts, planner };
}

/** What each stage must compute: what its request looks at, or in the last one the results. */
function draftStages(
  planned: readonly Planned[],
  roots: readonly Root[],
  results: readonly PlanResult[] | undefined,
  planner: Planner,
): readonly DraftStage[] {
  const { resolved } = planner.context.outcomes;
  const stages = resolved.map(({ kind, node }, at): DraftStage => {
    const request = planner.requests.resolved.find((each) => each.kind === kind && each.node === node);
    if (request === undefined) throw new Error("a plan asks again what it asked before");
    return { targets: buffersFor(request, resolved.slice(at + 1), roots, planner), request };
  });
  if (results === undefined) return [...stages, lastStage(planned, roots, planner)];
  const drawn = drawnBuffers(undefined, [], nodesOf(roots), planner, planner.scope);
  const targets = results.map(({ value }) => value.source.access.slot);
  const refusing = planner.refusals.required(nodesOf(roots));
  return [...stages, { targets: [...drawn, ...targets, ...refusing], request: undefined }];
}

/**
 * A stage that ends with a request, or that refuses to go on. The runs of a batch would each have an outcome of their own,
 * and so would a node in a body that only the reference computes: for a batch both are refused.
 */
function lastStage(planned: readonly Planned[], roots: readonly Root[], planner: Planner): DraftStage {
  const { batch } = planner.context;
  const at = planned.findIndex((each) => !isValue(each));
  const blocker = element(planned, at);
  if (isValue(blocker)) throw new Error("a value is no obstacle");
  if (blocker.kind === "refused") return refusing(blocker.problems);
  if (batch !== undefined) {
    const span = blocker.kind === "pending" ? blocker.request.node.span : element(roots, at).span;
    return refusing([problem("batch/impossible", span, { dimension: batch })]);
  }
  if (blocker.kind === "unsupported") throw new Error(`nothing computes this: ${blocker.reason}`);
  const { request } = blocker;
  return { targets: buffersFor(request, [], roots, planner), request };
}

/**
 * What must be there before a run answers a request: what it looks at, and all random numbers that come before it. `later` are
 * the requests after it.
 */
function buffersFor(
  request: Request,
  later: readonly Pick<Request, "kind" | "node">[],
  roots: readonly Root[],
  planner: Planner,
): readonly Buffer[] {
  const drawn = drawnBuffers(request, later, nodesOf(roots), planner, planner.scope);
  return [...drawn, ...requestedBuffers(request)];
}

const nodesOf = (roots: readonly Root[]): readonly Node[] => roots.map(({ node }) => node);

const refusing = (problems: readonly Problem[]): DraftStage => ({
  targets: [],
  request: undefined,
  problems,
});

/** The values of all roots, stored; absent where one has none. */
function resultsOf(
  planned: readonly Planned[],
  roots: readonly Root[],
  planner: Planner,
): readonly PlanResult[] | undefined {
  if (!planned.every(isValue)) return undefined;
  return planned.map((value, at) => resultOf(value, element(roots, at), planner));
}

function resultOf(value: Value, { node, span }: Root, { storage, batching }: Planner): PlanResult {
  const stored = storage.storeByName(value, node.type.cellType, span);
  return { value: { ...stored, axes: renamedAxes(stored.axes, batching.show) }, type: node.type };
}
