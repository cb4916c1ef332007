import type { Query } from "../../documents/query.js";
import type { PhaseName, Profile } from "../../package/model/model.js";
import { isUnranked, withFirstPhase } from "../implied-phase.js";
import { phaseNumber } from "../query/phase-parameters.js";
import type { HitToScore, ListValues, Scorer } from "../scorer.js";
import { HitScores } from "./hit-scores.js";
import { type ListPhase, type RankedHit, rankList } from "./list.js";

/** A document where it ended in the list, with what ranking it needed of the list. */
export interface RankedDocument extends RankedHit {
  readonly hit: HitToScore;
  readonly list: ListValues;
}

/** How documents are ranked. */
export interface RankOptions {
  readonly profile: Profile;
  readonly query?: Pick<Query, "parameters"> | undefined;
  /** Called now and then with the number of documents that have their first score; others may do something meanwhile. */
  readonly progress?: (scored: number) => Promise<void>;
}

/**
 * Documents through all phases of a rank profile, best first. Hits that the profile drops are not among them.
 * @throws SphexError where a feature is missing.
 */
export async function rankDocuments(
  scorer: Scorer,
  hits: readonly HitToScore[],
  options: RankOptions,
): Promise<RankedDocument[]> {
  const { ranked, at } = await rankHits(scorer, hits, options);
  return ranked.map((each) => {
    const [hit, list] = at(each.document);
    return { ...each, hit, list };
  });
}

/** As `rankDocuments`: where each hit ended, and what it needed of the list, on demand. */
export async function rankHits(
  scorer: Scorer,
  hits: readonly HitToScore[],
  { profile, query, progress }: RankOptions,
): Promise<{
  readonly ranked: readonly RankedHit[];
  readonly at: (hit: number) => readonly [HitToScore, ListValues];
}> {
  const { phases } = withFirstPhase(profile);
  const scores = new HitScores(scorer, hits, progress);
  const usual: Partial<Record<PhaseName, number>> = isUnranked(profile)
    ? { "first-phase": 0, "second-phase": 0 }
    : {};
  const countOf = (name: PhaseName): number | undefined =>
    phaseNumber(query, name, "rerank count") ?? phases[name]?.rerankCount ?? usual[name];
  // Where no scores are stored and no hits are ranked anew, content nodes do not rank at all.
  const isRanked = countOf("first-phase") !== 0 || countOf("second-phase") !== 0;
  const phase = (name: PhaseName, scoresOf: ListPhase["scores"]): ListPhase => ({
    scores: scoresOf,
    rerankCount: countOf(name),
    scoreDropLimit: phaseNumber(query, name, "score drop limit") ?? phases[name]?.scoreDropLimit,
  });
  const has = (name: PhaseName): boolean => phases[name]?.expression !== undefined;
  const ranked = await rankList(hits.length, {
    first: isRanked
      ? phase("first-phase", scores.first)
      : { scores: async (all) => (await scores.first(all)).map(() => 0) },
    second: isRanked && has("second-phase") ? phase("second-phase", scores.second) : undefined,
    global: has("global-phase") ? phase("global-phase", scores.global) : undefined,
  });
  return { ranked, at: scores.at };
}
