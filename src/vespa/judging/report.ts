import { greatest } from "../../language/source/lists.js";
import { element } from "../../language/values/element.js";
import {
  changes,
  comparisons,
  type Evaluation,
  type MeasureComparison,
  type MeasureSummary,
  type QueryChange,
  summaries,
} from "./evaluation.js";
import { type MeasureName, measureText } from "./measures.js";
import { table } from "./table.js";

/** Four digits tell all that judgments of some hundred queries can tell. */
const shown = (value: number): string => value.toFixed(4);
const signed = (value: number): string => `${value >= 0 ? "+" : ""}${value.toFixed(4)}`;

/** The measures of one order, a line for each. */
export function evaluationText(evaluation: Evaluation, seed?: number): string {
  const rows = summaries(evaluation, seed).map(({ measure, mean, interval }: MeasureSummary) => [
    measureText(measure, evaluation.depth),
    shown(mean),
    `${shown(interval.least)} … ${shown(interval.greatest)}`,
  ]);
  return `${table([["measure", "mean", "95 % interval"], ...rows])}\n${queriesText(evaluation)}`;
}

/** What explains that a query wins or loses, in a line; nothing where it is not known. */
export type ExplainChange = (change: QueryChange) => string | undefined;

/** How many of the queries that win, and of those that lose, are shown. */
const usualMost = 10;

/** Two orders of the same queries, and which queries win and lose most. */
export function comparisonText(
  before: Evaluation,
  after: Evaluation,
  seed?: number,
  most = usualMost,
  explain: ExplainChange = () => undefined,
): string {
  const rows = comparisons(before, after, seed).map(
    ({ measure, before: old, after: now, difference, interval }: MeasureComparison) => [
      measureText(measure, after.depth),
      shown(now),
      shown(old),
      signed(difference),
      `${signed(interval.least)} … ${signed(interval.greatest)}`,
      verdict(interval.least, interval.greatest),
    ],
  );
  const all = changes(before, after);
  const [wins, losses] = [all.filter(isWin), all.filter(isLoss)];
  const same = all.length - wins.length - losses.length;
  const shownChanges = [...wins.slice(0, most), ...losses.slice(0, most)];
  const lists = shownChanges.map(({ id, difference }) => [`  ${id}`, signed(difference)]);
  const explanations = shownChanges.flatMap((each) => {
    const text = explain(each);
    return text === undefined ? [] : [`${each.id}: ${text}`];
  });
  const head = ["measure", "now", "before", "difference", "95 % interval", ""];
  return [
    table([head, ...rows]),
    queriesText(after),
    `${wins.length} win, ${losses.length} lose, ${same} stay the same by ${measureText("NDCG@", after.depth)}`,
    ...(lists.length === 0 ? [] : [table(lists)]),
    ...explanations,
  ].join("\n");
}

const isWin = ({ difference }: { readonly difference: number }): boolean => difference > 0;
const isLoss = ({ difference }: { readonly difference: number }): boolean => difference < 0;

const verdict = (least: number, most: number): string => (least > 0 ? "better" : most < 0 ? "worse" : "");

const queriesText = ({ queries, unjudged }: Evaluation): string =>
  `${queries.length} judged ${queries.length === 1 ? "query" : "queries"}${unjudged === 0 ? "" : `, ${unjudged} without judgments`}`;

/** A value of an input, and what the measures are with it. */
export interface SweepPoint {
  readonly value: number;
  readonly evaluation: Evaluation;
}

/** What becomes of a measure as an input changes, with a bar for each value; the best is marked. */
export function sweepText(name: string, points: readonly SweepPoint[]): string {
  const measure = "NDCG@";
  const values = points.map(({ evaluation }) => {
    const all = evaluation.queries.map(({ scores }) => scores[measure]);
    return all.reduce((sum, each) => sum + each, 0) / all.length;
  });
  const best = greatest(values);
  const depth = points[0]?.evaluation.depth ?? 0;
  const rows = points.map((point, at) => {
    const value = element(values, at);
    const bar = "█".repeat(Math.round(Math.max(0, value) * 40));
    return [`${point.value}`, shown(value), bar + (value === best ? " best" : "")];
  });
  return table([[name, measureText(measure, depth), ""], ...rows]);
}

/** An evaluation as data. */
export const evaluationJson = (evaluation: Evaluation, seed?: number): object => ({
  measures: Object.fromEntries(
    summaries(evaluation, seed).map(({ measure, mean, interval }) => [
      measureText(measure, evaluation.depth),
      { mean, interval: [interval.least, interval.greatest] },
    ]),
  ),
  queries: Object.fromEntries(
    evaluation.queries.map(({ id, scores }) => [
      id,
      Object.fromEntries(
        Object.entries(scores).map(([name, value]) => [
          measureText(name as MeasureName, evaluation.depth), // scores are by measure
          value,
        ]),
      ),
    ]),
  ),
});

/** A comparison of rank profiles as data for `--json`. */
export const comparisonJson = (
  before: Evaluation,
  after: Evaluation,
  seed?: number,
  explain: ExplainChange = () => undefined,
): object => ({
  measures: Object.fromEntries(
    comparisons(before, after, seed).map(({ measure, interval, ...values }) => [
      measureText(measure, after.depth),
      { ...values, interval: [interval.least, interval.greatest] },
    ]),
  ),
  queries: Object.fromEntries(changes(before, after).map(({ id, difference }) => [id, difference])),
  explanations: Object.fromEntries(
    changes(before, after)
      .slice(0, 2 * usualMost)
      .flatMap((each): [string, string][] => {
        const text = explain(each);
        return text === undefined ? [] : [[each.id, text]];
      }),
  ),
});
