import { isBareChain } from "../../../language/check/deployment/rows.js";
import type { PrefixSymbol } from "../../../language/scalar/operators.js";
import type { Problem } from "../../../language/source/problem.js";
import { type Span, textIn } from "../../../language/source/span.js";
import { wordsWithin } from "../../../language/syntax/parse.js";
import { treesIn } from "../../../language/syntax/parts.js";
import type { Argument, Chain, Expression, Link, MembershipLink } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { bodiesOf } from "./bodies.js";

/** What Vespa's parser of expressions refuses of those of a rank profile as they are written. */
export function unreadableTexts(profile: Profile): readonly Problem[] {
  return bodiesOf(profile).flatMap(({ tree, span }) => [...problemsIn(tree), ...commentProblems(span)]);
}

/** Of comments, Vespa has those that begin with `#`. */
function* commentProblems(span: Span): Iterable<Problem> {
  if (!textIn(span).includes("//")) return;
  for (const comment of wordsWithin(span).comments)
    if (comment.text.startsWith("//")) yield problem("portability/comment", comment.span, {});
}

function* problemsIn(tree: Argument): Iterable<Problem> {
  for (const next of treesIn(tree)) {
    if (next.kind === "number" && isTooLong(next.text))
      yield problem("portability/integer", next.span, { text: next.text });
    if (next.kind === "prefixed") {
      const signs = next.operators.map(({ symbol }) => symbol);
      if (areRefused(signs, next.operand)) yield signsProblem(next, signs);
    }
    if (next.kind === "chain") yield* listProblems(next);
  }
}

/** A whole number of more than 64 bits, whether or not there is a sign before it. */
function isTooLong(text: string): boolean {
  if (!/^\d+$/.test(text)) return false;
  const digits = text.replace(/^0+(?=\d)/, "");
  return digits.length > 19 || BigInt(digits) > 2n ** 63n;
}

/** Vespa reads no sign behind another but `!-`, and `--` before a number. */
export function areRefused(signs: readonly PrefixSymbol[], operand: Expression): boolean {
  const isNumber = operand.kind === "number";
  return signs.some((sign, at) => {
    const next = signs[at + 1];
    const isLast = at + 2 === signs.length;
    return next === "!" || (sign === "-" && next === "-" && !(isNumber && isLast));
  });
}

export const signsProblem = ({ span }: Expression, signs: readonly PrefixSymbol[]): Problem =>
  problem("portability/signs", span, { signs: signs.join("") });

function* listProblems(chain: Chain): Iterable<Problem> {
  for (const link of chain.rest)
    if (link.kind === "membership" && link.items.length === 0)
      yield problem("portability/empty-list", link.span, {});
  for (const { list, next } of behindLists(chain, listAtEnd)) yield listProblem(list, next);
}

/** A list, and what stands behind it. */
interface BehindList {
  readonly list: MembershipLink;
  readonly next: Link;
}

/** The links of a chain that stand behind a list, of those in it or at the ends of its operands. */
export function* behindLists(
  { first, rest }: Chain,
  atEnd: (operand: Expression) => MembershipLink | undefined,
): Iterable<BehindList> {
  let list = atEnd(first);
  for (const next of rest) {
    if (list !== undefined) yield { list, next };
    list = next.kind === "membership" ? next : atEnd(next.operand);
  }
}

/** The list that an operand without parentheses ends with. */
export function listAtEnd(operand: Expression): MembershipLink | undefined {
  if (!isBareChain(operand)) return undefined;
  const last = operand.rest.at(-1);
  return last?.kind === "operation" ? listAtEnd(last.operand) : last;
}

export const listProblem = (list: MembershipLink, next: Link): Problem =>
  problem("portability/behind-list", list.span, { next: next.kind === "operation" ? next.symbol : "in" });
