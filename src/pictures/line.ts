import { clip, columnsOf, padded } from "../language/source/columns.js";
import { greatest } from "../language/source/lists.js";
import { byteAt } from "../language/values/element.js";
import {
  type Axis,
  type Field,
  type Grid,
  gridOf,
  noteOf,
  type Special,
  specialLabels,
  specialOf,
  specialsIn,
} from "./grid.js";
import { inks, specialSigns } from "./ramp.js";
import { roundedOut, type Scale, scaleOf, stepOf, ticksOf, writer, writerOf } from "./scale.js";
import {
  type Drawing,
  edge,
  element,
  fitted,
  label,
  legendMarks,
  line,
  type Marking,
  noteSvg,
  specialMark,
  tip,
  widthOf,
} from "./svg.js";
import { lineOf, type TextPicture } from "./text.js";

/**
 * A line through the cells of a dimension in their order; it breaks where a cell is no finite number, and a mark at the
 * edge shows which it is. In text it consists of braille, each character two dots wide and four high.
 */
const height = { text: 12, svg: 220 } as const;
const mostTicks = 6;

export function lineText(field: Field, width: number): TextPicture {
  const { grid, scale, name, top, bottom, beside } = lineIn(field, width, 0);
  const plotWidth = width - beside - 2;
  const values = grid.cells[0] ?? [];
  const canvas = new Canvas(plotWidth, height.text);
  const dotOf = dotColumns(values.length, plotWidth);
  trace(values, scale, canvas, dotOf);
  const signs = values.map((value, at) => ({ special: specialOf(value), column: Math.floor(dotOf(at) / 2) }));
  const marks = (kind: Special, fill: string): string => {
    const signed = new Set(signs.flatMap(({ special, column }) => (special === kind ? [column] : [])));
    return Array.from({ length: plotWidth }, (_, at) => (signed.has(at) ? specialSigns[kind] : fill)).join(
      "",
    );
  };
  const has = new Set(specialsIn(grid));
  const scaleTexts = new Map<number, string>();
  if (scale?.low === scale?.high) scaleTexts.set(height.text >> 1, top);
  else scaleTexts.set(0, top).set(height.text - 1, bottom);
  if (scale === undefined) scaleTexts.clear();
  const rows = canvas.lines().map((text, at) => {
    const number = scaleTexts.get(at);
    return `${padded(number ?? "", beside, "start")} ${number === undefined ? "│" : "┤"}${text}`;
  });
  const indent = " ".repeat(beside + 2);
  const legend = specialsIn(grid)
    .filter((each) => each !== "missing")
    .map((each) => `${specialSigns[each]} ${specialLabels[each]}`);
  const note = noteOf(grid, "point");
  return {
    body: [
      ...(has.has("plus") ? [indent + marks("plus", " ")] : []),
      ...rows,
      ...(has.has("minus") ? [`${" ".repeat(beside + 1)}│${marks("minus", " ")}`] : []),
      `${" ".repeat(beside + 1)}└${marks("nan", "─")}`,
      `${padded(name, beside, "end")}  ${labelsBelow(grid.columns, plotWidth, (at) => Math.floor(dotOf(at) / 2))}`,
    ],
    legend: [...legend, ...(note === undefined ? [] : [note])],
  };
}

/** A line with the texts beside it. Their width reduces that of the line, which may change the means and so the texts. */
function lineIn(field: Field, width: number, beside: number): Line {
  const grid = gridOf(field, { rows: 1, columns: 2 * (width - beside - 2) });
  const scale = scaleOf(grid, "line");
  const { low, high } = scale ?? { low: 0, high: 0 };
  const write = writer(low, high);
  const [name = "", top = "", bottom = ""] = [field.columns.name, write(high), write(low)].map((each) =>
    clip(each, Math.floor(width / 3)),
  );
  const required = greatest([name, top, bottom].map(columnsOf));
  return required > beside ? lineIn(field, width, required) : { grid, scale, name, top, bottom, beside };
}

interface Line {
  readonly grid: Grid;
  readonly scale: Scale | undefined;
  readonly name: string;
  readonly top: string;
  readonly bottom: string;
  /** How many columns the texts take. */
  readonly beside: number;
}

/** The dot, across, of each of so many points: from edge to edge, and one alone in the middle. */
const dotColumns = (count: number, plotWidth: number): ((at: number) => number) =>
  count === 1 ? () => plotWidth : (at) => Math.round((at * (2 * plotWidth - 1)) / (count - 1));

