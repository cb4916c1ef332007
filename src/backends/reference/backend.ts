import type { Tensor } from "../../language/values/tensor.js";
import type { Backend, BackendPlan, Root } from "../backend.js";
import type { Steps } from "../meter.js";
import type { RunContext } from "../run-context.js";
import { supportTable } from "../support.js";
import { boxed } from "./evaluation.js";

/** The meaning of the language, as a backend: it runs the core as it was checked, since the optimiser is judged by it too. */
export const reference: Backend<"reference"> = {
  name: "reference",
  description: "the plain evaluator that all others agree with",
  operations: supportTable("full"),
  features: { batch: false, threads: false, wide: false },
  host: undefined,
  isOptimised: false,
  plan: (roots) => new ReferencePlan(roots),
};

/** There is nothing to plan: the evaluator of a run finds the values. */
class ReferencePlan implements BackendPlan {
  constructor(private readonly roots: readonly Root[]) {}

  *run({ evaluation }: RunContext): Steps<readonly Tensor[]> {
    const results: Tensor[] = [];
    // A value may be an input itself, which its owner disposes of when the result is still read, or the other way round.
    for (const { node } of this.roots)
      results.push(boxed(yield* evaluation.value(node), node.type).ownCells());
    return results;
  }

  replay(): undefined {
    return undefined;
  }

  replayLast(): undefined {
    return undefined;
  }

  replayInto(): boolean {
    return false;
  }

  numberFunction(): undefined {
    return undefined;
  }
}
