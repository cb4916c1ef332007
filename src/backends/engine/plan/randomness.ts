import type { Node } from "../../../language/core/operations.js";
import type { Buffer, ReferenceCall } from "../values/value.js";
import { drawsRandom } from "./draws.js";
import type { PlanState } from "./plan-state.js";
import { isValue, type Request } from "./planned.js";
import { unconditionalInputs } from "./refusals.js";
import type { Scope } from "./scope.js";

/**
 * The nodes that draw random numbers, in the order in which the reference comes to them, up to what a run is asked about, if
 * it is asked: they have drawn theirs before. `neededBy` tells what a node needs in any case, the first first.
 */
function drawsBefore(
  request: Request | undefined,
  roots: readonly Node[],
  neededBy: (node: Node) => readonly Node[],
): readonly Node[] {
  const asked = request?.node;
  const draws: Node[] = [];
  const done = new Set<Node>();
  const open = roots.toReversed();
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    // What is needed for a branch comes after the run has told which one is taken.
    const needed = node === asked ? unconditionalInputs(node) : neededBy(node);
    const missing = done.has(node) ? [] : needed.filter((each) => !done.has(each));
    if (missing.length > 0) {
      for (const each of missing.toReversed()) open.push(each);
      continue;
    }
    open.pop();
    if (node === asked) break;
    if (!done.has(node) && drawsRandom(node)) draws.push(node);
    done.add(node);
  }
  return draws;
}

/** The buffers of all random numbers that come before a request, or before the roots, also of those that nothing reads. */
export function drawnBuffers(
  request: Request | undefined,
  roots: readonly Node[],
  { calls, refusals, inputs }: Pick<PlanState, "calls" | "refusals" | "inputs">,
  scope: Scope,
): readonly Buffer[] {
  // Of all plans for some roots the same ones do: which calls there are, later outcomes tell.
  if (!inputs.hasDrawnDefault && !roots.some(drawsRandom)) return [];
  const draws = drawsBefore(request, roots, (node) => refusals.neededBy(node));
  return draws.flatMap((node) => {
    const planned = calls.has(node) ? scope.get(node) : undefined;
    if (planned === undefined || !isValue(planned) || planned.source.kind !== "stored") return [];
    const { slot } = planned.source.access;
    return slot.origin.kind === "computed" ? slot : [];
  });
}

/** Whether a call may find something else in each run, whatever its operands are. */
export const isVarying = ({ node, readsInputs }: ReferenceCall): boolean => readsInputs || drawsRandom(node);
