import type { Node, NodeOf } from "../core/operations.js";
import { type Branch, BranchesOfNodes } from "./branches.js";
import type { Calculus } from "./calculus.js";

/**
 * What flows back to each node. What flows out of a branch is chosen as the branch was: where another one is taken, it is 0, whatever
 * its formulas give, and no backend computes it.
 */
export class Adjoints {
  private readonly branches: BranchesOfNodes;
  /** Sums of what has flowed to a node, by the branch that it came out of. */
  private readonly sums = new Map<Node, Map<Branch | undefined, Node>>();
  private readonly settled = new Map<Node, Node>();

  /** The nodes between the value and `x`, each after its own inputs. */
  constructor(
    order: readonly Node[],
    x: Node,
    private readonly calculus: Calculus,
  ) {
    this.branches = new BranchesOfNodes(order, x);
  }

  /** Adds what flows from the value of a node to one of its inputs; to the value itself where no node uses it. */
  add(part: Node, input: Node, user?: Node, position = 0): void {
    const branch = user && this.branches.around(user, position);
    this.addTo(input, branch, part);
  }

  private addTo(node: Node, branch: Branch | undefined, part: Node): void {
    const sums = this.sums.get(node) ?? new Map<Branch | undefined, Node>();
    const before = sums.get(branch);
    this.sums.set(node, sums.set(branch, before === undefined ? part : this.calculus.plus(before, part)));
  }

  /** The adjoint of a node, when all that use it have been added; nothing where nothing flowed back. */
  of(node: Node): Node | undefined {
    const sums = this.sums.get(node);
    if (sums === undefined) return this.settled.get(node);
    const own = this.branches.of(node);
    const inner = [...sums.keys()].flatMap((each) => each ?? []).filter((each) => each !== own);
    // From the inside out: the sum of a branch becomes one of those of the branch around it.
    const open = inner.sort((one, other) => one.depth - other.depth);
    for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
      const opposite = this.branches.other(branch);
      const [part, other] = [sums.get(branch), sums.get(opposite)];
      if (part === undefined) continue; // as the other branch of its choice it is done
      sums.delete(branch);
      sums.delete(opposite);
      const { choice, outer } = branch;
      const isNew = outer !== own && outer !== undefined && !sums.has(outer);
      this.addTo(node, outer, this.chosen(choice, node, branch.isYes ? [part, other] : [other, part]));
      if (isNew) insert(open, outer);
    }
    const adjoint = sums.get(own);
    this.sums.delete(node);
    if (adjoint !== undefined) this.settled.set(node, adjoint);
    return adjoint;
  }

  private chosen(
    choice: NodeOf<"select">,
    node: Node,
    [yes, no]: readonly [Node | undefined, Node | undefined],
  ): Node {
    const { graph, span } = this.calculus;
    const adjoint = this.of(choice);
    if (adjoint === undefined) throw new Error("nothing flows out of a branch of what nothing flows to");
    const zeros = (): Node => this.calculus.zerosLike(node, adjoint, choice.type);
    return graph.select(choice.condition, yes ?? zeros(), no ?? zeros(), span);
  }
}

/** Puts a branch among others, the deepest last. */
function insert(branches: Branch[], branch: Branch): void {
  const at = branches.findLastIndex(({ depth }) => depth <= branch.depth);
  branches.splice(at + 1, 0, branch);
}
