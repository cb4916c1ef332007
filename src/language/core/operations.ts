import type { AggregatorName } from "../scalar/aggregators.js";
import type { ScalarName } from "../scalar/functions.js";
import { keysOf } from "../source/lists.js";
import type { Span } from "../source/span.js";
import type { TensorType } from "../types/type.js";
import { entry } from "../values/element.js";
import type { Tensor } from "../values/tensor.js";

/**
 * All operations of the core, in five groups: values that come from outside, scalar arithmetic, the Paper's functions
 * of tensors (5.3), what Vespa added because these cannot say it, and functions of the host.
 *
 * A lambda is a closed graph over its own parameters. The body of a generator is part of the graph around it and has
 * that graph's parameters too. A binder's `level` is 1 for the outermost of a graph, 2 inside that, and so on.
 */
export type Operation =
  // Values
  | { readonly op: "constant"; readonly value: Tensor }
  | { readonly op: "input"; readonly name: string }
  | { readonly op: "parameter"; readonly level: number; readonly position: number }
  | { readonly op: "random"; readonly identity: number; readonly level: number }
  // Scalars
  | { readonly op: "apply"; readonly function: ScalarName; readonly arguments: readonly Node[] }
  | { readonly op: "select"; readonly condition: Node; readonly yes: Node; readonly no: Node }
  // Tensors
  | { readonly op: "map"; readonly tensor: Node; readonly lambda: Lambda }
  | {
      readonly op: "reduce";
      readonly tensor: Node;
      readonly aggregator: AggregatorName;
      readonly over: readonly string[];
    }
  | { readonly op: "join"; readonly left: Node; readonly right: Node; readonly lambda: Lambda }
  | { readonly op: "merge"; readonly left: Node; readonly right: Node; readonly lambda: Lambda }
  | {
      readonly op: "rename";
      readonly tensor: Node;
      readonly from: readonly string[];
      readonly to: readonly string[];
    }
  | {
      readonly op: "concat";
      readonly left: Node;
      readonly right: Node;
      readonly along: string;
      readonly pad: boolean;
    }
  | { readonly op: "generate"; readonly level: number; readonly body: Node }
  | { readonly op: "slice"; readonly tensor: Node; readonly at: readonly Selection[] }
  | { readonly op: "literal"; readonly cells: readonly LiteralCell[] }
  // Vespa's additions
  | { readonly op: "cast"; readonly tensor: Node }
  | { readonly op: "order"; readonly tensor: Node; readonly descending: boolean }
  | { readonly op: "mapSubspaces"; readonly tensor: Node; readonly lambda: Lambda }
  | { readonly op: "filterSubspaces"; readonly tensor: Node; readonly lambda: Lambda }
  // What only the host can compute
  | {
      readonly op: "host";
      readonly function: HostOperation;
      readonly arguments: readonly Node[];
      /** Of a function that is not pure, what tells its calls apart, and the binder whose each turn calls it again. */
      readonly identity: number;
      readonly level: number;
    };

/** The name of an operation of the core. */
export type OperationName = Operation["op"];

/** A function of the host, as the core knows it: its types, and how it is called. */
export interface HostOperation {
  readonly name: string;
  readonly parameters: readonly TensorType[];
  readonly returns: TensorType;
  /** A sentence. */
  readonly description: string;
  /** Whether equal arguments have equal results: then equal calls are one, and one that nothing needs is none. */
  readonly isPure: boolean;
  /**
   * The result for tensors of the types of the parameters, or a promise of it, which only an asynchronous run can await.
   * @throws SphexError at the span where the host fails, or returns something else.
   */
  readonly call: (values: readonly Tensor[], span: Span) => Tensor | Promise<Tensor>;
}

/** A function of its own parameters and of nothing else; they are at level 1 of its body. */
export interface Lambda {
  readonly parameters: readonly TensorType[];
  /** What they are called where the lambda is written, for whoever reads it. */
  readonly names?: readonly string[];
  readonly body: Node;
}

/** A dimension of a slice, and the label there: a text, or a scalar whose whole part is the index. */
export interface Selection {
  readonly dimension: string;
  readonly label: string | Node;
}

/** A cell of a literal: its mapped labels, its offset in the dense block, and a scalar. */
export interface LiteralCell {
  readonly labels: readonly string[];
  readonly offset: number;
  readonly value: Node;
}

