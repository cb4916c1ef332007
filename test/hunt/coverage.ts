import { Engine } from "../../src/backends/engine/engine.js";
import type { PlanStep } from "../../src/backends/engine/ir/step.js";
import { stepsWithin } from "../../src/backends/engine/ir/step-reads.js";
import type { Instruction } from "../../src/backends/engine/loop.js";
import type { Plan } from "../../src/backends/engine/plan/plan.js";
import type { RequestKind } from "../../src/backends/engine/plan/planned.js";
import type { Buffer, Origin } from "../../src/backends/engine/values/value.js";
import { inputsOf } from "../../src/language/core/operations.js";
import { aggregatorNames } from "../../src/language/scalar/aggregators.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { cellTypeNames } from "../../src/language/types/cell.js";
import { passes, stagesOf } from "../../src/optimise/optimise.js";
import { nodesOf } from "./nodes.js";
import { watchMachines } from "./on-machine.js";
import type { Subject } from "./runs.js";
import { Tally } from "./tally.js";

/** All names of a union: the compiler sees that none is left out. */
const names = <K extends string>(table: Record<K, true>): readonly string[] => Object.keys(table);

const operations = Object.keys(inputsOf); // the table is total
const steps = names<PlanStep["kind"]>({
  ...{ loop: true, contraction: true, forest: true, ranking: true, gather: true, range: true },
  ...{ scatter: true, scan: true, thresholdSum: true, call: true, branch: true, demand: true, refuse: true },
});
const requests = names<RequestKind>({ truth: true, label: true, rows: true, tensor: true });
const origins = names<Origin["kind"]>({
  ...{ input: true, constant: true, cells: true, outcome: true, computed: true },
});
const instructions = names<Instruction["op"]>({
  ...{ read: true, constant: true, index: true, apply: true, select: true, store: true },
});
const folds = ["max", "min", "prod", "sum"];
const kernels = [
  ...["fused loop", "program", "dot product, in place", "dot product, in pieces", "matrix product"],
  ...["matrix product, in place", "squared distance, in place", "squared distances, in place"],
  // Not sums of no cells: a plan has constants for them.
  ...["hamming distance, in place", "hamming distances, in place"],
];

export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How often the parts of the language, the optimiser and the engine had their turn. */
export class Coverage {
  private readonly tallies = {
    "Programs with operations, outermost": new Tally(operations.filter((name) => name !== "parameter")),
    "Programs with operations, in bodies": new Tally(operations),
    "Programs with aggregators, outermost": new Tally(aggregatorNames),
    "Programs with aggregators, in bodies": new Tally(aggregatorNames),
    "Programs with scalar functions": new Tally(
      Object.keys(scalarFunctions).filter((name) => !name.startsWith("vespa")),
    ),
    "Programs with cell types": new Tally(cellTypeNames),
    "Laws of the optimiser": new Tally(
      passes.flatMap(({ rules }) => rules.map(({ description }) => description)),
    ),
    "Stages of plans end with": new Tally([...requests, "results"]),
    // A group is what several branches need, and nothing outside of them.
    "Steps of plans": new Tally(steps.filter((kind) => kind !== "demand")),
    "Steps within branches and groups": new Tally(steps),
    "Buffers that steps read": new Tally(origins),
    "Instructions of loops": new Tally(instructions),
    "Loops fold by": new Tally(folds),
    "Loops that read": new Tally(["tables", "strides"]),
    "Loops whose cells": new Tally(["differ from run to run", "last", "last in a branch"]),
    "Loops of sums": new Tally(["alone", "and what becomes of them", "over segments"]),
    "Kernels made": new Tally(kernels),
  };

  /** Counts what plans and code are made from now on. */
  watch(): void {
    this.watchPlans();
    this.watchKernels();
  }

  private watchPlans(): void {
    const { compiled } = Engine.prototype;
    const count = (plan: Plan | undefined): void => plan && this.addPlan(plan);
    Engine.prototype.compiled = function (this: Engine, run, watch) {
      const plan = compiled.call(this, run, watch);
      const plainly = plan.run.bind(plan);
      plan.run = function* (each) {
        // Once for each plan: later runs go on as they would.
        plan.run = plainly;
        try {
          return yield* plainly(each);
        } finally {
          count(plan.last?.plan);
        }
      };
      return plan;
    };
  }

