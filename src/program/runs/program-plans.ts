import type { Backend, BackendPlan, PlanningOptions, Root } from "../../backends/backend.js";
import type { Meter } from "../../backends/meter.js";
import type { CheckedProgram } from "../../language/check/statements/program.js";
import { requireText } from "../../language/source/arguments.js";
import { SphexError } from "../../language/source/problem.js";
import { spanOfText } from "../../language/values/messages.js";
import { optimised } from "../../optimise/optimise.js";
import { problem } from "../messages.js";
import { stepParts } from "../training/labels/step-parts.js";
import { finiteness } from "../training/statements/training-text.js";

/** What one plan computes: a named value, results with named values, or one of what runs, sessions and training need of a whole program. */
export type PlanSubject = Outcome | { readonly named: string } | { readonly withResults: readonly string[] };

type Outcome = "results" | "session" | "objective" | "training" | "gradients" | "update";

/** The roots of a plan, in the order in which it gives their values. */
const rootsOf: Readonly<Record<Outcome, (checked: CheckedProgram) => readonly Root[]>> = {
  results: ({ results }) => results,
  /** All results, and what is assigned afterwards. */
  session: ({ results, assignments }) => [...results, ...assignments.values()],
  objective: ({ objective }) => (objective === undefined ? [] : [objective]),
  /** A step of training: the objective, whether all is finite, and what is assigned. */
  training: (checked) => [
    ...rootsOf.objective(checked),
    namedRoot(checked, finiteness),
    ...checked.assignments.values(),
  ],
  /** The first part of a step whose gradients are apart: the objective, the gradients, and what the program itself assigns. */
  gradients: (checked) => {
    const { gradients, own } = stepParts(checked);
    const computed = gradients.map((each) => namedRoot(checked, each));
    return [...rootsOf.objective(checked), ...computed, ...assigned(checked, own)];
  },
  /** The second part of such a step: whether all is finite, and what the optimiser assigns. */
  update: (checked) => [namedRoot(checked, finiteness), ...assigned(checked, stepParts(checked).updated)],
};

const assigned = ({ assignments }: CheckedProgram, names: readonly string[]): readonly Root[] =>
  names.flatMap((each) => assignments.get(each) ?? []);

/** The key of a subject in a cache. No outcome is called as a value is here. */
function keyOf(subject: PlanSubject): string {
  if (typeof subject === "string") return subject;
  return "named" in subject ? `value ${subject.named}` : `results ${JSON.stringify(subject.withResults)}`;
}

/** The plans of a program, each made when it is first requested. */
export class ProgramPlans {
  private readonly cache = new Map<string, BackendPlan>();

  constructor(
    readonly checked: CheckedProgram,
    readonly backend: Backend,
    private readonly isOptimised: boolean,
    /** The roots that are optimised already. */
    private readonly optimised = new Map<string, readonly Root[]>(),
  ) {}

  /** Plans of a backend with options of their own for the same program, which is optimised once for all of them. */
  fresh(backend = this.backend): ProgramPlans {
    return new ProgramPlans(this.checked, backend, this.isOptimised, this.optimised);
  }

  /** The plan of a subject. The options are those of the first request, whose meter counts the work. */
  plan(subject: PlanSubject, options: PlanningOptions = {}, meter?: Meter): BackendPlan {
    const key = keyOf(subject);
    const cached = this.cache.get(key);
    if (cached !== undefined) return cached;
    const { backend } = this;
    const roots = backend.isOptimised ? this.optimisedRoots(subject, meter) : this.roots(subject);
    const plan = backend.plan(roots, options);
    this.cache.set(key, plan);
    return plan;
  }

  /** The roots of a subject, optimised unless the options say otherwise. */
  optimisedRoots(subject: PlanSubject, meter?: Meter): readonly Root[] {
    if (!this.isOptimised) return this.roots(subject);
    const key = keyOf(subject);
    const cached = this.optimised.get(key);
    if (cached !== undefined) return cached;
    const roots = this.roots(subject);
    const nodes = optimised(
      roots.map(({ node }) => node),
      this.checked.graph,
      (work, span) => void meter?.spend(work, span),
    );
    const replaced = roots.map(({ node, span }, at) => ({ node: nodes[at] ?? node, span }));
    this.optimised.set(key, replaced);
    return replaced;
  }

  private roots(subject: PlanSubject): readonly Root[] {
    const { checked } = this;
    if (typeof subject === "string") return rootsOf[subject](checked);
    if ("named" in subject) return [namedRoot(checked, subject.named)];
    return [...checked.results, ...subject.withResults.map((each) => namedRoot(checked, each))];
  }
}

/**
 * The named value of a program, to be computed.
 * @throws SphexError where it has none of the name.
 */
export function namedRoot({ values }: CheckedProgram, name: string): Root {
  const node = values.get(name);
  if (node === undefined) throw unknownName(name);
  return { node, span: node.span };
}

export function unknownName(name: string): SphexError {
  requireText("value", name);
  const values = { name, nearest: undefined, isFunction: false };
  return new SphexError([problem("name/unknown", spanOfText(name, name), values)]);
}
