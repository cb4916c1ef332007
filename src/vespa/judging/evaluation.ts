import { SphexError } from "../../language/source/problem.js";
import { type Interval, mean, meanInterval } from "./intervals.js";
import { type Judgments, relevanceIn } from "./judgments.js";
import { type MeasureName, measureNames, measures } from "./measures.js";
import { problem } from "./messages.js";

/** The ids of the documents that a query finds, best first. */
export interface RankedQuery {
  readonly id: string;
  readonly documents: readonly string[];
}

export type Scores = Readonly<Record<MeasureName, number>>;

/** The measures of one query. */
export interface JudgedQuery {
  readonly id: string;
  readonly scores: Scores;
}

/** How good rankings are, by the judgments of their queries. */
export interface Evaluation {
  readonly depth: number;
  /** Those that have judgments. */
  readonly queries: readonly JudgedQuery[];
  /** How many have none. */
  readonly unjudged: number;
}

/** The mean of a measure over all queries, and how sure it is. */
export interface MeasureSummary {
  readonly measure: MeasureName;
  readonly mean: number;
  readonly interval: Interval;
}

/**
 * The measures of ranked lists.
 * @throws SphexError where no query has a judgment.
 */
export function evaluateQueries(
  ranked: readonly RankedQuery[],
  judgments: Judgments,
  depth: number,
): Evaluation {
  const queries = ranked.flatMap(({ id, documents }): JudgedQuery[] => {
    const judged = judgments.get(id);
    if (judged === undefined) return [];
    const relevances = documents.map((each) => relevanceIn(judgments, id, each) ?? 0);
    const list = { relevances, all: [...judged.values()], depth };
    const scores = measureNames.map((name) => [name, measures[name](list)] as const);
    // All names of the table are there.
    return [{ id, scores: Object.fromEntries(scores) as Scores }];
  });
  if (queries.length === 0) {
    const span = { source: { name: "judgments", text: "" }, start: 0, end: 0 };
    throw new SphexError([problem("judging/none", span, { queries: ranked.length, judged: judgments.size })]);
  }
  return { depth, queries, unjudged: ranked.length - queries.length };
}

/** Each measure over all queries. The seed is that of the samples which the intervals come of. */
export const summaries = ({ queries }: Evaluation, seed?: number): MeasureSummary[] =>
  measureNames.map((measure) => {
    const values = queries.map(({ scores }) => scores[measure]);
    return { measure, mean: mean(values), interval: meanInterval(values, seed) };
  });

/** Two evaluations of the same queries. */
export interface MeasureComparison {
  readonly measure: MeasureName;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  readonly interval: Interval;
}

/** Of each measure the mean of the differences, query by query. */
export function comparisons(before: Evaluation, after: Evaluation, seed?: number): MeasureComparison[] {
  const pairs = pairsOf(before, after);
  return measureNames.map((measure) => {
    const differences = pairs.map(([old, now]) => now.scores[measure] - old.scores[measure]);
    return {
      measure,
      before: mean(pairs.map(([{ scores }]) => scores[measure])),
      after: mean(pairs.map(([, { scores }]) => scores[measure])),
      difference: mean(differences),
      interval: meanInterval(differences, seed),
    };
  });
}

export interface QueryChange {
  readonly id: string;
  readonly difference: number;
}

/** How much each query wins or loses by the first measure, those that change most before others. */
export function changes(before: Evaluation, after: Evaluation): QueryChange[] {
  const [measure] = measureNames;
  if (measure === undefined) return [];
  return pairsOf(before, after)
    .map(([old, now]) => ({ id: now.id, difference: now.scores[measure] - old.scores[measure] }))
    .sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
}

function pairsOf(before: Evaluation, after: Evaluation): (readonly [JudgedQuery, JudgedQuery])[] {
  const old = new Map(before.queries.map((each) => [each.id, each]));
  return after.queries.flatMap((now) => {
    const own = old.get(now.id);
    return own === undefined ? [] : [[own, now] as const];
  });
}
