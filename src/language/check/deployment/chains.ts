import { shortenedWithin } from "../../source/message.js";
import { type Span, through } from "../../source/span.js";
import { printExpression } from "../../syntax/pretty-printer/print.js";
import type { Chain, Expression, Prefixed, Sliced } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";
import { deployedConstant } from "./constants.js";
import { warnOfInfinity } from "./numbers.js";
import {
  constantValue,
  isBareChain,
  isBarePrefixed,
  isCondition,
  isDeployedZero,
  type Operand,
  operandsOf,
  type Pair,
  type Row,
  rowOf,
  withConstantsComputed,
} from "./rows.js";
import { aloneAsText, folded, inlineAlone, rowAsText } from "./text.js";

/**
 * A chain as engines get it, where that is another one. What is constant Vespa computes when it deploys a rank profile, two
 * neighbours at a time, the looser of its own levels of operators first (D1), and does not mind what stands before them: of
 * `a / 60 / 60` its engines get `a / 1`. A product with a factor 0 is 0. And what it puts in for a name may lose its parentheses.
 * Of all this there are warnings.
 */
export function deployedChain(checker: Checker, tree: Chain, scope: Scope): Expression | "zero" | undefined {
  if (checker.rows.has(tree)) return undefined;
  const row = rowOf(tree, (each) => deployedConstant(checker, each));
  if (row !== undefined || tree.rest.length > 1) markParts(checker, tree);
  if (row === undefined) return undefined;
  const { row: computed, regrouped } = withConstantsComputed(row);
  if (Number.isNaN(constantValue(computed) ?? Number.NaN) && isDeployedZero(computed)) return "zero";
  const [first] = regrouped;
  if (first !== undefined)
    checker.report(scope)(
      problem("portability/constants", through(first.from, first.right), readings(first)),
    );
  for (const { tree: part, constant } of [computed.first, ...computed.rest.map(({ operand }) => operand)])
    if (constant !== undefined && isOfFinite(checker, part))
      warnOfInfinity(checker, part, constant.value, scope);
  const segments = segmentsOf(computed);
  const texts = segments.map((each) => segmentAsText(checker, each, tree.span));
  const isText = texts.some((each) => each !== undefined);
  // Where another order differs by rounding alone, the one that is written counts.
  const isComputed = segments.length > 1 && computed.rest.length < row.rest.length;
  if (first === undefined && !isText && !isComputed) return undefined;
  const pieces = segments.map((each, at) => texts[at] ?? foldedRow(checker, each, tree.span));
  const [head = tree, ...others] = pieces;
  const conditions = computed.rest.filter(({ link }) => isCondition(link));
  const links = conditions.flatMap(({ link }, at) => {
    const operand = others[at];
    return operand === undefined ? [] : [{ ...link, operand }];
  });
  const deployed = folded(checker, { first: head, links }, tree.span);
  if (isText) warnOfText(checker, deployed, tree, scope);
  return deployed;
}

/** An inline function by itself as engines get it, where constants are computed that its own text still has. */
export function deployedInline(checker: Checker, body: Expression, scope: Scope): Expression | undefined {
  const found = inlineAlone(checker, body);
  const [first] = found?.regrouped ?? [];
  if (first !== undefined)
    checker.report(scope)(
      problem("portability/constants", through(first.from, first.right), readings(first)),
    );
  return found?.deployed;
}

/** `-i` or `i{x:0}` as engines get it, where an inline function i has operators without parentheses. */
export function deployedAlone(
  checker: Checker,
  tree: Prefixed | Sliced,
  scope: Scope,
): Expression | undefined {
  if (checker.rows.has(tree)) return undefined;
  const deployed = aloneAsText(checker, tree);
  if (deployed !== undefined) warnOfText(checker, deployed, tree, scope);
  return deployed;
}

function warnOfText(checker: Checker, deployed: Expression, written: Expression, scope: Scope): void {
  const [vespa, text] = [deployed, written].map((each) => shortenedWithin(printExpression(each)));
  if (vespa === undefined || text === undefined) return;
  const code = hasList(deployed) ? "portability/list" : "portability/inline";
  checker.report(scope)(problem(code, written.span, { vespa, written: text }));
}

/** Whether something is tested by a list in a row that has lost its parentheses. */
function hasList(tree: Expression): boolean {
  if (tree.kind !== "chain") return false;
  const isTested = tree.rest.some(({ kind }) => kind === "membership");
  return isTested || operandsOf(tree.first, tree.rest).some(hasList);
}

/** Whether it is constants of a row that became one, none of which is written as an infinity: there is a warning of that alone. */
const isOfFinite = (checker: Checker, tree: Expression): boolean =>
  isBareChain(tree) &&
  operandsOf(tree.first, tree.rest).every((each) => {
    if (isBareChain(each)) return isOfFinite(checker, each);
    if (each.kind === "reference") return true;
    return Number.isFinite(deployedConstant(checker, each)?.value ?? Number.NaN);
  });

/** Chains within a row are no rows of their own. */
function markParts(checker: Checker, { first, rest }: Chain): void {
  for (const each of operandsOf(first, rest)) {
    if (!isBareChain(each)) continue;
    checker.rows.set(each, checker.rows.get(each) ?? "part");
    markParts(checker, each);
  }
}

/** The rows between the `&&` and `||` of a row, which become choices. */
function segmentsOf({ first, rest }: Row): readonly Row[] {
  const segments: { first: Operand; rest: Row["rest"][number][] }[] = [{ first, rest: [] }];
  for (const each of rest)
    if (isCondition(each.link)) segments.push({ first: each.operand, rest: [] });
    else segments.at(-1)?.rest.push(each);
  return segments;
}

function segmentAsText(checker: Checker, row: Row, span: Span): Expression | undefined {
  if (row.rest.length === 0) return undefined;
  const text = rowAsText(checker, row, span);
  if (text === undefined)
    for (const { tree } of [row.first, ...row.rest.map(({ operand }) => operand)])
      if (isBarePrefixed(tree)) checker.rows.set(tree, "part");
  return text;
}

function foldedRow(checker: Checker, { first, rest }: Row, span: Span): Expression {
  const links = rest.map(({ link, operand }) => ({ ...link, operand: operand.tree }));
  return folded(checker, { first: first.tree, links }, span);
}

/** A chain as engines get it, and as it is written. */
function readings({ from: { source, start }, left, right }: Pair): { vespa: string; written: string } {
  const text = (from: number, to: number): string => source.text.slice(from, to);
  return {
    vespa: shortenedWithin(`${text(start, left.start)}(${text(left.start, right.end)})`),
    written: shortenedWithin(`(${text(start, left.end)})${text(left.end, right.end)}`),
  };
}
