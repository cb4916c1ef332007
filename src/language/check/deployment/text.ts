import { operators } from "../../scalar/operators.js";
import { append } from "../../source/lists.js";
import type { Span } from "../../source/span.js";
import { foldOperators } from "../../syntax/precedence.js";
import {
  type Chain,
  type Expression,
  isExpression,
  type Link,
  type Prefixed,
  type Reference,
  type Sliced,
} from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { branchOf, deployedConstant } from "./constants.js";
import {
  constantValue,
  hasPrecedence,
  isBareChain,
  isBarePrefixed,
  isCondition,
  isDeployedZero,
  isHarmless,
  operandsOf,
  type Pair,
  type Row,
  rowOf,
  withConstantsComputed,
} from "./rows.js";

/** Operands and operators of a text, without parentheses around them. */
interface Text {
  readonly first: Expression;
  readonly links: readonly Link[];
  /** Whether the engines read something else than what was meant, and not just so that rounding differs. */
  readonly isOther: boolean;
}

/** So many inline functions within each other are looked through. */
const deepest = 8;

/**
 * A row as the engines read its text, where that means something else. What Vespa puts in the place of a name, of an inline
 * function or of a choice with a constant condition, it writes without parentheses wherever it finds them needless, of which
 * it knows only some: of `a - i` with an i of `b - c` they get `a - b - c`.
 */
export function rowAsText(checker: Checker, row: Row, span: Span): Expression | undefined {
  const text = joined(checker, row, 0);
  return text.isOther ? folded(checker, text, span) : undefined;
}

/** `-i` or `i{x:0}` by itself, as the engines read its text, where that means something else. */
export function aloneAsText(checker: Checker, tree: Prefixed | Sliced): Expression | undefined {
  const text = textIn(checker, tree, undefined, 0);
  return text?.isOther === true ? folded(checker, text, tree.span) : undefined;
}

/** Operands and operators as one chain of chains, which are no rows to be deployed again. */
export function folded(
  checker: Checker,
  { first, links }: Pick<Text, "first" | "links">,
  span: Span,
): Expression {
  const operands = new Set(operandsOf(first, links));
  const own = (tree: Expression): Expression => {
    if (operands.has(tree) || tree.kind !== "chain") {
      if (tree.kind === "prefixed" || tree.kind === "sliced") checker.rows.set(tree, "deployed");
      return tree;
    }
    const rest = tree.rest.map((link) =>
      link.kind === "operation" ? { ...link, operand: own(link.operand) } : link,
    );
    const chain: Chain = { kind: "chain", span, first: own(tree.first), rest };
    checker.rows.set(chain, "deployed");
    return chain;
  };
  return own(foldOperators(first, links));
}

/** The text of an operand without parentheses, in a row or by itself; nothing where it stands as it is written. */
function textIn(
  checker: Checker,
  tree: Expression,
  around: Row | undefined,
  depth: number,
): Text | undefined {
  if (depth > deepest) return undefined;
  if (tree.kind === "reference") {
    const found = putIn(checker, tree);
    return found === undefined ? undefined : textOf(checker, found, around, depth + 1);
  }
  if (isMembership(tree) && !isBareChain(tree)) return membershipText(tree);
  if (isBarePrefixed(tree)) {
    const inner = textIn(checker, tree.operand, around, depth);
    if (inner === undefined) return undefined;
    const isSame = tree.operators.every(({ symbol }) => symbol === "-") && inner.links.every(isOfProduct);
    return { ...inner, first: { ...tree, operand: inner.first }, isOther: inner.isOther || !isSame };
  }
  if (tree.kind === "sliced" && tree.span.start === tree.tensor.span.start) {
    const inner = textIn(checker, tree.tensor, undefined, depth);
    return inner && withSlices(inner, tree);
  }
  return undefined;
}

/** `a in [1]`, around which Vespa writes no parentheses, whatever stands there. */
const isMembership = (tree: Expression): tree is Chain =>
  tree.kind === "chain" && tree.rest.at(-1)?.kind === "membership";

/** Its text; nothing where choices are in it, as there are for `a && b in [1]`. */
function membershipText(tree: Chain): Text | undefined {
  const { first, links } = withoutLevels(tree, true);
  const hasChoices = links.some((each) => each.kind === "operation" && isCondition(each));
  return hasChoices ? undefined : { first, links, isOther: false };
}

