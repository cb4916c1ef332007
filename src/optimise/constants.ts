import type { Graph } from "../language/core/graph.js";
import type { Lambda, Node, NodeOf } from "../language/core/operations.js";
import { numberOf } from "../language/core/patterns.js";
import { substituted } from "../language/core/rebuild.js";
import { scalarFunctions } from "../language/scalar/functions.js";
import type { Span } from "../language/source/span.js";
import { type Pass, rule } from "./rewrite-rule.js";

/**
 * What constants decide. A join with a number is a map, whose lambda has the number in its body. A branch that
 * cannot be taken was never computed, so that it may go, whatever it depends on.
 */

// biome-ignore format: a table
export const constants: Pass = {
  name: "constants",
  description: "what numbers that are known decide",
  rules: [
    rule("apply",  "f(1, 2) = the number that it is",              folded),
    rule("select", "if(1, x, y) = x, if(0, x, y) = y",             chosenBranch),
    rule("join",   "join(t, 2, f(a,b)(…)) = map(t, f(a)(… of 2))", ({ left, right, lambda, span }, graph) =>
      numberOf(right) === undefined ? undefined : graph.map(left, bindParameter(lambda, 1, right, graph, span), span)),
    rule("join",   "join(2, t, f(a,b)(…)) = map(t, f(b)(… of 2))", ({ left, right, lambda, span }, graph) =>
      numberOf(left) === undefined ? undefined : graph.map(right, bindParameter(lambda, 0, left, graph, span), span)),
  ],
};

function folded(node: NodeOf<"apply">, graph: Graph): Node | undefined {
  const [x, y = 0] = node.arguments.map(numberOf);
  if (x === undefined || node.arguments.some((each) => numberOf(each) === undefined)) return undefined;
  return graph.number(scalarFunctions[node.function].compute(x, y), node.span);
}

/** NaN is not 0 either. */
function chosenBranch({ condition, yes, no, type, span }: NodeOf<"select">, graph: Graph): Node | undefined {
  const number = numberOf(condition);
  return number === undefined ? undefined : graph.cast(number !== 0 ? yes : no, type, span);
}

/** A lambda of two parameters with a value for one of them; the other is then its only one. */
function bindParameter(
  { parameters, body }: Lambda,
  position: number,
  value: Node,
  graph: Graph,
  span: Span,
): Lambda {
  const remaining = parameters.filter((_, at) => at !== position);
  const replacements = new Map<Node, Node>();
  for (const [at, type] of parameters.entries()) {
    const parameter = graph.parameter(1, at, type, span);
    replacements.set(parameter, at === position ? value : graph.parameter(1, 0, type, span));
  }
  return { parameters: remaining, body: substituted(body, replacements, graph) };
}
