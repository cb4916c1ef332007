import { type Node, type NodeOf, visit } from "../core/operations.js";
import { differentiable } from "./node-order.js";

/** A branch of a choice. */
export interface Branch {
  readonly choice: NodeOf<"select">;
  readonly isYes: boolean;
  /** What the choice itself lies in. */
  readonly outer: Context;
  readonly depth: number;
}

/** Some branches, of which none may be taken: not all of any choice. */
export interface SomeBranches {
  readonly branches: readonly Branch[];
  readonly outer: Context;
  readonly depth: number;
}

/** What must be taken for anything to flow; nothing where it always does. */
export type Context = Branch | SomeBranches | undefined;

export const isBranch = (context: Branch | SomeBranches): context is Branch => "choice" in context;

/**
 * The innermost branch within which all lies that uses a node, for each of some nodes, or the branches that do: where none of them is taken, nothing
 * flows back to it.
 */
export class BranchesOfNodes {
  private readonly contexts = new Map<Node, Context>();
  private readonly pairs = new Map<Node, readonly [yes: Branch, no: Branch]>();
  private readonly some: SomeBranches[] = [];

  /** The nodes between a value and `x`, each after its own inputs. Into `x` flows whatever comes out of any branch. */
  constructor(order: readonly Node[], x: Node) {
    const active = new Set(order);
    const users = new Map<Node, Set<Context>>();
    for (const node of [...order].reverse()) {
      this.contexts.set(node, node === x ? undefined : this.contextOf(users.get(node)));
      if (node === x) continue;
      for (const [position, input] of visit(differentiable, node).entries()) {
        if (!active.has(input)) continue;
        const ofInput = users.get(input) ?? new Set();
        users.set(input, ofInput.add(this.around(node, position)));
      }
    }
  }

  of(node: Node): Context {
    return this.contexts.get(node);
  }

  /** What is around what a node computes from at one of its positions. */
  around(user: Node, position: number): Context {
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

  /** What all of these together are: both branches of a choice are what the choice lies in, and one within another is nothing more. */
  private contextOf(users: ReadonlySet<Context> | undefined): Context {
    const branches = new Set<Branch>();
    const open = [...(users ?? [undefined])];
    while (open.length > 0) {
      const context = open.pop();
      if (context === undefined) return undefined;
      if (!isBranch(context)) {
        for (const each of context.branches) open.push(each);
        continue;
      }
      const other = this.other(context);
      if (branches.delete(other)) open.push(context.outer);
      else branches.add(context);
    }
    const outermost = [...branches].filter((each) => !isWithin(each.outer, branches));
    const [first, ...rest] = outermost;
    if (first === undefined || rest.length === 0) return first;
    return this.several(outermost);
  }

  private several(branches: readonly Branch[]): SomeBranches {
    const existing = this.some.find(
      (each) =>
        each.branches.length === branches.length && branches.every((own) => each.branches.includes(own)),
    );
    if (existing !== undefined) return existing;
    const outer = branches.map((each): Context => each).reduce(shared);
    const made = { branches, outer, depth: (outer?.depth ?? 0) + 1 };
    this.some.push(made);
    return made;
  }
}

/** Whether something lies in one of some branches, or in some of which each is one of them. */
function isWithin(context: Context, branches: ReadonlySet<Branch>): boolean {
  for (let around = context; around !== undefined; around = around.outer)
    if (isBranch(around) ? branches.has(around) : around.branches.every((each) => branches.has(each)))
      return true;
  return false;
}

/** The innermost that both lie in. */
function shared(one: Context, other: Context): Context {
  let [left, right] = [one, other];
  while (left !== right) {
    const [depth, depthOfOther] = [left?.depth ?? 0, right?.depth ?? 0];
    if (depth >= depthOfOther) left = left?.outer;
    if (depthOfOther >= depth) right = right?.outer;
  }
  return left;
}