  private watchKernels(): void {
    const tally = this.tallies["Kernels made"];
    watchMachines((machine) => {
      const compiled = machine.compiled.map((lowering): typeof lowering => (loop) => {
        const step = lowering(loop);
        if (step !== undefined) tally.add(kindOf(step.description));
        return step;
      });
      return { ...machine, compiled };
    });
  }

  /** Counts what a program is made of. */
  addProgram({ checked }: Subject): void {
    const seen = new Set<string>();
    const { tallies } = this;
    const once = (tally: keyof typeof tallies, name: string): void => {
      if (seen.has(`${tally} ${name}`)) return;
      seen.add(`${tally} ${name}`);
      tallies[tally].add(name);
    };
    for (const { node, inBody } of nodesOf(checked.results.map((each) => each.node))) {
      const where = inBody ? "in bodies" : "outermost";
      once(`Programs with operations, ${where}`, node.op);
      once("Programs with cell types", node.type.cellType);
      if (node.op === "apply") once("Programs with scalar functions", node.function);
      if (node.op === "reduce") once(`Programs with aggregators, ${where}`, node.aggregator);
    }
  }

  /** Counts what the optimiser makes of a program. */
  addLaws({ checked: { results, graph } }: Subject): void {
    const roots = results.map(({ node }) => node);
    for (const { appliedRules } of stagesOf(roots, graph))
      for (const { description } of appliedRules) this.tallies["Laws of the optimiser"].add(description);
  }

  private addPlan({ stages }: Plan): void {
    for (const { steps, request } of stages) {
      this.tallies["Stages of plans end with"].add(request?.kind ?? "results");
      // Groups need others, each once, however many need it: to go through them from each would take no end.
      const outer = new Set(steps);
      for (const step of stepsWithin(steps)) this.addStep(step, !outer.has(step));
    }
  }

  private addStep(step: PlanStep, isInner: boolean): void {
    const { tallies } = this;
    tallies[isInner ? "Steps within branches and groups" : "Steps of plans"].add(step.kind);
    const read = (buffer: Buffer): void => tallies["Buffers that steps read"].add(buffer.origin.kind);
    if (step.kind === "contraction") for (const { slot } of [step.left, step.right]) read(slot);
    if (step.kind === "call") for (const { access } of step.call.operands) read(access.slot);
    if (step.kind !== "loop") return;
    const lasting = isInner ? "last in a branch" : "last";
    tallies["Loops whose cells"].add(step.lasting === undefined ? "differ from run to run" : lasting);
    const { sources, body, aggregator, finish } = step.loop;
    for (const { slot } of sources) read(slot);
    for (const { op } of body) tallies["Instructions of loops"].add(op);
    if (aggregator !== undefined) tallies["Loops fold by"].add(aggregator);
    const hasTables = sources.some(({ strides }) => strides.some((stride) => typeof stride !== "number"));
    tallies["Loops that read"].add(hasTables ? "tables" : "strides");
    if (aggregator !== "sum") return;
    const alone = step.isSegmented === true ? "over segments" : "alone";
    tallies["Loops of sums"].add(finish === undefined ? alone : "and what becomes of them");
  }

  /** All counts by title and name. */
  toJSON(): Counts {
    return Object.fromEntries(Object.entries(this.tallies).map(([title, tally]) => [title, tally.toJSON()]));
  }

  /** Adds what was counted elsewhere. */
  add(counts: Counts): void {
    for (const [title, tally] of Object.entries(this.tallies))
      for (const [name, count] of Object.entries(counts[title] ?? {})) tally.add(name, count);
  }

  /** A table of all counts. */
  toString(): string {
    return Object.entries(this.tallies)
      .map(([title, tally]) => `${title}\n${tally}`)
      .join("\n");
  }
}

/** What a step is, without its sizes and its precision: `matrix product, in place`. */
function kindOf(text: string): string {
  const [name = "", ...more] = text.split(", ");
  const how = more.filter((each) => each.startsWith("in ")).map((each) => each.replace(/\d+ /, ""));
  return [name.replace(/ over .*|:.*|( \d+ times)? [\d×]+$/g, ""), ...how].join(", ");
}
