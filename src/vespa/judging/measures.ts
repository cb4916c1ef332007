import { keysOf } from "../../language/source/lists.js";

/**
 * Measures of one ranked list, each from 0 to 1: how relevant its documents are, best first, and how relevant all that
 * were judged are. A document that nobody judged is not relevant.
 */
export interface JudgedList {
  readonly relevances: readonly number[];
  readonly all: readonly number[];
  /** How many hits are looked at. */
  readonly depth: number;
}

export type Measure = (list: JudgedList) => number;

/** The names of measures; `@` takes the depth. */
// biome-ignore format: a table
export const measures = {
  "NDCG@":      normalizedGain,
  MRR:          reciprocalRank,
  MAP:          averagePrecision,
  "recall@":    ({ relevances, all, depth }) => ratio(relevant(relevances.slice(0, depth)), relevant(all)),
  "precision@": ({ relevances, depth }) => relevant(relevances.slice(0, depth)) / depth,
} satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof measures;

export const measureNames = keysOf(measures);

/** As people write it: `NDCG@10`. */
export const measureText = (name: MeasureName, depth: number): string =>
  name.endsWith("@") ? `${name}${depth}` : name;

const relevant = (relevances: readonly number[]): number => relevances.filter((each) => each > 0).length;

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/**
 * What a reader gains who goes down the list and minds each step more: 2^relevance - 1 over the logarithm of the rank. Less than
 * not relevant, as judgments of TREC have it, gains nothing.
 */
function gain(relevances: readonly number[]): number {
  return relevances.reduce((sum, each, at) => sum + (2 ** Math.max(0, each) - 1) / Math.log2(at + 2), 0);
}

/** The gain, as a part of what the best order of all that was judged would bring. */
function normalizedGain({ relevances, all, depth }: JudgedList): number {
  const best = [...all].sort((one, other) => other - one);
  return ratio(gain(relevances.slice(0, depth)), gain(best.slice(0, depth)));
}

/** One over the rank of the first relevant document. */
function reciprocalRank({ relevances }: JudgedList): number {
  const at = relevances.findIndex((each) => each > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** The mean of the precisions at the ranks of all relevant documents; 0 for those that are not in the list. */
function averagePrecision({ relevances, all }: JudgedList): number {
  let found = 0;
  const sum = relevances.reduce((total, each, at) => (each > 0 ? total + ++found / (at + 1) : total), 0);
  return ratio(sum, relevant(all));
}
