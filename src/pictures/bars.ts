import { padded } from "../language/source/columns.js";
import { greatest } from "../language/source/lists.js";
import { textAt } from "../language/values/element.js";
import {
  type Axis,
  type Field,
  type Grid,
  gridOf,
  noteOf,
  type Special,
  specialOf,
  specialsIn,
} from "./grid.js";
import { inks } from "./ramp.js";
import { between, type Scale, scaleOf, ticksOf, writer, writerOf } from "./scale.js";
import {
  type Drawing,
  edge,
  element,
  fitted,
  label,
  line,
  type Marking,
  marked,
  noteSvg,
  specialMark,
  tip,
  widthOf,
} from "./svg.js";
import { labelsBeside, lineOf, type TextPicture } from "./text.js";

/**
 * Bars: one for each label, from zero, to the left where the number is negative. An infinity is a dashed arrow all the
 * way, and NaN no bar at all.
 */
const most = { text: 40, svg: 64 } as const;

/** A grid of one row as if its one dimension ran down. */
function barsOf(
  field: Field,
  width: number,
): { readonly grid: Grid; readonly axis: Axis; readonly values: readonly (number | undefined)[] } {
  const grid = gridOf(field, { rows: 1, columns: width });
  return { grid, axis: grid.columns, values: grid.cells[0] ?? [] };
}

/** A scale with room for the arrows of infinities too, where no bar goes to their side. */
function barScale(grid: Grid): Scale | undefined {
  const own = scaleOf(grid, "bars");
  const specials = specialsIn(grid);
  const [isMinus, isPlus] = [specials.includes("minus"), specials.includes("plus")];
  if (own === undefined && !isMinus && !isPlus) return undefined;
  const { low, high } = own ?? { low: 0, high: 0 };
  const side = Math.max(Math.max(-low, high) / 4 || 1, Number.MIN_VALUE);
  return between(isMinus && low === 0 ? -side : low, isPlus && high === 0 ? side : high);
}

