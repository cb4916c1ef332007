import type { Query } from "../documents/query.js";
import { annotationsBefore } from "./nearest-neighbour.js";
import { wordsOf } from "./words.js";

/** A word of a query, and the fields that it is searched in. */
export interface QueryTerm {
  readonly word: string;
  readonly fields: readonly string[];
}

/** Operators whose words do not stand alone: what they match is not known here. */
const others =
  /\b(?:phrase|near|onear|equiv|alternatives|uri|fuzzy|sameElement|wand|weightedSet|dotProduct|predicate|matches)\s*\(|\bmatches\b/;

/**
 * The words of a query in their order: those of `field contains "…"`, of `userInput(…)` and `userQuery()`, and of the
 * parameter `query` alone. Nothing where the query has none, or operators that are not known here.
 */
export function termsOf(
  query: Pick<Query, "parameters"> | undefined,
  fieldsets: ReadonlyMap<string, readonly string[]>,
): readonly QueryTerm[] | undefined {
  const textOf = (name: string): string | undefined => query?.parameters.get(name)?.string;
  const yql = textOf("yql");
  const fieldsOf = (name: string): readonly string[] => fieldsets.get(name) ?? [name];
  const inDefault = textOf("model.defaultIndex") ?? textOf("defaultIndex") ?? "default";
  const simple = (text: string, field: string): QueryTerm[] =>
    text.split(/\s+/).flatMap((part) => {
      const [, own, rest = part] = /^[+-]?(\w+):(.+)$/.exec(part) ?? [];
      return wordsOf(rest).map((word) => ({ word, fields: fieldsOf(own ?? field) }));
    });
  const userQuery = textOf("query") ?? textOf("model.queryString") ?? "";
  if (yql === undefined) return userQuery === "" ? undefined : simple(userQuery, inDefault);
  if (others.test(yql)) return undefined;
  const plain = yql.replace(/\s+/g, " ");
  const terms = [...plain.matchAll(operators)].flatMap(({ 0: operator, 1: field, index }): QueryTerm[] => {
    if (operator.startsWith("userQuery")) return simple(userQuery, inDefault);
    const found = literalAt(plain, index + operator.length);
    const value = found?.startsWith("@") === true ? (textOf(found.slice(1)) ?? "") : unquoted(found ?? "");
    if (field !== undefined) return wordsOf(value).map((word) => ({ word, fields: fieldsOf(field) }));
    const [, own] = /defaultIndex["']? ?: ?["']([^"']*)["']/.exec(annotationsBefore(plain, index)) ?? [];
    return simple(value, own ?? inDefault);
  });
  return terms.length === 0 ? undefined : terms;
}

/** In a text whose white space is single spaces. */
const operators = /(?<![\w.])(\w+(?:\.\w+)*) contains ?|\buserQuery ?\( ?\)|\buserInput ?\( ?/g;
const literal = /\(? ?(?:\{[^{}]*\} ?)?\(? ?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|@\w+)/y;

/** A text in quotes or the name of a parameter, which may have annotations and parentheses around it. */
function literalAt(text: string, at: number): string | undefined {
  literal.lastIndex = at;
  return literal.exec(text)?.[1];
}

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, "$1");
