import type { EngineRun } from "../../backends/engine/compiled-plan.js";
import type { Engine } from "../../backends/engine/engine.js";
import type { Access, Slot } from "../../backends/engine/loop.js";
import type { Planner, Surroundings } from "../../backends/engine/plan/planner.js";
import { type PlanStep, runStep, type StepWatch } from "../../backends/engine/plan/recorder.js";
import { type Axis, cellsIn, namesOf, type Value } from "../../backends/engine/plan/value.js";
import { type Clock, finish, type Meter, type Steps } from "../../backends/meter.js";
import { inputsOf, type Node, visit } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import { type CellType, cellTypes } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { operationWords, textIn, textOf } from "../provenance/words.js";

/** What a plan of the engine is: its steps, and what each value is made of. */
export interface Account {
  readonly steps: readonly PlannedStep[];
  /** Inputs first, results last. */
  readonly values: readonly PlannedValue[];
  /** Whether the plan serves for other inputs of the same sizes and labels, or depends on cells. */
  readonly isReplayable: boolean;
}

export interface PlannedStep {
  /** What it does, in a few words. */
  readonly says: string;
  /** The expression that it works for, as it is written, and its place. */
  readonly text: string;
  readonly span: Span;
  readonly cellType: CellType;
  /** How many cells it writes, and how many bytes they are. */
  readonly cells: number;
  readonly bytes: number;
  /** About how many scalar operations it takes. */
  readonly work: number;
  /** Whether it needs no input, and so is not repeated. */
  readonly isOnce: boolean;
  /** Milliseconds, if it was timed. */
  readonly time: number | undefined;
}

/** How the cells of a value come about. */
export type Keeping =
  /** Stored by a step, or by the reference. */
  | "stored"
  /** Cells of another value, seen otherwise. */
  | "view"
  /** Produced by whatever needs them. */
  | "on demand"
  /** One number that is known. */
  | "number"
  | "input"
  | "constant";

export interface PlannedValue {
  readonly operation: Node["op"];
  /** The operation in words. */
  readonly says: string;
  readonly text: string;
  readonly span: Span;
  readonly type: TensorType;
  readonly keeping: Keeping;
  /** The place among the steps of the one that stores it, from 0. */
  readonly step: number | undefined;
  /** The place among the values of the one whose cells it sees. */
  readonly of: number | undefined;
  /** Whether the reference finds it. */
  readonly byReference: boolean;
  readonly cells: number;
  /** What it takes of memory by itself. */
  readonly bytes: number;
  /** Where cells are in memory: how many apart those are that follow each other along each of its axes. */
  readonly strides: readonly Stride[];
  /** The first cell. */
  readonly offset: number | undefined;
}

/** Mapped dimensions that are rows of one index have one stride; a table stands where rows do not lie in order. */
export interface Stride {
  readonly dimensions: readonly string[];
  readonly cells: number | "table";
}

/** How an account is made. */
export interface Timing {
  readonly clock: Clock | undefined;
  /** Whether steps are run some times more, to see how long they take. */
  readonly isTimed: boolean;
}

const timedRuns = 3;

/** Makes a plan for what a run is given, and tells of it. */
export function* accountOf(
  engine: Engine,
  roots: readonly Node[],
  run: EngineRun,
  { clock, isTimed }: Timing,
): Steps<Account> {
  const watch = new Watching(isTimed ? clock : undefined);
  const { plan, planner, results } = yield* engine.made(run, (inner) => watch.around(inner));
  if (isTimed) for (let times = 0; times < timedRuns; times++) watch.again(planner.recorder.steps, run.meter);
  const stored = new Map(roots.map((root, at) => [root, results[at]] as const));
  const repeated = new Set(planner.recorder.steps);
  const account = {
    steps: watch.steps.map((step) => watch.told(step, !repeated.has(step))),
    values: new Values(planner, watch, stored).told(roots),
    isReplayable: planner.isReplayable,
  };
  plan.release([...planner.recorder.slots, ...plan.recorder.slots], planner.tables.blocks);
  return account;
}

/** Sees a plan being made. */
class Watching implements StepWatch {
  readonly steps: PlanStep[] = [];
  /** Slots that no step writes: those of inputs and constants. */
  readonly given = new Set<Slot>();
  readonly byReference = new Set<Node>();
  private readonly times = new Map<PlanStep, number>();
  private begun = 0;

