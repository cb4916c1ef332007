import { Meter, type Steps } from "../../src/backends/meter.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { limitsOf } from "../../src/program/options.js";
import { chosenBackend } from "../../src/program/runs/chosen-backend.js";
import { ProgramPlans } from "../../src/program/runs/program-plans.js";
import { Run as ProgramRun } from "../../src/program/runs/run.js";
import type { Choice } from "./choice.js";
import { limits, type Outcome, outcomeOf, type Run, type Subject } from "./runs.js";

/** A run that goes on when it has its turn. */
interface PausedRun {
  readonly steps: Steps<readonly Tensor[]>;
  outcome: Outcome | undefined;
}

/**
 * Runs of a program that take turns, as those of `runAsync` do: each is left wherever it can be, and others go on
 * meanwhile. One more is cut off on the way, as one whose signal is aborted.
 */
export function takingTurns(subject: Subject, runs: readonly Run[], choice: Choice): readonly Outcome[] {
  const options = { limits, dialect: subject.dialect };
  const plans = new ProgramPlans(subject.checked, chosenBackend(subject.checked, options), true);
  const begun = (run: Run): PausedRun => {
    const inputs = new Map(Object.entries(subject.inputs(run)));
    const meter = new Meter(limitsOf(options));
    const started = new ProgramRun(subject.checked, inputs, meter, plans);
    const spend = meter.spend.bind(meter);
    // Small programs would be over before a meter lets go of them.
    meter.spend = (work, span) => spend(work, span) || choice.percent(30);
    return { steps: started.results(), outcome: undefined };
  };
  const aborted = begun(choice.oneOf(runs));
  let left = choice.below(6);
  const all = runs.map(begun);
  for (let open = all; open.length > 0; open = all.filter(({ outcome }) => outcome === undefined)) {
    goOn(choice.oneOf(open));
    if (left > 0 && aborted.outcome === undefined) goOn(aborted);
    if (--left === 0 && aborted.outcome === undefined) abort(aborted);
  }
  return all.map(({ outcome }) => outcome ?? { kind: "endless", message: "a run has no end" });
}

/** Goes on to the next pause, or to the end. */
function goOn(run: PausedRun): void {
  let step: ReturnType<PausedRun["steps"]["next"]> | undefined;
  const outcome = outcomeOf(() => {
    step = run.steps.next();
    return step.done === true ? step.value : [];
  });
  if (outcome.kind !== "values" || step?.done === true) run.outcome = outcome;
}

/** Throws into the run, so that it can clean up; what it throws itself is the same again. */
function abort({ steps }: PausedRun): void {
  const reason = new Error("aborted");
  try {
    steps.throw(reason);
  } catch (error) {
    if (error !== reason) throw error;
  }
}
