import { textOf } from "./blocks.js";
import type { RankFunction } from "./model.js";
import type { Reading } from "./reading.js";
import { expressionIn, type Statement, statementsIn, wordsIn } from "./statements.js";

/** `function inline name(a, b) { expression: … }`: one function, or none where it has no name. */
export function readFunction(
  { keyword, head, body, span }: Statement,
  reading: Reading,
): ReadonlyMap<string, RankFunction> {
  const form = /^(inline\s+)?([\w$.-]+)\s*(?:\([^()]*\))?$/.exec(textOf(head));
  const words = wordsIn(head);
  const [name, ...parameters] = form?.[1] === undefined ? words : words.slice(1);
  if (form === null || name === undefined) {
    const values = { what: keyword.text, wanted: `${keyword.text} name(a, b) { expression: … }` };
    reading.report("schema/name", keyword.span, values);
    return new Map();
  }
  const expression = expressionIn(body === undefined ? [] : statementsIn(body));
  if (expression === undefined)
    reading.report("schema/no-expression", name.span, { what: `the function ${name.text}` });
  const text = expression === undefined ? { span, tree: undefined } : reading.expression(expression);
  return new Map([[name.text, { name, span, parameters, expression: text }]]);
}
