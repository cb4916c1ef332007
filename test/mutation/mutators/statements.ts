import {
  isBinaryExpression,
  isBlock,
  isBreakStatement,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isConstructorDeclaration,
  isContinueStatement,
  isDefaultClause,
  isExpressionStatement,
  isFunctionLikeDeclaration,
  isIfStatement,
  isPostfixUnaryExpression,
  isReturnStatement,
  isWhileStatement,
  type Node,
} from "typescript/unstable/ast";
import { between, type Edit, type Mutator, replaced } from "./mutator.js";

/** A call, an assignment, a jump or a return without a value is left out. */
const statement = (node: Node): readonly Edit[] => {
  const isJump = isContinueStatement(node) || isBreakStatement(node);
  const isLast = isCaseClause(node.parent) || isDefaultClause(node.parent);
  if (isJump && !isLast) return [replaced(node, ";")];
  if (isReturnStatement(node) && node.expression === undefined) return [replaced(node, ";")];
  if (!isExpressionStatement(node)) return [];
  const { expression } = node;
  const isDone =
    isCallExpression(expression) || isBinaryExpression(expression) || isPostfixUnaryExpression(expression);
  return isDone && !expression.getText().startsWith("super(") ? [replaced(node, ";")] : [];
};

/** A condition always, and never. */
const condition = (node: Node): readonly Edit[] => {
  if (isIfStatement(node)) return always(node.expression);
  if (isConditionalExpression(node)) return always(node.condition);
  return isWhileStatement(node) ? [replaced(node.expression, "false")] : [];
};

const always = (node: Node): readonly Edit[] => [replaced(node, "true"), replaced(node, "false")];

/** The two arms of a choice, swapped. */
const arms = (node: Node): readonly Edit[] => {
  if (isConditionalExpression(node)) return [swapped(node.whenTrue, node.whenFalse)];
  if (!isIfStatement(node) || node.elseStatement === undefined || isIfStatement(node.elseStatement))
    return [];
  return [swapped(node.thenStatement, node.elseStatement)];
};

const swapped = (one: Node, other: Node): Edit => {
  const text = one.getSourceFile().text.slice(one.end, other.getStart());
  return between(one.getStart(), other.end, `${other.getText()}${text}${one.getText()}`);
};

/** What a function may return at once, by how its type ends. */
const atOnce: readonly (readonly [pattern: RegExp, values: readonly string[]])[] = [
  [/^void$/, ["return;"]],
  [/^boolean$/, ["return true;", "return false;"]],
  [/^number$/, ["return 0;"]],
  [/\[\]$/, ["return [];"]],
  [/\bundefined$/, ["return undefined;"]],
];

/** A function of several statements that returns before the first of them. */
const early = (node: Node): readonly Edit[] => {
  if (!isFunctionLikeDeclaration(node) || node.body === undefined || !isBlock(node.body)) return [];
  const [first, second] = node.body.statements;
  if (first === undefined || second === undefined || isConstructorDeclaration(node)) return [];
  const type = node.type?.getText() ?? "void";
  const start = first.getStart();
  return atOnce
    .filter(([pattern]) => pattern.test(type))
    .flatMap(([, values]) => values.map((value) => between(start, start, `${value} `)));
};

export const statements: readonly Mutator[] = [
  { name: "statement", edits: statement },
  { name: "condition", edits: condition },
  { name: "arms", edits: arms },
  { name: "early return", edits: early },
];
