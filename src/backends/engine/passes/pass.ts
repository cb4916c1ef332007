import type { PlanSteps, SharedMemory } from "../ir/step.js";
import type { Value } from "../values/value.js";
import type { SumOfProduct } from "./contract.js";
import type { Draft } from "./draft.js";
import type { PassState } from "./pass-state.js";
import type { UsedValue } from "./share.js";

/** One improvement of a plan: from data to data. */
export interface Pass<From, To> {
  /** What it does, in a sentence. */
  readonly description: string;
  readonly apply: (from: From, state: PassState) => To;
  /** What stands for its result where it is left out; a plan without a pass is as right, and slower. */
  readonly omit: (from: From, state: PassState) => To;
}

/** All passes, in the order in which they come. The first two decide while values are made, since later values are made of these. */
export interface Passes {
  readonly contract: Pass<SumOfProduct, Value | undefined>;
  readonly share: Pass<UsedValue, Value>;
  readonly limit: Pass<Draft, Draft>;
  readonly hoist: Pass<Draft, Draft>;
  readonly factorise: Pass<Draft, Draft>;
  readonly store: Pass<Draft, Draft>;
  readonly fuse: Pass<Draft, Draft>;
  readonly finish: Pass<PlanSteps, PlanSteps>;
  readonly embed: Pass<PlanSteps, PlanSteps>;
  readonly segment: Pass<PlanSteps, PlanSteps>;
  readonly place: Pass<PlanSteps, SharedMemory>;
}

export type PassName = keyof Passes;

/** Passes as functions: applied, or left out. */
export type PassFunctions = { readonly [Name in PassName]: Passes[Name]["apply"] };

/** For those who want to see what passes do. */
export interface PassOptions {
  /** Passes that are left out. */
  readonly omitted?: readonly PassName[];
  /** Is told what came of each pass from draft to draft, and before them of `share`, when the values are there. */
  readonly watch?: (name: PassName, draft: Draft) => void;
}
