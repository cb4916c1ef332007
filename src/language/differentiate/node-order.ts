import { inputsOf, type Lambda, type Node, type Table, visit } from "../core/operations.js";
import { postOrder } from "../source/depth-first.js";

/** The nodes that a derivative flows back to from each operation: no index, no condition and no rank has one. */
export const differentiable: Table<[], readonly Node[]> = {
  ...inputsOf,
  select: ({ yes, no }) => [yes, no],
  reduce: ({ tensor, aggregator }) => (aggregator === "count" ? [] : [tensor]),
  slice: ({ tensor }) => [tensor],
  order: () => [],
};

/** All nodes that a root is computed from, each after its own inputs. */
export const inputsFirst = (root: Node, inputs: (node: Node) => readonly Node[]): readonly Node[] =>
  postOrder([root], inputs);

/** The nodes that depend on `x` by ways that have derivatives, `x` among them, each after its own inputs. */
export function dependents(y: Node, x: Node): readonly Node[] {
  const active = new Set([x]);
  const inputs = (node: Node): readonly Node[] => (node === x ? [] : visit(differentiable, node));
  for (const node of inputsFirst(y, inputs))
    if (inputs(node).some((input) => active.has(input))) active.add(node);
  // The first pass put inputs before what uses them; a set keeps the order in which it was filled.
  return active.has(y) ? [...active] : [];
}

/** The operations of numbers: what is made of these alone stands anywhere, without a binder of its own. */
const scalarOperations: ReadonlySet<Node["op"]> = new Set(["apply", "select", "parameter", "constant"]);

/** Whether a lambda computes with numbers alone, and makes no tensor on the way. */
export const isOfScalars = ({ body }: Lambda): boolean =>
  inputsFirst(body, (each) => visit(inputsOf, each)).every(
    ({ op, type }) => type.isScalar && scalarOperations.has(op),
  );
