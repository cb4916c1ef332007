import { type ReadTerm, type TermContext, termOf, wordsTerm } from "./term-reading.js";
import { typedTerms } from "./typed/typed-query.js";
import type { Annotations } from "./yql.js";

const userQueryIn = ({ text }: TermContext): string => text("query") ?? text("model.queryString") ?? "";

/** Whether a request has a text that somebody typed. */
export const hasUserQuery = (context: TermContext): boolean => userQueryIn(context) !== "";

/** The terms of the text that somebody typed, in the language that the request says; annotations have no part in it. */
export function userQueryTerms(context: TermContext): readonly ReadTerm[] | undefined {
  const { text } = context;
  const type = text("model.type") ?? text("type") ?? "weakAnd";
  const index = text("model.defaultIndex") ?? text("default-index");
  return ofTyped(type, userQueryIn(context), index, { ...context, inherited: new Map() });
}

/** The terms of `userInput("…")`, or of the parameter that it names: of all that is said of it, `ranked` is for them. */
export function userInputTerms(
  text: string,
  annotations: Annotations,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  const all = new Map([...context.inherited, ...annotations]);
  const index = all.get("defaultIndex") ?? "default";
  const grammar = all.get("grammar") ?? "weakAnd";
  if (grammar === "segment") return wordsTerm(text, index, annotations, context);
  if (grammar === "raw") return termOf({ kind: "words", text, words: [text] }, index, annotations, context);
  const ranked = all.get("ranked");
  const inherited: Annotations = new Map(ranked === undefined ? [] : [["ranked", ranked]]);
  return ofTyped(grammar, text, index, { ...context, inherited });
}

function ofTyped(
  type: string,
  text: string,
  index: string | undefined,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  return typedTerms(type, { text, index, indexes: context.indexes() })?.flatMap(
    ({ pattern, index: own = "default", weight }) =>
      termOf(pattern, own, new Map([["weight", `${weight}`]]), context),
  );
}
