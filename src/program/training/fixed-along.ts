import { nothingWaits, usedBy, type Waiting, waitingValue } from "../../language/check/waiting.js";
import type { Node } from "../../language/core/operations.js";
import { inputsFirst } from "../../language/differentiate/node-order.js";
import type { Span } from "../../language/source/span.js";
import { renaming } from "../../language/types/algebra.js";

/** The indexed dimensions of a node along which it has the items of a batch, in their order; or may have, where nothing tells what they are. */
type ItemAxes = ReadonlyMap<string, "items" | "unknown">;

const none: ItemAxes = new Map();

/**
 * The first node below another that has an indexed dimension from nothing that has it, unless it is an input among the data whose size is
 * unbound there: a literal, a constant, a variable, the default of an input. So is what is combined with items that were renamed, or come
 * from a model, along a dimension along which it has no items.
 */
export function fixedAlong(
  root: Node,
  dimension: string,
  data: ReadonlySet<string>,
  waiting: Waiting = nothingWaits,
): Span | undefined {
  const found = new Map<Node, ItemAxes>();
  const of = (node: Node): ItemAxes => found.get(node) ?? none;
  const has = (node: Node, name = dimension): boolean => node.type.dimension(name)?.kind === "indexed";
  for (const node of inputsFirst(root, (each) => usedBy(each, waiting))) {
    const isData =
      node.op === "input" && data.has(node.name) && node.type.dimension(dimension)?.size === undefined;
    const axes = isData && has(node) ? new Map([[dimension, "items"] as const]) : axesOf(node, of, waiting);
    found.set(node, axes);
    if (has(node) && !axes.has(dimension) && !usedBy(node, waiting).some((each) => has(each)))
      return node.span;
    const other = otherThanItems(node, of, waiting);
    if (other !== undefined) return other.span;
  }
  return undefined;
}

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
