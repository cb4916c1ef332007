import { element } from "../../../language/values/element.js";
import { ranking } from "../program/normalizers.js";
import { rescaled } from "./rescale.js";

/**
 * A list of hits through the phases: all are scored in the first, the best of them again in the second, the best of
 * those in the global one. Equal scores stay in the order of the documents. A first score that is infinite or NaN becomes minus
 * infinity, as in a content node, and a second one that is NaN, as in the container that takes the hits of nodes. A last score may be NaN,
 * which counts as less than everything.
 */
export interface ListPhase {
  /** The scores of these hits, best hits first, in the same order. */
  readonly scores: (hits: readonly number[]) => Promise<readonly number[]>;
  readonly rerankCount?: number | undefined;
  /** Hits with this score or a lower one are dropped. */
  readonly scoreDropLimit?: number | undefined;
}

export interface ListPhases {
  readonly first: Omit<ListPhase, "rerankCount">;
  readonly second?: ListPhase | undefined;
  readonly global?: ListPhase | undefined;
}

/** A hit where it ended: its position among the documents, and what each phase that it reached made of it. */
export interface RankedHit {
  readonly document: number;
  readonly score: number;
  readonly first: number;
  readonly second?: number;
  readonly global?: number;
}

/** How many hits a phase ranks anew where the profile does not say. */
const defaultRerankCount = 100;

/** The hits in the end, best first. */
export async function rankList(
  documents: number,
  { first, second, global }: ListPhases,
): Promise<RankedHit[]> {
  const all = Array.from({ length: documents }, (_, at) => at);
  const scores = await first.scores(all);
  const hits = all.map((document): RankedHit => {
    const own = scores[document] ?? Number.NaN;
    return { document, first: own, score: Number.isFinite(own) ? own : Number.NEGATIVE_INFINITY };
  });
  const ranked = sorted(aboveLimit(hits, first.scoreDropLimit));
  const again = second === undefined ? ranked : await rerank(ranked, second, "second");
  return global === undefined ? again : await rerank(again, global, "global");
}

async function rerank(
  hits: readonly RankedHit[],
  phase: ListPhase,
  name: "second" | "global",
): Promise<RankedHit[]> {
  const best = hits.slice(0, Math.max(0, phase.rerankCount ?? defaultRerankCount));
  const after = await phase.scores(best.map(({ document }) => document));
  const scored = rescaled(hits.map(({ score }, at) => ({ before: score, after: after[at] })));
  const next = hits.map((hit, at): RankedHit => {
    const again = scored[at] ?? hit.score;
    const score = name === "second" && Number.isNaN(again) ? Number.NEGATIVE_INFINITY : again;
    const own = after[at];
    return own === undefined ? { ...hit, score } : { ...hit, [name]: own, score };
  });
  return sorted(aboveLimit(next, phase.scoreDropLimit));
}

function aboveLimit(hits: readonly RankedHit[], limit = Number.NEGATIVE_INFINITY): readonly RankedHit[] {
  return limit === Number.NEGATIVE_INFINITY ? hits : hits.filter(({ score }) => score > limit);
}

/** Best first, NaN last; equal ones in the order of their documents. */
function sorted(hits: readonly RankedHit[]): RankedHit[] {
  const ordered = [...hits].sort((a, b) => a.document - b.document);
  const ranked = ranking(ordered.map(({ score }) => score)).map((at) => element(ordered, at));
  const isNone = ({ score }: RankedHit): boolean => Number.isNaN(score);
  return ranked.some(isNone) ? [...ranked.filter((each) => !isNone(each)), ...ranked.filter(isNone)] : ranked;
}

/** What moved between two orders of the same hits: places from 1. */
export interface Move {
  readonly id: string;
  readonly before: { readonly rank: number; readonly score: number } | undefined;
  readonly after: { readonly rank: number; readonly score: number } | undefined;
}

interface ScoredId {
  readonly id: string;
  readonly score: number;
}

/** All hits of either order, by where they are afterwards, those that are gone last. */
export function rankMoves(before: readonly ScoredId[], after: readonly ScoredId[]): Move[] {
  const ranksOf = (hits: readonly ScoredId[]): Map<string, { rank: number; score: number }> =>
    new Map(hits.map(({ id, score }, at) => [id, { rank: at + 1, score }]));
  const [old, now] = [ranksOf(before), ranksOf(after)];
  const dropped = before.filter(({ id }) => !now.has(id));
  return [...after, ...dropped].map(({ id }) => ({ id, before: old.get(id), after: now.get(id) }));
}
