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
    const branches = { yes: { node: branch, span }, no: { node: result, span: resultSpan } };
    result = conditional(checker, { condition, ...branches, span: tree.span }, scope);
    resultSpan = span;
  }
  return result;
}

/** A value that may be chosen, and where it is written. */
interface BranchValue {
  readonly node: Node;
  readonly span: Span;
}

/** A choice of two values by a condition. */
interface Conditional {
  readonly condition: Node;
  readonly yes: BranchValue;
  readonly no: BranchValue;
  readonly span: Span;
  /** Of a condition that is constant when it is deployed, the value that is chosen: all that Vespa's engines get. */
  readonly deployed?: Node | undefined;
}

/** A choice as an operation of the core: both values are cast to the type that they generalise to. */
export function conditional(
  checker: Checker,
  { condition, yes, no, span, deployed }: Conditional,
  scope: Scope,
): Node | undefined {
  const [yesType, noType] = [yes.node.type, no.node.type];
  const related = [{ span: yes.span, label: `${yesType}` }];
  const report = checker.typeReporter(scope, no.span, related);
  const type: TensorType = branchType(yesType, noType, report);
  if (report.failed) return undefined;
  const deployment = deploymentIn(checker, scope);
  if (deployed !== undefined && deployment?.isTypedAsDeployed === true) return deployed;
  if (deployment !== undefined && deployed === undefined && yesType.cellType !== noType.cellType)
    checker.report(scope)(problem("portability/branches", no.span, { yes: yesType, no: noType }, related));
  const { graph } = checker;
  const [yesCast, noCast] = [yes, no].map(({ node, span }) => graph.cast(node, type, span));
  return yesCast && noCast && graph.select(condition, yesCast, noCast, span);
}
