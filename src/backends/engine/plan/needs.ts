import { inputsOf, type Node, type NodeOf, visit } from "../../../language/core/operations.js";
import { forestOf } from "../forest/forest.js";
import { summedProduct } from "./contracting.js";
import { factorsOf } from "./factorising.js";
import type { Scope } from "./scope.js";

/**
 * The nodes whose values must be known before that of a node; of an input that is not given, its default. Of a body only what does not depend on its parameters; of a
 * choice between tensors only the condition, until it is known.
 */
export function needs(node: Node, scope: Scope | undefined): readonly Node[] {
  if (node.op === "generate") return closedParts(node);
  const trees = forestOf(node);
  if (trees !== undefined) return trees.needs;
  if (node.op === "input") return scope?.branches(node) ?? [];
  const factors = factorsOf(node);
  if (factors.length > 0) return factors;
  const product = summedProduct(node);
  if (product !== undefined && scope?.known(product) === undefined) return [product.left, product.right];
  if (node.op !== "select" || isLight(node) || scope === undefined) return visit(inputsOf, node);
  return scope.branches(node) ?? [node.condition];
}

const parts = new WeakMap<Node, readonly Node[]>();

/** The closed nodes in the body of a generator, as far out as they go. */
function closedParts(node: NodeOf<"generate">): readonly Node[] {
  const known = parts.get(node);
  if (known !== undefined) return known;
  const closed: Node[] = [];
  const open: Node[] = [node.body];
  const seen = new Set<Node>(open);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.depends === 0) closed.push(part);
    else
      for (const input of visit(inputsOf, part)) {
        if (!seen.has(input)) open.push(input);
        seen.add(input);
      }
  }
  parts.set(node, closed);
  return closed;
}

const light = new WeakMap<Node, boolean>();

/** Whether a node is scalar arithmetic on constants, inputs and parameters, all the way down: then all of it is computed. */
export function isLight(root: Node): boolean {
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    if (!light.has(node)) {
      const missing =
        node.op === "apply" || node.op === "select"
          ? visit(inputsOf, node).filter((each) => !light.has(each))
          : [];
      if (missing.length > 0) {
        for (const each of missing) open.push(each);
        continue;
      }
      light.set(node, isLightItself(node));
    }
    open.pop();
  }
  return light.get(root) ?? false;
}

function isLightItself(node: Node): boolean {
  if (!node.type.isScalar) return false;
  if (node.op === "constant" || node.op === "input" || node.op === "parameter") return true;
  if (node.op !== "apply" && node.op !== "select") return false;
  return visit(inputsOf, node).every((each) => light.get(each) === true);
}
