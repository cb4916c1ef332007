import { requireArgument } from "../../language/source/arguments.js";
import { clip, columnsOf } from "../../language/source/columns.js";
import { checkCallOptions } from "../../language/source/option-rule.js";
import { numberText } from "../../language/values/text.js";
import {
  branch,
  type Column,
  countText,
  type DisplayOptions,
  displayRules,
  millisecondsText,
  tableLines,
} from "../table.js";
import { qualifiedText } from "./descriptions.js";
import type { ExplainedNode, Explanation } from "./explain.js";

/**
 * An explanation as text: a tree for each result, one expression a line, in columns. The column of cells has `each` for
 * an expression with a value per iteration, and `never` for one that was not computed. Where the columns do not fit the
 * width, their contents stand in words below the expression.
 */

/** The most rows and levels that are shown. */
const mostRows = 500;
const deepest = 16;

/** A line of the tree, and what is told beside it: an expression with its value, or a note. */
interface ExplainedRow {
  readonly label: string;
  /** What the second line begins with, where a row has two. */
  readonly margin: string;
  readonly node?: ExplainedNode;
  readonly note?: string;
}

/** A column that tells of expressions. */
const of = (text: (node: ExplainedNode) => string) => (row: ExplainedRow) =>
  row.node === undefined ? "" : text(row.node);

// biome-ignore format: a table
const columns: readonly Column<ExplainedRow>[] = [
  { head: "expression", side: "start", maxWidth: 64, text: ({ label }) => label },
  { head: "operation",  side: "start", maxWidth: 30, text: ({ node, note = "" }) => node?.description ?? note },
  { head: "type",       side: "start", maxWidth: 40, text: of(({ type }) => `${type}`) },
  { head: "sizes",      side: "start", maxWidth: 20, text: of(sizesText) },
  { head: "cells",      side: "end",   maxWidth: 12, text: of(cellsText) },
  { head: "minimum",    side: "end",   maxWidth: 24, text: of((node) => numberIn(node, node.value?.minimum)) },
  { head: "maximum",    side: "end",   maxWidth: 24, text: of((node) => numberIn(node, node.value?.maximum)) },
  { head: "NaN",        side: "end",   maxWidth: 12, text: of(({ value }) => countText(value?.nans ?? 0)) },
  { head: "infinite",   side: "end",   maxWidth: 12, text: of(({ value }) => countText(value?.infinities ?? 0)) },
  { head: "ms",         side: "end",   maxWidth: 12, text: of(timeText) },
  { head: "share",      side: "end",   maxWidth: 6,  text: of(shareText) },
];

/** An explanation as a tree of lines: each expression under what it is a part of. */
export function showExplanation(explanation: Explanation, display: DisplayOptions = {}): string {
  requireArgument("showExplanation", "output", explanation, Array.isArray(Object(explanation).nodes));
  checkCallOptions("showExplanation", display, displayRules);
  const { results, nodes, time, isWarm } = explanation;
  const { width } = display;
  const rows: ExplainedRow[] = [];
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
    const label = `${line}${name}${qualifiedText(node)}`;
    const hasParts = node.from.length > 0 && !shown.has(position);
    const margin = hasParts ? `${below}│ ` : `${below}  `;
    if (shown.has(position)) {
      rows.push({ label, margin, note: node.from.length === 0 ? node.description : "as above" });
      return;
    }
    shown.add(position);
    rows.push({ label, margin, node });
    if (depth >= deepest && node.from.length > 0)
      rows.push({ label: `${below}…`, margin: below, note: "more below" });
    else
      for (const [at, each] of node.from.entries()) walk(each, depth + 1, below, at === node.from.length - 1);
  };
  for (const { node, name } of results) walk(node, 0, "", true, name === undefined ? "" : `${name} = `);
  const table = tableLines(columns, rows, { width });
  const isTooWide = width !== undefined && table.some((line) => columnsOf(line) > width);
  const lines = isTooWide ? inWords(rows, width) : table;
  if (others > 0) lines.push(`… and ${others} more`);
  if (time !== undefined)
    lines.push(`${millisecondsText(time)} ms in all${isWarm ? "" : ", in a first run"}`);
  return lines.join("\n");
}

/** Each row in two lines. */
function inWords(rows: readonly ExplainedRow[], width: number): string[] {
  return rows.flatMap((row) => {
    const words = (row.node === undefined ? [row.note ?? ""] : wordsOf(row.node)).filter(
      (each) => each !== "",
    );
    const lines = [clip(row.label, width)];
    let line = row.margin;
    for (const [position, word] of words.entries()) {
      const next = position === words.length - 1 ? word : `${word}, `;
      if (columnsOf(line + next.trimEnd()) > width && line !== row.margin) {
        lines.push(line.trimEnd());
        line = row.margin;
      }
      line += next;
    }
    return [...lines, clip(line.trimEnd(), width)];
  });
}

/** What the columns tell of an expression, in words. */
function wordsOf(node: ExplainedNode): readonly string[] {
  const { description, type, value } = node;
  const [sizes, cells, time, share] = [sizesText(node), cellsText(node), timeText(node), shareText(node)];
  const [minimum, maximum] = [numberIn(node, value?.minimum), numberIn(node, value?.maximum)];
  const range = minimum === maximum ? ` of ${minimum}` : ` from ${minimum} to ${maximum}`;
  const counted = `${cells} ${cells === "1" ? "cell" : "cells"}${minimum === "" ? "" : range}`;
  return [
    description,
    sizes === "" ? `${type}` : `${type} (${sizes})`,
    value === undefined ? cells : counted,
    value === undefined || value.nans === 0 ? "" : `${value.nans} NaN`,
    value === undefined || value.infinities === 0 ? "" : `${value.infinities} infinite`,
    time === "" ? "" : `${time} ms${share === "" ? "" : ` (${share})`}`,
  ];
}

function cellsText({ value, computed }: ExplainedNode): string {
  if (value !== undefined) return `${value.cells}`;
  return computed === "often" ? "each" : "never";
}

/** The sizes of dimensions that are unbound in the type. */
function sizesText({ type, value }: ExplainedNode): string {
  const sizes = value?.sizes ?? [];
  const unbound = sizes.filter(({ dimension }) => type.dimension(dimension)?.size === undefined);
  return unbound.map(({ dimension, size }) => `${dimension}:${size}`).join(" ");
}

/** Rounded to six digits. */
function numberIn({ type }: ExplainedNode, number: number | undefined): string {
  return number === undefined ? "" : numberText(Number(number.toPrecision(6)), type.cellType);
}

function timeText({ time, computed }: ExplainedNode): string {
  return time === undefined || computed === "never" ? "" : millisecondsText(time);
}

function shareText({ share, computed }: ExplainedNode): string {
  return share === undefined || computed === "never" ? "" : `${Math.round(100 * share)}%`;
}
