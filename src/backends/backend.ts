import type { Node } from "../language/core/operations.js";
import type { Span } from "../language/source/span.js";
import type { CellArray } from "../language/types/cell.js";
import type { Tensor } from "../language/values/tensor.js";
import type { Clock, Steps } from "./meter.js";
import type { PlanInspection } from "./plan-inspection.js";
import type { RunContext } from "./run-context.js";
import type { SupportTable } from "./support.js";

/**
 * A way to run programs: the contract of everything in the list of `backends.ts`.
 *
 * A backend gets core graphs, and gives the values that the reference evaluator gives, within decision D16 of the language,
 * whatever the inputs are: absent, empty, of other sizes than before. It throws a `SphexError` where the reference reports a
 * problem, with the same codes, and nothing else. `test/engine/backend-contract.test.ts` asks all of this of each row.
 */
export interface Backend<Name extends string = string> {
  /** As it is written in options. */
  readonly name: Name;
  /** What it is, in a few words that could follow its name. */
  readonly description: string;
  /** What it can compute. Programs that need more are refused before they run, with a problem for each expression. */
  readonly operations: SupportTable;
  /** What else it offers; the same values come about without it. */
  readonly features: Readonly<Record<BackendFeature, boolean>>;
  /** What a host may lack; none where all that JavaScript has will do. */
  readonly host: HostFeature | undefined;
  /** Whether the optimiser may rewrite a program before it gets here. */
  readonly isOptimised: boolean;
  /** Readies some nodes to be run. This is cheap: what depends on the layouts of inputs is left to the first run. */
  readonly plan: (roots: readonly Root[], options: PlanningOptions) => BackendPlan;
  /**
   * Runs some nodes once, and reports how; with a clock, each step is repeated to be timed. Absent where there is nothing to
   * report but the core itself.
   */
  readonly inspect?: (
    roots: readonly Root[],
    run: RunContext,
    clock: Clock | undefined,
  ) => Steps<PlanInspection>;
}

/** A node that a program computes, and the expression that it is the value of. */
export interface Root {
  readonly node: Node;
  readonly span: Span;
}

/** What a backend may offer. */
export type BackendFeature =
  /** Runs with different inputs at once: `Prepared.runBatch`. */
  | "batch"
  /** Shares what takes long among threads that a host has started. */
  | "threads"
  /** 256-bit vectors, where a host has them. */
  | "wide";

/** Something that not every JavaScript runtime has. */
export interface HostFeature {
  readonly name: string;
  /** Whether the backend is refused without it; otherwise it does without, more slowly. */
  readonly isRequired: boolean;
  /** Whether it is there, found by trying. */
  readonly isAvailable: () => boolean;
}

/** What is known of the runs of a plan before the first. A backend may ignore all of it but `batch`. */
export interface PlanningOptions {
  /** Inputs that are the same in all runs: what depends on them alone may be computed once. */
  readonly fixed?: ReadonlySet<string>;
  /** Whether there will be many runs, so that it pays to make code at once, or when inputs of a layout come again. */
  readonly isEager?: boolean;
  /**
   * Whether a run must not have other last digits than the same run in another process: how sums are ordered, and functions computed,
   * depends on no earlier run then.
   */
  readonly isReproducible?: boolean;
  /** Whether there will be no second run, so that nothing needs to be retained but the results. */
  readonly isOnce?: boolean;
  /** A dimension along which inputs hold those of many runs at once; only where the backend has the feature. */
  readonly batch?: string;
}

/**
 * Some nodes of a program, ready to be run any number of times, on inputs of any layouts. What is expensive is done in the
 * first run with inputs of a layout, or with a new outcome of what depends on their cells, and retained for later ones.
 */
export interface BackendPlan {
  /**
   * The values of the roots, in their order, for the inputs of a run.
   *
   * - Asks the meter before it takes memory for cells, and tells it of work as it is done. Whenever `spend` returns true,
   *   it yields: there a run may be paused, or aborted by an exception. After that, and after any other failure, the next run
   *   is as good as the first.
   * - A named value of a program has a plan of its own, which may be run within the same context after the results.
   * - The results are those of this run for ever: no later run changes their cells. A tensor that is large may own memory
   *   that `Tensor.dispose` gives back, whereupon its cells cannot be read.
   */
  run(run: RunContext): Steps<readonly Tensor[]>;
  /**
   * The values of the roots for inputs just as the latest run had them: the same names, and tensors, arrays or numbers of the
   * same layouts. Nothing is checked against limits. Absent where the inputs are any different, or there is no such short cut.
   */
  replay(inputs: Readonly<Record<string, unknown>>): readonly Tensor[] | undefined;
  /** As `replay`, but makes a tensor of the last root alone. */
  replayLast(inputs: Readonly<Record<string, unknown>>): Tensor | undefined;
  /**
   * As `replay`, but writes the cells of the last root to an array, and makes no tensor. Whether it did.
   * @throws SphexError where the array is of another class than the cells, or has not just as many.
   */
  replayInto(inputs: Readonly<Record<string, unknown>>, array: CellArray): boolean;
  /**
   * The last root as a function of the numbers of scalar inputs, in the order of these names, where the latest run was for just
   * them; it needs nothing of the plan any more, nor are limits checked. Absent where there is no such short cut.
   */
  numberFunction(names: readonly string[]): NumberFunction | undefined;
}

/** A number of numbers, one for each input; absent where these are not as many numbers. */
export type NumberFunction = (numbers: readonly unknown[]) => number | undefined;
