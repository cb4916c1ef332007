/** Two documents of which one stands before the other in one order, and behind it in another. */
export interface Overtaking {
  readonly document: string;
  readonly over: string;
}

/** Orders of one query, best documents first, and how relevant documents are. */
export interface TwoOrders {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly relevance: (document: string) => number;
}

/**
 * The documents that show most of what a query wins: a relevant one that came up, and the less relevant one nearest to it
 * of those that it overtook. Of what it loses the same with the orders in turn: then the relevant one was overtaken.
 */
export function overtakingIn({ before, after, relevance }: TwoOrders): Overtaking | undefined {
  const [old, now] = [ranksIn(before), ranksIn(after)];
  const gain = (document: string): number =>
    (old.get(document) ?? before.length) - (now.get(document) ?? after.length);
  const best = after
    .filter((each) => relevance(each) > 0 && gain(each) > 0)
    .reduce<string | undefined>((a, b) => (a === undefined || gain(b) > gain(a) ? b : a), undefined);
  if (best === undefined) return undefined;
  const [from, to] = [old.get(best) ?? before.length, now.get(best) ?? after.length];
  const over = after
    .slice(to + 1)
    .find((each) => (old.get(each) ?? before.length) < from && relevance(each) < relevance(best));
  return over === undefined ? undefined : { document: best, over };
}

const ranksIn = (order: readonly string[]): ReadonlyMap<string, number> =>
  new Map(order.map((document, rank) => [document, rank]));

/** By how much each term of a score favours one document over another. */
export type Margins = ReadonlyMap<string, number>;

/** A term of a score, before a change and after it. */
export interface ExplainedTerm {
  readonly name: string;
  /** Nothing where the score has no such term. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The terms whose margins changed most, those first. */
export function explainingTerms(before: Margins, after: Margins, most = 3): ExplainedTerm[] {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const change = ({ before = 0, after = 0 }: ExplainedTerm): number => Math.abs(after - before);
  return names
    .map((name): ExplainedTerm => ({ name, before: before.get(name), after: after.get(name) }))
    .filter((each) => change(each) > 0)
    .sort((a, b) => change(b) - change(a))
    .slice(0, most);
}

/** Why a document came before another one, in a line: `2 over 7: attribute(stars) +4.0, was not there; bm25(title) +0.5, was +0.1` */
export function explanationText(
  { document, over }: Overtaking,
  terms: readonly ExplainedTerm[] | undefined,
): string {
  if (terms === undefined) return `${document} over ${over}, by the global phase`;
  const shown = (value: number): string => `${value >= 0 ? "+" : ""}${Number(value.toPrecision(4))}`;
  const texts = terms.map(({ name, before, after }) => {
    const was = before === undefined ? "was not there" : `was ${shown(before)}`;
    return after === undefined ? `without ${name}, which ${was}` : `${name} ${shown(after)}, ${was}`;
  });
  return `${document} over ${over}${texts.length === 0 ? "" : `: ${texts.join("; ")}`}`;
}
