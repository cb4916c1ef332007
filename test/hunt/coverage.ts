import { machines } from "../../src/backends/engine/machine.js";
import { inputsOf, type OperationName } from "../../src/language/core/operations.js";
import { aggregatorNames } from "../../src/language/scalar/aggregators.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { cellTypeNames } from "../../src/language/types/cell.js";
import { passes } from "../../src/optimise/optimise.js";
import { nodesOf } from "./nodes.js";
import type { Subject } from "./runs.js";

/** Counts by name, of names that are expected and of any others. */
class Tally {
  private readonly counts = new Map<string, number>();

  constructor(expected: readonly string[]) {
    for (const name of expected) this.counts.set(name, 0);
  }

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get rows(): readonly (readonly [string, number])[] {
    return [...this.counts].sort(([, one], [, other]) => other - one);
  }
}

const operationNames = Object.keys(inputsOf) as OperationName[]; // the table is total

/** Steps of a plan by the first words of what they are. */
const stepNames = [
  ...[
    "closures",
    "program",
    "fused loop",
    "dot product",
    "matrix-vector product",
    "matrix product",
    "distances",
  ],
  ...["sparse contraction", "forest", "sums of no cells", "whether cells are of middling size"],
  ...["if not, all products as they are written", "order, by the reference", "random, by the reference"],
];

/** How often the parts of a language and of an engine had their turn. */
export class Coverage {
  readonly tallies = {
    "operations, outermost": new Tally(operationNames),
    "operations, in bodies": new Tally(operationNames),
    "scalar functions": new Tally(Object.keys(scalarFunctions).filter((name) => !name.startsWith("vespa"))),
    aggregators: new Tally(aggregatorNames),
    "aggregators, in bodies": new Tally(aggregatorNames),
    "cell types": new Tally(cellTypeNames),
    "laws of the optimiser": new Tally(passes.flatMap(({ laws }) => laws.map(({ says }) => says))),
    "steps, as they are planned": new Tally(stepNames),
    "kernels made": new Tally(stepNames),
    "values are": new Tally([
      "stored",
      "view",
      "on demand",
      "number",
      "input",
      "constant",
      "by the reference",
    ]),
    "plans are": new Tally(["replayed", "made anew", "not made"]),
  };

  /** Counts what code is made from now on. */
  watch(): void {
    const { named } = machines;
    const tally = this.tallies["kernels made"];
    machines.named = (name) => {
      const machine = named.call(machines, name);
      const compiled = machine.compiled.map((lowering): typeof lowering => (loop) => {
        const step = lowering(loop);
        if (step !== undefined) tally.add(kindOf(step.says));
        return step;
      });
      return { ...machine, compiled };
    };
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
      once(inBody ? "operations, in bodies" : "operations, outermost", node.op);
      once("cell types", node.type.cellType);
      if (node.op === "apply") once("scalar functions", node.function);
      if (node.op === "reduce") once(inBody ? "aggregators, in bodies" : "aggregators", node.aggregator);
    }
  }

  /** Counts what an engine makes of a program. */
  addPlan(subject: Subject): void {
    const { tallies } = this;
    try {
      const plan = subject.compiled({ backend: "engine" }).plan(subject.inputs(0));
      tallies["plans are"].add(plan.isReplayable ? "replayed" : "made anew");
      for (const { laws } of plan.stages) for (const law of laws) tallies["laws of the optimiser"].add(law);
      for (const { says } of plan.steps) tallies["steps, as they are planned"].add(kindOf(says));
      for (const { keeping, byReference } of plan.values)
        tallies["values are"].add(byReference ? "by the reference" : keeping);
    } catch {
      tallies["plans are"].add("not made");
    }
  }

  /** A table of all counts, with what never had its turn in front. */
  toString(): string {
    return Object.entries(this.tallies)
      .map(([title, { rows }]) => {
        const zeros = rows.filter(([, count]) => count === 0).map(([name]) => name);
        const others = rows.filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`);
        const never = zeros.length === 0 ? [] : [`  NEVER: ${zeros.join(", ")}`];
        return [title, ...never, `  ${others.join(", ")}`].join("\n");
      })
      .join("\n");
  }
}

/** The first words of what a step is, without its sizes. */
const kindOf = (text: string): string =>
  text
    .replace(/[\d×.,]+/g, "")
    .replace(/ over .*|:.*/g, "")
    .replace(/\s+/g, " ")
    .trim();
