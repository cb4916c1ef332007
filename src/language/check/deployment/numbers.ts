import type { Expression, Prefixed } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";
import { deploymentIn, isUnsignedZero, isWrittenAnew } from "./deployment.js";

/** Numbers that Vespa writes as others when it deploys an expression, or as none. */

/** A number that is not finite has no form that engines would read. */
export function warnOfInfinity(checker: Checker, { span }: Expression, value: number, scope: Scope): void {
  if (deploymentIn(checker, scope) === undefined || Number.isFinite(value) || Number.isNaN(value)) return;
  checker.report(scope)(problem("portability/infinity", span, { value }));
}

/** Whether it is a `-0` that is deployed as 0; of that there is a warning. */
export function losesSign(checker: Checker, tree: Prefixed, scope: Scope): boolean {
  if (!isWrittenAnew(checker, scope) || !isUnsignedZero(tree)) return false;
  checker.report(scope)(problem("portability/sign", tree.span, {}));
  return true;
}
