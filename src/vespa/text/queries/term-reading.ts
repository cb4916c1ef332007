import { wordsOf } from "../words.js";
import { type QueryTerm, type TermPattern, usualConnectedness } from "./query-term.js";
import type { Indexes } from "./typed/indexes.js";
import type { Annotations } from "./yql.js";

/** The parameters of a request, and the names that stand for several fields. */
export interface TermContext {
  readonly text: (parameter: string) => string | undefined;
  readonly fieldsets: ReadonlyMap<string, readonly string[]>;
  /** What typed queries may name. */
  readonly indexes: () => Indexes;
  /** What annotations around a term say, as far as it says nothing itself. */
  readonly inherited: Annotations;
}

/** A term with the names by which a query connects it to another one. */
export interface ReadTerm extends QueryTerm {
  readonly id: string | undefined;
  readonly connectedTo: string | undefined;
}

/** Of a term of which it is not known here what it finds. */
export const unknown: TermPattern = { kind: "unknown" };

/** What all parts have, one behind the other; nothing where that of some of them is not known. */
export const allOf = <Part>(parts: readonly (readonly Part[] | undefined)[]): readonly Part[] | undefined =>
  parts.every((each) => each !== undefined) ? parts.flat() : undefined;

/** A term of a query, with what its annotations say; none where they say that it is not to be ranked by. */
export function termOf(
  pattern: TermPattern,
  field: string,
  own: Annotations,
  { fieldsets, inherited }: TermContext,
): ReadTerm[] {
  const annotations = new Map([...inherited, ...own]);
  if (annotations.get("ranked") === "false") return [];
  const number = (key: string): number | undefined => {
    const value = Number(annotations.get(key) ?? Number.NaN);
    return Number.isNaN(value) ? undefined : value;
  };
  const [frequency, count] = [number("documentFrequency.frequency"), number("documentFrequency.count")];
  return [
    {
      pattern,
      fields: fieldsets.get(field) ?? [field],
      weight: number("weight") ?? 100,
      significance: number("significance"),
      documentFrequency: frequency === undefined || count === undefined ? undefined : { frequency, count },
      connectedness: number("connectivity.weight") ?? usualConnectedness,
      label: annotations.get("label"),
      id: own.get("id"),
      connectedTo: annotations.get("connectivity.id"),
    },
  ];
}

/** A word, or the phrase that a text is; none of a text without words. */
export function wordsTerm(
  text: string,
  field: string,
  annotations: Annotations,
  context: TermContext,
): ReadTerm[] {
  const words = wordsOf(text);
  return words.length === 0 ? [] : termOf({ kind: "words", text, words }, field, annotations, context);
}

/** Within annotations: what is said further inside counts more. */
export const within = (context: TermContext, annotations: Annotations): TermContext =>
  annotations.size === 0
    ? context
    : { ...context, inherited: new Map([...context.inherited, ...annotations]) };

/** An annotation of an operator, or one around it. */
export const annotationOf = (
  name: string,
  own: Annotations,
  { inherited }: TermContext,
): string | undefined => own.get(name) ?? inherited.get(name);

/** Terms with what they have to do with each other: a term is only connected to the one that stands before it. */
export const connected = (terms: readonly ReadTerm[]): readonly QueryTerm[] =>
  terms.map(({ id, connectedTo, ...term }, at) => {
    const before = terms[at - 1]?.id;
    const isConnected = connectedTo !== undefined && connectedTo === before;
    return isConnected ? term : { ...term, connectedness: usualConnectedness };
  });
