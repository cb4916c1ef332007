import { Engine } from "../backends/engine/engine.js";
import { machines } from "../backends/engine/machine/machines.js";
import type { EngineRun } from "../backends/engine/machine/reference-call.js";
import type { Steps } from "../backends/meter.js";
import { planReport } from "../inspect/plan-report/plan-report.js";
import type { Plan, PlanStage } from "../inspect/plan-report/show-plan.js";
import { primitiveText } from "../language/check/primitive.js";
import type { Node } from "../language/core/operations.js";
import { overflowOf } from "../language/limits/overflow.js";
import { SphexError } from "../language/source/problem.js";
import { type Stage, stagesOf } from "../optimise/optimise.js";
import type { Options } from "./options.js";
import type { Engines } from "./run.js";

/** Options of a plan. */
export interface PlanOptions {
  /** Whether each step is run a few more times, to measure it; the program needs a clock. */
  readonly run?: boolean;
}

/** The plan of the engine for the inputs of a run, also where the program has another backend. */
export function* planOf(
  engines: Engines,
  run: EngineRun,
  options: Options,
  { run: isTimed = false }: PlanOptions,
): Steps<Plan> {
  const { checked } = engines;
  const roots = checked.results.map(({ node }) => node);
  const stages = options.optimise === false ? [] : stagesOf(roots, checked.graph);
  const optimised = engines.roots(undefined);
  const { backend = "engine" } = options;
  const engine = new Engine(optimised, machines.named(backend === "reference" ? "engine" : backend));
  const nodes = optimised.map(({ node }) => node);
  const report = yield* planReport(engine, nodes, run, { clock: options.clock, isTimed });
  return { stages: [stageOf("core", roots), ...stages.map(stageReport)], ...report };
}

const stageReport = ({ pass, appliedRules, roots }: Stage): PlanStage =>
  stageOf(
    pass.name,
    roots,
    appliedRules.map(({ description }) => description),
  );

const stageOf = (name: string, roots: readonly Node[], laws: readonly string[] = []): PlanStage => ({
  name,
  laws,
  results: roots.map(expressionText),
});

/** A node as an expression of the core functions, if it is not too long or too deep to be one. */
function expressionText(node: Node): string | undefined {
  try {
    return primitiveText(node);
  } catch (error) {
    if (error instanceof SphexError || overflowOf(error) !== undefined) return undefined;
    throw error;
  }
}
