import type { Node } from "../../core/operations.js";
import type { Report } from "../../source/problem.js";
import type { Reference } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import { bareWord } from "../names.js";
import type { Scope } from "../scope.js";
import { boundValue } from "./bindings.js";

/**
 * Conditions on the arguments of prelude functions that their definitions do not imply. A guard returns
 * whether the call may be expanded, and reports why not. The scope is that of the expansion.
 */
type Guard = (checker: Checker, tree: Reference, scope: Scope, report: Report) => boolean;

export const guards: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ["euclidean_distance", sameSize],
  ["cosine_similarity", sameSize],
  ["top", sparseAndNumber],
  ["expand", newDimension],
  ["range", notInVespa("range(i[n])")],
  ["diag", notInVespa("diag(i[n],j[m])")],
  ["mod", notInVespa("t % c")],
]);

/** Both tensors have the dimension, indexed and of one size. */
function sameSize(checker: Checker, tree: Reference, scope: Scope, report: Report): boolean {
  const [left, right] = [argumentValue(checker, tree, 0, scope), argumentValue(checker, tree, 1, scope)];
  const word = argumentWord(checker, tree, 2, scope);
  if (left === undefined || right === undefined || word === undefined) return true;
  const [one, other] = [left, right].map(({ type }) => type.dimension(word));
  if (one?.kind === "indexed" && one.size !== undefined && one.size === other?.size) return true;
  const values = { name: tree.name.text, dimension: word, left: left.type, right: right.type };
  report(problem("type/same-size", tree.span, values));
  return false;
}

function sparseAndNumber(checker: Checker, tree: Reference, scope: Scope, report: Report): boolean {
  const [count, tensor] = [argumentValue(checker, tree, 0, scope), argumentValue(checker, tree, 1, scope)];
  const span = (at: number) => tree.arguments?.[at]?.span ?? tree.span;
  if (count !== undefined && !count.type.isScalar) {
    const isTurned = tensor?.type.isScalar === true;
    report(
      problem("type/not-scalar", span(0), { part: isTurned ? "count first" : "count", type: count.type }),
    );
    return false;
  }
  if (tensor === undefined || tensor.type.isSparse) return true;
  report(problem("type/not-sparse", span(1), { name: tree.name.text, type: tensor.type }));
  return false;
}

/** The dimension is not there yet, or has size 1. */
function newDimension(checker: Checker, tree: Reference, scope: Scope, report: Report): boolean {
  const tensor = argumentValue(checker, tree, 0, scope);
  const word = argumentWord(checker, tree, 1, scope);
  const existing = word === undefined ? undefined : tensor?.type.dimension(word);
  if (tensor === undefined || existing === undefined || existing.size === 1) return true;
  const values = { dimension: existing.name, type: tensor.type };
  report(problem("type/not-new", tree.arguments?.[1]?.span ?? tree.span, values));
  return false;
}

/** The Paper's form of a function, which Vespa writes otherwise (D9). */
function notInVespa(instead: string): Guard {
  return (_, tree, __, report) => {
    report(problem("portability/function", tree.span, { name: tree.name.text, instead }));
    return true;
  };
}

/** The value of an argument, by the parameter that it is bound to: it is found once, for the guard and the body. */
export function argumentValue(checker: Checker, tree: Reference, at: number, scope: Scope): Node | undefined {
  const argument = tree.arguments?.[at];
  const binding = argument && scope.bindingOf(argument);
  return binding === undefined ? undefined : boundValue(checker, tree, binding, scope);
}

export function argumentWord(
  checker: Checker,
  tree: Reference,
  at: number,
  scope: Scope,
): string | undefined {
  const argument = tree.arguments?.[at];
  const binding = argument && scope.bindingOf(argument);
  if (argument === undefined || binding?.kind !== "argument") return undefined;
  return bareWord(checker.resolve(argument, binding.scope).argument)?.text;
}
