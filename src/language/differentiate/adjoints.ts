import type { Node, NodeOf } from "../core/operations.js";
import {
  type Branch,
  BranchesOfNodes,
  type Context,
  isBranch,
  type SomeBranches,
  wholeChoice,
} from "./branches.js";
import type { Calculus } from "./calculus.js";

/**
 * What flows back to each node. What flows out of a branch is chosen as the branch was: where another one is taken, it is 0, whatever
 * its formulas give, and no backend computes it.
 */
export class Adjoints {
  private readonly branches: BranchesOfNodes<NodeOf<"select">>;
  /** Sums of what has flowed to a node, by what it came out of. */
  private readonly sums = new Map<Node, Map<Context, Node>>();
  private readonly settled = new Map<Node, Node>();
  private readonly taken = new Map<SomeBranches, Node>();

  /** The nodes between the value and `x`, each after its own inputs. */
  constructor(
    order: readonly Node[],
    x: Node,
    private readonly calculus: Calculus,
  ) {
    this.branches = new BranchesOfNodes(order, x, wholeChoice);
  }

  /** Adds what flows from the value of a node to one of its inputs; to the value itself where no node uses it. */
  add(part: Node, input: Node, user?: Node, position = 0): void {
    const context = user && this.branches.around(user, position);
    this.addTo(input, context, part);
  }

  private addTo(node: Node, context: Context, part: Node): void {
    const sums = this.sums.get(node) ?? new Map<Context, Node>();
    const before = sums.get(context);
    this.sums.set(node, sums.set(context, before === undefined ? part : this.calculus.plus(before, part)));
  }

  /** The adjoint of a node, when all that use it have been added; nothing where nothing flowed back. */
  of(node: Node): Node | undefined {
    const sums = this.sums.get(node);
    if (sums === undefined) return this.settled.get(node);
    const own = this.branches.of(node);
    // Some branches have no choice of their own: what comes out of one of them is chosen in what is around all.
    const around = own === undefined || isBranch(own) ? own : own.outer;
    const isInner = (each: Context): each is Branch | SomeBranches =>
      each !== undefined && each !== own && each !== around;
    // From the inside out: the sum of a branch becomes one of those of what is around it.
    const open = [...sums.keys()].filter(isInner).sort((one, other) => one.depth - other.depth);
    for (let context = open.pop(); context !== undefined; context = open.pop()) {
      const part = sums.get(context);
      if (part === undefined) continue; // as the other branch of its choice it is done
      sums.delete(context);
      const { outer } = context;
      const isNew = isInner(outer) && !sums.has(outer);
      this.addTo(node, outer, this.chosen(context, part, node, sums));
      if (isNew) insert(open, outer);
    }
    const adjoint = this.sum(sums.get(around), own === around ? undefined : sums.get(own));
    this.sums.delete(node);
    if (adjoint !== undefined) this.settled.set(node, adjoint);
    return adjoint;
  }

  private sum(one: Node | undefined, other: Node | undefined): Node | undefined {
    return one === undefined || other === undefined ? (one ?? other) : this.calculus.plus(one, other);
  }

  /** What flows out of a branch, and of the other one of its choice, or of some branches. */
  private chosen(context: Branch | SomeBranches, part: Node, node: Node, sums: Map<Context, Node>): Node {
    const { graph, span } = this.calculus;
    if (!isBranch(context)) {
      const zeros = this.zeros(node, context.branches);
      return graph.select(this.isTaken(context), part, zeros, span);
    }
    const { choice, isYes } = context;
    const opposite = this.branches.other(context);
    const other = sums.get(opposite) ?? this.zeros(node, [context]);
    sums.delete(opposite);
    return graph.select(choice.condition, isYes ? part : other, isYes ? other : part, span);
  }

  /** Zeros for what flows out of some branches: of one of them at least something has flowed to the choice. */
  private zeros(node: Node, branches: readonly Branch[]): Node {
    for (const { choice } of branches) {
      const adjoint = this.of(choice);
      if (adjoint !== undefined) return this.calculus.zerosLike(node, adjoint, choice.type);
    }
    throw new Error("nothing flows out of a branch of what nothing flows to");
  }

  /** 1 where one of some branches is taken, otherwise 0. */
  private isTaken(some: SomeBranches): Node {
    const { calculus } = this;
    const { graph, span } = calculus;
    const existing = this.taken.get(some);
    if (existing !== undefined) return existing;
    const [no, yes] = [calculus.number(0), calculus.number(1)];
    const within = (context: Context, then: Node): Node => {
      if (context === undefined || context === some.outer) return then;
      if (!isBranch(context))
        return within(context.outer, graph.select(this.isTaken(context), then, no, span));
      const { choice, isYes } = context;
      return within(
        context.outer,
        graph.select(choice.condition, isYes ? then : no, isYes ? no : then, span),
      );
    };
    const taken = some.branches.reduce<Node>(
      (before, each) => graph.select(within(each, yes), yes, before, span),
      no,
    );
    this.taken.set(some, taken);
    return taken;
  }
}

/** Puts a context among others, the deepest last. */
function insert(contexts: (Branch | SomeBranches)[], context: Branch | SomeBranches): void {
  const at = contexts.findLastIndex(({ depth }) => depth <= context.depth);
  contexts.splice(at + 1, 0, context);
}
