import { Graph } from "../../../language/core/graph.js";
import { inputsOf, type Node, type NodeOf, type Table, visit } from "../../../language/core/operations.js";
import type { AggregatorName } from "../../../language/scalar/aggregators.js";
import { renaming } from "../../../language/types/algebra.js";
import { entry } from "../../../language/values/element.js";

/**
 * Which part of a program each shard of a cluster computes by itself, and what it hands over. All cells of one label of the
 * partition dimension lie on one shard; what has that dimension is the union of what the shards have.
 */
export type Distribution =
  /** Of no table: computed where it is needed. */
  | { readonly kind: "local" }
  /** The same on each shard. */
  | { readonly kind: "replicated" }
  /** A part on each shard, by the labels of a mapped dimension. */
  | { readonly kind: "partitioned"; readonly dimension: string }
  /** Only when parts have been brought together. */
  | { readonly kind: "gathered" };

/** What shards hand over. */
export type Fetch =
  /** The value of a node, from any one shard. */
  | { readonly kind: "first"; readonly node: Node }
  /** The cells of a node, from all of them. */
  | { readonly kind: "union"; readonly node: Node }
  /** The reduction of each shard's part; these are aggregated again. */
  | { readonly kind: "partial"; readonly node: NodeOf<"reduce">; readonly parts: readonly Node[] };

/** Where the rows of an input are, or the node that stands for it: its default; nothing for an input that is neither. */
export type InputDistribution = (name: string) => Distribution | { readonly default: Node } | undefined;

/** What the shards compute for some roots; the rest of the program is computed from it. */
export function fetchesOf(roots: readonly Node[], inputs: InputDistribution): readonly Fetch[] {
  const distributions = distributionsOf(roots, inputs);
  const fetches = new Map<Node, Fetch>();
  const open = [...roots];
  const seen = new Set<Node>(open);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { kind } = entry(distributions, node);
    if (kind === "replicated") fetches.set(node, { kind: "first", node });
    else if (kind === "partitioned") fetches.set(node, { kind: "union", node });
    else if (kind === "gathered") {
      const partial = partialOf(node, distributions);
      if (partial !== undefined) fetches.set(node, partial);
      else if (isOfOneShard(node, distributions)) fetches.set(node, { kind: "union", node });
      else
        for (const input of sourcesOf(node, inputs)) {
          if (!seen.has(input)) open.push(input);
          seen.add(input);
        }
    }
  }
  return [...fetches.values()];
}

/** The distribution of each closed node that roots are computed from. */
export function distributionsOf(
  roots: readonly Node[],
  inputs: InputDistribution,
): ReadonlyMap<Node, Distribution> {
  const found = new Map<Node, Distribution>();
  const of = (node: Node): Distribution => entry(found, node);
  for (const node of sourcesFirst(roots, inputs)) {
    const distribution = visit(rules, node, of, inputs);
    // Blocks of unbound sizes are as large as the largest of all shards: what one shard has is not yet a part.
    const isPart = distribution.kind !== "partitioned" || node.type.isBound || node.op === "input";
    found.set(node, isPart ? distribution : gathered);
  }
  return found;
}

/** The nodes outside of its own binders that a node is computed from. */
function closedInputs(node: Node): readonly Node[] {
  const inputs = new Set<Node>();
  const inner = new Set<Node>(visit(inputsOf, node));
  for (const each of inner) {
    if (each.depends === 0) inputs.add(each);
    else for (const input of visit(inputsOf, each)) inner.add(input);
  }
  return [...inputs];
}

/** The same, and the default of an input. */
function sourcesOf(node: Node, inputs: InputDistribution): readonly Node[] {
  if (node.op !== "input") return closedInputs(node);
  const source = inputs(node.name);
  return source !== undefined && "default" in source ? [source.default] : [];
}

/** The closed nodes that roots are computed from, each after its sources. */
function sourcesFirst(roots: readonly Node[], inputs: InputDistribution): readonly Node[] {
  const done = new Set<Node>();
  const open = [...roots];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const missing = done.has(node) ? [] : sourcesOf(node, inputs).filter((each) => !done.has(each));
    if (missing.length === 0) {
      done.add(node);
      open.pop();
    } else for (const each of missing) open.push(each);
  }
  return [...done];
}

type Rules = Table<[of: (node: Node) => Distribution, inputs: InputDistribution], Distribution>;

const local: Distribution = { kind: "local" };
const gathered: Distribution = { kind: "gathered" };

/** A value of several others, none of which is a part. */
function together(node: Node, of: (node: Node) => Distribution): Distribution {
  const kinds = closedInputs(node).map((each) => of(each).kind);
  if (kinds.some((kind) => kind === "gathered" || kind === "partitioned")) return gathered;
  return kinds.includes("replicated") ? { kind: "replicated" } : local;
}

