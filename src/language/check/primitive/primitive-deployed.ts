import { fromInputs } from "../../core/fold.js";
import type { Node, NodeOf } from "../../core/operations.js";
import { partsOf } from "../../core/rebuild.js";
import { type ScalarName, scalarFunctions } from "../../scalar/functions.js";
import { type OperatorSymbol, prefixes, symbolOf } from "../../scalar/operators.js";
import * as synthetic from "../../syntax/synthesize.js";
import type { Expression } from "../../syntax/tree.js";
import { hasPrecedence, isHarmless } from "../deployment/rows.js";

/**
 * Operations in a form that Vespa deploys with the value that they have: it computes constants that stand beside each other first,
 * writes an infinity as a word that its engines do not know, makes 0 of a product with a factor 0, and choices of `&&` and `||` (see
 * `deployment`). In lambdas it does none of this.
 */

/**
 * What Vespa computes of a scalar when it deploys an expression: its number, or, where it is computed later, what the constants at
 * its end become.
 */
type Deployed = number | { readonly last: number | undefined };

export type DeployedNumbers = ReadonlyMap<Node, Deployed>;

export function deployedNumbers(root: Node): DeployedNumbers {
  const numbers = new Map<Node, Deployed>();
  fromInputs(root, numbers, partsOf, numberIn);
  return numbers;
}

const later: Deployed = { last: undefined };

function numberIn(node: Node, of: (input: Node) => Deployed): Deployed {
  if (node.op === "constant" && node.value.type.isScalar) return node.value.at(0);
  if (node.op === "select") {
    const condition = of(node.condition);
    return isComputed(condition) ? of(condition === 0 ? node.no : node.yes) : later;
  }
  if (node.op !== "apply") return later;
  const [left = Number.NaN, right = 0] = node.arguments.map(of);
  if (!isComputed(right)) return later;
  if (!isComputed(left)) {
    const pair = pairOf(node, left.last, right);
    return { last: pair === undefined || isLost(pair, node) ? right : pair };
  }
  return scalarFunctions[node.function].compute(left, right);
}

/** The number that Vespa makes of the last constants of a chain and of one more; nothing where these stay apart. */
function pairOf(node: NodeOf<"apply">, last: number | undefined, right: number): number | undefined {
  const { before, symbol } = neighbours(node) ?? {};
  if (before === undefined || symbol === undefined || last === undefined) return undefined;
  if (hasPrecedence(before, symbol) || !isHarmless(before, symbol)) return undefined;
  return scalarFunctions[node.function].compute(last, right);
}

/** The operator of a node, after that of its left operand. */
function neighbours({
  function: name,
  arguments: [left],
}: NodeOf<"apply">): { readonly before: OperatorSymbol; readonly symbol: OperatorSymbol } | undefined {
  const before = left?.op === "apply" ? symbolOf(left.function) : undefined;
  const symbol = symbolOf(name);
  return before && symbol && { before, symbol };
}

/** Whether two factors or terms became an infinity, or two factors 0, neither of which their product with a third needs to be. */
const isLost = (pair: number, { function: name }: NodeOf<"apply">): boolean =>
  isInfinite(pair) || (pair === 0 && name !== "add");

const isComputed = (found: Deployed | undefined): found is number => typeof found === "number";

/** The branch that is deployed of a choice whose condition is computed then. */
export function deployedBranch(
  { condition, yes, no }: NodeOf<"select">,
  numbers: DeployedNumbers,
): Node | undefined {
  const number = numbers.get(condition);
  if (!isComputed(number)) return undefined;
  return number === 0 ? no : yes;
}

/** A node, or what is deployed of it. */
export function deployedNode(node: Node, numbers: DeployedNumbers): Node {
  let deployed = node;
  for (let branch: Node | undefined = node; branch !== undefined; ) {
    deployed = branch;
    branch = branch.op === "select" ? deployedBranch(branch, numbers) : undefined;
  }
  return deployed;
}

