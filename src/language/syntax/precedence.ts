import { membershipTightness, operators } from "../scalar/operators.js";
import { through } from "../source/span.js";
import type { Expression, Link, OperationLink } from "./tree.js";

/**
 * A flat run of operands and operators, folded by the precedence table into chains of one level each. Operators of
 * one level stay side by side in one node, so that a sum of 20,000 terms is one chain and not a tree as deep.
 *
 * `in [...]` binds as a comparison, and what follows its `]` takes the whole `in` as its left operand (D1).
 */
export function foldOperators(first: Expression, links: readonly Link[]): Expression {
  const stack: Pending[] = [{ expression: first }];
  for (const link of links) {
    if (link.kind === "operation") {
      foldTighterThan(stack, operators[link.symbol].tightness);
      stack.push({ operation: link, expression: link.operand });
    } else {
      foldTighterThan(stack, membershipTightness);
      foldRun(stack, membershipTightness, link);
    }
  }
  foldTighterThan(stack, 0);
  return stack[0]?.expression ?? first;
}

/** An operand, and the operation that it is the right side of; the first operand has none. */
interface Pending {
  readonly operation?: OperationLink;
  expression: Expression;
  /** The links of a chain that ends in `in [...]`, to which the next comparison may be added. */
  open?: Link[];
}

const tightness = (pending: Pending | undefined): number =>
  pending?.operation === undefined ? -1 : operators[pending.operation.symbol].tightness;

function foldTighterThan(stack: Pending[], limit: number): void {
  for (let level = tightness(stack.at(-1)); level > limit; level = tightness(stack.at(-1)))
    foldRun(stack, level);
}

/** Folds into one chain the operations of a level on top of the stack, and of what they apply to. */
function foldRun(stack: Pending[], level: number, membership?: Link): void {
  const links: Link[] = [];
  while (tightness(stack.at(-1)) === level) {
    const { operation, expression } = stack.pop() ?? {};
    if (operation !== undefined && expression !== undefined)
      links.push({ ...operation, operand: expression });
  }
  links.reverse();
  if (membership !== undefined) links.push(membership);

  const base = stack.at(-1);
  const last = links.at(-1);
  if (base === undefined || last === undefined) return;
  const left = base.expression;
  const span = through(left.span, last.kind === "operation" ? last.operand.span : last.span);
  const open = level === membershipTightness ? base.open : undefined;
  const rest = open ?? [];
  for (const link of links) rest.push(link);
  const first = open !== undefined && left.kind === "chain" ? left.first : left;
  base.expression = { kind: "chain", span, first, rest };
  if (membership === undefined) delete base.open;
  else base.open = rest;
}
