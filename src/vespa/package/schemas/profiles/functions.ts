import { problem } from "../../model/messages.js";
import type { RankFunction } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import type { Detail, ExpressionStatement, FunctionStatement } from "../../syntax/tree.js";
import { reportSlips } from "../slips.js";
import { reportExpressionBraces } from "./expression-braces.js";

/** `function inline name(a, b) { expression: … }` */
export function readFunction(
  { name, isInline, parameters, items, span }: FunctionStatement,
  reading: Reading,
): RankFunction {
  const expression = expressionIn(items, name.text, reading);
  reportSlips(items, "a function", reading);
  for (const { text, span: own } of parameters) reading.reportName(text, own);
  if (expression === undefined && !reading.isMistaken(span))
    reading.report(problem("schema/no-expression", name.span, { kind: "function", name: name.text }));
  const text = expression === undefined ? { span, tree: undefined } : reading.expression(expression.text);
  return { name, span, isInline, parameters, expression: text };
}

/** `expression: …`, which ends with its line whatever begins the next one, or `expression { … }`. */
export function expressionIn(
  items: readonly (ExpressionStatement | Detail)[],
  name: string,
  reading: Reading,
): ExpressionStatement | undefined {
  for (const each of items)
    if (each.kind === "other" && !/^[\w$@]/.test(each.keyword.text))
      reading.unexpected(each, "end of expression");
  const [first, second] = items.filter((each) => each.kind === "expression");
  if (first !== undefined) reportExpressionBraces(first, reading);
  if (second !== undefined) {
    const related = first === undefined ? [] : [{ span: first.keyword.span, label: "the first" }];
    reading.report(problem("schema/expressions", second.keyword.span, { name }, related));
  }
  return first;
}
