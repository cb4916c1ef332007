import type { Node } from "../../core/operations.js";
import type { Span } from "../../source/span.js";
import type { Switch } from "../../syntax/tree.js";
import { branchType } from "../../types/algebra.js";
import type { TensorType } from "../../types/type.js";
import type { Checker } from "../checker.js";
import { deploymentIn } from "../deployment/deployment.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";

/** `switch`, which reads as `if(value == first, …, if(value == second, …, …))` (D23). */
export function switchExpression(checker: Checker, tree: Switch, scope: Scope): Node | undefined {
  const value = checker.scalar(tree.value, scope, "switch");
  const cases = tree.cases.map(({ when, result }) => ({
    when: checker.scalar(when, scope, "case"),
    value: checker.node(result, scope),
    span: result.span,
  }));
  const last = checker.node(tree.otherwise, scope);
  if (value === undefined || last === undefined) return undefined;
  let [result, resultSpan]: [Node | undefined, Span] = [last, tree.otherwise.span];
  for (const { when, value: branch, span } of cases.reverse()) {
    if (when === undefined || branch === undefined || result === undefined) return undefined;
    const condition: Node = checker.graph.apply("equal", [value, when], tree.span);
    result = conditional(checker, condition, [branch, span], [result, resultSpan], scope, tree.span);
    resultSpan = span;
  }
  return result;
}

/**
 * A choice of two values by a condition; both are cast to the type that they generalise to. Of a choice whose condition is constant
 * when it is deployed, the value that is chosen is all that Vespa's engines get.
 */
export function conditional(
  checker: Checker,
  condition: Node,
  [yes, yesSpan]: readonly [Node, Span],
  [no, noSpan]: readonly [Node, Span],
  scope: Scope,
  span: Span,
  chosen?: Node,
): Node | undefined {
  const report = checker.typeReporter(scope, noSpan, [{ span: yesSpan, label: `${yes.type}` }]);
  const type: TensorType = branchType(yes.type, no.type, report);
  if (report.failed) return undefined;
  const deployment = deploymentIn(checker, scope);
  if (chosen !== undefined && deployment?.isTypedAsDeployed === true) return chosen;
  if (deployment !== undefined && chosen === undefined && yes.type.cellType !== no.type.cellType) {
    const related = [{ span: yesSpan, label: `${yes.type}` }];
    checker.report(scope)(problem("portability/branches", noSpan, { yes: yes.type, no: no.type }, related));
  }
  const { graph } = checker;
  return graph.select(condition, graph.cast(yes, type, yesSpan), graph.cast(no, type, noSpan), span);
}