/** A chain with the operands of the tighter chains in it that have no parentheses. */
function withoutLevels(tree: Expression, isBare = isBareChain(tree)): Omit<Text, "isOther"> {
  if (!isBare || tree.kind !== "chain") return { first: tree, links: [] };
  const { first, links } = withoutLevels(tree.first);
  const others = tree.rest.flatMap((link): readonly Link[] => {
    if (link.kind === "membership") return [link];
    const operand = withoutLevels(link.operand);
    return [{ ...link, operand: operand.first }, ...operand.links];
  });
  return { first, links: [...links, ...others] };
}

const isOfProduct = (link: Link): boolean =>
  link.kind === "operation" && operators[link.symbol].tightness === operators["*"].tightness;

/** What Vespa has in the place of a reference: the body of an inline function, or the branch that a constant condition chooses. */
export function putIn(checker: Checker, tree: Reference): Expression | undefined {
  const { name, outputs, grouped } = tree;
  if (outputs.length > 0) return undefined;
  const list = tree.arguments ?? [];
  const isChoice = list.length > 0 && name.text === "if";
  const found = isChoice
    ? branchOf(list.filter(isExpression), (each) => deployedConstant(checker, each))
    : list.length === 0
      ? checker.context.deployment?.inline.get(name.text)
      : undefined;
  return grouped === undefined || (found !== undefined && isMembership(found)) ? found : undefined;
}

/** The text of what is put in for a name. */
function textOf(
  checker: Checker,
  tree: Expression,
  around: Row | undefined,
  depth: number,
): Text | undefined {
  if (!isBareChain(tree)) return textIn(checker, tree, around, depth);
  const row = rowOf(tree, (each) => deployedConstant(checker, each));
  if (row === undefined) return membershipText(tree);
  const computed = computedTwice(row);
  if (constantValue(computed) !== undefined || isDeployedZero(computed)) return undefined;
  // Choices need no parentheses.
  if (computed.rest.some(({ link }) => isCondition(link))) return undefined;
  if (around !== undefined && keepsParentheses(around, computed)) return undefined;
  return joined(checker, computed, depth);
}

/** Constants of an inline function are computed in it, and once more where it is put in. */
const computedTwice = (row: Row): Row => withConstantsComputed(withConstantsComputed(row).row).row;

/** An inline function by itself, where more of its constants are computed than in its own text, and what that regroups. */
export function inlineAlone(
  checker: Checker,
  body: Expression,
): { readonly deployed: Expression; readonly regrouped: readonly Pair[] } | undefined {
  const row = isBareChain(body) ? rowOf(body, (each) => deployedConstant(checker, each)) : undefined;
  if (row === undefined) return undefined;
  const once = withConstantsComputed(row).row;
  const {
    row: { first, rest },
    regrouped,
  } = withConstantsComputed(once);
  if (rest.length === once.rest.length || rest.some(({ link }) => isCondition(link))) return undefined;
  const links = rest.map(({ link, operand }) => ({ ...link, operand: operand.tree }));
  return { deployed: folded(checker, { first: first.tree, links }, body.span), regrouped };
}

function keepsParentheses(around: Row, { rest }: Row): boolean {
  const [outer, inner] = [around.rest[0]?.link.symbol, rest[0]?.link.symbol];
  if (around.rest.length !== 1 || rest.length !== 1 || outer === undefined || inner === undefined)
    return true;
  return hasPrecedence(outer, inner);
}

/** A row with the texts that some of its operands are. */
function joined(checker: Checker, row: Row, depth: number): Text {
  const head = textIn(checker, row.first.tree, row, depth);
  const links: Link[] = [...(head?.links ?? [])];
  let isOther = head?.isOther ?? false;
  for (const { link, operand } of row.rest) {
    const text = textIn(checker, operand.tree, row, depth);
    const inner = text?.links ?? [];
    const [next] = inner;
    links.push({ ...link, operand: text?.first ?? operand.tree });
    append(links, inner);
    isOther ||= text?.isOther ?? false;
    if (next?.kind === "operation") isOther ||= !isHarmless(link.symbol, next.symbol);
    // What stands before its operand is tested with it.
    isOther ||= inner.some(({ kind }) => kind === "membership");
  }
  return { first: head?.first ?? row.first.tree, links, isOther };
}

/** Slices are of the last operand alone. */
function withSlices({ first, links, isOther }: Text, { slices, span }: Sliced): Text | undefined {
  const last = links.at(-1);
  if (last === undefined) return { first: { kind: "sliced", span, tensor: first, slices }, links, isOther };
  if (last.kind === "membership") return undefined;
  const operand: Sliced = { kind: "sliced", span, tensor: last.operand, slices };
  return { first, links: [...links.slice(0, -1), { ...last, operand }], isOther: true };
}