function trace(
  values: readonly (number | undefined)[],
  scale: Scale | undefined,
  canvas: Canvas,
  dotOf: (at: number) => number,
): void {
  let before: readonly [number, number] | undefined;
  for (const [at, value] of values.entries()) {
    const isDrawn = scale !== undefined && value !== undefined && Number.isFinite(value);
    if (!isDrawn) {
      before = undefined;
      continue;
    }
    const dot = [dotOf(at), Math.round((1 - scale.position(value)) * (4 * height.text - 1))] as const;
    canvas.draw(before ?? dot, dot);
    before = dot;
  }
}

/** The bits of the dots of a braille character, row by row. */
const bits = Uint8Array.of(0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80);

class Canvas {
  private readonly dots: Uint8Array;

  constructor(
    private readonly columns: number,
    private readonly rows: number,
  ) {
    this.dots = new Uint8Array(columns * rows);
  }

  /** A straight line between two dots, with both. */
  draw([fromX, fromY]: readonly [number, number], [toX, toY]: readonly [number, number]): void {
    const steps = Math.max(1, Math.abs(toX - fromX), Math.abs(toY - fromY));
    for (let step = 0; step <= steps; step++) {
      const part = step / steps;
      this.set(Math.round(fromX + (toX - fromX) * part), Math.round(fromY + (toY - fromY) * part));
    }
  }

  private set(x: number, y: number): void {
    const at = (y >> 2) * this.columns + (x >> 1);
    this.dots[at] = byteAt(this.dots, at) | byteAt(bits, (y % 4) * 2 + (x % 2));
  }

  lines(): string[] {
    return Array.from({ length: this.rows }, (_, row) => {
      const codes = this.dots.subarray(row * this.columns, (row + 1) * this.columns);
      return [...codes].map((code) => (code === 0 ? " " : String.fromCharCode(0x2800 + code))).join("");
    });
  }
}

/** How far apart marks are at least: of many in a row some are enough. */
const distance = 9;

/** Labels below their points: the first and the last, and at even distances as many as fit. */
function labelsBelow(axis: Axis, plotWidth: number, columnOf: (at: number) => number): string {
  const most = Math.max(1, Math.floor(plotWidth / 3));
  const text = (at: number): string => clip(axis.label(at), most);
  const last = axis.count - 1;
  const widest = greatest(
    Array.from({ length: axis.count }, (_, at) => columnsOf(text(at))),
    1,
  );
  const step = stepOf(axis, ((widest + 2) * Math.max(1, axis.count)) / plotWidth);
  const between = Array.from({ length: Math.max(0, Math.ceil(last / step) - 1) }, (_, at) => (at + 1) * step);
  const positions = axis.count === 0 ? [] : [...new Set([0, last, ...between])];
  const texts = positions.map((at) => {
    const columns = columnsOf(text(at));
    const from = at === 0 && last > 0 ? 0 : columnOf(at) - Math.floor(columns / 2);
    return { text: text(at), column: Math.max(0, Math.min(from, plotWidth - columns)) };
  });
  return lineOf(texts, plotWidth);
}

export function lineSvg(field: Field, width: number, marking: Marking): Drawing {
  const grid = gridOf(field, { rows: 1, columns: Math.max(2, Math.floor(width / 2)) });
  const plot = plotOf(grid, width);
  const { left, right, bottom } = plot;
  const { name } = grid.columns;
  const specials = specialsIn(grid).filter((each) => each !== "missing");
  const foot = bottom + (specials.length > 0 ? 62 : 42);
  const note = noteSvg(grid, "point", foot, width);
  const middle = { "text-anchor": "middle", "font-weight": 600 };
  return {
    body: [
      ...scaleLines(plot),
      ...runsOf(plot.points),
      ...marksOf(plot, grid, marking),
      line(left, bottom, right, bottom, { "stroke-opacity": 0.6 }),
      ...axisLabels(plot, grid.columns),
      label((left + right) / 2, bottom + 36, fitted(name, right - left), middle, name),
      ...legendMarks(specials, left, bottom + 54),
      ...note.body,
    ],
    height: foot + note.height,
  };
}

