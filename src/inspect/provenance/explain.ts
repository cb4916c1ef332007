import { inputsOf, lambdaOf, type Node, type OperationName, visit } from "../../language/core/operations.js";
import { append } from "../../language/source/lists.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { entry } from "../../language/values/element.js";
import { type ExpressionText, functionOf, operationDescription, textOf } from "./descriptions.js";
import type { Scope } from "./scope.js";
import { summaryOf, type TensorSummary } from "./summary.js";
import type { Trace } from "./trace.js";

/**
 * The expressions that results are computed from, each with its operation and a summary of its value. The nodes are a
 * list, since a tree of them may be deeper than the stack; each is listed once, however often it is used.
 */
export interface Explanation {
  readonly results: readonly ExplainedResult[];
  /** In the order of a depth-first walk from the results. */
  readonly nodes: readonly ExplainedNode[];
  /** Milliseconds of all together, if there is a clock. */
  readonly time: number | undefined;
  /** Whether times are those of a run after others: in a first one, most of the time goes to code that has never run. */
  readonly isWarm: boolean;
}

/** A result of a program, as the node that it is. */
export interface ExplainedResult {
  /** The name of a named value. */
  readonly name?: string;
  /** Its position among the nodes. */
  readonly node: number;
}

/** An expression with a summary of its value. */
export interface ExplainedNode extends ExpressionText {
  readonly operation: OperationName;
  /** The operation in words: `join multiply`, `input a`. */
  readonly description: string;
  /** The expression, or the call in the program of the function that it is written in. */
  readonly span: Span;
  readonly type: TensorType;
  /** Whether it has one value, one for each iteration of a generator or call of a lambda, or was not needed. */
  readonly computed: "once" | "often" | "never";
  /** A summary of its one value. */
  readonly value: TensorSummary | undefined;
  /** Milliseconds of the operation itself, and their share of all, from 0 to 1; if there is a clock. */
  readonly time: number | undefined;
  readonly share: number | undefined;
  /** The positions of its operands; the body of a lambda is one, unless it is just a function. */
  readonly from: readonly number[];
}

/** A result to be explained. */
export interface Root {
  readonly node: Node;
  readonly name?: string;
}

export function explanation(roots: readonly Root[], scope: Scope, trace: Trace): Omit<Explanation, "isWarm"> {
  const { total } = trace;
  const reached = reachable(
    roots.map(({ node }) => node),
    scope,
  );
  const positions = new Map([...reached.keys()].map((key, position) => [key, position]));
  const positionOf = (key: Key): number => entry(positions, key);
  const nodes = [...reached.values()].map(({ node, name, computed, from }): ExplainedNode => {
    const { op: operation, span, type } = node;
    const tensor = computed === "once" ? scope.cachedValue(node) : undefined;
    scope.meter.spend(tensor?.data.length ?? 0, span);
    const time = trace.time(node);
    return {
      ...{ operation, description: operationDescription(node), ...textOf(node, name), span, type, computed },
      value: tensor && summaryOf(tensor),
      time,
      share: time === undefined || total === undefined ? undefined : total === 0 ? 0 : time / total,
      from: from.map(positionOf),
    };
  });
  const results = roots.map(({ node, name }): ExplainedResult => {
    return name === undefined ? { node: positionOf(node) } : { name, node: positionOf(node) };
  });
  return { results, nodes, time: total };
}

/** A node; or a parameter by its name, since one node is the parameter of many lambdas. */
type Key = Node | string;

/** What the parameters are called, by the level of what binds them. */
type Binders = ReadonlyMap<number, readonly string[]>;

/** A node that results are computed from. */
interface ReachedNode {
  readonly node: Node;
  /** Of a parameter, where it has one. */
  readonly name: string | undefined;
  readonly computed: ExplainedNode["computed"];
  readonly from: readonly Key[];
}

/** All nodes that roots are computed from, each before its operands, and how often they were computed. */
function reachable(roots: readonly Node[], scope: Scope): Map<Key, ReachedNode> {
  const reached = new Map<Key, ReachedNode>();
  const none: Binders = new Map();
  const pending = [...roots]
    .reverse()
    .map((node) => ({ node, binders: none, isInLambda: false, isUnneeded: false }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, binders, isInLambda, isUnneeded } = next;
    const key = keyOf(node, binders);
    if (reached.has(key)) continue;
    const isOften = isInLambda || node.depends !== 0;
    const computed =
      scope.cachedValue(node) !== undefined ? "once" : isOften && !isUnneeded ? "often" : "never";
    const lambda = lambdaOf(node);
    const operands = operandsOf(node, scope).map((operand) => ({
      node: operand,
      binders: operand === lambda?.body ? new Map([[1, lambda.names ?? []]]) : within(node, binders),
      isInLambda: isInLambda || operand === lambda?.body,
      isUnneeded: computed === "never",
    }));
    const from = operands.map((each) => keyOf(each.node, each.binders));
    reached.set(key, { node, name: nameOf(node, binders), computed, from });
    append(pending, operands.reverse());
  }
  return reached;
}

const keyOf = (node: Node, binders: Binders): Key => {
  const name = nameOf(node, binders);
  return name === undefined ? node : `${node.id} ${name}`;
};

const nameOf = (node: Node, binders: Binders): string | undefined =>
  node.op === "parameter" ? binders.get(node.level)?.[node.position] || undefined : undefined;

/** What is called how in the operands of a node: the body of a generator has its dimensions. */
const within = (node: Node, binders: Binders): Binders =>
  node.op === "generate" ? new Map([...binders, [node.level, node.type.names]]) : binders;

function operandsOf(node: Node, scope: Scope): readonly Node[] {
  if (node.op === "input") {
    const value = scope.defaultOf(node.name);
    return value === undefined ? [] : [value];
  }
  const lambda = lambdaOf(node);
  const inputs = visit(inputsOf, node);
  return lambda === undefined || functionOf(lambda) !== undefined ? inputs : [...inputs, lambda.body];
}
