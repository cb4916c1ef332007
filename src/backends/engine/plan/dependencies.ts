import { levelBit } from "../../../language/core/graph.js";
import {
  inputsOf,
  isVolatile,
  lambdaOf,
  type Node,
  type NodeOf,
  visit,
} from "../../../language/core/operations.js";
import { isOfBoth } from "../../../language/core/patterns.js";
import { pickedSum } from "./reductions/picked-sum.js";
import { drawsRandom } from "./runs/draws.js";

/**
 * The nodes that must be planned before a node, but for what only its situation tells (the default of an input, the branch
 * that is taken): of the body of a generator what does not depend on its own parameters, and of a sum of products the
 * factors, since the rows of their join may not be needed.
 */
export function dependenciesOf(node: Node): readonly Node[] {
  if (node.op === "generate") return bodyParts(node).independent;
  const product = summedProduct(node);
  if (product !== undefined) return [product.left, product.right];
  const picked = pickedSum(node);
  if (picked === undefined) return visit(inputsOf, node);
  return typeof picked.cells === "number" ? [picked.label] : [picked.cells, picked.label];
}

/** The join of two tensors' products, if that is what a sum is over. */
export function summedProduct(node: Node): NodeOf<"join"> | undefined {
  if (node.op !== "reduce" || node.aggregator !== "sum") return undefined;
  return isProduct(node.tensor) ? node.tensor : undefined;
}

/** Whether a node is the product of two tensors and nothing else. */
const isProduct = (node: Node): node is NodeOf<"join"> =>
  node.op === "join" && isOfBoth(node.lambda, "multiply");

/** The nodes in the body of a generator that depend on outer binders at most, as far out as they go. */
interface BodyParts {
  /** All of them, in the order in which the reference comes to them. */
  readonly independent: readonly Node[];
  /** Those that the body comes to at each index, if at any, and those that only branches of choices need. */
  readonly needed: readonly Node[];
  readonly conditional: readonly Node[];
  /** Whether what depends on the generator draws random numbers itself: then those of other parts come between them. */
  readonly isDrawing: boolean;
}

const cache = new WeakMap<Node, BodyParts>();

export function bodyParts(node: NodeOf<"generate">): BodyParts {
  const cached = cache.get(node);
  if (cached !== undefined) return cached;
  const { independent, isDrawing } = partsOf(node, (part) => visit(inputsOf, part));
  const needed = new Set(partsOf(node, unconditionalInputs).independent);
  const parts = {
    independent,
    needed: independent.filter((part) => needed.has(part)),
    conditional: independent.filter((part) => !needed.has(part)),
    isDrawing,
  };
  cache.set(node, parts);
  return parts;
}

function partsOf(
  { body, level }: NodeOf<"generate">,
  inputs: (part: Node) => readonly Node[],
): Pick<BodyParts, "independent" | "isDrawing"> {
  const outer = levelBit(level) - 1;
  const independent: Node[] = [];
  let isDrawing = false;
  const open: Node[] = [body];
  const seen = new Set<Node>();
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    if ((part.depends & ~outer) === 0) {
      independent.push(part);
      continue;
    }
    const lambda = lambdaOf(part);
    isDrawing ||= isVolatile(part) || (lambda !== undefined && drawsRandom(lambda.body));
    for (const input of inputs(part).toReversed()) open.push(input);
  }
  return { independent, isDrawing };
}

/** What a node needs in any case: a choice its condition. */
export const unconditionalInputs = (node: Node): readonly Node[] =>
  node.op === "select" ? [node.condition] : visit(inputsOf, node);

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
      light.set(node, isLightNode(node));
    }
    open.pop();
  }
  return light.get(root) === true;
}

function isLightNode(node: Node): boolean {
  if (!node.type.isScalar) return false;
  if (node.op === "constant" || node.op === "input" || node.op === "parameter") return true;
  if (node.op !== "apply" && node.op !== "select") return false;
  return visit(inputsOf, node).every((each) => light.get(each) === true);
}
