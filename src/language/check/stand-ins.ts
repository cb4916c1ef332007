import { type Graph, mostLevels } from "../core/graph.js";
import type { Node } from "../core/operations.js";
import { type Substitution, substituted, substitution } from "../core/rebuild.js";
import { steepBelow } from "../differentiate/slopes.js";

/** What a node stands for. */
interface StandIn {
  /** Others that were added before may stand in it. */
  readonly value: Node;
  /** The same, with all of these replaced. */
  readonly resolved: Node;
  /** The inputs, parameters and stand-ins that a change of the value comes from. */
  readonly sources: ReadonlySet<Node>;
  /** Of a derivative: what it has been followed through, so that it is no function of that any more. */
  readonly through: ReadonlySet<Node>;
}

/** A value as a function of a variable. */
export interface InVariable {
  readonly y: Node;
  /** What stands in the value and changes with the variable: a derivative of it in the variable goes through them. */
  readonly through: ReadonlySet<Node>;
}

/** No name that a program can have begins with it. */
export const standInMark = "\0";

const nothing: ReadonlySet<Node> = new Set();

/** Nodes in the place of values, so that derivatives in them can tell them from equal values. They are gone when a program is checked. */
export class StandIns {
  private readonly all = new Map<Node, StandIn>();
  private readonly resolvedValues = new Map<Node, Node>();

  constructor(private readonly graph: Graph) {}

  /** A node in the place of a value, so that derivatives in it can tell it from equal values. */
  of(value: Node, key: string): Node {
    return this.add(value, key, nothing);
  }

  /** A derivative that was followed through others, as a node that remembers it. */
  ofDerivative(value: Node, through: ReadonlySet<Node>): Node {
    return through.size === 0
      ? value
      : this.add(value, `through ${[...through].map(({ id }) => id)}`, through);
  }

  private add(value: Node, key: string, through: ReadonlySet<Node>): Node {
    const node = this.graph.input(`${standInMark}${key} ${value.id}`, value.type, value.span);
    if (this.all.has(node)) return node;
    const resolved = this.resolved(value);
    this.all.set(node, { value, resolved, sources: new Set([...leavesOf(value), ...through]), through });
    this.resolvedValues.set(node, resolved);
    return node;
  }

  valueOf(node: Node): Node {
    return this.resolvedValues.get(node) ?? node;
  }

  /** Values instead of what stands for them. */
  get resolved(): Substitution {
    return this.resolvedValues.size === 0 ? (node) => node : substitution(this.resolvedValues, this.graph);
  }

  /** The inputs, parameters and stand-ins that a change of a value comes from, also by what stands in others; none beyond the variable. */
  sourcesOf(y: Node, variable: Node): ReadonlySet<Node> {
    const found = new Set(leavesOf(y));
    for (const node of found)
      if (node !== variable) for (const source of this.all.get(node)?.sources ?? []) found.add(source);
    return found;
  }

  /** The derivative that a value changes with and that was followed through the variable: it is no function of that. */
  followedThrough(y: Node, variable: Node): Node | undefined {
    return [...this.sourcesOf(y, variable)].find((node) => this.all.get(node)?.through.has(variable));
  }

  /**
   * A value with all that changes with a variable written out, so that a derivative follows all ways that lead there. What does not
   * change with it stays: the derivative is a function of that, too. `level` is how many binders are around the derivative.
   */
  inVariable(y: Node, variable: Node, level: number): InVariable {
    const sources = this.sourcesOf(y, variable);
    const changing = new Set([variable]);
    const replaced = new Map<Node, Node>();
    const through = new Set<Node>();
    for (const [node, each] of this.all) {
      if (node === variable) continue;
      const isChanging = [...each.sources].some((source) => changing.has(source));
      if (isChanging) changing.add(node);
      if (!isChanging && !isWithin(each.resolved, level)) continue;
      replaced.set(node, substituted(each.value, replaced, this.graph));
      if (!sources.has(node)) continue;
      if (isChanging) through.add(node);
      for (const earlier of each.through) through.add(earlier);
    }
    return { y: replaced.size === 0 ? y : substituted(y, replaced, this.graph), through };
  }
}

const leavesOf = (node: Node): readonly Node[] =>
  [...steepBelow(node)].filter(({ op }) => op === "input" || op === "parameter");

/** Whether a value is computed for each index of a generator that is within so many others: a stand-in hides that. */
const isWithin = ({ depends }: Node, level: number): boolean =>
  depends >>> Math.min(level, mostLevels - 1) !== 0;
