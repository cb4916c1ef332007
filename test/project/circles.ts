/** A directed graph: what each node leads to. */
export type Arrows = ReadonlyMap<string, readonly string[]>;

/**
 * The strongly connected components of more than one node, each sorted: groups in which every node leads to every other, by
 * whatever way.
 */
export function circlesIn(arrows: Arrows): string[][] {
  const reach = new Map([...arrows.keys()].map((node) => [node, reachableFrom(node, arrows)]));
  const leads = (from: string, to: string): boolean => reach.get(from)?.has(to) === true;
  const circles = new Map<string, string[]>();
  for (const node of [...arrows.keys()].sort()) {
    const circle = [...arrows.keys()].filter((other) => leads(node, other) && leads(other, node)).sort();
    const [first] = circle;
    if (first !== undefined && circle.length > 1) circles.set(first, circle);
  }
  return [...circles.values()];
}

/** All nodes that a way of at least one arrow leads to. */
function reachableFrom(start: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of arrows.get(node) ?? []) {
      if (!reached.has(next)) open.push(next);
      reached.add(next);
    }
  }
  return reached;
}
