import { counted } from "../../language/source/message.js";
import { positionOf } from "../../language/source/span.js";
import { numberText } from "../../language/values/text.js";
import { comparisonJson, comparisonText } from "../judging/report.js";
import { table } from "../judging/table.js";
import { learntCells } from "./edits.js";
import type { Learnt } from "./learn.js";
import { cellsOf } from "./parameters.js";

/** Of larger tensors the first numbers are shown. */
const most = 8;

const cellsText = (cells: ArrayLike<number>): string => {
  const shown = Array.from(cells)
    .slice(0, most)
    .map((cell) => numberText(cell));
  return cells.length > most ? `${shown.join(" ")} … (${cells.length})` : shown.join(" ");
};

/** What was learnt, where it is written, and how good the order is before and after. */
export function learningText(learnt: Learnt): string {
  const { phase, rows, repeated, alike, loss, before, after, heldOut } = learnt;
  const numbers = learntCells(learnt).map(({ parameter: { name, initial, written }, cells }) => {
    const { line, column } = positionOf(written.source, written.start);
    const position = `${written.source.name}:${line}:${column}`;
    return [name, cellsText(cellsOf(initial)), cellsText(cells), position];
  });
  const skipped = alike === 0 ? "" : `; ${alike} more have documents of one relevance only`;
  const again =
    repeated === 0 ? "" : `; ${counted(repeated, "row")} with a document of an earlier one left out`;
  return [
    `${phase}: ${rows} documents of ${before.queries.length} queries${skipped}${again}; loss ${shown(loss.before)}, then ${shown(loss.after)}`,
    "",
    table([["number", "before", "now", "where"], ...numbers]),
    "",
    "on these queries",
    comparisonText(before, after, undefined, 0),
    ...(heldOut === undefined
      ? []
      : ["", "each query by what the others teach", comparisonText(before, heldOut, undefined, 0)]),
  ].join("\n");
}

const shown = (value: number): string => value.toPrecision(4);

/** What was learnt, as data for `--json`. */
export const learningJson = (learnt: Learnt): object => {
  const { phase, rows, repeated, alike, loss, before, after, heldOut } = learnt;
  const numbers = learntCells(learnt).map(
    ({ parameter: { name, initial }, cells }) =>
      [name, { before: [...cellsOf(initial)], now: [...cells] }] as const,
  );
  return {
    ...{ phase, rows, repeated, alike, loss },
    numbers: Object.fromEntries(numbers),
    after: comparisonJson(before, after),
    ...(heldOut === undefined ? {} : { heldOut: comparisonJson(before, heldOut) }),
  };
};

/** Whether the order of queries that taught nothing of what it is judged by is worse than before, by NDCG. */
export function isRankingWorse({ before, heldOut }: Learnt): boolean {
  const total = (of: Learnt["before"]): number =>
    of.queries.reduce((sum, { scores }) => sum + scores["NDCG@"], 0);
  return heldOut !== undefined && total(heldOut) < total(before);
}
