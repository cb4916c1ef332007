import { type Node, type Table, visit } from "../core/operations.js";
import { type Branch, type BranchesOfNodes, type Context, isBranch } from "./branches.js";
import { differentiable } from "./node-order.js";

/** The names of a tensor that stand for other cells in a node that uses it: those that are in both, but not for the same. */
const changedNames: Table<[], readonly string[]> = {
  constant: () => [],
  input: () => [],
  parameter: () => [],
  random: () => [],
  apply: () => [],
  select: () => [],
  map: () => [],
  reduce: () => [],
  join: () => [],
  merge: () => [],
  rename: ({ from, to }) => [...from, ...to],
  concat: ({ along }) => [along],
  generate: ({ type }) => type.names,
  slice: ({ at }) => at.map(({ dimension }) => dimension),
  literal: () => [],
  cast: () => [],
  order: ({ type }) => type.names,
  mapSubspaces: ({ type }) => type.indexed.map(({ name }) => name),
  filterSubspaces: () => [],
  host: ({ type }) => type.names,
};

type Lost = ReadonlyMap<Branch<Node>, ReadonlySet<string>>;

const nothing: Lost = new Map();

/**
 * For each node, the dimensions of the choices around it that it does not have as the choice has them: a sum over `c` has none, and
 * what it is a sum of has another `c` than a choice that repeats the sum along `c`.
 */
export class LostNames {
  private readonly lost = new Map<Node, Map<Branch<Node>, Set<string>>>();
  private readonly around = new Map<Context<Node>, readonly Branch<Node>[]>();

  /** The nodes between a value and `x`, each after its own inputs. */
  constructor(
    order: readonly Node[],
    x: Node,
    private readonly branches: BranchesOfNodes<Node>,
  ) {
    const active = new Set(order);
    for (const node of [...order].reverse()) {
      if (node === x) continue;
      for (const [position, input] of visit(differentiable, node).entries())
        if (active.has(input)) this.addTo(input, node, position);
    }
  }

  /** By the branches that a node lies in. */
  of(node: Node): Lost {
    return this.lost.get(node) ?? nothing;
  }

  /** All branches that a context is made of. */
  branchesIn(context: Context<Node>): readonly Branch<Node>[] {
    if (context === undefined) return [];
    const before = this.around.get(context);
    if (before !== undefined) return before;
    const found = isBranch(context)
      ? [context, ...this.branchesIn(context.outer)]
      : context.branches.flatMap((each) => this.branchesIn(each));
    const all = [...new Set(found)];
    this.around.set(context, all);
    return all;
  }

  private addTo(input: Node, user: Node, position: number): void {
    const within = new Set(this.branchesIn(this.branches.of(input)));
    if (within.size === 0) return;
    const own = this.lost.get(input) ?? new Map<Branch<Node>, Set<string>>();
    this.lost.set(input, own);
    const changed = namesLostBetween(user, input);
    const ofUser = this.of(user);
    for (const branch of this.branchesIn(this.branches.around(user, position))) {
      if (!within.has(branch)) continue;
      const names = own.get(branch) ?? new Set();
      for (const name of [...changed, ...(ofUser.get(branch) ?? [])]) names.add(name);
      own.set(branch, names);
    }
  }
}

/** The names that only one of both has, and those that change on the way. */
function namesLostBetween(user: Node, input: Node): readonly string[] {
  const [above, below] = [user.type.names, input.type.names];
  const isOfOne = (name: string): boolean => !above.includes(name) || !below.includes(name);
  return [...visit(changedNames, user), ...[...above, ...below].filter(isOfOne)];
}
