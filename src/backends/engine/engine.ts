import type { Node } from "../../language/core/operations.js";
import { problem, SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Steps } from "../meter.js";
import { Arena, MemoryFull } from "./arena.js";
import { type EngineRun, type Given, mostBytesLent, Replay } from "./compiled-plan.js";
import { lowered, type Machine } from "./lowering.js";
import { Planner, type Surroundings } from "./plan/planner.js";
import { elsewhere, hasChance } from "./plan/reference-fallback.js";
import type { Value } from "./plan/value.js";

/** The nodes that a program wants to know, and what its inputs are when they are not given. */
export interface Wanted {
  readonly roots: readonly { readonly node: Node; readonly span: Span }[];
  /** @throws SphexError where there is no default. */
  readonly defaultOf: (name: string, span: Span) => Node;
}

/** How a program is run. */
export interface Habits {
  /** Inputs that are the same in all runs: what depends on them alone is computed once. */
  readonly fixed?: ReadonlySet<string>;
  /** Whether code is made at once, because the program will be run often. */
  readonly isEager?: boolean;
  /** A dimension along which inputs hold those of many runs at once. */
  readonly batch?: string;
  /** Whether there will be no second run: no plan is kept, nor any memory but that of the results. */
  readonly isOnce?: boolean;
}

/** How many plans are kept: for inputs of so many different sizes and labels; and how many where memory is scarce. */
const [mostPlans, fewPlans] = [32, 2];

/** Runs the nodes of a program: makes a plan for inputs of sizes and labels that are new, and repeats plans it has. */
export class Engine {
  private readonly plans: Made[] = [];

  constructor(
    private readonly wanted: Wanted,
    private readonly machine: Machine,
    private readonly habits: Habits = {},
  ) {}

  /** The values of the wanted nodes. */
  *run(run: EngineRun): Steps<readonly Tensor[]> {
    try {
      return yield* this.within(run);
    } catch (error) {
      if (!(error instanceof MemoryFull) || this.habits.batch !== undefined) throw error;
    }
    // What the collector has not found yet, nobody waits for: arrays of the machine's own memory will do.
    this.discard(0);
    const { plan } = yield* new Engine(this.wanted, outside).made(run);
    return plan.take();
  }

  /** The values of the wanted nodes, in the machine's memory. */
  private *within(run: EngineRun): Steps<readonly Tensor[]> {
    const at = this.plans.findIndex(({ plan }) => plan.fits(run));
    const plan = this.plans[at]?.plan;
    if (plan === undefined) return yield* this.planned(run);
    if (at > 0) this.plans.unshift(...this.plans.splice(at, 1));
    return yield* plan.run(run);
  }

  /**
   * The values of the wanted nodes, if the plan that was used last fits what is given just as it is: nothing is checked
   * against limits then. Nothing where it does not.
   */
  again(given: Given): readonly Tensor[] | undefined {
    try {
      return this.plans[0]?.plan.again(given);
    } catch (error) {
      if (error instanceof MemoryFull) return undefined;
      throw error;
    }
  }

  /** The values of the wanted nodes, and a plan for the next time. */
  private *planned(run: EngineRun): Steps<readonly Tensor[]> {
    const made = yield* this.made(run);
    const results = made.plan.take();
    if (this.habits.isOnce === true || !made.planner.isReplayable) {
      release(made);
      return results;
    }
    this.plans.unshift(made);
    this.discard(this.machine.arena.bytesInUse > mostBytesLent ? fewPlans : mostPlans);
    return results;
  }

  /** Keeps so many plans. */
  private discard(most: number): void {
    for (const made of this.plans.splice(most)) if (!made.plan.isBusy) release(made);
  }

  /** A plan for what a run is given, its steps run; whoever wants to watch it being made puts himself around it. */
  *made(run: EngineRun, around: (inner: Surroundings) => Surroundings = (inner) => inner): Steps<Made> {
    const { fixed = new Set<string>(), isEager = false, batch } = this.habits;
    const plan = new Replay(this.machine, run, fixed, batch);
    const inner: Surroundings = {
      arena: this.machine.arena,
      makesCode: this.machine.compiled.length > 0,
      meter: run.meter,
      lower: (loop) => lowered(loop, this.machine, isEager),
      input: ({ name, type }) => plan.input(name, type),
      defaultOf: ({ name, span }) => this.wanted.defaultOf(name, span),
      constant: ({ value }) => plan.constant(value),
      elsewhere: (node, self) => {
        if (batch !== undefined)
          throw new SphexError([problem("batch/impossible", node.span, { dimension: batch })]);
        plan.hasChance ||= hasChance(node);
        return elsewhere(node, self, () => plan.current);
      },
    };
    const planner = new Planner(around(inner));
    const results: Value[] = [];
    for (const { node, span } of this.wanted.roots) {
      const value = planner.store(yield* planner.plan(node), node.type.cellType, span);
      plan.result(value, node.type);
      results.push(value);
    }
    yield* planner.recorder.flush(run.meter);
    plan.steps = planner.recorder.steps;
    return { plan, planner, results };
  }
}

/** A place without a memory of its own. */
const outside: Machine = { arena: new Arena({ maximumBytes: 0 }), compiled: [] };

function release({ plan, planner }: Made): void {
  plan.release([...planner.recorder.slots, ...plan.recorder.slots], planner.tables.blocks);
}

/** A plan with its maker, who knows the value of every node, and the stored values of the wanted ones. */
export interface Made {
  readonly plan: Replay;
  readonly planner: Planner;
  readonly results: readonly Value[];
}