/** An operation with these operands, where it must be written in another form than any other. */
export function deployedOperation(
  node: NodeOf<"apply">,
  [left, right]: readonly Expression[],
  numbers: DeployedNumbers,
): Expression | undefined {
  if (left !== undefined && right === undefined) return deployedSign(node.function, left);
  const symbol = symbolOf(node.function);
  if (symbol === undefined || left === undefined || right === undefined) return undefined;
  if (symbol === "&&" || symbol === "||")
    return synthetic.operation(synthetic.operation(left, symbol, right), "!=", synthetic.numberOf(0));
  if (isMadeOther(node, numbers)) return joined(left, symbol, right);
  return isRegrouped(node, numbers) ? synthetic.grouped(left, symbol, right) : undefined;
}

/** An infinity as it is computed by engines. */
export const deployedInfinity = (value: number): Expression =>
  joined(synthetic.numberOf(Math.sign(value)), "/", synthetic.numberOf(0));

/** An operation in a lambda, which is left as it is. */
function joined(left: Expression, symbol: OperatorSymbol, right: Expression): Expression {
  const operation = synthetic.operation(synthetic.nameOf("a"), symbol, synthetic.nameOf("b"));
  return synthetic.nameOf("join", [left, right, synthetic.lambdaOf(["a", "b"], operation)]);
}

/** Signs before signs, which Vespa drops the parentheses between and then cannot read. */
function deployedSign(name: ScalarName, operand: Expression): Expression | undefined {
  if (operand.kind !== "prefixed" || operand.operand.kind === "number") return undefined;
  const inner = operand.operators[0]?.symbol;
  if (name === prefixes["-"] && inner === "-") return operand.operand;
  if (inner !== "!") return undefined;
  if (name === prefixes["!"]) return synthetic.operation(operand.operand, "!=", synthetic.numberOf(0));
  return name === prefixes["-"] ? synthetic.operation(synthetic.numberOf(-1), "*", operand) : undefined;
}

/** Whether an operation is no link of a chain. */
export const standsAlone = (node: NodeOf<"apply">, numbers: DeployedNumbers): boolean =>
  isMadeOther(node, numbers) || isRegrouped(node, numbers);

/** Whether Vespa makes a number of an operation that is another one, or none. */
const isMadeOther = (node: NodeOf<"apply">, numbers: DeployedNumbers): boolean =>
  isMadeZero(node, numbers) || isInfinite(numbers.get(node));

export const isInfinite = (value: Deployed | undefined): value is number =>
  isComputed(value) && Math.abs(value) === Number.POSITIVE_INFINITY;

/** `0 * a`, `a * 0` and `0 / a`, unless they are known to be 0. */
function isMadeZero(node: NodeOf<"apply">, numbers: DeployedNumbers): boolean {
  const { function: name, arguments: operands } = node;
  const isZero = (each: Node | undefined): boolean => each !== undefined && numbers.get(each) === 0;
  const hasZero = name === "multiply" ? operands.some(isZero) : name === "divide" && isZero(operands[0]);
  return hasZero && !isZero(node);
}

/**
 * The last of `a / 60 / 60`, of which Vespa computes `60 / 60` first, and of `a * 1e308 * 10`, of which it would compute an infinity;
 * of `a + 1 + 2` that differs by rounding alone.
 */
function isRegrouped(node: NodeOf<"apply">, numbers: DeployedNumbers): boolean {
  const { before, symbol } = neighbours(node) ?? {};
  const [left, right] = node.arguments;
  if (before === undefined || symbol === undefined || left?.op !== "apply" || right === undefined)
    return false;
  const [beside, number] = [left.arguments[1] && numbers.get(left.arguments[1]), numbers.get(right)];
  if (!isComputed(number) || !isComputed(beside)) return false;
  if (!isHarmless(before, symbol)) return true;
  const row = numbers.get(left);
  const pair = pairOf(node, isComputed(row) ? row : row?.last, number);
  return pair !== undefined && isLost(pair, node);
}
