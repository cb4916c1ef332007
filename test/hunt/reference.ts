import type { Dialect } from "../../src/language/check/dialect.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { nodesOf } from "./nodes.js";
import { isInexact, perturbed } from "./perturbed.js";
import { limits, type Outcome, outcomeOf, type Run, type Subject } from "./runs.js";

/** What the reference makes of a program on its inputs, found once for each. */
export class Reference {
  private readonly outcomes = new Map<Run, Outcome>();
  private readonly ranges = new Map<Run, Outcome[]>();
  private precision: Precision | undefined;

  constructor(private readonly subject: Subject) {}

  outcome(run: Run): Outcome {
    const cached = this.outcomes.get(run);
    if (cached !== undefined) return cached;
    const outcome = this.run(run);
    this.outcomes.set(run, outcome);
    return outcome;
  }

  private run(run: Run, steps = mostSteps): Outcome {
    const program = this.subject.compiled({ backend: "reference", limits: { ...limits, steps } });
    return outcomeOf(() => this.subject.values(program, run));
  }

  /** Whether a program comes to a limit in one of these runs: it would be in the way of many others. */
  takesLong(runs: readonly Run[]): boolean {
    return runs.some((run) => isLong(this.outcome(run)));
  }

  /** Whether a run of it takes but few steps. */
  isShort(run: Run, steps = fewSteps): boolean {
    return !isLong(this.run(run, steps));
  }

  get dialect(): Dialect {
    return this.subject.dialect;
  }

  /** How many results there are, before the named values. */
  get results(): number {
    return this.subject.checked.results.length;
  }

  /** What comes of it so many times with errors as large as they may be: nothing where there can be none. */
  perturbed(run: Run, count: number): readonly Outcome[] {
    this.precision ??= precisionOf(this.subject);
    const { isFloat, hasErrors } = this.precision;
    const outcomes = this.ranges.get(run) ?? [];
    this.ranges.set(run, outcomes);
    if (hasErrors)
      while (outcomes.length < count)
        outcomes.push(perturbed(outcomes.length + 1, isFloat, () => this.run(run, 10 * mostSteps)));
    return outcomes;
  }
}

/** How often a run is repeated with errors: what few of them explain, more of them would. */
export const perturbations = [2, 5, 16];
/** Of a run with no more steps than these so many are tried as well: each of many cells may be one that only some orders overflow. */
export const [manyPerturbations, stepsOfMany] = [64, 200_000];
/** Steps of the reference, as the meter counts them. */
const [mostSteps, fewSteps] = [2_000_000, 20_000];

/** Whether the reference left off at a limit: others may store less, and take fewer steps. */
export const isLong = (outcome: Outcome): boolean =>
  outcome.kind === "problems" && outcome.codes.includes("limit/");

interface Precision {
  readonly isFloat: boolean;
  readonly hasErrors: boolean;
}

/** Whether anything in a program is computed in floats, and whether anything may be computed with errors. */
function precisionOf(subject: Subject): Precision {
  const reached = nodesOf(subject.roots);
  return {
    isFloat: reached.some(({ node }) => cellTypes[node.type.cellType].decaysTo === "float"),
    hasErrors: reached.some(({ node }) => isInexact(node)),
  };
}
