import type { ExplainedNode, Explanation } from "../../index.js";
import { append } from "../../language/source/lists.js";
import { element, entry } from "../../language/values/element.js";

/**
 * The steps of an evaluation in their order, in the shape in which Vespa's content nodes tell theirs. The steps are ours:
 * the operations of the core language, where theirs are classes and functions of C++.
 */
export interface Step {
  readonly class: string;
  readonly symbol: string;
}

/** What was computed. The bodies of lambdas are no steps of their own. */
const computed = (explanation: Explanation): readonly ExplainedNode[] =>
  inOrder(explanation)
    .map((at) => element(explanation.nodes, at))
    .filter((each) => each.computed === "once");

/** The places of all nodes, each after all that it is made of. */
function inOrder({ nodes, results }: Explanation): readonly number[] {
  const done = new Set<number>();
  const open = results.map(({ node }) => ({ at: node, isLeft: false }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, isLeft } = next;
    if (isLeft) done.add(at);
    if (isLeft || done.has(at)) continue;
    const from = element(nodes, at).from.filter((each) => !done.has(each));
    append(open, [{ at, isLeft: true }, ...from.map((each) => ({ at: each, isLeft: false })).reverse()]);
  }
  return [...done];
}

/** How many nodes and cells there are to write where what is used twice is written twice. */
export function writtenParts(explanation: Explanation): number {
  const { nodes, results } = explanation;
  const parts = new Map<number, number>();
  for (const at of inOrder(explanation)) {
    const { operation, value, from } = element(nodes, at);
    const own = operation === "constant" ? (value?.cells ?? 1) : 1;
    parts.set(
      at,
      from.reduce((sum, each) => sum + entry(parts, each), own),
    );
  }
  return results.reduce((sum, { node }) => sum + entry(parts, node), 0);
}

export const stepsOf = (explanation: Explanation): readonly Step[] =>
  computed(explanation).map(({ operation, description }) => ({ class: operation, symbol: description }));

/** A paragraph for each step, with how often it was taken and its time. */
export function stepsText(explanation: Explanation, general: (value: number) => string): string {
  const texts = computed(explanation).map(({ operation, description, time }) => {
    const timed = time === undefined ? "" : `    time_us: ${general(time * 1000)}\n`;
    return `  class: ${operation}\n    symbol: ${description}\n    count: 1\n${timed}`;
  });
  return texts.join("");
}
