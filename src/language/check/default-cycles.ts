import { inputsOf, lambdaOf, type Node, visit } from "../core/operations.js";
import { append } from "../source/lists.js";
import type { Problem } from "../source/problem.js";
import type { Span } from "../source/span.js";
import { problem } from "./messages.js";

/** An input with a default, and where that is written. */
export interface InputDefault {
  readonly name: string;
  readonly span: Span;
  readonly value: Node;
}

/** A node that is being gone through, and what of it is still to come. */
interface Open {
  readonly node: Node;
  readonly parts: Node[];
}

/**
 * A problem for each input whose default needs the input itself, through the defaults of others too: an input has its type without
 * its default, so that such a circle is no mistake of types. Each node is visited once.
 */
export function defaultCycles(defaults: readonly InputDefault[]): readonly Problem[] {
  const byName = new Map(defaults.map((each) => [each.name, each]));
  const problems: Problem[] = [];
  const done = new Set<Node>();
  const onPath = new Map<Node, number>();
  const path: Open[] = [];
  const partsOf = (node: Node): Node[] => {
    const body = lambdaOf(node)?.body;
    const value = node.op === "input" ? byName.get(node.name)?.value : undefined;
    return [
      ...visit(inputsOf, node),
      ...(body === undefined ? [] : [body]),
      ...(value === undefined ? [] : [value]),
    ];
  };
  const enter = (node: Node): void => {
    onPath.set(node, path.length);
    path.push({ node, parts: partsOf(node) });
  };
  for (const { value } of defaults) {
    if (!done.has(value)) enter(value);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.parts.pop();
      if (next === undefined) {
        done.add(last.node);
        onPath.delete(last.node);
        path.pop();
        continue;
      }
      const start = onPath.get(next);
      if (start !== undefined) append(problems, cycleProblem(path.slice(start), byName));
      else if (!done.has(next)) enter(next);
    }
  }
  return problems;
}

function cycleProblem(cycle: readonly Open[], byName: ReadonlyMap<string, InputDefault>): readonly Problem[] {
  const names = cycle.flatMap(({ node }) =>
    node.op === "input" && byName.has(node.name) ? [node.name] : [],
  );
  const first = byName.get(names[0] ?? "");
  return first === undefined ? [] : [problem("name/cycle", first.span, { path: [...names, first.name] })];
}
