import { inputsOf, lambdaOf, type Node, visit } from "../../core/operations.js";
import { cyclesIn } from "../../source/depth-first.js";
import type { Problem } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import { problem } from "../messages.js";

/** An input with a default, and where that is written. */
export interface InputDefault {
  readonly name: string;
  readonly span: Span;
  readonly value: Node;
}

/**
 * A problem for each input whose default needs the input itself, through the defaults of others too: an input has its type without
 * its default, so that such a circle is no mistake of types. Each node is visited once.
 */
export function defaultCycles(defaults: readonly InputDefault[]): readonly Problem[] {
  const byName = new Map(defaults.map((each) => [each.name, each]));
  const partsOf = (node: Node): Node[] => {
    const body = lambdaOf(node)?.body;
    const value = node.op === "input" ? byName.get(node.name)?.value : undefined;
    const parts = [...visit(inputsOf, node), body, value];
    return parts.flatMap((each) => each ?? []).toReversed();
  };
  const values = defaults.map(({ value }) => value);
  return Array.from(cyclesIn(values, partsOf), (cycle) => cycleProblem(cycle, byName)).flat();
}

function cycleProblem(cycle: readonly Node[], byName: ReadonlyMap<string, InputDefault>): readonly Problem[] {
  const names = cycle.flatMap((node) => (node.op === "input" && byName.has(node.name) ? [node.name] : []));
  const [first] = names.flatMap((name) => byName.get(name) ?? []);
  return first === undefined ? [] : [problem("name/cycle", first.span, { path: [...names, first.name] })];
}
