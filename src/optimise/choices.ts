import type { Graph } from "../language/core/graph.js";
import type { Lambda, Node, NodeOf } from "../language/core/operations.js";
import { isApplied, isChoice, isNumber, isParameter, numberOf } from "../language/core/patterns.js";
import { cellTypes } from "../language/types/cell.js";
import { element } from "../language/values/element.js";
import { type Pass, rule } from "./rewrite-rule.js";

/**
 * Choices that are sums: `where(t, x, y)` is a sum of two, in each of which the other branch is -0, which changes no number that it is
 * added to. Where one of the branches is a number, or both are, one choice is the same.
 */

// biome-ignore format: a table
export const choices: Pass = {
  name: "choices",
  description: "choices that are sums of two",
  rules: [
    rule("join",  "where(t, x, 1) = join(t, x, f(p,q)(if(p != 0, q, 1))); so of a number where t is not 0", (node, graph) => isSum(node.lambda) ? choice(node, node.left, node.right, graph) : undefined),
    rule("apply", "the same of numbers t and x",                                                          (node, graph) => node.function === "add" ? choice(node, element(node.arguments, 0), element(node.arguments, 1), graph) : undefined),
  ],
};

function choice({ type, span }: Node, left: Node, right: Node, graph: Graph): Node | undefined {
  const [ofYes, ofNo] = [choiceIn(left), choiceIn(right)];
  if (ofYes === undefined || ofNo === undefined || ofYes.truths !== ofNo.truths) return undefined;
  if (!isNumber(ofYes.body.no, -0) || !isNumber(ofNo.body.yes, -0)) return undefined;
  const [joined, mapped] = ofYes.cells === undefined ? [ofNo, ofYes] : [ofYes, ofNo];
  if (mapped.cells !== undefined || !isExact(mapped, mapped === ofYes ? "yes" : "no")) return undefined;
  if (joined.cells === undefined && !isExact(joined, "no")) return undefined;
  const body = graph.select(joined.body.condition, ofYes.body.yes, ofNo.body.no, span);
  const { parameters, truths, cells } = joined;
  const lambda = { parameters, body };
  const found =
    cells === undefined ? graph.map(truths, lambda, span) : graph.join(truths, cells, lambda, span);
  return found.type.equals(type) ? found : undefined;
}

/** Whether a branch is a number that the cells of the choice hold as it is. */
function isExact({ body, cellType }: Choice, branch: "yes" | "no"): boolean {
  const number = numberOf(body[branch]);
  return number !== undefined && Object.is(cellTypes[cellType].store(number), number);
}

/** A choice for each cell, by whether another one is 0. */
interface Choice {
  readonly truths: Node;
  /** The cells that one branch is; absent where both branches are numbers. */
  readonly cells: Node | undefined;
  readonly parameters: Lambda["parameters"];
  readonly body: NodeOf<"select">;
  readonly cellType: Node["type"]["cellType"];
}

function choiceIn(node: Node): Choice | undefined {
  if (node.op !== "map" && node.op !== "join") return undefined;
  const { parameters, body } = node.lambda;
  if (!isChoice(body, "notEqual", 0)) return undefined;
  const operands =
    node.op === "map" ? { truths: node.tensor, cells: undefined } : { truths: node.left, cells: node.right };
  return { ...operands, parameters, body, cellType: node.type.cellType };
}

function isSum({ body }: Lambda): boolean {
  return isApplied(body, "add") && body.arguments.every(isParameter);
}
