import type { Graph } from "../core/graph.js";
import type { Lambda, Node } from "../core/operations.js";
import type { ScalarName } from "../scalar/functions.js";
import { type Operator, type OperatorSymbol, operators, prefixes } from "../scalar/operators.js";
import { shortenedWithin } from "../source/message.js";
import type { Span } from "../source/span.js";
import { through } from "../source/span.js";
import type { Chain, Expression, OperationLink, Prefixed } from "../syntax/tree.js";
import { joinType, mapType } from "../types/algebra.js";
import { TensorType } from "../types/type.js";
import type { Checker } from "./checker.js";
import { warnOfComparisons } from "./comparison-chains.js";
import { deployedAlone, deployedChain } from "./deployment/chains.js";
import { deployedConstant } from "./deployment/constants.js";
import { type Deployment, deploymentIn } from "./deployment/deployment.js";
import { losesSign } from "./deployment/numbers.js";
import { isCondition } from "./deployment/rows.js";
import { problem } from "./messages.js";
import type { Scope } from "./scope.js";

/** Operators and scalar functions: on scalars they are applied, on tensors they map and join. */

/** `!a`, `-a`: the last written applies first. */
export function prefixed(checker: Checker, tree: Prefixed, scope: Scope): Node | undefined {
  const deployment = deploymentIn(checker, scope);
  const deployed = deployment && deployedAlone(checker, tree, scope);
  if (deployed !== undefined) return checker.node(deployed, scope);
  let node = checker.node(tree.operand, scope);
  if (losesSign(checker, tree, scope)) return node;
  for (const { symbol, span } of [...tree.operators].reverse()) {
    if (node === undefined) return undefined;
    warnOfText(checker, scope, symbol, [tree.operand]);
    node = unary(checker, prefixes[symbol], node, through(span, tree.operand.span));
  }
  return node;
}

/** A chain of one precedence level, from the left, or from the right for `^`. */
export function chain(checker: Checker, tree: Chain, scope: Scope): Node | undefined {
  const deployment = deploymentIn(checker, scope);
  const deployed = deployment && deployedChain(checker, tree, scope);
  if (deployment !== undefined && deployed === "zero") return zero(checker, tree, scope, deployment);
  if (deployed !== undefined && deployed !== "zero") return checker.node(deployed, scope);
  if (checker.rows.get(tree) !== "deployed" && !warnOfComparisons(checker, tree, scope))
    warnOfGrouping(checker, tree, scope);
  return asGrouped(checker, tree, scope);
}

function asGrouped(checker: Checker, tree: Chain, scope: Scope): Node | undefined {
  const [link] = tree.rest;
  if (link?.kind !== "operation") return fromLeft(checker, tree, scope);
  if (isCondition(link) && deploymentIn(checker, scope) !== undefined)
    return conditions(checker, tree, scope);
  return isRightToLeft(link.symbol) ? fromRight(checker, tree, scope) : fromLeft(checker, tree, scope);
}

/** A product with a factor 0, which Vespa ships as 0, also where the other factors are tensors or no numbers. */
function zero(checker: Checker, tree: Chain, scope: Scope, deployment: Deployment): Node | undefined {
  const written = asGrouped(checker, tree, scope);
  if (written === undefined) return undefined;
  checker.report(scope)(problem("portability/zero", tree.span, { type: written.type }));
  const isWritten = !written.type.isScalar && !deployment.isTypedAsDeployed;
  return isWritten ? written : checker.graph.number(0, tree.span);
}

function fromLeft(checker: Checker, tree: Chain, scope: Scope): Node | undefined {
  let left = checker.node(tree.first, scope);
  let leftSpan = tree.first.span;
  for (const link of tree.rest) {
    if (link.kind === "membership")
      left = membership(checker, left, link.items, scope, through(leftSpan, link.span));
    else {
      const right = checker.node(link.operand, scope);
      const sides = [
        { node: left, span: leftSpan },
        { node: right, span: link.operand.span },
      ] as const;
      left = operation(checker, link.symbol, sides, scope);
    }
    leftSpan = through(tree.first.span, link.kind === "membership" ? link.span : link.operand.span);
  }
  warnOfTexts(checker, tree, scope);
  return left;
}

function isRightToLeft(symbol: OperatorSymbol): boolean {
  const operator: Operator = operators[symbol];
  return operator.rightToLeft === true;
}

