import { scalarFunctions, scalarNamed } from "../../scalar/functions.js";
import { textAsNumber } from "../../scalar/hash.js";
import { prefixes } from "../../scalar/operators.js";
import { type Expression, isExpression, type Reference } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { bareWord } from "../names.js";
import { isUnsignedZero } from "./deployment.js";
import {
  constantValue,
  type DeployedConstant,
  isDeployedZero,
  rowOf,
  withConstantsComputed,
} from "./rows.js";

/** Constants that lie deeper are not worth looking for. */
const deepest = 8;

/** What an expression is when Vespa deploys it, where that is constant. */
export function deployedConstant(
  checker: Checker,
  tree: Expression,
  depth = 0,
): DeployedConstant | undefined {
  if (depth > deepest) return undefined;
  const inner = (each: Expression): DeployedConstant | undefined =>
    deployedConstant(checker, each, depth + 1);
  switch (tree.kind) {
    case "number":
      return { value: tree.value, isNumber: true };
    case "text":
      return { value: textAsNumber(tree.value), isNumber: true };
    case "prefixed": {
      const operand = inner(tree.operand);
      if (operand === undefined) return undefined;
      if (isUnsignedZero(tree)) return operand;
      const compute = (value: number, { symbol }: { symbol: keyof typeof prefixes }): number =>
        scalarFunctions[prefixes[symbol]].compute(value, 0);
      const isNumber = operand.isNumber && tree.operators.every(({ symbol }) => symbol === "-");
      return { value: tree.operators.toReversed().reduce(compute, operand.value), isNumber };
    }
    case "chain": {
      const row = rowOf(tree, inner);
      if (row === undefined) return membership(tree, inner);
      const { row: computed } = withConstantsComputed(row);
      const value = constantValue(computed);
      if (value !== undefined && !Number.isNaN(value)) return { value, isNumber: true };
      if (isDeployedZero(computed)) return { value: 0, isNumber: true };
      return value === undefined ? undefined : { value, isNumber: false };
    }
    case "reference":
      return tree.outputs.length === 0 ? constantReference(checker, tree, inner) : undefined;
    default:
      return undefined;
  }
}

type Inner = (tree: Expression) => DeployedConstant | undefined;

/** `1 in [1, 2]` */
function membership(
  { first, rest }: Extract<Expression, { kind: "chain" }>,
  inner: Inner,
): DeployedConstant | undefined {
  const [link] = rest;
  const tested = rest.length === 1 ? inner(first) : undefined;
  if (tested === undefined || link?.kind !== "membership") return undefined;
  const items = link.items.flatMap((each) => inner(each) ?? []);
  if (items.length < link.items.length) return undefined;
  return { value: items.some(({ value }) => value === tested.value) ? 1 : 0, isNumber: false };
}

function constantReference(checker: Checker, tree: Reference, inner: Inner): DeployedConstant | undefined {
  const { deployment, names } = checker.context;
  const { text } = tree.name;
  const named = (name: string): DeployedConstant | undefined => {
    const value = deployment?.constants.get(name);
    if (value !== undefined) return { value, isNumber: true };
    const body = deployment?.inline.get(name);
    return body === undefined ? undefined : inner(body);
  };
  const { arguments: list = [] } = tree;
  if (tree.arguments === undefined && (text === "true" || text === "false"))
    return { value: text === "true" ? 1 : 0, isNumber: true };
  if (list.length === 0) return named(text);
  const [first] = list;
  const word = text === "constant" && first !== undefined ? bareWord(first) : undefined;
  if (word !== undefined) return named(word.text);
  const values = list.filter(isExpression);
  if (values.length < list.length) return undefined;
  if (text === "if") return chosen(values, inner);
  const name = names.own(text) === undefined ? scalarNamed(text) : undefined;
  const numbers = values.flatMap((each) => inner(each)?.value ?? []);
  if (name === undefined || numbers.length < values.length) return undefined;
  const [x = Number.NaN, y = Number.NaN] = numbers;
  return { value: scalarFunctions[name].compute(x, y), isNumber: false };
}

/** Of a choice with a constant condition Vespa ships the one branch. */
function chosen(list: readonly Expression[], inner: Inner): DeployedConstant | undefined {
  const branch = branchOf(list, inner);
  return branch === undefined ? undefined : inner(branch);
}

/** The branch that a constant condition chooses. */
export function branchOf([condition, yes, no]: readonly Expression[], inner: Inner): Expression | undefined {
  const constant = condition === undefined ? undefined : inner(condition);
  if (constant === undefined) return undefined;
  return constant.value === 0 ? no : yes;
}
