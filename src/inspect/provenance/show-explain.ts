import { clip, columnsOf } from "../../language/source/columns.js";
import type { TensorType } from "../../language/types/type.js";
import { numberText } from "../../language/values/text.js";
import { aligned, branch, type Column, type Room } from "./table.js";
import type { ExplainedNode, Explanation } from "./explain.js";
import type { Summary } from "./summary.js";

/**
 * An explanation as people read it: a tree for each result, an expression a line, in columns. Where there is no one
 * value, the column of cells says whether there is `each` time another, or `never` one. Where there is no room for
 * columns, what they say stands under the expression in words.
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

export function showExplanation({ results, nodes, time }: Explanation, { width }: Room = {}): string {
  const rows: string[][] = [];
  /** What is drawn before the second line of a row. */
  const margins: string[] = [];
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
    const hasParts = node.from.length > 0 && !shown.has(place);
    margins.push(hasParts ? `${below}│ ` : `${below}  `);
    if (shown.has(place)) {
      rows.push([label, node.from.length === 0 ? node.says : "as above"]);
      return;
    }
    shown.add(place);
    rows.push([label, ...cellsOf(node)]);
    if (depth >= deepest && node.from.length > 0) {
      margins.push(below);
      rows.push([`${below}…`, "more below"]);
    } else
      for (const [at, each] of node.from.entries()) walk(each, depth + 1, below, at === node.from.length - 1);
  };
  for (const { node, name } of results) walk(node, 0, "", true, name === undefined ? "" : `${name} = `);
  const table = aligned(columns, rows, { width });
  const isTooWide = width !== undefined && table.some((line) => columnsOf(line) > width);
  const lines = isTooWide ? inWords(rows, margins, width) : table;
  if (others > 0) lines.push(`… and ${others} more`);
  if (time !== undefined) lines.push(`${milliseconds(time)} ms in all`);
  return lines.join("\n");
}

/** Each row in two lines. */
function inWords(rows: readonly (readonly string[])[], margins: readonly string[], width: number): string[] {
  return rows.flatMap(([text = "", says = "", type = "", sizes = "", ...rest], at) => {
    const [cells = "", minimum = "", maximum = "", nans = "", infinite = "", time = "", share = ""] = rest;
    const range =
      minimum === "" ? "" : minimum === maximum ? ` of ${minimum}` : ` from ${minimum} to ${maximum}`;
    const counted = /^\d+$/.test(cells) ? `${cells} ${cells === "1" ? "cell" : "cells"}${range}` : cells;
    const words = [
      says,
      sizes === "" ? type : `${type} (${sizes})`,
      counted,
      nans === "" ? "" : `${nans} NaN`,
      infinite === "" ? "" : `${infinite} infinite`,
      time === "" ? "" : `${time} ms${share === "" ? "" : ` (${share})`}`,
    ].filter((each) => each !== "");
    const lines = [clip(text, width)];
    let line = margins[at] ?? "";
    for (const [place, word] of words.entries()) {
      const next = place === words.length - 1 ? word : `${word}, `;
      if (columnsOf(line + next.trimEnd()) > width && line !== margins[at]) {
        lines.push(line.trimEnd());
        line = margins[at] ?? "";
      }
      line += next;
    }
    return [...lines, clip(line.trimEnd(), width)];
  });
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
