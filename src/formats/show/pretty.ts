import { clip, columnsOf, padded } from "../../language/source/columns.js";
import { greatest } from "../../language/source/lists.js";
import { amount, boolean, type OptionRules } from "../../language/source/option-rule.js";
import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { shownLabel } from "../addresses.js";
import { type Grid, type Layout, layoutOf } from "./grid.js";
import { aligned, shortNumber } from "./numbers.js";
import { atMost, type Excerpt, fitting, hiddenOf, marker, shownIndexes } from "./shorten.js";

/**
 * Tensors for people at a screen: the type in a line of its own, and below it a list, a grid, or a grid for each label
 * of the outer dimensions, as `layoutOf` says. What is long loses its middle and what is wide its middle columns, and
 * says how much; numbers are short. Names and labels may be a stranger's: they go through `clip`, here or in `shown`.
 */

/** Options of `prettyText`. */
export interface PrettyOptions {
  /** How many columns a line may take; 80 unless given. */
  readonly width?: number | undefined;
  /** Whether to dim what is not a number with the escapes of a terminal. */
  readonly colour?: boolean | undefined;
}

export const prettyRules: OptionRules<PrettyOptions> = { width: amount, colour: boolean };

export function prettyText(tensor: Tensor, { width = 80, colour = false }: PrettyOptions = {}): string {
  const { type } = tensor;
  if (type.isScalar) return numberText(tensor.at(0));
  const lineWidth = Math.max(narrowest, width);
  const lines = [...typeLines(`${type}`, lineWidth), ...cellLines(tensor, lineWidth)];
  return lines.map((line) => written(line, lineWidth, colour)).join("\n");
}

const narrowest = 20;
/** How many rows are shown of one grid, and of each of several; how many grids. */
const most = { rows: 20, rowsOfEach: 10, grids: 8 };
/** How many columns a label over a column of numbers may take. */
const widestHeader = 20;
const gap = "  ";
const bar = " │ ";

/** A line is made of parts; those that are no cells are faint. */
interface Part {
  readonly text: string;
  readonly isFaint: boolean;
}
type Line = readonly Part[];

const faint = (text: string): Part => ({ text, isFaint: true });
const bright = (text: string): Part => ({ text, isFaint: false });

/** The parts one after the other, cut where the screen ends. */
function written(line: Line, lineWidth: number, colour: boolean): string {
  let remaining = lineWidth;
  const texts = line.map(({ text, isFaint }, at) => {
    const shown = remaining > 0 ? clip(at === line.length - 1 ? text.trimEnd() : text, remaining) : "";
    remaining -= columnsOf(shown);
    return colour && isFaint && shown.trim() !== "" ? `\x1b[2m${shown}\x1b[22m` : shown;
  });
  return texts.join("").trimEnd();
}

/** A type too long for a line goes on after a comma. */
function typeLines(type: string, lineWidth: number): Line[] {
  const lines: string[] = [];
  for (const piece of type.match(/[^,]*,?/g) ?? []) {
    const line = lines.pop() ?? "";
    if (line !== "" && columnsOf(line + piece) > lineWidth) lines.push(line, gap + piece);
    else lines.push(line + piece);
  }
  return lines.map((line) => [faint(line)]);
}

function cellLines(tensor: Tensor, lineWidth: number): Line[] {
  const { type } = tensor;
  if (tensor.data.length === 0) return [[faint("no cells")]];
  if (type.isDense && type.rank === 1) return [[vector(tensor, lineWidth)]];
  const layout = layoutOf(tensor);
  const { grids } = layout;
  if (layout.outer.length === 0) return gridLines(layout, grids.at(0), tensor, lineWidth, most.rows);
  const excerpt = atMost(most.grids, grids.count);
  const shown = (at: number): Line[] => {
    const grid = grids.at(at);
    const heading = layout.outer
      .map(({ name }, at) => `${name}: ${shownLabel(element(grid.labels, at))}`)
      .join(", ");
    return [
      [faint(clip(heading, lineWidth))],
      ...gridLines(layout, grid, tensor, lineWidth, grids.count > 1 ? most.rowsOfEach : most.rows),
    ];
  };
  const [head, tail] = shownIndexes(excerpt);
  const middle: Line[][] = hiddenOf(excerpt) > 0 ? [[[faint(marker(hiddenOf(excerpt)))]]] : [];
  return arranged([...head.map(shown), ...middle, ...tail.map(shown)], lineWidth);
}

/** Blocks of lines beside each other as far as there is room, otherwise below each other with a blank line between. */
function arranged(blocks: readonly (readonly Line[])[], lineWidth: number): Line[] {
  const bands: (readonly Line[])[][] = [];
  let remaining = 0;
  for (const block of blocks) {
    const columns = greatest(block.map(lineColumns)) + between.length;
    const band = bands.at(-1);
    if (band !== undefined && columns <= remaining) band.push(block);
    else bands.push([block]);
    remaining =
      (band !== undefined && columns <= remaining ? remaining : lineWidth + between.length) - columns;
  }
  return bands.flatMap((band, at) => (at === 0 ? sideBySide(band) : [[], ...sideBySide(band)]));
}

const between = " ".repeat(4);

