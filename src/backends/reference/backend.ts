import type { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Backend, BackendPlan, Root } from "../backend.js";
import type { Steps } from "../meter.js";
import type { RunContext } from "../run-context.js";
import { supportTable } from "../support.js";
import { boxed, type ReferenceValue } from "./evaluation.js";

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

/** A tensor of its own: where a value is an input itself, one of the two may be disposed of while the other is read. */
function resultOf(value: ReferenceValue, type: TensorType): Tensor {
  if (typeof value === "number") return boxed(value, type);
  return Tensor.of(value.type, value.sizes, value.labels, value.data);
}

/** There is nothing to plan: the evaluator of a run finds the values. */
class ReferencePlan implements BackendPlan {
  constructor(private readonly roots: readonly Root[]) {}

  *run({ evaluation }: RunContext): Steps<readonly Tensor[]> {
    const results: Tensor[] = [];
    for (const { node } of this.roots) results.push(resultOf(yield* evaluation.value(node), node.type));
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
