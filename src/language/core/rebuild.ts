import { type Graph, levelBit } from "./graph.js";
import { inputsOf, type Lambda, lambdaOf, type Node, type Table, visit } from "./operations.js";

/** What a node becomes that others are computed from. */
export type Substitution = (node: Node) => Node;

const body = (lambda: Lambda, to: Substitution): Lambda => ({
  ...lambda,
  body: to(lambda.body),
});
const itself = (node: Node): Node => node;

/** The same operation on what the inputs have become. */
const operations: Table<[Substitution, Graph, Substitution], Node> = {
  constant: itself,
  input: itself,
  parameter: itself,
  random: itself,
  apply: (node, to, graph) => graph.apply(node.function, node.arguments.map(to), node.span),
  select: (node, to, graph) => graph.select(to(node.condition), to(node.yes), to(node.no), node.span),
  map: (node, to, graph, inside) => graph.map(to(node.tensor), body(node.lambda, inside), node.span),
  reduce: (node, to, graph) => graph.reduce(to(node.tensor), node.aggregator, node.over, node.span),
  join: (node, to, graph, inside) =>
    graph.join(to(node.left), to(node.right), body(node.lambda, inside), node.span),
  merge: (node, to, graph, inside) =>
    graph.merge(to(node.left), to(node.right), body(node.lambda, inside), node.span),
  rename: (node, to, graph) => graph.rename(to(node.tensor), node.from, node.to, node.span),
  concat: (node, to, graph) => graph.concat(to(node.left), to(node.right), node.along, node.pad, node.span),
  generate: (node, to, graph) => graph.generate(node.type, node.level, to(node.body), node.span),
  slice: (node, to, graph) => {
    const at = node.at.map((each) =>
      typeof each.label === "string" ? each : { ...each, label: to(each.label) },
    );
    return graph.slice(to(node.tensor), at, node.span);
  },
  literal: (node, to, graph) => {
    const cells = node.cells.map((cell) => ({ ...cell, value: to(cell.value) }));
    return graph.literal(node.type, cells, node.span);
  },
  cast: (node, to, graph) => graph.cast(to(node.tensor), node.type, node.span),
  order: (node, to, graph) => graph.order(to(node.tensor), node.descending, node.span),
  mapSubspaces: (node, to, graph, inside) =>
    graph.mapSubspaces(to(node.tensor), body(node.lambda, inside), node.span),
  filterSubspaces: (node, to, graph, inside) =>
    graph.filterSubspaces(to(node.tensor), body(node.lambda, inside), node.span),
  host: (node, to, graph) => graph.host(node.function, node.arguments.map(to), node.level, node.span),
};

/** All nodes that a node is made of directly: what it computes from, and the body of its lambda. */
export function partsOf(node: Node): readonly Node[] {
  const lambda = lambdaOf(node);
  const inputs = visit(inputsOf, node);
  return lambda === undefined ? inputs : [...inputs, lambda.body];
}

/** The node itself where all of its parts stayed what they were; its operation on what they have become elsewhere. */
export function rebuilt(node: Node, parts: readonly Node[], to: Substitution, graph: Graph): Node {
  return parts.every((part) => to(part) === part) ? node : visit(operations, node, to, graph, to);
}

/**
 * A body with other nodes for some of its parameters. The lambdas within it are graphs of their own: a parameter there is
 * theirs, also where it is the same node. No recursion, for graphs may be deep.
 */
export function substituted(root: Node, replacements: ReadonlyMap<Node, Node>, graph: Graph): Node {
  return substitution(replacements, graph)(root);
}

/** The bits of the levels that replaced parameters are of; nothing where others than parameters are replaced. */
function levelsOf(replacements: ReadonlyMap<Node, Node>): number | undefined {
  let levels = 0;
  for (const node of replacements.keys()) {
    if (node.op !== "parameter") return undefined;
    levels |= levelBit(node.level);
  }
  return levels;
}

/** As `substituted`, for any number of bodies: what they share is rebuilt once. */
export function substitution(replacements: ReadonlyMap<Node, Node>, graph: Graph): Substitution {
  const results = new Map(replacements);
  const levels = levelsOf(replacements);
  // What depends on none of them may be a generator whose own indexes are the same nodes.
  const isConcerned = (node: Node): boolean => levels === undefined || (node.depends & levels) !== 0;
  return (root) => substitutedWith(results, root, graph, itself, isConcerned);
}

/**
 * The body of a lambda that becomes a part of another graph, with other nodes for its parameters: the binders in it are so
 * many levels deeper there. What draws random numbers at each turn of the lambda does so at each turn of the binder around it.
 */
export function relevelled(
  root: Node,
  by: number,
  replacements: ReadonlyMap<Node, Node>,
  graph: Graph,
): Node {
  const inner = (node: Node): Node => {
    switch (node.op) {
      case "parameter":
        return graph.parameter(node.level + by, node.position, node.type, node.span);
      case "random":
        return graph.random(node.type, node.level + by, node.span);
      case "host":
        return graph.host(node.function, node.arguments, node.level + by, node.span);
      case "generate":
        return graph.generate(node.type, node.level + by, node.body, node.span);
      default:
        return node;
    }
  };
  return substitutedWith(new Map(replacements), root, graph, by === 0 ? itself : inner);
}

function substitutedWith(
  results: Map<Node, Node>,
  root: Node,
  graph: Graph,
  then: Substitution = itself,
  isConcerned: (node: Node) => boolean = () => true,
): Node {
  const to = (node: Node): Node => results.get(node) ?? node;
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const inputs = results.has(node) || !isConcerned(node) ? [] : visit(inputsOf, node);
    const missing = inputs.filter((input) => !results.has(input));
    for (const input of missing) open.push(input);
    if (missing.length > 0) continue;
    open.pop();
    if (results.has(node)) continue;
    results.set(node, isConcerned(node) ? then(onInputs(node, to, graph)) : node);
  }
  return to(root);
}

/** The same operation on what its inputs have become; its lambda, a graph of its own, stays as it is. */
export function onInputs(node: Node, to: Substitution, graph: Graph): Node {
  const isSame = visit(inputsOf, node).every((input) => to(input) === input);
  return isSame ? node : visit(operations, node, to, graph, itself);
}

/** The operation of a node made anew: in another graph this is how its type is found once more. */
export const rebuiltIn = (node: Node, graph: Graph): Node => visit(operations, node, itself, graph, itself);
