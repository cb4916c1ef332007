import { inputsOf, type Node, visit } from "../../../language/core/operations.js";

const cache = new WeakMap<Node, boolean>();

/**
 * Whether a scalar is so cheap that computing it without need does no harm: arithmetic of inputs, of
 * their cells at known addresses, and of constants.
 */
export function isEager(root: Node): boolean {
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const inputs = node.op === "apply" || node.op === "select" ? visit(inputsOf, node) : [];
    const missing = cache.has(node) ? [] : inputs.filter((each) => !cache.has(each));
    if (missing.length === 0) {
      if (!cache.has(node)) cache.set(node, isEagerNode(node, inputs));
      open.pop();
    }
    for (const each of missing) open.push(each);
  }
  return cache.get(root) ?? false;
}

function isEagerNode(node: Node, inputs: readonly Node[]): boolean {
  if (!node.type.isScalar || node.depends !== 0) return false;
  if (node.op === "constant" || node.op === "input") return true;
  if (node.op === "slice")
    return isInputOrConstant(node.tensor) && node.at.every(({ label }) => isConstantLabel(label));
  return inputs.length > 0 && inputs.every((each) => cache.get(each) === true);
}

const isInputOrConstant = (node: Node): boolean => node.op === "input" || node.op === "constant";
const isConstantLabel = (label: string | Node): boolean =>
  typeof label === "string" || label.op === "constant";