function fromRight(checker: Checker, tree: Chain, scope: Scope): Node | undefined {
  const links = tree.rest.filter((link) => link.kind === "operation");
  const operands = [tree.first, ...links.map((link) => link.operand)];
  const nodes = operands.map((operand) => checker.node(operand, scope));
  let right: Side = { node: nodes.at(-1), span: (operands.at(-1) ?? tree.first).span };
  for (let at = links.length - 1; at >= 0; at--) {
    const [link, left] = [links[at], operands[at]];
    if (link === undefined || left === undefined) continue;
    const sides = [{ node: nodes[at], span: left.span }, right] as const;
    right = { node: operation(checker, link.symbol, sides, scope), span: through(left.span, right.span) };
  }
  warnOfTexts(checker, tree, scope);
  return right.node;
}

/** What stands on a side of an operator, and where. */
interface Side {
  readonly node: Node | undefined;
  readonly span: Span;
}

function operation(
  checker: Checker,
  symbol: OperatorSymbol,
  [left, right]: readonly [Side, Side],
  scope: Scope,
): Node | undefined {
  if (left.node === undefined || right.node === undefined) return undefined;
  const { function: name } = operators[symbol];
  const sides = [
    { node: left.node, span: left.span },
    { node: right.node, span: right.span },
  ] as const;
  const isBefore = left.span.source === right.span.source && left.span.start <= right.span.start;
  const span = isBefore ? through(left.span, right.span) : left.span;
  return binary(checker, name, sides, { name: symbol, span, scope });
}

/**
 * `a && b` as `if(a, b, 0)` and `a || b` as `if(a, 1, b)`, as Vespa has them in rank profiles, where they are numbers: so they are
 * what b is. Constants it computes before.
 */
function conditions(checker: Checker, tree: Chain, scope: Scope): Node | undefined {
  let left = checker.node(tree.first, scope);
  let isComputed = deployedConstant(checker, tree.first) !== undefined;
  for (const link of tree.rest) {
    if (link.kind === "membership") return undefined;
    const right = checker.node(link.operand, scope);
    const span = through(tree.first.span, link.operand.span);
    isComputed &&= deployedConstant(checker, link.operand) !== undefined;
    const isChoice = left?.type.isScalar === true && right?.type.isScalar === true && !isComputed;
    const sides = [
      { node: left, span: tree.first.span },
      { node: right, span: link.operand.span },
    ] as const;
    left =
      isChoice && left !== undefined && right !== undefined
        ? choice(checker.graph, link.symbol, left, right, span)
        : operation(checker, link.symbol, sides, scope);
  }
  return left;
}

function choice(graph: Graph, symbol: OperatorSymbol, left: Node, right: Node, span: Span): Node {
  if (symbol === "&&") return graph.select(left, right, graph.number(0, span), span);
  return graph.select(left, graph.number(1, span), right, span);
}

/** A function of one number: applied to a scalar, mapped over a tensor. */
export function unary(checker: Checker, name: ScalarName, tensor: Node, span: Span): Node {
  const { graph } = checker;
  if (tensor.type.isScalar) return graph.apply(name, [tensor], span);
  const body = graph.apply(name, [graph.parameter(1, 0, TensorType.scalar, span)], span);
  return graph.map(tensor, { parameters: [TensorType.scalar], body }, span);
}

/** A side that has a value. */
interface ValuedSide extends Side {
  readonly node: Node;
}

/** Where an operator or a function of two numbers is used, and what it is called there. */
interface Use {
  readonly name: string;
  readonly span: Span;
  readonly scope: Scope;
}

/** A function of two numbers: applied to two scalars, otherwise a join. */
export function binary(
  checker: Checker,
  name: ScalarName,
  [left, right]: readonly [ValuedSide, ValuedSide],
  use: Use,
): Node | undefined {
  const { graph } = checker;
  const [{ type }, { type: other }] = [left.node, right.node];
  if (type.isScalar && other.isScalar) return graph.apply(name, [left.node, right.node], use.span);
  const report = checker.typeReporter(use.scope, right.span, [{ span: left.span, label: `${type}` }]);
  joinType(type, other, use.name, report);
  if (report.failed) return undefined;
  return graph.join(left.node, right.node, pairwise(checker, name, use.span), use.span);
}

/** `f(x,y)(name(x,y))` */
export function pairwise(checker: Checker, name: ScalarName, span: Span): Lambda {
  const scalar = TensorType.scalar;
  const [x, y] = [checker.graph.parameter(1, 0, scalar, span), checker.graph.parameter(1, 1, scalar, span)];
  return { parameters: [scalar, scalar], body: checker.graph.apply(name, [x, y], span) };
}

