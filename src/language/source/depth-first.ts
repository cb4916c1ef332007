/**
 * What a walk through a graph comes to: a node that is finished, after all that it leads to but for what leads back to it, or a
 * cycle, of whose nodes each leads to the next, and the last to the first.
 */
type Step<T> =
  | { readonly kind: "finished"; readonly node: T }
  | { readonly kind: "cycle"; readonly nodes: readonly [T, ...T[]] };

/**
 * Goes through a graph depth first, each node once, without recursion. The successors of a node are asked for once, when it is
 * entered, and each is taken when those before it are finished.
 */
export function* depthFirst<T>(
  roots: Iterable<T>,
  successorsOf: (node: T) => Iterable<T>,
): Generator<Step<T>, void> {
  const finished = new Set<T>();
  const path: { readonly node: T; readonly successors: Iterator<T, unknown> }[] = [];
  const depths = new Map<T, number>();
  const enter = (node: T): void => {
    depths.set(node, path.length);
    path.push({ node, successors: successorsOf(node)[Symbol.iterator]() });
  };
  for (const root of roots) {
    if (!finished.has(root)) enter(root);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.successors.next();
      if (next.done === true) {
        path.pop();
        depths.delete(last.node);
        finished.add(last.node);
        yield { kind: "finished", node: last.node };
        continue;
      }
      const depth = depths.get(next.value);
      if (depth !== undefined) {
        const behind = path.slice(depth + 1).map(({ node }) => node);
        yield { kind: "cycle", nodes: [next.value, ...behind] };
      } else if (!finished.has(next.value)) enter(next.value);
    }
  }
}

/** The cycles of a graph that a walk depth first comes to: one at least of those that are linked. */
export function* cyclesIn<T>(
  roots: Iterable<T>,
  successorsOf: (node: T) => Iterable<T>,
): Generator<readonly [T, ...T[]], void> {
  for (const step of depthFirst(roots, successorsOf)) if (step.kind === "cycle") yield step.nodes;
}

/** The nodes of a graph, each once, after all that it leads to but for what leads back to it. */
export function postOrder<T>(roots: Iterable<T>, successorsOf: (node: T) => Iterable<T>): readonly T[] {
  const order: T[] = [];
  for (const step of depthFirst(roots, successorsOf)) if (step.kind === "finished") order.push(step.node);
  return order;
}
