import { scalarFunctions } from "../../scalar/functions.js";
import { type OperatorSymbol, operatorSymbols, operators } from "../../scalar/operators.js";
import { type Span, through } from "../../source/span.js";
import type { Chain, Expression, Link, OperationLink, Prefixed } from "../../syntax/tree.js";

/** What Vespa knows of an expression without names when it deploys it. */
export interface DeployedConstant {
  readonly value: number;
  /** Whether the number stands there; otherwise it is still an expression: `sqrt(4)`, `!0`. */
  readonly isNumber: boolean;
}

/**
 * Operands with the operators between them, of whatever levels, as far as no parentheses keep them apart: what Vespa's Java
 * front end has as one node.
 */
export interface Row {
  readonly first: Operand;
  readonly rest: readonly RowLink[];
}

export interface RowLink {
  readonly link: OperationLink;
  readonly operand: Operand;
}

/** An operand, with what Vespa knows of it when it deploys it. */
export interface Operand {
  readonly tree: Expression;
  readonly constant: DeployedConstant | undefined;
}

/** Neighbours that are computed before what stands left of them. */
export interface Pair {
  /** Where that begins which is computed first as it is written. */
  readonly from: Span;
  readonly left: Span;
  readonly right: Span;
}

/** The row of a chain; nothing where it has a membership, `in [a, b]`. */
export function rowOf(
  tree: Chain,
  constant: (tree: Expression) => DeployedConstant | undefined,
): Row | undefined {
  if (tree.rest.some(({ kind }) => kind === "membership")) return undefined;
  const operands = (each: Expression): Row => {
    const inner = isBareChain(each) ? rowOf(each, constant) : undefined;
    return inner ?? { first: { tree: each, constant: constant(each) }, rest: [] };
  };
  const { first, rest } = operands(tree.first);
  const links = tree.rest.flatMap((link): RowLink[] => {
    if (link.kind === "membership") return [];
    const right = operands(link.operand);
    return [{ link, operand: right.first }, ...right.rest];
  });
  return { first, rest: [...rest, ...links] };
}

/** Whether operands stand on the sides of `&&` or `||`, which engines get as choices. */
export const isCondition = ({ symbol }: { readonly symbol: OperatorSymbol }): boolean =>
  symbol === "&&" || symbol === "||";

/** The operands of a chain, but for the items of memberships. */
export const operandsOf = (first: Expression, links: readonly Link[]): readonly Expression[] => [
  first,
  ...links.flatMap((link) => (link.kind === "operation" ? link.operand : [])),
];

/** A chain without parentheses around it. */
export const isBareChain = (tree: Expression): tree is Chain =>
  tree.kind === "chain" && tree.span.start === tree.first.span.start;

/** `-a` without parentheses around it. */
export const isBarePrefixed = (tree: Expression): tree is Prefixed =>
  tree.kind === "prefixed" && tree.span.start === tree.operators[0]?.span.start;

/** Operators, the loosest in Java first. */
const javaOrder = [...operatorSymbols].sort((one, other) => operators[one].java - operators[other].java);

/** A row whose constant neighbours are computed, two at a time, the looser of Java's operators first, and which that regroups. */
export function withConstantsComputed(row: Row): { readonly row: Row; readonly regrouped: readonly Pair[] } {
  const regrouped: Pair[] = [];
  return { row: javaOrder.reduce((each, symbol) => computed(each, symbol, regrouped), row), regrouped };
}

/** Constant neighbours that have this operator between them become one operand, unless that is no number. */
function computed(run: Row, symbol: OperatorSymbol, regrouped: Pair[]): Row {
  if (run.rest.every(({ link }) => link.symbol !== symbol)) return run;
  let { first } = run;
  const rest: RowLink[] = [];
  for (const [at, each] of run.rest.entries()) {
    const before = rest.at(-1);
    const left = before?.operand ?? first;
    const { link, operand } = each;
    const isFree = !isTighter(before?.link, symbol) && !isTighter(run.rest[at + 1]?.link, symbol);
    const value = link.symbol === symbol && isFree ? joined(left, symbol, operand) : Number.NaN;
    if (Number.isNaN(value)) {
      rest.push(each);
      continue;
    }
    const span = through(left.tree.span, operand.tree.span);
    const tree: Chain = { kind: "chain", span, first: left.tree, rest: [{ ...link, operand: operand.tree }] };
    const pair = { tree, constant: { value, isNumber: true } };
    if (before === undefined) first = pair;
    else {
      rest[rest.length - 1] = { link: before.link, operand: pair };
      if (!isHarmless(before.link.symbol, symbol)) {
        const looser = rest.findLast((each) => !isAsTight(each.link, symbol));
        const { span: from } = (looser?.operand ?? first).tree;
        regrouped.push({ from, left: left.tree.span, right: operand.tree.span });
      }
    }
  }
  return { first, rest };
}

/** The number that two operands become; NaN where one is not constant, and where that is what they are. */
function joined(left: Operand, symbol: OperatorSymbol, right: Operand): number {
  if (left.constant === undefined || right.constant === undefined) return Number.NaN;
  return scalarFunctions[operators[symbol].function].compute(left.constant.value, right.constant.value);
}

const isAsTight = ({ symbol }: OperationLink, other: OperatorSymbol): boolean =>
  operators[symbol].tightness >= operators[other].tightness;

const isTighter = (one: OperationLink | undefined, other: OperatorSymbol): boolean =>
  one !== undefined && hasPrecedence(one.symbol, other);

/** Whether Java computes an operator before another one that stands beside it. */
export const hasPrecedence = (one: OperatorSymbol, other: OperatorSymbol): boolean =>
  operators[one].java > operators[other].java || (one === "^" && other === "^");

/** Whether `a before (b symbol c)` is what `a before b symbol c` means, but for rounding. */
export function isHarmless(before: OperatorSymbol, symbol: OperatorSymbol): boolean {
  if (operators[symbol].tightness > operators[before].tightness) return true;
  return before === "+" || before === "&&" || before === "||" || (before === "*" && symbol !== "%");
}

/** The value of a row of constants, of Java's levels; nothing where some of it is not constant. */
export function constantValue({ first, rest }: Row): number | undefined {
  if (first.constant === undefined || rest.some(({ operand }) => operand.constant === undefined))
    return undefined;
  const values: number[] = [first.constant.value];
  const pending: OperatorSymbol[] = [];
  const compute = (): void => {
    const [right, left, symbol] = [values.pop(), values.pop(), pending.pop()];
    if (left === undefined || right === undefined || symbol === undefined) return;
    values.push(scalarFunctions[operators[symbol].function].compute(left, right));
  };
  for (const { link, operand } of rest) {
    for (let last = pending.at(-1); last !== undefined; last = pending.at(-1)) {
      if (hasPrecedence(link.symbol, last)) break;
      compute();
    }
    pending.push(link.symbol);
    if (operand.constant !== undefined) values.push(operand.constant.value);
  }
  while (pending.length > 0) compute();
  return values[0];
}

/** Whether a row of `*` and `/` has a factor 0: then Vespa ships 0, whatever the others are, unless it divides by 0. */
export function isDeployedZero({ first, rest }: Row): boolean {
  if (rest.length === 0 || rest.some(({ link }) => link.symbol !== "*" && link.symbol !== "/")) return false;
  const isZero = ({ constant }: Operand): boolean => constant?.isNumber === true && constant.value === 0;
  if (rest.some(({ link, operand }) => link.symbol === "/" && isZero(operand))) return false;
  return isZero(first) || rest.some(({ operand }) => isZero(operand));
}
