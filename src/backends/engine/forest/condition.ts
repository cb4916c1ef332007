import type { Node } from "../../../language/core/operations.js";
import { comparisonOf } from "../../../language/scalar/comparisons.js";
import type { ScalarName } from "../../../language/scalar/functions.js";

/**
 * A condition as questions of one kind: is a number, or the number with the other sign, below a threshold? No number is
 * the answer no to NaN, just as every comparison but != says it.
 */
export type Condition =
  | { readonly kind: "below"; readonly node: Node; readonly isNegated: boolean; readonly threshold: number }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "and" | "or"; readonly first: Condition; readonly second: Condition };

/** So many levels of `!`, `&&` and `||` become decisions of their own; what is below them is a number. */
const mostLevels = 4;

export function conditionOf(node: Node, level = 0): Condition {
  if (node.op !== "apply" || level > mostLevels) return isNotZero(node);
  const [x, y] = node.arguments;
  if (x === undefined) return isNotZero(node);
  if (node.function === "not") return { kind: "not", of: conditionOf(x, level + 1) };
  if (y === undefined) return isNotZero(node);
  if (node.function === "and" || node.function === "or")
    return { kind: node.function, first: conditionOf(x, level + 1), second: conditionOf(y, level + 1) };
  const mirrored = comparisonOf(node.function)?.mirrored;
  if (mirrored === undefined) return isNotZero(node);
  if (y.op === "constant") return compared(node.function, x, y.value.at(0)) ?? isNotZero(node);
  if (x.op === "constant") return compared(mirrored, y, x.value.at(0)) ?? isNotZero(node);
  return isNotZero(node);
}

/** Any number is a condition: NaN is not 0 either. */
const isNotZero = (node: Node): Condition => ({ kind: "not", of: equals(node, 0) });

function compared(name: ScalarName, node: Node, number: number): Condition | undefined {
  const isInfinite = Math.abs(number) === Number.POSITIVE_INFINITY;
  if (isInfinite && name !== "less" && name !== "greater") return undefined;
  switch (name) {
    case "less":
      return below(node, number);
    case "greater":
      return above(node, number);
    case "lessOrEqual":
      return below(node, nextAbove(number));
    case "greaterOrEqual":
      return above(node, -nextAbove(-number));
    case "equal":
      return equals(node, number);
    case "notEqual":
      return { kind: "not", of: equals(node, number) };
    default:
      return undefined;
  }
}

const below = (node: Node, threshold: number): Condition => ({
  ...{ kind: "below", isNegated: false },
  node,
  threshold,
});

/** x > c just where -x < -c. */
const above = (node: Node, number: number): Condition => ({
  ...{ kind: "below", isNegated: true },
  node,
  threshold: -number,
});

/** x == c just where x <= c and x >= c. */
const equals = (node: Node, number: number): Condition => ({
  kind: "and",
  first: below(node, nextAbove(number)),
  second: above(node, -nextAbove(-number)),
});

const scratch = new DataView(new ArrayBuffer(8));

/** The smallest double above a finite one; NaN for NaN. */
function nextAbove(number: number): number {
  if (Number.isNaN(number)) return number;
  if (number === 0) return Number.MIN_VALUE;
  scratch.setFloat64(0, number);
  const bits = scratch.getBigInt64(0);
  scratch.setBigInt64(0, number > 0 ? bits + 1n : bits - 1n);
  return scratch.getFloat64(0);
}
