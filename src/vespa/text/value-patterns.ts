import { element } from "../../language/values/element.js";
import type { Field } from "../package/model/model.js";
import type { QueryTerm, TermPattern } from "./queries/query-term.js";
import { regularExpression, type ValueMatcher } from "./regular-expression.js";
import { folded } from "./words.js";

/** Finds the values of an attribute that a term stands for which is no word; nothing where a term does, or where it cannot be told. */
export function valueMatcher(pattern: TermPattern, field: Pick<Field, "isCased">): ValueMatcher | undefined {
  if (!("text" in pattern) || pattern.kind === "words") return undefined;
  const text = folded(pattern.text, field);
  switch (pattern.kind) {
    case "prefix":
      return (value) => value.startsWith(text);
    case "suffix":
      return (value) => value.endsWith(text);
    case "substring":
      return (value) => value.includes(text);
    case "regular":
      return cachedExpression(pattern.text, field.isCased === true);
    case "fuzzy": {
      const { most, prefixLength, isPrefix } = pattern;
      const signs = Array.from(text);
      const start = signs.slice(0, prefixLength).join("");
      const rest = signs.slice(prefixLength);
      return (value) => {
        const own = Array.from(value);
        return (
          own.slice(0, prefixLength).join("") === start &&
          isWithin(rest, own.slice(prefixLength), { most, isPrefix })
        );
      };
    }
  }
}

/** How many expressions are remembered. */
const mostExpressions = 100;
const expressions = new Map<string, ValueMatcher | undefined>();

function cachedExpression(text: string, isCased: boolean): ValueMatcher | undefined {
  const key = `${isCased} ${text}`;
  if (!expressions.has(key)) {
    if (expressions.size >= mostExpressions) expressions.clear();
    expressions.set(key, regularExpression(text, isCased));
  }
  return expressions.get(key);
}

/** Whether so few signs must be put in, left out or replaced; of a prefix, in some beginning of the value. */
function isWithin(
  term: readonly string[],
  value: readonly string[],
  { most, isPrefix }: { readonly most: number; readonly isPrefix: boolean },
): boolean {
  let row = Array.from({ length: term.length + 1 }, (_, at) => at);
  let best = term.length;
  for (const [at, sign] of value.entries()) {
    const next = [at + 1];
    for (const [position, each] of term.entries())
      next.push(
        Math.min(
          element(row, position) + Number(each !== sign),
          element(row, position + 1) + 1,
          element(next, position) + 1,
        ),
      );
    row = next;
    const last = element(row, term.length);
    best = isPrefix ? Math.min(best, last) : last;
  }
  return best <= most;
}

/** Whether it can be told where a term stands in a field. */
export function isKnownIn({ pattern }: QueryTerm, field: Field): boolean {
  if (field.isIndex && field.matching === "gram") return false;
  switch (pattern.kind) {
    case "product":
    case "unknown":
      return false;
    case "prefix":
    case "suffix":
    case "substring":
    case "fuzzy":
      return !field.isIndex;
    case "regular":
      return !field.isIndex && valueMatcher(pattern, field) !== undefined;
    case "equivalent":
      return pattern.terms.every((each) => isKnownIn(each, field));
    case "words":
    case "range":
    case "neighbours":
    case "weighted":
      return true;
  }
}
