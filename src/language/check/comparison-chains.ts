import type { OperatorSymbol } from "../scalar/operators.js";
import { shortenedWithin } from "../source/message.js";
import { textIn, through } from "../source/span.js";
import type { Chain, Expression } from "../syntax/tree.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import type { Scope } from "./scope.js";

/**
 * Warns of `1 < a < 3`, which is `(1 < a) < 3` here, and always true, where mathematics and Python have two comparisons. What is compared with
 * the outcome in parentheses, or by another kind of comparison, is meant. Whether there was such a chain.
 */
export function warnOfComparisons(checker: Checker, tree: Chain, scope: Scope): boolean {
  const [link, next, ...others] = tree.rest;
  if (link?.kind !== "operation" || next?.kind !== "operation") return false;
  const kind = kinds[link.symbol];
  if (kind === undefined || kind !== kinds[next.symbol]) return false;
  const comparison = (left: Expression, symbol: OperatorSymbol, right: Expression): string =>
    `${textIn(left.span)} ${symbol} ${textIn(right.span)}`;
  const compared = through(tree.span, link.operand.span);
  const both = [
    comparison(tree.first, link.symbol, link.operand),
    comparison(link.operand, next.symbol, next.operand),
  ].join(" && ");
  const read = `(${shortenedWithin(textIn(compared))}) ${next.symbol} ${shortenedWithin(textIn(next.operand.span))}`;
  checker.report(scope)(
    problem("comparison/chain", through(tree.span, next.operand.span), {
      read,
      both: others.length === 0 ? both : undefined,
    }),
  );
  return true;
}

/** Comparisons that people write behind each other, as those of an interval. */
const kinds: { readonly [Symbol in OperatorSymbol]?: "order" | "equality" } = {
  "<": "order",
  "<=": "order",
  ">": "order",
  ">=": "order",
  "==": "equality",
};
