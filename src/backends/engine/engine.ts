import type { Node } from "../../language/core/operations.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { CellArray } from "../../language/types/cell.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { BackendPlan, NumberFunction, PlanningOptions, Root } from "../backend.js";
import type { Steps } from "../meter.js";
import type { RunContext } from "../run-context.js";
import { verify } from "./ir/verify.js";
import { layoutOf } from "./layouts/input-layout.js";
import { CompiledPlan } from "./machine/compiled-plan.js";
import { mostBytesLent } from "./machine/marshalling.js";
import type { HostInputs } from "./machine/replays/input-binder.js";
import type { Replay } from "./machine/replays/replay.js";
import type { CompileOptions } from "./machine/stage.js";
import type { Machine } from "./machine/tiered-step.js";
import { Arena, MemoryFull } from "./memory/arena.js";
import type { PassOptions } from "./passes/pass.js";
import { type Plan, planOf } from "./plan/plan.js";
import type { Outcomes } from "./plan/planned.js";
import { drawsRandom } from "./plan/runs/draws.js";

/** How a program is run by the engine. */
export interface EngineOptions extends PlanningOptions {
  /** How plans are made better, and who watches it. */
  readonly passes?: PassOptions;
}

/** How many plans are retained for inputs of different layouts: more where they are small, and few where memory is scarce. */
const [mostPlans, somePlans, fewPlans] = [256, 32, 2];
/** The most bytes that more than some plans take together. */
const mostBytesOfPlans = 2 ** 26;

/** Runs the nodes of a program: makes a plan for inputs of a layout that is new, and runs plans that it has. */
export class Engine implements BackendPlan {
  private readonly plans: CompiledPlan[] = [];

  constructor(
    private readonly roots: readonly Root[],
    private readonly machine: Machine,
    private readonly options: EngineOptions = {},
  ) {}

  /** The values of the roots. */
  *run(run: RunContext): Steps<readonly Tensor[]> {
    const { bytes } = run.meter;
    try {
      return yield* this.runInArena(run);
    } catch (error) {
      if (!(error instanceof MemoryFull) || this.options.batch !== undefined) throw error;
    }
    // Memory that the collector has not freed yet cannot be waited for: arrays outside of the machine's memory take its place.
    this.retain(0);
    run.meter.bytes = bytes;
    return yield* new Engine(this.roots, arrayMachine).compiled(run).run(run);
  }

  /** The values of the roots, in the machine's memory. */
  private *runInArena(run: RunContext): Steps<readonly Tensor[]> {
    const existing = this.matchingPlan(run);
    if (existing !== undefined) return yield* this.again(existing, run);
    const plan = this.compiled(run);
    const results = yield* plan.run(run);
    if (this.options.isOnce === true) {
      plan.release();
      return results;
    }
    this.plans.unshift(plan);
    this.retain(this.machine.arena.bytesInUse > mostBytesLent ? fewPlans : this.planCount);
    return results;
  }

  /** Runs a plan once more. Other runs may have come so long that it is not retained any more, which could not be released then. */
  private *again(plan: CompiledPlan, run: RunContext): Steps<readonly Tensor[]> {
    try {
      return yield* plan.run(run);
    } finally {
      if (!this.plans.includes(plan)) plan.release();
    }
  }

  /** How many of the latest plans are worth their memory. */
  private get planCount(): number {
    if (this.plans.length <= somePlans) return somePlans;
    let bytes = 0;
    const small = this.plans.findIndex((plan) => (bytes += plan.bytes) > mostBytesOfPlans);
    return small < 0 ? mostPlans : Math.min(mostPlans, Math.max(somePlans, small));
  }

  /** A plan for inputs of these layouts, which is the latest from now on. */
  private matchingPlan(run: RunContext): CompiledPlan | undefined {
    const at = this.plans.findIndex((plan) => plan.fits(run));
    const plan = this.plans[at];
    if (plan !== undefined && at > 0) this.plans.unshift(...this.plans.splice(at, 1));
    return plan;
  }

  /**
   * The values of the roots, if the plan that was used last fits the inputs just as they are: nothing is checked against
   * limits then. Absent where it does not.
   */
  replay(inputs: HostInputs): readonly Tensor[] | undefined {
    return this.replayed(inputs)?.tensors();
  }

  /** As `replay`, with the last root alone. */
  replayLast(inputs: HostInputs): Tensor | undefined {
    return this.replayed(inputs)?.last();
  }

  /** As `replay`, with the cells of the last root in an array. */
  replayInto(inputs: HostInputs, array: CellArray): boolean {
    return this.replayed(inputs)?.write(array) ?? false;
  }

  numberFunction(names: readonly string[]): NumberFunction | undefined {
    return this.plans[0]?.numberFunction(names);
  }

  private replayed(inputs: HostInputs): Replay | undefined {
    try {
      return this.plans[0]?.replay(inputs);
    } catch (error) {
      if (error instanceof MemoryFull) return undefined;
      throw error;
    }
  }

  /** Retains so many plans, and releases the others. */
  private retain(most: number): void {
    for (const plan of this.plans.splice(most)) if (!plan.isBusy) plan.release();
  }

  /** A plan for the inputs of a run, to be made when it is run first. */
  compiled(run: RunContext, watch?: CompileOptions["watch"]): CompiledPlan {
    const { isEager = false, isReproducible = false, batch } = this.options;
    // Layouts after the first may be those of one run alone, as of the labels of a query.
    const prepared = this.plans.length === 0 ? "before running" : "when repeated";
    const usual = isEager ? prepared : "when it pays";
    const size = batch === undefined ? undefined : run.sizeOf(batch);
    const options: CompileOptions = {
      machine: this.machine,
      compilation: isReproducible ? "before running" : usual,
      batch: batch === undefined || size === undefined ? undefined : { dimension: batch, size },
      watch,
    };
    return new CompiledPlan(options, (each, outcomes) => this.planned(each, outcomes), run, this.span);
  }

  /** Where what no step stores is counted. */
  private get span(): Span {
    return this.roots.at(-1)?.span ?? noSpan;
  }

  private *planned(run: RunContext, outcomes: Outcomes): Steps<Plan> {
    const { fixed = new Set<string>(), batch, passes } = this.options;
    const { meter } = run;
    const work = planOf(this.roots, {
      layoutOf: (name) => {
        const tensor = run.input(name);
        return tensor === undefined ? undefined : layoutOf(name, tensor, fixed.has(name));
      },
      defaultOf: ({ name, span }) => defaultOf(run, name, span),
      hasDrawnDefault: run.defaults().some(drawsRandom),
      outcomes,
      allow: (cells, span, rows) => meter.allow(cells, span, rows),
      allowProduced: (cells, span) => meter.allowProduced(cells, span),
      batch,
      passes,
    });
    let step = work.next();
    while (step.done !== true) {
      const { nodes, span } = step.value;
      if (meter.spend(nodes, span)) yield;
      step = work.next();
    }
    verify(step.value);
    return step.value;
  }
}

/** A default, or why there is none. */
function defaultOf(
  run: RunContext,
  name: string,
  span: Span,
): Node | { kind: "refused"; problems: SphexError["problems"] } {
  try {
    return run.defaultOf(name, span);
  } catch (error) {
    if (error instanceof SphexError) return { kind: "refused", problems: error.problems };
    throw error;
  }
}

/** Without a root nothing is stored. */
const noSpan: Span = { source: { name: "program", text: "" }, start: 0, end: 0 };

/** A machine without a memory of its own: each block is an array. */
const arrayMachine: Machine = { arena: new Arena({ maximumBytes: 0 }), compiled: [] };