export function barsText(field: Field, width: number, rows = Number.POSITIVE_INFINITY): TextPicture {
  const { grid, axis, values } = barsOf(field, Math.min(most.text, rows));
  const scale = barScale(grid);
  const write = writerOf(scale);
  const beside = labelsBeside(axis, width);
  const numbers = values.map((value) => (value === undefined ? "" : write(value)));
  const widest = greatest(numbers.map((each) => each.length));
  const shown = widest <= width / 3 ? widest : 0;
  const indent = beside.columns + 2 + (shown > 0 ? shown + 1 : 0);
  const barWidth = width - indent;
  const bars = values.map((value, at) => {
    const number = shown > 0 ? `${padded(textAt(numbers, at), shown, "start")} ` : "";
    return `${beside.at(at)}  ${number}${value === undefined ? "" : barText(value, scale, barWidth)}`;
  });
  const note = noteOf(grid, "bar");
  return {
    body: [
      beside.name,
      ...bars,
      ...(scale === undefined ? [] : [" ".repeat(indent) + scaleLine(scale, write, barWidth)]),
    ],
    legend: note === undefined ? [] : [note],
  };
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** The column that the line of zero is in; a side that has bars has a column for them. */
function zeroOf(scale: Scale | undefined, barWidth: number): number {
  if (scale === undefined) return 0;
  const last = barWidth - (scale.high > 0 ? 2 : 1);
  return Math.min(Math.max(Math.round(scale.position(0) * (barWidth - 1)), scale.low < 0 ? 1 : 0), last);
}

/** The line of zero with the bar on one side of it; any value but 0 has a visible bar. */
function barText(value: number, scale: Scale | undefined, barWidth: number): string {
  const zero = zeroOf(scale, barWidth);
  const sides = { before: zero, after: barWidth - 1 - zero };
  const special = specialOf(value);
  if (special === "plus") return `${" ".repeat(zero)}│${"╌".repeat(Math.max(0, sides.after - 1))}→`;
  if (special === "minus") return `←${"╌".repeat(Math.max(0, sides.before - 1))}│`;
  if (scale === undefined || special !== undefined || value === 0) return `${" ".repeat(zero)}│`;
  if (value > 0) {
    const length = Math.max(1, Math.round((value / scale.high) * sides.after * 8));
    return `${" ".repeat(zero)}│${"█".repeat(Math.floor(length / 8))}${eighths[length % 8]}`;
  }
  // Of the blocks that fill a column from its right there is only the half.
  const halves = Math.max(1, Math.round((value / scale.low) * sides.before * 2));
  const bar = `${halves % 2 === 1 ? "▐" : ""}${"█".repeat(Math.floor(halves / 2))}`;
  return `${bar.padStart(zero)}│`;
}

/** The numbers of the scale below their columns. */
function scaleLine(scale: Scale, write: (value: number) => string, barWidth: number): string {
  const [low, high] = [write(scale.low), write(scale.high)];
  const texts = [
    { text: low, column: 0 },
    { text: high, column: barWidth - high.length },
    { text: "0", column: zeroOf(scale, barWidth) },
  ];
  return lineOf(texts, barWidth);
}

const bar = { pitch: 22, thickness: 15 } as const;

/** Where the parts of a drawing stand. */
interface BarsLayout {
  readonly scale: Scale | undefined;
  readonly write: (value: number) => string;
  /** The names of the bars end before it. */
  readonly left: number;
  /** Between these are the bars. */
  readonly start: number;
  readonly end: number;
  readonly top: number;
  readonly bottom: number;
  /** Where a value stands, and where all bars begin. */
  readonly x: (value: number) => number;
  readonly zero: number;
}

export function barsSvg(field: Field, width: number, marking: Marking): Drawing {
  const { grid, axis, values } = barsOf(field, most.svg);
  const layout = layoutOf(grid, axis, values, width);
  const { left, top, bottom, zero } = layout;
  const ticks = tickLines(layout);
  const bars = values.flatMap((value, at) => {
    const { name, bar } = barRow(layout, axis, value, at);
    return bar === undefined ? [name] : [name, ...marked(marking(grid, 0, at), bar.drawing, bar.number)];
  });
  const foot = bottom + (ticks.length > 0 ? 22 : 4);
  const note = noteSvg(grid, "bar", foot, width);
  const heading = label(
    left - 10,
    12,
    fitted(axis.name, left - edge),
    { "text-anchor": "end", "font-weight": 600 },
    axis.name,
  );
  return {
    body: [
      heading,
      ...ticks,
      ...bars,
      line(zero, top - 2, zero, bottom, { "stroke-opacity": 0.6 }),
      ...note.body,
    ],
    height: foot + note.height,
  };
}

function layoutOf(
  grid: Grid,
  axis: Axis,
  values: readonly (number | undefined)[],
  width: number,
): BarsLayout {
  const scale = barScale(grid);
  const write = writerOf(scale);
  const texts = values.map((_, at) => axis.label(at));
  const left = edge + Math.min(width / 3, greatest(texts.map(widthOf), widthOf(axis.name)) + 10);
  // Numbers stand behind their bars, on both sides where there are bars on both.
  const number = 12 + greatest(values.map((value) => (value === undefined ? 0 : widthOf(write(value)))));
  const start = left + (scale !== undefined && scale.low < 0 ? number : 0);
  const end = width - edge - number;
  const top = 20;
  const at = (position: number): number => start + position * (end - start);
  return {
    ...{ scale, write, left, start, end, top },
    bottom: top + values.length * bar.pitch + 2,
    x: (value) => at(scale?.position(value) ?? 0),
    zero: at(scale === undefined ? 0 : scale.position(0)),
  };
}

/** The lines of the scale behind the bars, with their numbers below. */
function tickLines({ scale, start, end, top, bottom, x }: BarsLayout): readonly string[] {
  if (scale === undefined) return [];
  const ticks = ticksOf(scale, Math.max(2, Math.min(7, Math.floor((end - start) / 80))));
  const write = writer(ticks[0] ?? 0, ticks[1] ?? 0);
  return ticks.flatMap((each) => [
    line(x(each), top - 2, x(each), bottom, { "stroke-opacity": 0.18 }),
    label(x(each), bottom + 14, write(each), { "text-anchor": "middle", opacity: 0.75 }),
  ]);
}

/** The name of a bar, and the bar with its number, where there is a value. */
function barRow(
  { left, start, end, top, x, zero, write }: BarsLayout,
  axis: Axis,
  value: number | undefined,
  at: number,
): { readonly name: string; readonly bar?: { readonly drawing: string; readonly number: string } } {
  const y = top + at * bar.pitch + 2;
  const text = axis.label(at);
  const name = label(left - 10, y + 12, fitted(text, left - edge - 10), { "text-anchor": "end" }, text);
  if (value === undefined) return { name };
  const special = specialOf(value);
  const reach = special === "plus" ? end : special === "minus" ? start : x(value);
  const to = special === "nan" ? zero : reach;
  const isBelow = value < 0;
  const gap = special === undefined || special === "nan" ? 6 : 10;
  const number = label(
    to + (isBelow ? -gap : gap),
    y + 12,
    write(value),
    isBelow ? { "text-anchor": "end" } : {},
  );
  const reading = `${axis.name}: ${text} → ${write(value)}`;
  return { name, bar: { drawing: barSvg({ value, special, from: zero, to, y }, reading), number } };
}

interface Bar {
  readonly value: number;
  readonly special: Special | undefined;
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

function barSvg({ value, special, from, to, y }: Bar, full: string): string {
  if (special === "nan") return "";
  if (special !== undefined) {
    const middle = y + bar.thickness / 2;
    const transform = `rotate(90 ${Math.round(to)} ${Math.round(middle)})`;
    const arrow = line(from, middle, to, middle, { "stroke-dasharray": "4 4" });
    return element(
      "g",
      {},
      tip(full),
      arrow,
      element("g", { transform }, specialMark(special, to, middle, 10)),
    );
  }
  return element(
    "rect",
    {
      x: Math.min(from, to),
      y,
      width: Math.max(Math.abs(to - from), value === 0 ? 0 : 1),
      height: bar.thickness,
      fill: value < 0 ? inks.below : inks.above,
    },
    tip(full),
  );
}
