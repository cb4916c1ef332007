import { inputsOf, type Node, type NodeOf, visit } from "../../../../language/core/operations.js";
import type { Buffer, ReferenceCall } from "../../values/value.js";
import { bodyParts, unconditionalInputs } from "../dependencies.js";
import type { PlanState } from "../plan-state.js";
import { isValue, type Request } from "../planned.js";
import type { Scope } from "../scope.js";
import { drawsRandom } from "./draws.js";
import type { Inputs } from "./inputs.js";

/** What a request is about. */
type Subject = Pick<Request, "kind" | "node">;

/**
 * The nodes that draw random numbers, in the order in which the reference comes to them, up to where a run must tell how it
 * goes on: what it is asked about, if anything, or a choice between branches that draw.
 */
class DrawOrder {
  /** What a run tells next: nothing that comes after it is computed before. */
  private readonly asked: Node | undefined;
  /** The choices whose branches a run tells next, or later. */
  private readonly undecided: ReadonlySet<Node>;
  /** What is computed from what the run is asked about; a generator may have it in its body. */
  private readonly waiting: ReadonlySet<Node>;

  /** `later` are the requests that come after the one that a run answers next. */
  constructor(
    request: Subject | undefined,
    later: readonly Subject[],
    private readonly state: Pick<PlanState, "refusals" | "inputs" | "requests">,
    roots: readonly Node[],
  ) {
    const unanswered = request === undefined ? later : [request, ...later];
    this.asked = request?.node;
    this.undecided = new Set(unanswered.flatMap(({ kind, node }) => (kind === "truth" ? node : [])));
    this.waiting = request === undefined ? new Set() : this.usersOf(request.node, roots);
  }

  before(roots: readonly Node[]): readonly Node[] {
    const draws: Node[] = [];
    const done = new Set<Node>();
    const open = roots.toReversed();
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      const missing = done.has(node) ? [] : this.neededBy(node).filter((each) => !done.has(each));
      if (missing.length > 0) {
        for (const each of missing.toReversed()) open.push(each);
        continue;
      }
      open.pop();
      if (this.isOpen(node)) break;
      if (!done.has(node) && this.state.inputs.draws(node)) draws.push(node);
      done.add(node);
    }
    return draws;
  }

  /** What is computed before a node, whatever a run tells afterwards. */
  private neededBy(node: Node): readonly Node[] {
    const { refusals, inputs } = this.state;
    if (node.op === "generate") return plannedBefore(node, inputs);
    return this.undecided.has(node) ? unconditionalInputs(node) : refusals.neededBy(node);
  }

  /** Whether a run cannot go on from a node, all of whose needs are there, before it has told something. */
  private isOpen(node: Node): boolean {
    if (node === this.asked) return true;
    if (node.op === "generate") return this.waiting.has(node);
    if (node.op !== "select" || node.depends !== 0) return false;
    const isTold = !this.undecided.has(node) && this.state.refusals.isTaken(node);
    return !isTold && [node.yes, node.no].some((branch) => this.state.inputs.draws(branch));
  }

  /** A node and all that are computed from it, in any branch that may be taken, or any body that is the plan's to compute. */
  private usersOf(used: Node, roots: readonly Node[]): ReadonlySet<Node> {
    const users = new Map<Node, Node[]>();
    const seen = new Set<Node>(roots);
    for (const node of seen)
      for (const input of this.usedBy(node)) {
        const existing = users.get(input);
        if (existing === undefined) users.set(input, [node]);
        else existing.push(node);
        seen.add(input);
      }
    const all = new Set<Node>([used]);
    for (const node of all) for (const user of users.get(node) ?? []) all.add(user);
    return all;
  }

  /** What the plan computes for a node, in any branch that may be taken, and not the reference within it. */
  private usedBy(node: Node): readonly Node[] {
    const { inputs, refusals } = this.state;
    if (node.op === "input") return inputs.fallbacksOf(node);
    if (node.op === "generate" && leftToReference(node, this.state).size > 0)
      return plannedBefore(node, inputs);
    const isTold = refusals.isTaken(node) && !this.undecided.has(node);
    return isTold ? refusals.neededBy(node) : visit(inputsOf, node);
  }
}

/**
 * What the reference draws when a generator's body comes to it, of what does not depend on the indexes: all, if any of it
 * stands in a branch that may be taken at no index, or if the body draws random numbers of its own between.
 */
function drawnWithin(node: NodeOf<"generate">, inputs: Inputs): readonly Node[] {
  const { independent, conditional, isDrawing } = bodyParts(node);
  const isWithin = isDrawing || conditional.some((part) => inputs.draws(part));
  return isWithin ? independent.filter((part) => inputs.draws(part)) : [];
}

/**
 * Which of the parts that do not depend on a generator's indexes the reference computes: those that draw random numbers
 * within its body; and what a run would be asked about, maybe in vain, for a branch, also in plans that know the outcome,
 * since those begin with the stages of the plans that do not.
 */
export function leftToReference(
  node: NodeOf<"generate">,
  { inputs, requests }: Pick<PlanState, "inputs" | "requests">,
): ReadonlySet<Node> {
  const asked = bodyParts(node).conditional.filter((part) => requests.isBehind(part));
  return new Set([...drawnWithin(node, inputs), ...asked]);
}

/** What the plan computes for a generator in any case, and not the reference within it. */
function plannedBefore(node: NodeOf<"generate">, inputs: Inputs): readonly Node[] {
  const within = new Set(drawnWithin(node, inputs));
  return bodyParts(node).needed.filter((part) => !within.has(part));
}

/**
 * The buffers of all random numbers that come before a request, or before the roots, also of those that nothing reads.
 * `later` are the requests that come after it.
 */
export function drawnBuffers(
  request: Subject | undefined,
  later: readonly Subject[],
  roots: readonly Node[],
  state: Pick<PlanState, "calls" | "refusals" | "inputs" | "requests">,
  scope: Scope,
): readonly Buffer[] {
  // Of all plans for some roots the same ones do: which calls there are, later outcomes tell.
  if (!roots.some((root) => state.inputs.draws(root))) return [];
  const draws = new DrawOrder(request, later, state, roots).before(roots);
  return draws.flatMap((node) => {
    const planned = state.calls.has(node) ? scope.get(node) : undefined;
    if (planned === undefined || !isValue(planned) || planned.source.kind !== "stored") return [];
    const { slot } = planned.source.access;
    return slot.origin.kind === "computed" ? slot : [];
  });
}

/** Whether a call may find something else in each run, whatever its operands are. */
export const isVarying = ({ node, readsInputs }: ReferenceCall): boolean => readsInputs || drawsRandom(node);
