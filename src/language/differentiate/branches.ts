import { type Node, type NodeOf, visit } from "../core/operations.js";
import { differentiable } from "./node-order.js";

/** A branch of a choice. */
export interface Branch {
  readonly choice: NodeOf<"select">;
  readonly isYes: boolean;
  /** The branch that the choice itself is in. */
  readonly outer: Branch | undefined;
  readonly depth: number;
}

/** The innermost branch within which all lies that uses a node, for each of some nodes: where it is not taken, nothing flows back to them. */
export class BranchesOfNodes {
  private readonly branches = new Map<Node, Branch | undefined>();
  private readonly pairs = new Map<Node, readonly [yes: Branch, no: Branch]>();

  /** The nodes between a value and `x`, each after its own inputs. Into `x` flows whatever comes out of any branch. */
  constructor(order: readonly Node[], x: Node) {
    const active = new Set(order);
    const root = order.at(-1);
    if (root !== undefined) this.branches.set(root, undefined);
    for (const node of [...order].reverse()) {
      if (node === x) continue;
      for (const [position, input] of visit(differentiable, node).entries()) {
        if (!active.has(input)) continue;
        const around = this.around(node, position);
        this.branches.set(input, this.branches.has(input) ? shared(this.of(input), around) : around);
      }
    }
    this.branches.set(x, undefined);
  }

  of(node: Node): Branch | undefined {
    return this.branches.get(node);
  }

  /** The branch around what a node computes from at one of its positions. */
  around(user: Node, position: number): Branch | undefined {
    return user.op === "select" ? this.branchesOf(user)[position === 0 ? 0 : 1] : this.of(user);
  }

  /** The other branch of the same choice. */
  other({ choice, isYes }: Branch): Branch {
    return this.branchesOf(choice)[isYes ? 1 : 0];
  }

  private branchesOf(choice: NodeOf<"select">): readonly [yes: Branch, no: Branch] {
    const existing = this.pairs.get(choice);
    if (existing !== undefined) return existing;
    const outer = this.of(choice);
    const depth = (outer?.depth ?? 0) + 1;
    const pair = [
      { choice, isYes: true, outer, depth },
      { choice, isYes: false, outer, depth },
    ] as const;
    this.pairs.set(choice, pair);
    return pair;
  }
}

/** The innermost branch that both lie in. */
function shared(one: Branch | undefined, other: Branch | undefined): Branch | undefined {
  let [left, right] = [one, other];
  while (left !== right) {
    const [depth, depthOfOther] = [left?.depth ?? 0, right?.depth ?? 0];
    if (depth >= depthOfOther) left = left?.outer;
    if (depthOfOther >= depth) right = right?.outer;
  }
  return left;
}
