import type { TensorType } from "../../types/type.js";
import { numberText } from "../../values/text.js";
import { aligned, branch, type Column } from "./aligned.js";
import type { ExplainedNode, Explanation } from "./explain.js";
import type { Summary } from "./summary.js";

/**
 * An explanation as people read it: a tree for each result, an expression a line, in columns. Where there is no one
 * value, the column of cells says whether there is `each` time another, or `never` one.
 */

/** Rows and levels that are shown: more than that nobody reads. */
const mostRows = 500;
const deepest = 16;

const columns: readonly Column[] = [
  { head: "expression", side: "start", most: 64 },
  { head: "operation", side: "start", most: 30 },
  { head: "type", side: "start", most: 40 },
  { head: "sizes", side: "start", most: 20 },
  { head: "cells", side: "end", most: 12 },
  { head: "minimum", side: "end", most: 24 },
  { head: "maximum", side: "end", most: 24 },
  { head: "NaN", side: "end", most: 12 },
  { head: "infinite", side: "end", most: 12 },
  { head: "ms", side: "end", most: 12 },
  { head: "share", side: "end", most: 6 },
];

export function showExplanation({ results, nodes, time }: Explanation): string {
  const rows: string[][] = [];
  const shown = new Set<number>();
  let others = 0;

  const walk = (place: number, depth: number, above: string, isLast: boolean, name = ""): void => {
    const node = nodes[place];
    if (node === undefined) return;
    if (rows.length >= mostRows) {
      others++;
      return;
    }
    const { line, below } = branch(depth, above, isLast);
    const label = `${line}${name}${node.text}`;
    if (shown.has(place)) {
      rows.push([label, node.from.length === 0 ? node.says : "as above"]);
      return;
    }
    shown.add(place);
    rows.push([label, ...cellsOf(node)]);
    if (depth >= deepest && node.from.length > 0) rows.push([`${below}…`, "more below"]);
    else
      for (const [at, each] of node.from.entries()) walk(each, depth + 1, below, at === node.from.length - 1);
  };
  for (const { node, name } of results) walk(node, 0, "", true, name === undefined ? "" : `${name} = `);
  const lines = aligned(columns, rows);
  if (others > 0) lines.push(`… and ${others} more`);
  if (time !== undefined) lines.push(`${milliseconds(time)} ms in all`);
  return lines.join("\n");
}

function cellsOf({ says, type, computed, value, time, share }: ExplainedNode): string[] {
  const number = (each: number | undefined): string =>
    each === undefined ? "" : numberText(short(each), type.cellType);
  const count = (each: number | undefined): string => (each === undefined || each === 0 ? "" : `${each}`);
  return [
    says,
    `${type}`,
    value === undefined ? "" : sizesText(type, value),
    value === undefined ? (computed === "often" ? "each" : "never") : `${value.cells}`,
    number(value?.minimum),
    number(value?.maximum),
    count(value?.nans),
    count(value?.infinities),
    time === undefined || computed === "never" ? "" : milliseconds(time),
    share === undefined || computed === "never" ? "" : `${Math.round(100 * share)}%`,
  ];
}

/** The sizes that the type does not say. */
function sizesText(type: TensorType, { sizes }: Summary): string {
  const unsaid = sizes.filter(({ dimension }) => type.dimension(dimension)?.size === undefined);
  return unsaid.map(({ dimension, size }) => `${dimension}:${size}`).join(" ");
}

/** With as many digits as tell how large it is. */
const short = (value: number): number => Number(value.toPrecision(6));
const milliseconds = (time: number): string => time.toFixed(2);