function sideBySide(blocks: readonly (readonly Line[])[]): Line[] {
  const measured = blocks.map((block) => ({ block, columns: greatest(block.map(lineColumns)) }));
  const height = greatest(blocks.map((block) => block.length));
  return Array.from({ length: height }, (_, at) =>
    measured.flatMap(({ block, columns }, index): Line => {
      const line = block[at] ?? [];
      const isLast = index === blocks.length - 1;
      const spaces = " ".repeat(columns - lineColumns(line));
      return isLast ? line : [...line, bright(spaces + between)];
    }),
  );
}

const lineColumns = (line: Line): number => line.reduce((sum, { text }) => sum + columnsOf(text), 0);

/** `[1, 2, … 980 more …, 3, 4]` */
function vector(tensor: Tensor, lineWidth: number): Part {
  const text = (at: number): string => shortNumber(tensor.at(at), tensor.type.cellType);
  const excerpt = fitting(tensor.data.length, lineWidth - 2, 2, (at) => text(at).length);
  const [head, tail] = shownIndexes(excerpt);
  const between = hiddenOf(excerpt) > 0 ? [marker(hiddenOf(excerpt))] : [];
  return bright(`[${[...head.map(text), ...between, ...tail.map(text)].join(", ")}]`);
}

/** One column of a grid, from its header down: texts of the same width. */
interface Column {
  readonly header: string;
  readonly cells: readonly string[];
  readonly columns: number;
}

function column(header: string, texts: readonly string[], side: "start" | "end"): Column {
  const columns = greatest(texts.map(columnsOf), columnsOf(header));
  const pad = (text: string): string => padded(text, columns, side);
  return { header: pad(header), cells: texts.map(pad), columns };
}

function gridLines(layout: Layout, grid: Grid, tensor: Tensor, lineWidth: number, mostRows: number): Line[] {
  const excerpt = atMost(mostRows, grid.rows.count);
  const [head, tail] = shownIndexes(excerpt);
  const rows = [...head, ...tail];
  const left = labelColumns(layout, grid, rows, lineWidth);
  const used = left.reduce((sum, { columns }) => sum + columns + gap.length, 0) - gap.length + bar.length;
  const right = numberColumns(layout, grid, rows, tensor, lineWidth - used);
  const line = (texts: (column: Column) => string): [string, string] => [
    left.map(texts).join(gap),
    right.map(texts).join(gap),
  ];
  const drawn = rows.map((_, at): Line => {
    const [labels, numbers] = line(({ cells }) => element(cells, at));
    return [faint(labels + bar), bright(numbers)];
  });
  if (hiddenOf(excerpt) > 0) drawn.splice(head.length, 0, [faint(marker(hiddenOf(excerpt)))]);
  // Of a single mapped dimension the type says all that a header could.
  if (tensor.type.rank === 1) return drawn;
  const [labels, numbers] = line(({ header }) => header);
  const rule = [labels, numbers].map((text) => "─".repeat(columnsOf(text))).join("─┼─");
  return [[faint(labels + bar + numbers)], [faint(rule)], ...drawn];
}

/** A column for each dimension of the rows; over the last stands the name of the columns' dimension, too. */
function labelColumns(
  { rows, columns }: Layout,
  grid: Grid,
  shown: readonly number[],
  lineWidth: number,
): Column[] {
  const share = columns.length > 0 ? lineWidth / 3 : lineWidth - (2 * widestHeader) / 2;
  const widest = Math.max(4, Math.floor(share / rows.length) - gap.length);
  return rows.map(({ name, kind }, at) => {
    const names = at === rows.length - 1 ? [name, ...columns.map((each) => each.name)] : [name];
    const texts = shown.map((row) => clip(shownLabel(element(grid.rows.at(row), at)), widest));
    return column(clip(names.join("\\"), widest), texts, kind === "mapped" ? "end" : "start");
  });
}

/** As many columns of numbers as have room. */
function numberColumns(
  { columns }: Layout,
  grid: Grid,
  rows: readonly number[],
  tensor: Tensor,
  lineWidth: number,
): Column[] {
  const cache = new Map<number, Column>();
  const at = (index: number): Column => {
    const cached = cache.get(index);
    if (cached !== undefined) return cached;
    const texts = rows.map((row) => {
      const value = grid.value(row, index);
      return value === undefined ? "·" : shortNumber(value, tensor.type.cellType);
    });
    const label = columns.length === 0 ? "value" : shownLabel(element(grid.columns.at(index), 0));
    const header = tensor.type.rank === 1 ? "" : clip(label, Math.max(1, Math.min(widestHeader, lineWidth)));
    const result = column(header, aligned(texts), "start");
    cache.set(index, result);
    return result;
  };
  const excerpt: Excerpt = fitting(grid.columns.count, lineWidth, gap.length, (index) => at(index).columns);
  const [head, tail] = shownIndexes(excerpt);
  if (hiddenOf(excerpt) === 0) return head.map(at);
  const header = marker(hiddenOf(excerpt));
  const dots = rows.map(() => "…".padStart(Math.ceil(header.length / 2)).padEnd(header.length));
  return [...head.map(at), column(header, dots, "start"), ...tail.map(at)];
}
