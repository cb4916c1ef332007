import { element } from "../../../language/values/element.js";
import type { Query } from "../../documents/query.js";
import type { PhaseName, Profile } from "../../package/model/model.js";
import { withFirstPhase } from "../implied-phase.js";
import { farthest } from "../neighbours/metrics.js";
import { phaseNumber } from "../query/phase-parameters.js";
import type { HitToScore, ListValues, Scorer } from "../scorer.js";
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
  const has = (name: PhaseName): boolean => phases[name]?.expression !== undefined;
  // Most profiles do not ask for the list, whose values are many maps.
  const isListed = scorer.program.needsList;
  const unlisted = new Map<string, number>();
  const lists = isListed ? hits.map(() => new Map<string, number>()) : [];
  const at = (hit: number): [HitToScore, Map<string, number>] => {
    const [one, list] = [hits[hit], isListed ? lists[hit] : unlisted];
    if (one === undefined || list === undefined) throw new Error(`there is no hit ${hit}`);
    return [one, list];
  };
  const scores = async (
    key: string,
    selected: readonly number[],
    showsProgress = false,
  ): Promise<number[]> => {
    const numbers: number[] = [];
    for (const hit of selected) {
      numbers.push(scorer.number(key, ...at(hit)));
      if (showsProgress && numbers.length % 100 === 0) await progress?.(numbers.length);
    }
    return numbers;
  };
  const first: ListPhase = {
    scores: async (selected) => {
      const numbers = await scores("first-phase", selected, true);
      const best = numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      for (const list of lists) list.set("firstPhaseMax", best).set("firstPhaseRank", farthest);
      return numbers;
    },
    scoreDropLimit:
      phaseNumber(query, "first-phase", "score drop limit") ?? phases["first-phase"]?.scoreDropLimit,
  };
  const phase = (name: PhaseName, prepare: (hits: readonly number[]) => Promise<void>) =>
    has(name)
      ? {
          scores: async (selected: readonly number[]) => {
            await prepare(selected);
            return await scores(name, selected);
          },
          rerankCount: phaseNumber(query, name, "rerank count") ?? phases[name]?.rerankCount,
          scoreDropLimit: phaseNumber(query, name, "score drop limit") ?? phases[name]?.scoreDropLimit,
        }
      : undefined;
  const second = phase("second-phase", async (selected) => {
    for (const [rank, hit] of selected.entries()) lists[hit]?.set("firstPhaseRank", rank + 1);
  });
  const global = phase("global-phase", async (selected) => {
    for (const { name, keys, normalizer } of scorer.program.normalizers) {
      for (const hit of selected) lists[hit]?.set(name, 0);
      for (const key of keys) {
        const normalized = normalizer(await scores(key, selected));
        for (const [position, hit] of selected.entries()) {
          const list = lists[hit];
          list?.set(name, (list.get(name) ?? 0) + element(normalized, position));
        }
      }
    }
  });
  return { ranked: await rankList(hits.length, { first, second, global }), at };
}
