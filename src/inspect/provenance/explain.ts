import { inputsOf, lambdaOf, type Node, type OperationName, visit } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Scope } from "./scope.js";
import { type Summary, summaryOf } from "./summary.js";
import type { Trace } from "./trace.js";
import { functionOf, operationWords, textOf } from "./descriptions.js";

/**
 * How results came about: the expressions that they are made of, each with what it is and what came out. The nodes are
 * a list, for a tree of them may be deeper than a stack; each stands there once, however often it is used.
 */
export interface Explanation {
  readonly results: readonly ExplainedResult[];
  /** In the order in which somebody who reads the results from the outside in meets them first. */
  readonly nodes: readonly ExplainedNode[];
  /** Milliseconds of all together, if there was a clock. */
  readonly time: number | undefined;
}

export interface ExplainedResult {
  /** The name of a named value. */
  readonly name?: string;
  /** Its place among the nodes. */
  readonly node: number;
}

export interface ExplainedNode {
  readonly operation: OperationName;
  /** The operation in words: `join multiply`, `input a`. */
  readonly says: string;
  /** The expression as it is written, cut where it is long. */
  readonly text: string;
  readonly span: Span;
  readonly type: TensorType;
  /** Whether it has one value, one for each turn of a generator or call of a lambda, or was not needed. */
  readonly computed: "once" | "often" | "never";
  /** Of its one value. */
  readonly value: Summary | undefined;
  /** Milliseconds that the operation took itself, and their share of all, from 0 to 1; if there was a clock. */
  readonly time: number | undefined;
  readonly share: number | undefined;
  /** The places of the nodes that it is computed from; the body of a lambda among them, if that is more than a function. */
  readonly from: readonly number[];
}

/** A result to be explained. */
export interface Root {
  readonly node: Node;
  readonly name?: string;
}

export function explanation(roots: readonly Root[], scope: Scope, trace: Trace): Explanation {
  const { total } = trace;
  const reached = reach(
    roots.map(({ node }) => node),
    (node) => scope.known(node) !== undefined,
  );
  const places = new Map([...reached.keys()].map((node, place) => [node, place]));
  const placeOf = (node: Node): number => places.get(node) ?? 0;
  const nodes = [...reached].map(([node, computed]): ExplainedNode => {
    const { op: operation, span, type } = node;
    const tensor = computed === "once" ? scope.known(node) : undefined;
    scope.meter.spend(tensor?.data.length ?? 0, span);
    const time = trace.time(node);
    return {
      ...{ operation, says: operationWords(node), text: textOf(node), span, type, computed },
      value: tensor && summaryOf(tensor),
      time,
      share: time === undefined || total === undefined ? undefined : total === 0 ? 0 : time / total,
      from: partsOf(node).map(placeOf),
    };
  });
  const results = roots.map(({ node, name }): ExplainedResult => {
    return name === undefined ? { node: placeOf(node) } : { name, node: placeOf(node) };
  });
  return { results, nodes, time: total };
}

/** All nodes that roots are made of, each before its parts, and whether they were computed. */
function reach(
  roots: readonly Node[],
  isKnown: (node: Node) => boolean,
): Map<Node, ExplainedNode["computed"]> {
  const reached = new Map<Node, ExplainedNode["computed"]>();
  const open = [...roots].reverse().map((node) => ({ node, isIn: false, isLost: false }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, isIn, isLost } = next;
    if (reached.has(node)) continue;
    const isOften = isIn || node.depends !== 0;
    const computed = isKnown(node) ? "once" : isOften && !isLost ? "often" : "never";
    reached.set(node, computed);
    const body = lambdaOf(node)?.body;
    const parts = partsOf(node).map((part) => ({
      node: part,
      isIn: isIn || part === body,
      isLost: computed === "never",
    }));
    open.push(...parts.reverse());
  }
  return reached;
}

function partsOf(node: Node): readonly Node[] {
  const lambda = lambdaOf(node);
  const inputs = visit(inputsOf, node);
  return lambda === undefined || functionOf(lambda) !== undefined ? inputs : [...inputs, lambda.body];
}
