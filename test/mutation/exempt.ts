import { basename } from "node:path";
import {
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isElementAccessExpression,
  isExportDeclaration,
  isExpressionStatement,
  isFunctionDeclaration,
  isIdentifier,
  isIfStatement,
  isImportDeclaration,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isNumericLiteral,
  isSourceFile,
  isThrowStatement,
  isTypeAliasDeclaration,
  isTypeNode,
  type Node,
  type Statement,
  SyntaxKind,
} from "typescript/unstable/ast";
import { declaresThreshold } from "./mutators/threshold.js";

/** Names of files in which no mistake can change an answer, with the reason. */
export const exemptFiles: Readonly<Record<string, string>> = {
  "print.ts": "it prints plans for people",
  "inspection.ts": "it tells people about plans",
  "verify.ts": "it only asserts that plans are sound",
  "coverage.ts": "it belongs to the verifier",
};

export const isExemptFile = (path: string): boolean => Object.hasOwn(exemptFiles, basename(path));

/** Whether nothing within a node is worth a mistake: types, messages, and assertions about the engine itself. */
export const isExempt = (node: Node): boolean => exemptions.some((isSo) => isSo(node));

const exemptions: readonly ((node: Node) => boolean)[] = [
  // What is gone before anything runs.
  (node) => isImportDeclaration(node) || isExportDeclaration(node),
  (node) => isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) || isTypeNode(node),
  // What goes wrong inside is said in words of ours; that it does is an assertion.
  (node) => isThrowStatement(node) || isFailure(node),
  (node) => isIfStatement(node) && node.elseStatement === undefined && isOnlyFailure(node.thenStatement),
  // The compiler wants a number for an index that may be out of bounds, where none is.
  (node) => isNumericLiteral(node) && isDefaultOfCell(node),
  // What is tried first, or kept longer.
  declaresThreshold,
  // How things are shown.
  (node) => isMethodDeclaration(node) && node.name.getText() === "toString",
];

/** The right side of `array[index] ?? 0`. */
function isDefaultOfCell({ parent }: Node): boolean {
  const isDefault =
    isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.QuestionQuestionToken;
  return isDefault && isElementAccessExpression(parent.left);
}

function isOnlyFailure(node: Statement): boolean {
  const [only, ...others] = isBlock(node) ? node.statements : [node];
  return only !== undefined && others.length === 0 && (isInternalThrow(only) || isFailure(only));
}

/** `throw new Error(…)`: what users are told are problems, of another class. */
const isInternalThrow = (node: Node): boolean =>
  isThrowStatement(node) && /^throw new Error\b/.test(node.getText());

/** A call of a function of the same file that never returns. */
function isFailure(node: Node): boolean {
  if (!isExpressionStatement(node) || !isCallExpression(node.expression)) return false;
  const callee = node.expression.expression;
  if (!isIdentifier(callee)) return false;
  let file: Node = node;
  while (!isSourceFile(file)) file = file.parent;
  return file.statements.some(
    (each) =>
      isFunctionDeclaration(each) &&
      each.name?.text === callee.text &&
      each.type?.kind === SyntaxKind.NeverKeyword,
  );
}