/** What is computed of each block, or each cell, by itself. */
const alongside = (node: Node, of: (node: Node) => Distribution): Distribution => {
  const [first] = closedInputs(node);
  const own = first && of(first);
  // A shard knows how long axes without sizes are among its own rows alone.
  const isBound = first?.type.isBound === true && node.type.isBound;
  return own?.kind === "partitioned" && isBound ? own : together(node, of);
};

/** Two sides that agree in the labels that they share. */
function matched(
  { left, right }: NodeOf<"join" | "merge" | "concat">,
  of: (node: Node) => Distribution,
  isInner: boolean,
): Distribution {
  const [a, b] = [of(left), of(right)];
  if (a.kind === "gathered" || b.kind === "gathered") return gathered;
  const isBound = left.type.isBound && right.type.isBound;
  if (a.kind === "partitioned" && b.kind === "partitioned")
    return a.dimension === b.dimension && isBound ? a : gathered;
  if (a.kind !== "partitioned" && b.kind !== "partitioned")
    return a.kind === "replicated" || b.kind === "replicated" ? { kind: "replicated" } : local;
  // A row that only the other side has would come from every shard.
  if (!isInner || !isBound) return gathered;
  return a.kind === "partitioned" ? a : b;
}

const rules: Rules = {
  constant: () => local,
  input: ({ name }, of, inputs) => {
    const source = inputs(name) ?? local;
    return "default" in source ? of(source.default) : source;
  },
  parameter: () => local,
  random: () => gathered,
  host: () => gathered,
  apply: (node, of) => together(node, of),
  select: (node, of) => {
    const [condition, yes, no] = [of(node.condition), of(node.yes), of(node.no)];
    const isOutside = condition.kind === "local" || condition.kind === "replicated";
    const isSame = yes.kind === "partitioned" && no.kind === "partitioned" && yes.dimension === no.dimension;
    return isOutside && isSame ? yes : together(node, of);
  },
  map: (node, of) => alongside(node, of),
  reduce: (node, of) => {
    const own = of(node.tensor);
    if (own.kind !== "partitioned") return own;
    const isRetained = node.over.length > 0 && !node.over.includes(own.dimension);
    return isRetained && node.tensor.type.isBound ? own : gathered;
  },
  join: (node, of) => matched(node, of, true),
  merge: (node, of) => matched(node, of, false),
  rename: (node, of) => {
    const own = of(node.tensor);
    if (own.kind !== "partitioned") return own;
    return { kind: "partitioned", dimension: renaming(node.from, node.to)(own.dimension) };
  },
  concat: (node, of) => matched(node, of, true),
  generate: (node, of) => together(node, of),
  slice: (node, of) => {
    const own = of(node.tensor);
    const isStill =
      own.kind === "partitioned" &&
      node.tensor.type.isBound &&
      node.at.every(({ dimension, label }) => dimension !== own.dimension && typeof label === "string");
    return isStill ? own : together(node, of);
  },
  literal: (node, of) => together(node, of),
  cast: (node, of) => alongside(node, of),
  order: (node, of) => together(node, of),
  mapSubspaces: (node, of) => alongside(node, of),
  filterSubspaces: (node, of) => alongside(node, of),
};

/** Whether a node is the slice of one label of the partition: one shard has rows of it, and the others have none. */
function isOfOneShard(node: Node, distributions: ReadonlyMap<Node, Distribution>): boolean {
  if (node.op !== "slice" || !node.type.isBound) return false;
  const isPart = entry(distributions, node.tensor).kind === "partitioned" && node.tensor.type.isBound;
  // A dense block is there on each shard, of zeros.
  return isPart && node.type.mapped.length > 0 && node.at.every(({ label }) => typeof label === "string");
}

/** What shards compute for an aggregator, in place of cells; nothing where all cells are needed together. */
const partialAggregators: Readonly<Record<AggregatorName, readonly AggregatorName[] | undefined>> = {
  sum: ["sum"],
  count: ["count"],
  avg: ["sum", "count"],
  // A dense block without a cell is 0, which counts tell from a cell.
  max: ["max", "count"],
  min: ["min", "count"],
  // A part of it may be too large or too small where the whole is not: it is taken in the order of the addresses.
  prod: undefined,
  median: undefined,
  vespaMax: undefined,
  vespaMin: undefined,
};

function partialOf(node: Node, distributions: ReadonlyMap<Node, Distribution>): Fetch | undefined {
  if (node.op !== "reduce") return undefined;
  const { tensor, aggregator, over, span } = node;
  const needed = partialAggregators[aggregator];
  const isPart = entry(distributions, tensor).kind === "partitioned" && tensor.type.isBound;
  if (!isPart || needed === undefined) return undefined;
  const graph = new Graph();
  const parts = needed.map((each): Node => {
    const part = graph.reduce(tensor, each, over, span);
    // A part may be more than a cell of the result can hold where the whole is not.
    return { ...part, type: part.type.withCells("double") };
  });
  return { kind: "partial", node, parts };
}