/** `t in [a, b]`: 1 where a cell equals an item. Items are scalars, and may be anything a scalar may be. */
function membership(
  checker: Checker,
  tensor: Node | undefined,
  items: readonly Expression[],
  scope: Scope,
  span: Span,
): Node | undefined {
  const nodes = items.map((item) => checker.scalar(item, scope, "item"));
  const complete = nodes.filter((item) => item !== undefined);
  if (tensor === undefined || complete.length < nodes.length) return undefined;
  const { graph } = checker;
  if (tensor.type.isScalar) return anyEqual(graph, tensor, complete, span);
  if (complete.every((item) => item.op === "constant")) {
    const cell = graph.parameter(1, 0, TensorType.scalar, span);
    const body = anyEqual(graph, cell, complete, span);
    return graph.map(tensor, { parameters: [TensorType.scalar], body }, span);
  }
  const tests = complete.map((item) => graph.join(tensor, item, pairwise(checker, "equal", span), span));
  const [first, ...others] = tests;
  const or = pairwise(checker, "or", span);
  return others.reduce(
    (any, test) => graph.join(any, test, or, span),
    first ?? graph.cast(tensor, mapType(tensor.type), span),
  );
}

/** 1 where a scalar equals one of the items, which are scalars too. */
export function anyEqual(graph: Graph, scalar: Node, items: readonly Node[], span: Span): Node {
  const [first, ...others] = items.map((item) => graph.apply("equal", [scalar, item], span));
  if (first === undefined) return graph.number(0, span);
  return others.reduce((any, test) => graph.apply("or", [any, test], span), first);
}

/**
 * Vespa's Java front end gives every operator a level of its own, and `in` the loosest. Where that groups operators
 * otherwise, and not just so that rounding differs, the two readings are shown (D1).
 */
function warnOfGrouping(checker: Checker, tree: Chain, scope: Scope): void {
  for (const [at, link] of tree.rest.entries()) {
    if (link.kind === "membership") continue;
    const before = tree.rest[at - 1];
    const left = before?.kind === "operation" ? before.operand.span : tree.first.span;
    const groupsRight = before?.kind === "operation" && bindsTighterInJava(link.symbol, before.symbol);
    const groupsLeft = endsInMembership(link);
    if (!groupsRight && !groupsLeft) continue;
    const text = (start: number, end: number): string =>
      shortenedWithin(tree.span.source.text.slice(start, end));
    const [start, end] = [tree.span.start, link.operand.span.end];
    const member = groupsRight ? left.end : memberOf(link).end;
    const inner = groupsRight ? left.start : link.operand.span.start;
    const leftFirst = `(${text(start, member)})${text(member, end)}`;
    const rightFirst = `${text(start, inner)}(${text(inner, end)})`;
    const readings = groupsRight
      ? { ours: leftFirst, java: rightFirst }
      : { ours: rightFirst, java: leftFirst };
    const span = through(tree.span, link.operand.span);
    return checker.report(scope)(problem("portability/grouping", span, readings));
  }
}

/** Operators whose order matters only to rounding are not worth a warning. */
const associative = new Set<OperatorSymbol>(["+", "-", "*", "/", "^"]);

function bindsTighterInJava(symbol: OperatorSymbol, before: OperatorSymbol): boolean {
  return !associative.has(symbol) && operators[symbol].java > operators[before].java;
}

/** `a && b in [1]`: the operand is a membership, and not in parentheses. */
function endsInMembership({ operand }: OperationLink): boolean {
  if (operand.kind !== "chain" || operand.rest.at(-1)?.kind !== "membership") return false;
  return operand.span.source.text[operand.span.start] !== "(";
}

/** What stands before the `in` of a membership. */
function memberOf({ operand }: OperationLink): Span {
  const before = operand.kind === "chain" ? operand.rest.at(-2) : undefined;
  if (before?.kind === "operation") return before.operand.span;
  return operand.kind === "chain" ? operand.first.span : operand.span;
}

/** Text is its hash everywhere, but Vespa's Java front end refuses to calculate with it (D18). */
function warnOfTexts(checker: Checker, tree: Chain, scope: Scope): void {
  for (const [at, link] of tree.rest.entries()) {
    if (link.kind !== "operation" || link.symbol === "==" || link.symbol === "!=" || link.symbol === "~=")
      continue;
    const before = tree.rest[at - 1];
    const left = before === undefined ? tree.first : before.kind === "operation" ? before.operand : undefined;
    warnOfText(checker, scope, link.symbol, left === undefined ? [link.operand] : [left, link.operand]);
  }
}

function warnOfText(
  checker: Checker,
  scope: Scope,
  symbol: OperatorSymbol | "!" | "-",
  operands: readonly Expression[],
): void {
  const text = operands.find((operand) => operand.kind === "text");
  if (text !== undefined) checker.report(scope)(problem("portability/text", text.span, { symbol }));
}
