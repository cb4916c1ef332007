import type { Node } from "../language/core/operations.js";

/** The number that a constant scalar is. */
export const numberOf = (node: Node): number | undefined =>
  node.op === "constant" && node.type.isScalar ? node.value.at(0) : undefined;

/** Whether a node is this number; -0 is not 0. */
export const isNumber = (node: Node, number: number): boolean => Object.is(numberOf(node), number);
