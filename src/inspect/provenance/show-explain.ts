import { clip, columnsOf } from "../../language/source/columns.js";
import type { TensorType } from "../../language/types/type.js";
import { numberText } from "../../language/values/text.js";
import type { ExplainedNode, Explanation } from "./explain.js";
import type { Summary } from "./summary.js";
import { branch, type Column, type DisplayOptions, tableLines } from "./table.js";

/**
 * An explanation as text: a tree for each result, one expression a line, in columns. The column of cells has `each` for
 * an expression with a value per iteration, and `never` for one that was not computed. Where the columns do not fit the
 * width, their contents stand in words below the expression.
 */

/** The most rows and levels that are shown. */
const mostRows = 500;
const deepest = 16;

const columns: readonly Column[] = [
  { head: "expression", side: "start", maxWidth: 64 },
  { head: "operation", side: "start", maxWidth: 30 },
  { head: "type", side: "start", maxWidth: 40 },
  { head: "sizes", side: "start", maxWidth: 20 },
  { head: "cells", side: "end", maxWidth: 12 },
  { head: "minimum", side: "end", maxWidth: 24 },
  { head: "maximum", side: "end", maxWidth: 24 },
  { head: "NaN", side: "end", maxWidth: 12 },
  { head: "infinite", side: "end", maxWidth: 12 },
  { head: "ms", side: "end", maxWidth: 12 },
  { head: "share", side: "end", maxWidth: 6 },
];

export function showExplanation(
  { results, nodes, time }: Explanation,
  { width }: DisplayOptions = {},
): string {
  const rows: string[][] = [];
  /** The prefix of the second line of each row. */
  const margins: string[] = [];
  const shown = new Set<number>();
  let others = 0;

  const walk = (position: number, depth: number, above: string, isLast: boolean, name = ""): void => {
    const node = nodes[position];
    if (node === undefined) return;
    if (rows.length >= mostRows) {
      others++;
      return;
    }
    const { line, below } = branch(depth, above, isLast);
    const label = `${line}${name}${node.text}`;
    const hasParts = node.from.length > 0 && !shown.has(position);
    margins.push(hasParts ? `${below}│ ` : `${below}  `);
    if (shown.has(position)) {
      rows.push([label, node.from.length === 0 ? node.description : "as above"]);
      return;
    }
    shown.add(position);
    rows.push([label, ...cellsOf(node)]);
    if (depth >= deepest && node.from.length > 0) {
      margins.push(below);
      rows.push([`${below}…`, "more below"]);
    } else
      for (const [at, each] of node.from.entries()) walk(each, depth + 1, below, at === node.from.length - 1);
  };
  for (const { node, name } of results) walk(node, 0, "", true, name === undefined ? "" : `${name} = `);
  const table = tableLines(columns, rows, { width });
  const isTooWide = width !== undefined && table.some((line) => columnsOf(line) > width);
  const lines = isTooWide ? inWords(rows, margins, width) : table;
  if (others > 0) lines.push(`… and ${others} more`);
  if (time !== undefined) lines.push(`${milliseconds(time)} ms in all`);
  return lines.join("\n");
}

/** Each row in two lines. */
function inWords(rows: readonly (readonly string[])[], margins: readonly string[], width: number): string[] {
  return rows.flatMap(([text = "", description = "", type = "", sizes = "", ...rest], at) => {
    const [cells = "", minimum = "", maximum = "", nans = "", infinite = "", time = "", share = ""] = rest;
    const range =
      minimum === "" ? "" : minimum === maximum ? ` of ${minimum}` : ` from ${minimum} to ${maximum}`;
    const counted = /^\d+$/.test(cells) ? `${cells} ${cells === "1" ? "cell" : "cells"}${range}` : cells;
    const words = [
      description,
      sizes === "" ? type : `${type} (${sizes})`,
      counted,
      nans === "" ? "" : `${nans} NaN`,
      infinite === "" ? "" : `${infinite} infinite`,
      time === "" ? "" : `${time} ms${share === "" ? "" : ` (${share})`}`,
    ].filter((each) => each !== "");
    const lines = [clip(text, width)];
    let line = margins[at] ?? "";
    for (const [position, word] of words.entries()) {
      const next = position === words.length - 1 ? word : `${word}, `;
      if (columnsOf(line + next.trimEnd()) > width && line !== margins[at]) {
        lines.push(line.trimEnd());
        line = margins[at] ?? "";
      }
      line += next;
    }
    return [...lines, clip(line.trimEnd(), width)];
  });
}

function cellsOf({ description, type, computed, value, time, share }: ExplainedNode): string[] {
  const number = (each: number | undefined): string =>
    each === undefined ? "" : numberText(short(each), type.cellType);
  const count = (each: number | undefined): string => (each === undefined || each === 0 ? "" : `${each}`);
  return [
    description,
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

/** The sizes of dimensions that are unbound in the type. */
function sizesText(type: TensorType, { sizes }: Summary): string {
  const unbound = sizes.filter(({ dimension }) => type.dimension(dimension)?.size === undefined);
  return unbound.map(({ dimension, size }) => `${dimension}:${size}`).join(" ");
}

/** Rounded to six digits. */
const short = (value: number): number => Number(value.toPrecision(6));
const milliseconds = (time: number): string => time.toFixed(2);
