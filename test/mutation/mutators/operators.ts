import {
  isBinaryExpression,
  isNoSubstitutionTemplateLiteral,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isStringLiteral,
  isTemplateExpression,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { between, type Edit, type Mutator, replaced } from "./mutator.js";
import { isThreshold } from "./threshold.js";

/** The operators that are taken for each other. */
// biome-ignore format: a table
const others: Readonly<Record<string, string>> = {
  "+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "**": "*",
  "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===",
  "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", ">>>": "<<",
  "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|=", "&&=": "||=", "||=": "&&=",
};

const isText = (node: Node): boolean =>
  isStringLiteral(node) || isTemplateExpression(node) || isNoSubstitutionTemplateLiteral(node);

const binary = (node: Node): readonly Edit[] => {
  if (!isBinaryExpression(node) || isText(node.left) || isText(node.right)) return [];
  // At a threshold itself, either way is right.
  if (isThreshold(node.left) || isThreshold(node.right)) return [];
  const { operatorToken } = node;
  const other = others[operatorToken.getText()];
  return other === undefined ? [] : [replaced(operatorToken, other)];
};

const unary = (node: Node): readonly Edit[] => {
  if (isPostfixUnaryExpression(node)) {
    const isIncrement = node.operator === SyntaxKind.PlusPlusToken;
    return [between(node.operand.end, node.end, isIncrement ? "--" : "++")];
  }
  // Without its sign, or without its "not".
  if (!isPrefixUnaryExpression(node)) return [];
  return [replaced(node, node.operand.getText())];
};

export const operators: readonly Mutator[] = [
  { name: "operator", edits: binary },
  { name: "sign", edits: unary },
];
