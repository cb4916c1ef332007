import { depthFirst } from "../../../language/source/depth-first.js";
import type { Report } from "../../../language/source/problem.js";
import type { Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";

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

/** All that a node inherits. A circle is reported and cut. */
export function lineageOf<T>(own: T, { what, nameOf, above }: Nodes<T>, report: Report): Lineage<T> {
  const entered = new Map<T, readonly T[]>();
  const ancestors = new Map<T, ReadonlySet<T>>();
  let isCut = false;
  // From the last to the first, so that those are nearest that are written first. A circle is told however much there is.
  function* inheritedBy(node: T): Generator<T, void> {
    const inherited = above(node).toReversed();
    entered.set(node, inherited);
    for (const each of inherited) {
      const isCircle = entered.has(each) && !ancestors.has(each);
      if (isCircle || entered.size <= most) yield each;
      else {
        isCut = true;
        const { text: name, span } = nameOf(own);
        report(problem("profile/too-many", span, { what, name, limit: most }));
      }
    }
  }
  for (const step of depthFirst([own], inheritedBy))
    if (step.kind === "cycle") reportCycle(step.nodes.map(nameOf), what, report);
    else {
      const inherited = entered.get(step.node) ?? [];
      ancestors.set(step.node, new Set(inherited.flatMap((each) => [each, ...(ancestors.get(each) ?? [])])));
    }
  // Behind a node come all that it inherits: the reverse of the order in which they were finished.
  return { nearestFirst: [...ancestors.keys()].toReversed(), ancestors, isCut };
}

/** One circle is met from each node on it: it is told at one of them. */
function reportCycle(names: readonly Word[], what: Nodes<unknown>["what"], report: Report): void {
  const path = [...names, ...names.slice(0, 1)];
  const [first] = [...path].sort((a, b) => (a.text < b.text ? -1 : 1));
  if (first === undefined) return;
  const { text: name, span } = first;
  report(problem("profile/cycle", span, { what, name, path: path.map(({ text }) => text) }));
}
