import { inputsOf, type Node, visit } from "../../language/core/operations.js";
import { cellTypes } from "../../language/types/cell.js";
import { element } from "../../language/values/element.js";
import type { Clock, Steps } from "../meter.js";
import type {
  AxisStride,
  InspectedStep,
  InspectedValue,
  PlanInspection,
  ValueStorage,
} from "../plan-inspection.js";
import type { RunContext } from "../run-context.js";
import type { Engine } from "./engine.js";
import { printPlan } from "./ir/print.js";
import type { PlanStep } from "./ir/step.js";
import type { CompiledStep } from "./machine/steps.js";
import { isValue } from "./plan/planned.js";
import type { Planner } from "./plan/planner.js";
import { type Axis, type Buffer, type BufferAccess, cellsIn, namesOf, type Value } from "./values/value.js";

/** How often a step is repeated to be timed. */
const timedRuns = 4;

/** A step that writes to a buffer, as a run compiled it. */
interface WatchedStep {
  readonly planned: Extract<PlanStep, { writes: Buffer }>;
  readonly compiled: CompiledStep;
}

/** Runs an engine once, and reports its plan: the steps that the run reached, and the values of its roots. */
export function* inspection(
  engine: Engine,
  roots: readonly Node[],
  run: RunContext,
  clock: Clock | undefined,
): Steps<PlanInspection> {
  const watched: WatchedStep[] = [];
  const compiled = engine.compiled(run, (planned, step) => {
    if ("writes" in planned && planned.kind !== "branch") watched.push({ planned, compiled: step });
  });
  yield* compiled.run(run);
  const plan = compiled.last?.plan;
  if (plan === undefined) throw new Error("a run has a stage");
  const results = new Map(roots.map((root, at) => [root, plan.results?.[at]?.value] as const));
  const steps = watched.map((step) => inspectedStep(step, clock));
  const values = new ValueInspections(plan.planner, watched, results).inspected(roots);
  compiled.release();
  return { ir: printPlan(plan), steps, values, isReplayable: plan.stages.length === 1 };
}

function inspectedStep({ planned, compiled }: WatchedStep, clock: Clock | undefined): InspectedStep {
  const { writes, span, isOnce } = planned;
  const { description, work } = compiled.step;
  const time = clock === undefined ? undefined : timeOf(compiled, clock);
  return { description, span, cellType: writes.cellType, cells: writes.length, work, isOnce, time };
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

/** Values, each with the location of its cells. */
class ValueInspections {
  private readonly positions = new Map<Buffer, number>();
  private readonly writers = new Map<Buffer, number>();

  constructor(
    private readonly planner: Planner,
    steps: readonly WatchedStep[],
    private readonly results: ReadonlyMap<Node, Value | undefined>,
  ) {
    for (const [at, { planned }] of steps.entries()) this.writers.set(planned.writes, at);
  }

  inspected(roots: readonly Node[]): readonly InspectedValue[] {
    const nodes = this.reached(roots);
    return nodes.flatMap((node, at) => {
      const value = this.results.get(node) ?? this.valueOf(node);
      return value === undefined ? [] : [this.inspect(node, value, at)];
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

  private inspect(node: Node, value: Value, at: number): InspectedValue {
    const { axes } = value;
    const source = this.storedSource(value);
    const common = { node, byReference: this.planner.calls.has(node), cells: cellsIn(axes) };
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

function stridesOf(axes: readonly Axis[], { strides: steps }: BufferAccess): readonly AxisStride[] {
  return axes.map((axis, at): AxisStride => {
    const step = element(steps, at);
    return { dimensions: namesOf(axis), cells: typeof step === "number" ? step : "table" };
  });
}
