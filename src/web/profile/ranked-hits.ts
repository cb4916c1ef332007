import { type Problem, SphexError } from "../../index.js";
import {
  type HitToScore,
  type Profile,
  type Query,
  type RankedDocument,
  rankDocuments,
  type Scorer,
} from "../../vespa.js";

/** A document as the page shows it; one that lacks a feature has no rank. */
export type RankedHit = Pick<RankedDocument, "hit" | "list"> & {
  readonly id: string;
  readonly ranked: RankedDocument | undefined;
};

/** How documents are ranked. */
interface RankingManner {
  readonly scorer: Scorer;
  readonly profile: Profile;
  readonly query: Query | undefined;
}

/** What a document is called, which stands at this position of those that are shown. */
export const shownId = ({ document }: HitToScore, at: number): string => document.id ?? `${at + 1}`;

/**
 * The documents in their order; behind them, without scores and in the order of the text, those that lack a feature. What else
 * is wrong is added to the problems.
 */
export async function rankedHits(
  hits: readonly HitToScore[],
  manner: RankingManner,
  add: (found: readonly Problem[]) => void,
): Promise<readonly RankedHit[]> {
  const ids = new Map(hits.map((hit, at) => [hit, shownId(hit, at)]));
  const idOf = (hit: HitToScore): string => ids.get(hit) ?? "";
  const all = await rankedOrProblems(hits, manner);
  const withIds = (ranked: readonly RankedDocument[]): RankedHit[] =>
    ranked.map((each) => ({ ...each, id: idOf(each.hit), ranked: each }));
  if ("ranked" in all) return withIds(all.ranked);
  // Missing features become a form; all else is told.
  add(all.problems.filter(({ code }) => code !== "ranking/missing"));
  const complete = new Set<HitToScore>();
  for (const hit of hits) if ("ranked" in (await rankedOrProblems([hit], manner))) complete.add(hit);
  const some = await rankedOrProblems([...complete], manner);
  if (!("ranked" in some)) complete.clear();
  const lacking = hits.filter((hit) => !complete.has(hit));
  return [
    ...("ranked" in some ? withIds(some.ranked) : []),
    ...lacking.map((hit) => ({ id: idOf(hit), hit, list: new Map(), ranked: undefined })),
  ];
}

type Outcome = { readonly ranked: readonly RankedDocument[] } | { readonly problems: readonly Problem[] };

async function rankedOrProblems(
  hits: readonly HitToScore[],
  { scorer, profile, query }: RankingManner,
): Promise<Outcome> {
  try {
    return { ranked: await rankDocuments(scorer, hits, { profile, query }) };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { problems: error.problems };
  }
}
