import { defaultBackend } from "../backends/backends.js";
import type { Steps } from "../backends/meter.js";
import type { RunContext } from "../backends/run-context.js";
import { planReport } from "../inspect/plan-report/plan-report.js";
import type { Plan, PlanStage } from "../inspect/plan-report/show-plan.js";
import { primitiveText } from "../language/check/primitive/primitive.js";
import type { Node } from "../language/core/operations.js";
import { overflowOf } from "../language/limits/overflow.js";
import { boolean, type OptionRules } from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import { type Stage, stagesOf } from "../optimise/optimise.js";
import type { Options } from "./options.js";
import type { ProgramPlans } from "./runs/program-plans.js";

/** Options of a plan. */
export interface PlanOptions {
  /** Whether each step is run a few more times, to measure it; the program needs a clock. */
  readonly run?: boolean;
}

/** The rules of `PlanOptions`. */
export const planRules: OptionRules<PlanOptions> = { run: boolean };

/** The plan for the inputs of a run, by the default backend where that of the program has none to report. */
export function* planOf(
  plans: ProgramPlans,
  run: RunContext,
  { clock, optimise }: Options,
  { run: isTimed = false }: PlanOptions,
): Steps<Plan> {
  const { checked, backend } = plans;
  const roots = checked.results.map(({ node }) => node);
  const stages = optimise === false ? [] : stagesOf(roots, checked.graph);
  const { inspect = defaultBackend.inspect } = backend;
  const inspection = yield* inspect(plans.optimisedRoots("results"), run, isTimed ? clock : undefined);
  return { stages: [stageOf("core", roots), ...stages.map(stageReport)], ...planReport(inspection) };
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