  constructor(private readonly clock: Clock | undefined) {}

  around(inner: Surroundings): Surroundings {
    const noted = (value: Value | undefined): void => {
      if (value?.source.kind === "stored") this.given.add(value.source.access.slot);
    };
    return {
      ...inner,
      watch: this,
      input: (node) => {
        const value = inner.input(node);
        noted(value);
        return value;
      },
      constant: (node) => {
        const value = inner.constant(node);
        noted(value);
        return value;
      },
      elsewhere: (node, planner) => {
        this.byReference.add(node);
        return inner.elsewhere(node, planner);
      },
    };
  }

  begins(_: PlanStep): void {
    this.begun = this.clock?.() ?? 0;
  }

  ends(step: PlanStep): void {
    if (this.clock !== undefined) {
      const time = this.clock() - this.begun;
      this.times.set(step, Math.min(time, this.times.get(step) ?? time));
    }
    if (!this.steps.includes(step)) this.steps.push(step);
  }

  again(steps: readonly PlanStep[], meter: Meter): void {
    for (const step of steps) {
      this.begins(step);
      finish(runStep(step, meter));
      this.ends(step);
    }
  }

  told(planned: PlanStep, isOnce: boolean): PlannedStep {
    const { step, span, writes } = planned;
    const { cellType, length } = writes;
    return {
      ...{ says: step.says, text: textIn(span), span, cellType, cells: length },
      bytes: length * cellTypes[cellType].width,
      ...{ work: step.work, isOnce, time: this.times.get(planned) },
    };
  }
}

/** Tells of values, each with where its cells are. */
class Values {
  private readonly places = new Map<Slot, number>();
  private readonly writers = new Map<Slot, number>();

  constructor(
    private readonly planner: Planner,
    private readonly watch: Watching,
    private readonly results: ReadonlyMap<Node, Value | undefined>,
  ) {
    for (const [at, { writes }] of watch.steps.entries()) this.writers.set(writes, at);
  }

  told(roots: readonly Node[]): readonly PlannedValue[] {
    const nodes = this.reached(roots);
    return nodes.flatMap((node, at) => {
      const value = this.results.get(node) ?? this.planner.scope.known(node);
      return value === undefined ? [] : [this.tell(node, value, at)];
    });
  }

  /** The nodes that have a value of their own, in the order in which they were made. */
  private reached(roots: readonly Node[]): readonly Node[] {
    const open = [...roots];
    const seen = new Set<Node>(open);
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const input of visit(inputsOf, node)) {
        if (!seen.has(input)) open.push(input);
        seen.add(input);
      }
    return [...seen]
      .filter((node) => node.depends === 0 && this.planner.scope.known(node) !== undefined)
      .sort((a, b) => a.id - b.id);
  }

  private tell(node: Node, value: Value, at: number): PlannedValue {
    const { axes } = value;
    const source =
      value.source.kind === "computed" ? (this.planner.copyOf(value.source) ?? value.source) : value.source;
    const common = {
      ...{ operation: node.op, says: operationWords(node), text: textOf(node), span: node.span },
      ...{ type: node.type, byReference: this.watch.byReference.has(node), cells: cellsIn(axes) },
    };
    if (source.kind !== "stored") {
      const keeping = source.kind === "constant" ? "number" : "on demand";
      return { ...common, keeping, step: undefined, of: undefined, bytes: 0, strides: [], offset: undefined };
    }
    const { access } = source;
    const { slot } = access;
    const of = this.places.get(slot);
    if (of === undefined) this.places.set(slot, at);
    const isGiven = this.watch.given.has(slot) && (node.op === "input" || node.op === "constant");
    const keeping =
      of !== undefined ? "view" : isGiven ? (node.op === "input" ? "input" : "constant") : "stored";
    const step = keeping === "stored" ? this.writers.get(slot) : undefined;
    const bytes = of === undefined ? slot.block.length * cellTypes[access.cellType].width : 0;
    return { ...common, keeping, step, of, bytes, strides: stridesOf(axes, access), offset: access.offset };
  }
}

function stridesOf(axes: readonly Axis[], { steps }: Access): readonly Stride[] {
  return axes.map((axis, at): Stride => {
    const step = steps[at] ?? 0;
    return { dimensions: namesOf(axis), cells: typeof step === "number" ? step : "table" };
  });
}
