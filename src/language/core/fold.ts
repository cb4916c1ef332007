import { entry } from "../values/element.js";
import type { Node } from "./operations.js";

/** What is made of a node, after what is made of all below it: without a stack as deep as the graph. */
export function fromInputs<T extends NonNullable<unknown>>(
  root: Node,
  made: Map<Node, T>,
  below: (node: Node) => readonly Node[],
  make: (node: Node, of: (input: Node) => T) => T,
): T {
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const { length } = open;
    if (!made.has(node)) for (const each of below(node)) if (!made.has(each)) open.push(each);
    if (open.length > length) continue;
    if (!made.has(node))
      made.set(
        node,
        make(node, (input) => entry(made, input)),
      );
    open.pop();
  }
  return entry(made, root);
}
