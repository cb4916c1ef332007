import type { Node } from "../language/core/operations.js";

/** The number that a constant scalar is. */
export const numberOf = (node: Node): number | undefined =>
  node.op === "constant" && node.type.isScalar ? node.value.at(0) : undefined;
