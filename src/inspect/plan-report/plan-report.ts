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
import { operationDescription, textIn, textOf } from "../provenance/descriptions.js";

/** A plan of the engine as data: its steps, and how each value is stored. */
export interface PlanReport {
  /** The plan as text: each step with its loop, its instructions, and the cells that they read and write. */
  readonly ir: string;
  readonly steps: readonly PlannedStep[];
  /** Inputs first, results last. */
  readonly values: readonly PlannedValue[];
  /** Whether the plan can be reused for other inputs of the same sizes and labels; otherwise it depends on cells. */
  readonly isReplayable: boolean;
}

export interface PlannedStep {
  /** What it does, in a few words. */
  readonly description: string;
  /** The text of the expression that it computes, and its span. */
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

/** Where the cells of a value are. */
export type ValueStorage =
  /** Stored by a step, or by the reference. */
  | "stored"
  /** The cells of another value, with an offset and strides of its own. */
  | "view"
  /** Computed by the steps that read them. */
  | "on demand"
  /** One number, known when the plan is made. */
  | "number"
  | "input"
  | "constant";

export interface PlannedValue {
  readonly operation: Node["op"];
  /** The operation in words. */
  readonly description: string;
  readonly text: string;
  readonly span: Span;
  readonly type: TensorType;
  readonly storage: ValueStorage;
  /** The position of the step that stores it, from 0. */
  readonly step: number | undefined;
  /** The position of the value whose cells it shares. */
  readonly of: number | undefined;
  /** Whether the reference evaluator computes it. */
  readonly byReference: boolean;
  readonly cells: number;
  /** The bytes of its own buffer. */
  readonly bytes: number;
  /** The strides of its axes, in cells. */
  readonly strides: readonly Stride[];
  /** The first cell. */
  readonly offset: number | undefined;
}

/** Mapped dimensions of one index share a stride; it is `table` where rows are looked up. */
export interface Stride {
  readonly dimensions: readonly string[];
  readonly cells: number | "table";
}

/** How a report is made. */
export interface PlanReportOptions {
  readonly clock: Clock | undefined;
  /** Whether each step is run a few more times, to measure it. */
  readonly isTimed: boolean;
}

const timedRuns = 4;

/** A step that writes to a buffer, as a run compiled it. */
interface WatchedStep {
  readonly planned: Extract<PlanStep, { writes: Buffer }>;
  readonly compiled: CompiledStep;
}

/** Runs a program once and reports its plan: the steps that the run reached, and the values. */
export function* planReport(
  engine: Engine,
  roots: readonly Node[],
  run: EngineRun,
  { clock, isTimed }: PlanReportOptions,
): Steps<PlanReport> {
  const watched: WatchedStep[] = [];
  const compiled = engine.compiled(run, (planned, step) => {
    if ("writes" in planned && planned.kind !== "branch") watched.push({ planned, compiled: step });
  });
  yield* compiled.run(run);
  const plan = compiled.last?.plan;
  if (plan === undefined) throw new Error("a run has a stage");
  const results = new Map(roots.map((root, at) => [root, plan.results?.[at]?.value] as const));
  const steps = watched.map((step) => stepReport(step, isTimed ? clock : undefined));
  const values = new ValueReports(plan.planner, watched, results).reports(roots);
  compiled.release();
  return { ir: printPlan(plan), steps, values, isReplayable: plan.stages.length === 1 };
}

function stepReport({ planned, compiled }: WatchedStep, clock: Clock | undefined): PlannedStep {
  const { writes, span, isOnce } = planned;
  const { cellType, length } = writes;
  const { step } = compiled;
  return {
    ...{ description: step.description, text: textIn(span), span, cellType, cells: length },
    bytes: length * cellTypes[cellType].width,
    ...{ work: step.work, isOnce, time: clock === undefined ? undefined : timeOf(compiled, clock) },
  };
}

/** The least time of a few runs. */
function timeOf({ step }: CompiledStep, clock: Clock): number {
  const times = Array.from({ length: timedRuns }, () => {
    const start = clock();
    step.run(0, step.extent);
    return clock() - start;
  });
  return Math.min(...times);
}

/** Reports on values, each with the location of its cells. */
class ValueReports {
  private readonly positions = new Map<Buffer, number>();
  private readonly writers = new Map<Buffer, number>();

  constructor(
    private readonly planner: Planner,
    steps: readonly WatchedStep[],
    private readonly results: ReadonlyMap<Node, Value | undefined>,
  ) {
    for (const [at, { planned }] of steps.entries()) this.writers.set(planned.writes, at);
  }

  reports(roots: readonly Node[]): readonly PlannedValue[] {
    const nodes = this.reached(roots);
    return nodes.flatMap((node, at) => {
      const value = this.results.get(node) ?? this.valueOf(node);
      return value === undefined ? [] : [this.report(node, value, at)];
    });
  }

  private valueOf(node: Node): Value | undefined {
    const planned = this.planner.scope.get(node);
    return planned !== undefined && isValue(planned) ? planned : undefined;
  }

  /** The reachable nodes that have a value of their own, in the order of their ids. */
  private reached(roots: readonly Node[]): readonly Node[] {
    const pending = [...roots];
    const visited = new Set<Node>(pending);
    for (let node = pending.pop(); node !== undefined; node = pending.pop())
      for (const input of visit(inputsOf, node)) {
        if (!visited.has(input)) pending.push(input);
        visited.add(input);
      }
    return [...visited]
      .filter((node) => node.depends === 0 && this.valueOf(node) !== undefined)
      .sort((a, b) => a.id - b.id);
  }

  private report(node: Node, value: Value, at: number): PlannedValue {
    const { axes } = value;
    const source = this.storedSource(value);
    const common = {
      ...{ operation: node.op, description: operationDescription(node), text: textOf(node), span: node.span },
      ...{ type: node.type, byReference: this.planner.calls.has(node), cells: cellsIn(axes) },
    };
    if (source.kind !== "stored") {
      const storage = source.kind === "constant" ? "number" : "on demand";
      return { ...common, storage, step: undefined, of: undefined, bytes: 0, strides: [], offset: undefined };
    }
    const { access } = source;
    const { slot } = access;
    const of = this.positions.get(slot);
    if (of === undefined) this.positions.set(slot, at);
    const storage = of !== undefined ? "view" : storageOf(slot);
    const step = storage === "stored" ? this.writers.get(slot) : undefined;
    const bytes = of === undefined ? slot.length * cellTypes[access.cellType].width : 0;
    return { ...common, storage, step, of, bytes, strides: stridesOf(axes, access), offset: access.offset };
  }

  /** The stored copy of a computed value, where a step stores one. */
  private storedSource({ source }: Value): Value["source"] {
    const copy = source.kind === "computed" ? this.planner.storage.copyOf(source) : undefined;
    return copy !== undefined && this.writers.has(copy.access.slot) ? copy : source;
  }
}

function storageOf({ origin }: Buffer): ValueStorage {
  if (origin.kind === "input") return "input";
  return origin.kind === "constant" || origin.kind === "cells" ? "constant" : "stored";
}

function stridesOf(axes: readonly Axis[], { strides: steps }: BufferAccess): readonly Stride[] {
  return axes.map((axis, at): Stride => {
    const step = steps[at] ?? 0;
    return { dimensions: namesOf(axis), cells: typeof step === "number" ? step : "table" };
  });
}
