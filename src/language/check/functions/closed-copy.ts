import { type Graph, levelBit, mostLevels } from "../../core/graph.js";
import { inputsOf, isVolatile, type Node, visit } from "../../core/operations.js";
import { onInputs, relevelled } from "../../core/rebuild.js";

/** Where a value is copied to: a graph of its own, in which so many binders are around. */
export interface ClosedGraph {
  readonly graph: Graph;
  readonly level: number;
  /** What a scalar of the graph around is here; nothing where none may be seen. */
  readonly capture: (scalar: Node) => Node | undefined;
}

/** A value that is the same in all runs, as a part of a closed graph: generators in it are nested there, and have other levels. */
export const constantCopy = (value: Node, { graph, level }: ClosedGraph): Node =>
  relevelled(value, level, new Map(), graph);

/**
 * A value that a run decides, as a part of a closed graph, which sees scalars around it and no tensors: `tensor(x[2])(x * sum(t))`
 * is made again, of `sum(t)` as it is around. Nothing where that cannot be.
 */
export function capturingCopy(value: Node, closed: ClosedGraph): Node | undefined {
  const copies = new Copies(closed);
  const open: Part[] = [{ node: value, bound: 0 }];
  for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
    const missing = copies.has(part) ? [] : copies.partsOf(part).filter((each) => !copies.has(each));
    if (missing.length > 0) {
      for (const each of missing) open.push(each);
      continue;
    }
    open.pop();
    if (!copies.has(part) && !copies.add(part)) return undefined;
  }
  return copies.get({ node: value, bound: 0 });
}

/** A node, and which levels of binders are those of generators that are copied with it: a bit for each. */
interface Part {
  readonly node: Node;
  readonly bound: number;
}

class Copies {
  private readonly copies = new Map<Node, Map<number, Node>>();

  constructor(private readonly closed: ClosedGraph) {}

  get({ node, bound }: Part): Node | undefined {
    return this.copies.get(node)?.get(node.depends & bound);
  }

  has(part: Part): boolean {
    return this.get(part) !== undefined;
  }

  /** What a node is computed from, where it is made again. */
  partsOf(part: Part): readonly Part[] {
    if (isFromAround(part)) return [];
    const bound = boundIn(part);
    return visit(inputsOf, part.node).map((node) => ({ node, bound }));
  }

  /** Copies a node whose parts are there; returns whether that can be. */
  add(part: Part): boolean {
    const copy = this.copied(part);
    if (copy === undefined) return false;
    const { node, bound } = part;
    const ofNode = this.copies.get(node) ?? new Map<number, Node>();
    this.copies.set(node, ofNode.set(node.depends & bound, copy));
    return true;
  }

  private copied(part: Part): Node | undefined {
    const { node } = part;
    const { graph, level, capture } = this.closed;
    if (node.op === "constant") return node;
    if (isFromAround(part)) return capture(node);
    const isShared = (node.depends & levelBit(mostLevels)) !== 0;
    if (isShared || isVolatile(node) || node.op === "input") return undefined;
    if (node.op === "parameter")
      return isBound(part)
        ? graph.parameter(node.level + level, node.position, node.type, node.span)
        : undefined;
    const bound = boundIn(part);
    const copyOf = (each: Node): Node => this.get({ node: each, bound }) ?? each;
    if (node.op === "generate")
      return graph.generate(node.type, node.level + level, copyOf(node.body), node.span);
    return onInputs(node, copyOf, graph);
  }
}

const boundIn = ({ node, bound }: Part): number =>
  node.op === "generate" ? bound | levelBit(node.level) : bound;

const isBound = ({ node, bound }: Part): boolean => (node.depends & bound) !== 0;

/** Whether a node is one number for the whole value, and so may be taken from the graph around. */
const isFromAround = (part: Part): boolean => part.node.type.isScalar && !isBound(part);