/** Where a picture of a line has its points, and round numbers beside them. */
interface LinePlot {
  readonly ticks: readonly number[];
  readonly writeTick: (value: number) => string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  /** The height of a finite number. */
  readonly y: (value: number) => number;
  readonly points: readonly Point[];
}

interface Point {
  readonly value: number | undefined;
  readonly special: Special | undefined;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

function plotOf(grid: Grid, width: number): LinePlot {
  const values = grid.cells[0] ?? [];
  const own = scaleOf(grid, "line");
  const scale = own === undefined ? undefined : roundedOut(own, mostTicks);
  const ticks = scale === undefined ? [] : ticksOf(scale, mostTicks);
  const writeTick = writer(ticks[0] ?? 0, ticks[1] ?? 0);
  const widths = ticks.map((each) => widthOf(writeTick(each)));
  const [left, right] = [edge + greatest(widths, 24) + 8, width - edge - 10];
  const [top, bottom] = [14, 14 + height.svg];
  const x = (at: number): number =>
    values.length < 2 ? (left + right) / 2 : left + 4 + (at * (right - left - 4)) / (values.length - 1);
  const y = (value: number): number => bottom - 4 - (scale?.position(value) ?? 0) * (height.svg - 8);
  const heightOf = (value: number | undefined): number => {
    const special = specialOf(value);
    if (special === "plus") return top - 7;
    if (special === "nan") return bottom;
    return special !== undefined || value === undefined ? bottom - 8 : y(value);
  };
  const points = values.map((value, at) => ({
    ...{ value, special: specialOf(value), x: x(at), y: heightOf(value) },
    text: grid.columns.label(at),
  }));
  return { ticks, writeTick, left, right, bottom, y, points };
}

/** Lines across at round numbers, with these beside them. */
const scaleLines = ({ ticks, writeTick, left, right, y }: LinePlot): string[] =>
  ticks.flatMap((each) => [
    line(left, y(each), right, y(each), { "stroke-opacity": each === 0 ? 0.5 : 0.18 }),
    label(left - 7, y(each) + 4, writeTick(each), { "text-anchor": "end", opacity: 0.75 }),
  ]);

/** A dot for each finite cell, unless there are many, and a mark for each other one, unless it would touch the last. */
function marksOf({ points }: LinePlot, grid: Grid, marking: Marking): string[] {
  const exact = writerOf(scaleOf(grid, "line"));
  let marked = -distance;
  return points.flatMap(({ special, value, text, x, y }, at) => {
    if (value === undefined || (special !== undefined && x - marked < distance)) return [];
    if (special !== undefined) marked = x;
    const full = tip(`${grid.columns.name}: ${text} → ${exact(value)}`);
    if (special !== undefined)
      return [element("g", marking(grid, 0, at), full, specialMark(special, x, y, 9))];
    if (points.length > 60) return [];
    return [element("circle", { cx: x, cy: y, r: 2.6, fill: inks.above, ...marking(grid, 0, at) }, full)];
  });
}

/** Labels below the line, as many as have room. */
function axisLabels({ points, left, right, bottom }: LinePlot, axis: Axis): string[] {
  const widths = points.map(({ text }) => widthOf(text));
  const step = stepOf(axis, ((greatest(widths, 1) + 16) * points.length) / (right - left));
  const attributes = { "text-anchor": "middle", opacity: 0.75 };
  return points.flatMap(({ text, x }, at) =>
    at % step > 0
      ? []
      : [
          line(x, bottom, x, bottom + 4, { "stroke-opacity": 0.6 }),
          label(x, bottom + 18, fitted(text, (right - left) / 3), attributes, text),
        ],
  );
}

/** A line for each run of finite cells; a cell alone is a dot. */
function runsOf(points: readonly Point[]): string[] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point.special === undefined) runs.at(-1)?.push(point);
    else runs.push([]);
  }
  const number = (value: number): string => `${Math.round(value * 10) / 10}`;
  return runs.flatMap((run) => {
    const [only] = run;
    if (only === undefined) return [];
    if (run.length === 1) return [element("circle", { cx: only.x, cy: only.y, r: 2.6, fill: inks.above })];
    const path = run.map(({ x, y }) => `${number(x)},${number(y)}`).join(" ");
    return [
      element("polyline", {
        points: path,
        fill: "none",
        stroke: inks.above,
        "stroke-width": 1.8,
        "stroke-linejoin": "round",
      }),
    ];
  });
}
