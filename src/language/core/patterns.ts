import type { ScalarName } from "../scalar/functions.js";
import type { Lambda, Node, NodeOf } from "./operations.js";

/** What rewrite rules and backends recognise nodes and bodies of lambdas by. */

/** The number that a constant scalar is. */
export const numberOf = (node: Node | undefined): number | undefined =>
  node?.op === "constant" && node.type.isScalar ? node.value.at(0) : undefined;

/** Whether a node is this number; -0 is not 0. */
export const isNumber = (node: Node | undefined, number: number): boolean =>
  Object.is(numberOf(node), number);

/** Whether a node is 0 or -0, which comparisons and conditions do not tell apart. */
export const isZero = (node: Node | undefined): boolean => numberOf(node) === 0;

/** Whether a node is a scalar function of anything. */
export const isApplied = (node: Node, name: ScalarName): node is NodeOf<"apply"> =>
  node.op === "apply" && node.function === name;

/** Whether a node in the body of a lambda is its parameter at a position. */
export const isParameter = (node: Node | undefined, position: number): boolean =>
  node?.op === "parameter" && node.position === position;

/** Whether a lambda is a scalar function of its two parameters, in either order. */
export function isOfBoth({ body }: Lambda, name: ScalarName): boolean {
  if (!isApplied(body, name)) return false;
  const [x, y] = body.arguments;
  return x?.op === "parameter" && y?.op === "parameter" && x.position !== y.position;
}

/** Whether the body of a lambda is a choice by how its parameter at a position compares with 0, as those of `where` are. */
export function isChoice(
  body: Node,
  comparison: "equal" | "notEqual",
  position: number,
): body is NodeOf<"select"> {
  if (body.op !== "select" || !isApplied(body.condition, comparison)) return false;
  const [parameter, zero] = body.condition.arguments;
  return isParameter(parameter, position) && isZero(zero);
}
