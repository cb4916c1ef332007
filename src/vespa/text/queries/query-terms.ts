import type { Query } from "../../documents/query.js";
import type { Profile } from "../../package/model/model.js";
import { termsIn } from "./condition-terms.js";
import type { QueryTerm } from "./query-term.js";
import { connected, type TermContext } from "./term-reading.js";
import { type Indexes, indexesOf } from "./typed/indexes.js";
import { hasUserQuery, userQueryTerms } from "./user-query.js";
import { conditionOf } from "./yql.js";

/**
 * The terms of a query in their order: those of its YQL, of `userInput(…)` and `userQuery()`, and of the parameter `query`
 * alone. What is not to be found, or not to be ranked by, is none. Nothing where there is no query, or where it has
 * operators whose number of terms is not known here.
 */
export function termsOf(
  query: Pick<Query, "parameters"> | undefined,
  { fields, fieldsets }: Pick<Profile, "fields" | "fieldsets">,
): readonly QueryTerm[] | undefined {
  const text = (name: string): string | undefined => {
    const scalar = query?.parameters.get(name)?.scalar;
    return scalar === undefined || scalar === null ? undefined : `${scalar}`;
  };
  const indexes = (): Indexes => indexesOf(fields, fieldsets);
  const context: TermContext = { text, fieldsets, indexes, inherited: new Map() };
  const yql = text("yql");
  const condition = yql === undefined ? undefined : conditionOf(yql);
  const isTyped = yql === undefined && hasUserQuery(context);
  const terms = isTyped ? userQueryTerms(context) : condition && termsIn(condition, context);
  return terms === undefined ? undefined : connected(terms);
}
