import {
  isArrayLiteralExpression,
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
  isForStatement,
  isIdentifier,
  isNewExpression,
  isNumericLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSpreadElement,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Edit, type Mutator, replaced } from "./mutator.js";

const constant = (node: Node): readonly Edit[] => {
  if (!isNumericLiteral(node)) return [];
  const text = node.getText();
  if (text === "0") return [replaced(node, "1")];
  if (text === "1") return [replaced(node, "0"), replaced(node, "2")];
  return [replaced(node, `(${text} - 1)`)];
};

const oneMoreOrLess = (node: Node): readonly Edit[] =>
  // A literal is changed as such already.
  isNumericLiteral(node) || isSpreadElement(node)
    ? []
    : [replaced(node, `(${node.getText()} + 1)`), replaced(node, `(${node.getText()} - 1)`)];

/** Methods whose arguments say from where to where. */
const ranged: ReadonlySet<string> = new Set([
  "slice",
  "subarray",
  "splice",
  "fill",
  "copyWithin",
  "allocate",
]);

/** Where a loop ends, from where to where cells are taken, how long an array is. */
const bound = (node: Node): readonly Edit[] => {
  if (isForStatement(node) && node.condition !== undefined && isBinaryExpression(node.condition))
    return oneMoreOrLess(node.condition.right);
  if (isCallExpression(node) && isPropertyAccessExpression(node.expression))
    return ranged.has(node.expression.name.text) ? node.arguments.flatMap(oneMoreOrLess) : [];
  if (isNewExpression(node)) {
    const isArray = /Array$/.test(node.expression.getText());
    return isArray ? (node.arguments ?? []).flatMap(oneMoreOrLess) : [];
  }
  return [];
};

const isAssigned = (node: Node): boolean =>
  isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind >= SyntaxKind.FirstAssignment &&
  node.parent.operatorToken.kind <= SyntaxKind.LastAssignment;

/** A stride that is none, an index of the wrong axis, strides from the last to the first. */
const stride = (node: Node): readonly Edit[] => {
  if (isPropertyAssignment(node) && /strides$/i.test(node.name.getText()))
    return isArrayLiteralExpression(node.initializer)
      ? []
      : [replaced(node.initializer, `[...${node.initializer.getText()}].reverse()`)];
  if (isAssigned(node)) return [];
  if (isElementAccessExpression(node) && /strides$/i.test(node.expression.getText()))
    return [
      replaced(node, "0"),
      replaced(node.argumentExpression, `${node.argumentExpression.getText()} + 1`),
    ];
  if (isIdentifier(node) && /stride$/i.test(node.text) && !isNameOfItsParent(node))
    return [replaced(node, "0")];
  return [];
};

/** Whether it names a property and is no value of its own. */
const isNameOfItsParent = (node: Node): boolean => "name" in node.parent && node.parent.name === node;

export const numbers: readonly Mutator[] = [
  { name: "constant", edits: constant },
  { name: "bound", edits: bound },
  { name: "stride", edits: stride },
];
