import type { Report } from "../../language/source/problem.js";
import type { Word } from "../../language/syntax/tree.js";
import { problem } from "./messages.js";

/** What inherits what, for schemas and for rank profiles. */
export interface Nodes<T> {
  readonly what: "schema" | "rank profile";
  readonly nameOf: (node: T) => Word;
  /** What a node inherits itself, in the order written. Asked once for each node. */
  readonly above: (node: T) => readonly T[];
}

export interface Lineage<T> {
  /** The node itself, then all that it inherits: none comes before one that inherits it. */
  readonly nearestFirst: readonly T[];
  /** Of each of these, all that it inherits. */
  readonly ancestors: ReadonlyMap<T, ReadonlySet<T>>;
  /** Whether there was more than is looked at. */
  readonly isCut: boolean;
}

/** How much one profile or schema may inherit. */
const most = 200;

/** All that a node inherits, without recursion. A circle is reported and cut. */
export function lineageOf<T>(own: T, { what, nameOf, above }: Nodes<T>, report: Report): Lineage<T> {
  const ancestors = new Map<T, ReadonlySet<T>>();
  const done: T[] = [];
  let isCut = false;
  const open: { readonly node: T; readonly above: readonly T[]; next: number }[] = [];
  // Done from the last to the first, those come first that are written first.
  const enter = (node: T): void => void open.push({ node, above: above(node).toReversed(), next: 0 });
  enter(own);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.above[top.next++];
    if (next === undefined) {
      const set = new Set<T>();
      for (const each of top.above) {
        set.add(each);
        for (const farther of ancestors.get(each) ?? []) set.add(farther);
      }
      ancestors.set(top.node, set);
      done.push(top.node);
      open.pop();
    } else if (open.some(({ node }) => node === next)) {
      const path = [...open.slice(open.findIndex(({ node }) => node === next)).map(({ node }) => node), next];
      const first = [...path].sort((a, b) => (nameOf(a).text < nameOf(b).text ? -1 : 1))[0] ?? next;
      const { text: name, span } = nameOf(first);
      // One circle is met from each profile on it: it is told at one of them.
      report(problem("profile/cycle", span, { what, name, path: path.map((each) => nameOf(each).text) }));
    } else if (ancestors.size + open.length > most) {
      isCut = true;
      const { text: name, span } = nameOf(own);
      report(problem("profile/too-many", span, { what, name, limit: most }));
    } else if (!ancestors.has(next)) enter(next);
  }
  // Behind a node come all that it inherits: the reverse of the order in which they were done.
  return { nearestFirst: done.toReversed(), ancestors, isCut };
}
