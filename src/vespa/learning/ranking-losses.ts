import { keysOf } from "../../language/source/lists.js";

/**
 * What orders of documents lose, as texts of the language: `score` and `relevance` are those of each hit of each list, and
 * `present` is 0 where a list is shorter than the longest, otherwise 1. All that depends on the scores has a derivative,
 * which is not 0 where two scores are the same.
 */
export const rankingLosses = {
  /** Of each two documents the more relevant one should have the higher score: the logarithm of the odds that it has. */
  pairwise: `
    softplus(t) = max(t, 0) + log(1 + exp(-abs(t)))
    margin = score - rename(score, hit, other)
    isBetter = (relevance > rename(relevance, hit, other)) * present * rename(present, hit, other)
    pairs = sum(isBetter, hit, other)
    loss = avg(sum(isBetter * softplus(-margin), hit, other) / max(pairs, 1))`,
  /** The softmax of the scores should be what the gains of the documents are to all gains of the list: ListNet. Less than not relevant gains nothing. */
  listwise: `
    gain = present * (2 ^ max(relevance, 0) - 1)
    share = gain / max(sum(gain, hit), 0.000000000001)
    masked = score * present + 10 ^ 30 * (present - 1)
    greatest = max(masked, hit)
    loss = avg(sum(share * (greatest + log(sum(exp(masked - greatest), hit)) - masked), hit))`,
} as const;

/** The name of a loss of rankings. */
export type RankingLossName = keyof typeof rankingLosses;

/** The names of all losses of rankings. */
export const rankingLossNames = keysOf(rankingLosses);
