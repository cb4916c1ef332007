import { nothingWaits, usedBy, type Waiting, waitingValue } from "../../../language/check/waiting.js";
import type { Node } from "../../../language/core/operations.js";
import { inputsFirst } from "../../../language/differentiate/node-order.js";
import type { Span } from "../../../language/source/span.js";
import { renaming } from "../../../language/types/algebra.js";

/** The indexed dimensions of a node along which it has the items of a batch, in their order; or may have, where nothing tells what they are. */
type ItemAxes = ReadonlyMap<string, "items" | "unknown">;

const none: ItemAxes = new Map();

/**
 * The first node below another that has an indexed dimension from nothing that has it, unless it is an input among the data whose size is
 * unbound there: a literal, a constant, a variable, the default of an input. So is what is combined with items that were renamed, or come
 * from a model, along a dimension along which it has no items. The bodies of lambdas on subspaces are looked through, too.
 */
export function fixedAlong(
  root: Node,
  dimension: string,
  data: ReadonlySet<string>,
  waiting: Waiting = nothingWaits,
): Span | undefined {
  const { fixed } = walked(root, dimension, waiting, (node) => {
    const isData =
      node.op === "input" && data.has(node.name) && node.type.dimension(dimension)?.size === undefined;
    return isData && hasIndexed(node, dimension) ? new Map([[dimension, "items"]]) : undefined;
  });
  return fixed;
}

/** What is fixed below a node; if nothing is, the item axes of the node. */
type Walked =
  | { readonly fixed: Span; readonly axes?: never }
  | { readonly fixed?: never; readonly axes: ItemAxes };

/** Walks up from values whose item axes are settled. */
function walked(
  root: Node,
  dimension: string,
  waiting: Waiting,
  settled: (node: Node) => ItemAxes | undefined,
): Walked {
  const found = new Map<Node, ItemAxes>();
  const of = (node: Node): ItemAxes => found.get(node) ?? none;
  for (const node of inputsFirst(root, (each) => usedBy(each, waiting))) {
    const body = bodyWalked(node, dimension, waiting, of);
    if (body?.fixed !== undefined) return body;
    const axes = settled(node) ?? ((node.op === "mapSubspaces" && body?.axes) || axesOf(node, of, waiting));
    found.set(node, axes);
    const isOfInputs = usedBy(node, waiting).some((each) => hasIndexed(each, dimension));
    if (hasIndexed(node, dimension) && !axes.has(dimension) && !isOfInputs) return { fixed: node.span };
    const other = otherThanItems(node, of, waiting);
    if (other !== undefined) return { fixed: other.span };
  }
  return { axes: of(root) };
}

/** The same in the body of a lambda on subspaces, whose parameter is each of them. */
function bodyWalked(
  node: Node,
  dimension: string,
  waiting: Waiting,
  of: (node: Node) => ItemAxes,
): Walked | undefined {
  if (node.op !== "mapSubspaces" && node.op !== "filterSubspaces") return undefined;
  const isBlock = (each: Node): boolean => each.op === "parameter" && each.level === 1;
  return walked(node.lambda.body, dimension, waiting, (each) =>
    isBlock(each) ? of(node.tensor) : undefined,
  );
}

const hasIndexed = ({ type }: Node, dimension: string): boolean =>
  type.dimension(dimension)?.kind === "indexed";

/** The item axes of a node, by those of what it is computed from. */
function axesOf(node: Node, of: (node: Node) => ItemAxes, waiting: Waiting): ItemAxes {
  const { axes } = waitingValue(node, waiting) ?? {};
  if (axes !== undefined) {
    const own = Array.from(axes, ([name, from]) => {
      const isItems = from !== "unknown" && from.some((each) => of(each.node).has(each.dimension));
      return [name, from === "unknown" ? from : isItems ? "items" : undefined] as const;
    });
    const isComputed = usedBy(node, waiting).some((each) => of(each).size > 0);
    return new Map(
      own.flatMap(([name, kind]) => (kind === undefined || !isComputed ? [] : [[name, kind] as const])),
    );
  }
  const newName = node.op === "rename" ? renaming(node.from, node.to) : (name: string) => name;
  const own = usedBy(node, waiting).flatMap((each) => [...of(each)]);
  const named = own.map(([name, kind]) => [newName(name), kind] as const);
  return new Map(named.filter(([name]) => node.type.dimension(name)?.kind === "indexed"));
}

/** What a node combines with items, along their dimension, that has other ones there. */
function otherThanItems(node: Node, of: (node: Node) => ItemAxes, waiting: Waiting): Node | undefined {
  for (const axes of combined(node, waiting)) {
    const isItems = axes.some((each) => of(each.node).get(each.dimension) === "items");
    const other = isItems ? axes.find((each) => !of(each.node).has(each.dimension)) : undefined;
    if (other !== undefined) return other.node;
  }
  return undefined;
}

/** The axes that a node takes as one, where these are of several values. */
function combined(node: Node, waiting: Waiting) {
  const { sources, axes } = waitingValue(node, waiting) ?? {};
  if (axes !== undefined) return [...axes.values()].flatMap((from) => (from === "unknown" ? [] : [from]));
  const isOfBoth = node.op === "join" || node.op === "merge" || sources !== undefined;
  if (!isOfBoth) return [];
  const operands = usedBy(node, waiting);
  return node.type.indexed.map(({ name }) =>
    operands.flatMap((each) =>
      each.type.dimension(name)?.kind === "indexed" ? [{ node: each, dimension: name }] : [],
    ),
  );
}
