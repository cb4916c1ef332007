import {
  isIdentifier,
  isPropertyAccessExpression,
  isVariableDeclaration,
  type Node,
} from "typescript/unstable/ast";

/** Names of numbers that decide between two ways to the same answer: one more or less of them shows in nothing. */
const pattern = /^(?:most|fewest|least|few|maximum|minimum|workOf|sliceWork)(?![a-z])/;

/** Whether it has the name of a threshold. */
export function isThreshold(node: Node): boolean {
  if (isPropertyAccessExpression(node)) return isThreshold(node.name);
  return isIdentifier(node) && pattern.test(node.text);
}

export const declaresThreshold = (node: Node): boolean =>
  isVariableDeclaration(node) && isThreshold(node.name);
