import { inputsOf, type Node, visit } from "../../../language/core/operations.js";

const known = new WeakMap<Node, boolean>();

/**
 * Whether a scalar is so quickly known that it does no harm to find it where nobody asks: arithmetic of inputs, of
 * their cells at known addresses, and of constants.
 */
export function isEager(root: Node): boolean {
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const inputs = node.op === "apply" || node.op === "select" ? visit(inputsOf, node) : [];
    const missing = known.has(node) ? [] : inputs.filter((each) => !known.has(each));
    if (missing.length === 0) {
      if (!known.has(node)) known.set(node, isEagerItself(node, inputs));
      open.pop();
    }
    for (const each of missing) open.push(each);
  }
  return known.get(root) ?? false;
}

function isEagerItself(node: Node, inputs: readonly Node[]): boolean {
  if (!node.type.isScalar || node.depends !== 0) return false;
  if (node.op === "constant" || node.op === "input") return true;
  if (node.op === "slice") return isGiven(node.tensor) && node.at.every(({ label }) => isKnown(label));
  return inputs.length > 0 && inputs.every((each) => known.get(each) === true);
}

const isGiven = (node: Node): boolean => node.op === "input" || node.op === "constant";
const isKnown = (label: string | Node): boolean => typeof label === "string" || label.op === "constant";