/** An operation with its type. Equal operations of a graph are one node. */
export type Node = Operation & {
  /** Smaller than the numbers of all nodes that use it. */
  readonly id: number;
  readonly type: TensorType;
  /** The levels of binders whose parameters the value depends on: bit 0 for level 1. 0 for a value of its own. */
  readonly depends: number;
  /** What it is made of, in all branches and bodies, itself among it: a bit for each operation, and one for what is volatile. */
  readonly contains: number;
  /** Where the first of the equal expressions stands that became this node; the call, where that is in a function. */
  readonly span: Span;
  /** The function that the expression stands in, and where; undefined in a text that is no function. */
  readonly definition: DefinitionSite | undefined;
};

/** An expression in a function that a call was expanded from. */
export interface DefinitionSite {
  readonly site: Site;
  readonly span: Span;
}

/** A call that is being expanded into its function. */
export interface Site {
  readonly name: string;
  /** The call in a text that is no function. */
  readonly outermost: Span;
  readonly call: Span;
  /** The whole function; undefined where it is no single expression. */
  readonly body: Span | undefined;
  /** The expansion that the call stands in. */
  readonly outer: Site | undefined;
}

export type NodeOf<O extends OperationName> = Extract<Node, { op: O }>;

/** What a stage does with each operation. A stage that forgets one does not compile. */
export type Table<Context extends unknown[], Result> = {
  readonly [O in OperationName]: (node: NodeOf<O>, ...context: Context) => Result;
};

/** Calls the table's entry for a node. */
export function visit<Context extends unknown[], Result>(
  table: Table<Context, Result>,
  node: Node,
  ...context: Context
): Result {
  // The entry under a node's own operation takes that node; TypeScript cannot see this of a union.
  return (table[node.op] as (node: Node, ...context: Context) => Result)(node, ...context);
}

/** Whether each evaluation of a node may find another value, so that the order in which it is evaluated matters. */
export const isVolatile = (node: Node): boolean =>
  node.op === "random" || (node.op === "host" && !node.function.isPure);

/** The nodes that a node computes from, except the bodies of lambdas. */
export const inputsOf: Table<[], readonly Node[]> = {
  constant: () => [],
  input: () => [],
  parameter: () => [],
  random: () => [],
  apply: (node) => node.arguments,
  select: ({ condition, yes, no }) => [condition, yes, no],
  map: ({ tensor }) => [tensor],
  reduce: ({ tensor }) => [tensor],
  join: ({ left, right }) => [left, right],
  merge: ({ left, right }) => [left, right],
  rename: ({ tensor }) => [tensor],
  concat: ({ left, right }) => [left, right],
  generate: ({ body }) => [body],
  slice: ({ tensor, at }) => [
    tensor,
    ...at.flatMap(({ label }) => (typeof label === "string" ? [] : [label])),
  ],
  literal: ({ cells }) => cells.map(({ value }) => value),
  cast: ({ tensor }) => [tensor],
  order: ({ tensor }) => [tensor],
  mapSubspaces: ({ tensor }) => [tensor],
  filterSubspaces: ({ tensor }) => [tensor],
  host: (node) => node.arguments,
};

/** The lambda of a node, if it has one. */
export function lambdaOf(node: Node): Lambda | undefined {
  return "lambda" in node ? node.lambda : undefined;
}

const bits = new Map(keysOf(inputsOf).map((op, at) => [op, 1 << at]));
const volatileBit = 1 << bits.size;

/** The bits that say in `contains` that a node is made of these operations. */
export const bitsOf = (operations: Iterable<OperationName>): number => {
  let all = 0;
  for (const operation of operations) all |= entry(bits, operation);
  return all;
};

/** What a node contains whose parts are complete. */
export function contentsOf(node: Node): number {
  const own = entry(bits, node.op) | (isVolatile(node) ? volatileBit : 0);
  const inputs = visit(inputsOf, node).reduce((all, each) => all | each.contains, own);
  return inputs | (lambdaOf(node)?.body.contains ?? 0);
}

/** Whether a value is computed by one of these operations, in any branch or body. */
export const reaches = (node: Node, operations: number): boolean => (node.contains & operations) !== 0;

/** Whether a value draws random numbers, or calls a function that is not pure, in any branch or body. */
export const isMadeVolatile = (node: Node): boolean => reaches(node, volatileBit);
