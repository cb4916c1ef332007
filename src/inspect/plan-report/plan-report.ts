import type { Engine } from "../../backends/engine/engine.js";
import { printPlan } from "../../backends/engine/ir/print.js";
import type { PlanStep } from "../../backends/engine/ir/step.js";
import type { EngineRun } from "../../backends/engine/machine/reference-call.js";
import type { CompiledStep } from "../../backends/engine/machine/steps.js";
import { isValue } from "../../backends/engine/plan/planned.js";
import type { Planner } from "../../backends/engine/plan/planner.js";
import {
  type Axis,
  type Buffer,
  type BufferAccess,
  cellsIn,
  namesOf,
  type Value,
} from "../../backends/engine/values/value.js";
import type { Clock, Steps } from "../../backends/meter.js";
import { inputsOf, type Node, visit } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import { type CellType, cellTypes } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { operationWords, textIn, textOf } from "../provenance/words.js";

/** What a plan of the engine is: its steps, and what each value is made of. */
export interface Account {
  /** The plan as text: each step with its loop, its instructions, and the cells that they read and write. */
  readonly ir: string;
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

const timedRuns = 4;

/** A step that writes to a buffer, as a run compiled it. */
interface WatchedStep {
  readonly planned: Extract<PlanStep, { writes: Buffer }>;
  readonly compiled: CompiledStep;
}

/** Runs a program once, and tells of the plan that was made for it: the steps that the run came to, and its values. */
export function* accountOf(
  engine: Engine,
  roots: readonly Node[],
  run: EngineRun,
  { clock, isTimed }: Timing,
): Steps<Account> {
  const watched: WatchedStep[] = [];
  const compiled = engine.compiled(run, (planned, step) => {
    if ("writes" in planned && planned.kind !== "branch") watched.push({ planned, compiled: step });
  });
  yield* compiled.run(run);
  const plan = compiled.last?.plan;
  if (plan === undefined) throw new Error("a run has a stage");
  const results = new Map(roots.map((root, at) => [root, plan.results?.[at]?.value] as const));
  const steps = watched.map((step) => stepReport(step, isTimed ? clock : undefined));
  const values = new Values(plan.planner, watched, results).told(roots);
  compiled.release();
  return { ir: printPlan(plan), steps, values, isReplayable: plan.stages.length === 1 };
}

function stepReport({ planned, compiled }: WatchedStep, clock: Clock | undefined): PlannedStep {
  const { writes, span, isOnce } = planned;
  const { cellType, length } = writes;
  const { step } = compiled;
  return {
    ...{ says: step.description, text: textIn(span), span, cellType, cells: length },
    bytes: length * cellTypes[cellType].width,
    ...{ work: step.work, isOnce, time: clock === undefined ? undefined : timeOf(compiled, clock) },
  };
}

/** The least time of some runs. */
function timeOf({ step }: CompiledStep, clock: Clock): number {
  const times = Array.from({ length: timedRuns }, () => {
    const begun = clock();
    step.run(0, step.extent);
    return clock() - begun;
  });
  return Math.min(...times);
}

/** Tells of values, each with where its cells are. */
class Values {
  private readonly positions = new Map<Buffer, number>();
  private readonly writers = new Map<Buffer, number>();

  constructor(
    private readonly planner: Planner,
    steps: readonly WatchedStep[],
    private readonly results: ReadonlyMap<Node, Value | undefined>,
  ) {
    for (const [at, { planned }] of steps.entries()) this.writers.set(planned.writes, at);
  }

  told(roots: readonly Node[]): readonly PlannedValue[] {
    const nodes = this.reached(roots);
    return nodes.flatMap((node, at) => {
      const value = this.results.get(node) ?? this.valueOf(node);
      return value === undefined ? [] : [this.tell(node, value, at)];
    });
  }

  private valueOf(node: Node): Value | undefined {
    const planned = this.planner.scope.get(node);
    return planned !== undefined && isValue(planned) ? planned : undefined;
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
      .filter((node) => node.depends === 0 && this.valueOf(node) !== undefined)
      .sort((a, b) => a.id - b.id);
  }

  private tell(node: Node, value: Value, at: number): PlannedValue {
    const { axes } = value;
    const source = this.storedSource(value);
    const common = {
      ...{ operation: node.op, says: operationWords(node), text: textOf(node), span: node.span },
      ...{ type: node.type, byReference: this.planner.calls.has(node), cells: cellsIn(axes) },
    };
    if (source.kind !== "stored") {
      const keeping = source.kind === "constant" ? "number" : "on demand";
      return { ...common, keeping, step: undefined, of: undefined, bytes: 0, strides: [], offset: undefined };
    }
    const { access } = source;
    const { slot } = access;
    const of = this.positions.get(slot);
    if (of === undefined) this.positions.set(slot, at);
    const keeping = of !== undefined ? "view" : keepingOf(slot);
    const step = keeping === "stored" ? this.writers.get(slot) : undefined;
    const bytes = of === undefined ? slot.length * cellTypes[access.cellType].width : 0;
    return { ...common, keeping, step, of, bytes, strides: stridesOf(axes, access), offset: access.offset };
  }

  /** Where the cells are, of a value that some step stores. */
  private storedSource({ source }: Value): Value["source"] {
    const copy = source.kind === "computed" ? this.planner.storage.copyOf(source) : undefined;
    return copy !== undefined && this.writers.has(copy.access.slot) ? copy : source;
  }
}

function keepingOf({ origin }: Buffer): Keeping {
  if (origin.kind === "input") return "input";
  return origin.kind === "constant" || origin.kind === "cells" ? "constant" : "stored";
}

function stridesOf(axes: readonly Axis[], { strides: steps }: BufferAccess): readonly Stride[] {
  return axes.map((axis, at): Stride => {
    const step = steps[at] ?? 0;
    return { dimensions: namesOf(axis), cells: typeof step === "number" ? step : "table" };
  });
}
