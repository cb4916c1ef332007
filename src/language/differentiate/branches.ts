import { type Node, type NodeOf, visit } from "../core/operations.js";
import { differentiable } from "./node-order.js";

/** A node by which a choice is known, and one of its branches. */
export interface ChoiceAt<Choice extends Node> {
  readonly choice: Choice;
  readonly isYes: boolean;
}

/** A branch of a choice. */
export interface Branch<Choice extends Node = NodeOf<"select">> extends ChoiceAt<Choice> {
  /** What the choice itself lies in. */
  readonly outer: Context<Choice>;
  readonly depth: number;
}

/** Some branches, of which none may be taken: not all of any choice. */
export interface SomeBranches<Choice extends Node = NodeOf<"select">> {
  readonly branches: readonly Branch<Choice>[];
  readonly outer: Context<Choice>;
  readonly depth: number;
}

/** What must be taken for anything to flow; nothing where it always does. */
export type Context<Choice extends Node = NodeOf<"select">> =
  | Branch<Choice>
  | SomeBranches<Choice>
  | undefined;

export const isBranch = <Choice extends Node>(
  context: Branch<Choice> | SomeBranches<Choice>,
): context is Branch<Choice> => "choice" in context;

/** The branch in which a choice of a whole tensor computes from its input at a position. */
export const wholeChoice = (user: Node, position: number): ChoiceAt<NodeOf<"select">> | undefined =>
  user.op === "select" ? { choice: user, isYes: position === 0 } : undefined;

type BothBranches<Choice extends Node> = readonly [yes: Branch<Choice>, no: Branch<Choice>];

/**
 * The innermost branch within which all lies that uses a node, for each of some nodes, or the branches that do: where none of them is taken, nothing
 * flows back to it.
 */
export class BranchesOfNodes<Choice extends Node> {
  private readonly contexts = new Map<Node, Context<Choice>>();
  private readonly pairs = new Map<Context<Choice>, Map<Choice, BothBranches<Choice>>>();
  private readonly some: SomeBranches<Choice>[] = [];

  /** The nodes between a value and `x`, each after its own inputs. Into `x` flows whatever comes out of any branch. */
  constructor(
    order: readonly Node[],
    x: Node,
    /** The branch in which a node computes from its input at a position, if that is one. */
    private readonly choiceAt: (user: Node, position: number) => ChoiceAt<Choice> | undefined,
  ) {
    const active = new Set(order);
    const users = new Map<Node, Set<Context<Choice>>>();
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

  of(node: Node): Context<Choice> {
    return this.contexts.get(node);
  }

  /** What is around what a node computes from at one of its positions. */
  around(user: Node, position: number): Context<Choice> {
    const at = this.choiceAt(user, position);
    return at === undefined ? this.of(user) : this.branchesOf(at.choice, this.of(user))[at.isYes ? 0 : 1];
  }

  /** The other branch of the same choice. */
  other({ choice, isYes, outer }: Branch<Choice>): Branch<Choice> {
    return this.branchesOf(choice, outer)[isYes ? 1 : 0];
  }

  private branchesOf(choice: Choice, outer: Context<Choice>): BothBranches<Choice> {
    const pairs = this.pairs.get(outer) ?? new Map<Choice, BothBranches<Choice>>();
    this.pairs.set(outer, pairs);
    const existing = pairs.get(choice);
    if (existing !== undefined) return existing;
    const depth = (outer?.depth ?? 0) + 1;
    const pair = [
      { choice, isYes: true, outer, depth },
      { choice, isYes: false, outer, depth },
    ] as const;
    pairs.set(choice, pair);
    return pair;
  }

  /** What all of these together are: both branches of a choice are what the choice lies in, and one within another is nothing more. */
  private contextOf(users: ReadonlySet<Context<Choice>> | undefined): Context<Choice> {
    const branches = new Set<Branch<Choice>>();
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

  private several(branches: readonly Branch<Choice>[]): SomeBranches<Choice> {
    const existing = this.some.find(
      (each) =>
        each.branches.length === branches.length && branches.every((own) => each.branches.includes(own)),
    );
    if (existing !== undefined) return existing;
    const outer = branches.map((each): Context<Choice> => each).reduce(shared);
    const made = { branches, outer, depth: (outer?.depth ?? 0) + 1 };
    this.some.push(made);
    return made;
  }
}

/** Whether something lies in one of some branches, or in some of which each is one of them. */
function isWithin<Choice extends Node>(
  context: Context<Choice>,
  branches: ReadonlySet<Branch<Choice>>,
): boolean {
  for (let around = context; around !== undefined; around = around.outer)
    if (isBranch(around) ? branches.has(around) : around.branches.every((each) => branches.has(each)))
      return true;
  return false;
}

/** The innermost that both lie in. */
function shared<Choice extends Node>(one: Context<Choice>, other: Context<Choice>): Context<Choice> {
  let [left, right] = [one, other];
  while (left !== right) {
    const [depth, depthOfOther] = [left?.depth ?? 0, right?.depth ?? 0];
    if (depth >= depthOfOther) left = left?.outer;
    if (depthOfOther >= depth) right = right?.outer;
  }
  return left;
}
