import { clip, columnsOf } from "../language/source/columns.js";
import { greatest } from "../language/source/lists.js";
import {
  type Axis,
  type Field,
  type Grid,
  gridOf,
  noteOf,
  shortened,
  specialLabels,
  specialOf,
  specialsIn,
} from "./grid.js";
import { rampSvg } from "./legend.js";
import { colourAt, coloured, hexOf, inkOn, signOf, signsOf, specialSigns } from "./ramp.js";
import { type Scale, scaleOf, writerOf } from "./scale.js";
import {
  type Attributes,
  type Drawing,
  edge,
  element,
  fitted,
  label,
  letter,
  type Marking,
  noteSvg,
  specialMark,
  tip,
  widthOf,
} from "./svg.js";
import { labelsAbove, labelsBeside, type TextPicture } from "./text.js";

/**
 * A heat map: a square for each cell, with more ink or another colour for a larger number. Where there is room the
 * numbers stand in it as well; where there is little, squares become narrow, and then means.
 */
const mostRows = { text: 40, svg: 96 } as const;
/** The widest label above a column of a text. */
const mostAbove = 16;
/** The least columns for a label that is cut, and for the gap behind it. */
const leastAbove = 6;

const numberText = (value: number | undefined, write: (value: number) => string): string =>
  value === undefined ? "" : write(value);

export function heatText(
  field: Field,
  width: number,
  rows = Number.POSITIVE_INFINITY,
  colour = false,
): TextPicture {
  // Labels of rows leave at least the rest of the width to the squares, whatever they are.
  const down = shortened(field.rows, Math.min(mostRows.text, rows));
  const beside = labelsBeside(down, width);
  const gap = beside.columns === 0 ? 0 : 2;
  const gridWidth = width - beside.columns - gap;
  const grid = gridOf(field, { rows: Math.min(mostRows.text, rows), columns: gridWidth });
  const scale = scaleOf(grid, "ramp");
  const write = writerOf(scale);
  const { pitch, isLabelled, show } = squaresOf(grid, scale, write, gridWidth, colour);
  const indent = " ".repeat(beside.columns + gap);
  const lines = grid.cells.map(
    (row, at) => `${beside.at(at)}${indent.slice(beside.columns)}${row.map(show).join("")}`,
  );
  const above = labelsAbove(
    grid.columns,
    pitch,
    gridWidth,
    isLabelled ? pitch - 1 : Math.min(mostAbove, gridWidth),
  );
  const head = [
    `${indent}${clip(grid.columns.name, gridWidth)}`,
    `${beside.name}${indent.slice(beside.columns)}${above}`,
  ];
  return { body: [...head, ...lines], legend: legendOf(grid, scale, write) };
}

/** How squares of text look: as wide as a number and a label need, or two columns, or one. */
interface Squares {
  /** How far apart they begin. */
  readonly pitch: number;
  /** Whether each has a label. */
  readonly isLabelled: boolean;
  readonly show: (value: number | undefined) => string;
}

function squaresOf(
  grid: Grid,
  scale: Scale | undefined,
  write: (value: number) => string,
  gridWidth: number,
  colour: boolean,
): Squares {
  const { columns } = grid;
  const square = (value: number | undefined, columns: number): string => {
    const special = specialOf(value);
    if (special !== undefined || value === undefined)
      return specialSigns[special ?? "missing"].repeat(columns);
    if (scale === undefined) return "";
    const signs = signOf(scale, value).repeat(columns);
    return colour ? coloured(signs, colourAt(scale, scale.position(value))) : signs;
  };
  const labels = Array.from({ length: columns.count }, (_, at) =>
    columnsOf(clip(columns.label(at), mostAbove)),
  );
  const numbers = grid.cells.flat().map((value) => numberText(value, write).length);
  const withNumber = 3 + greatest(numbers);
  const pitch = greatest(labels, withNumber) + 2;
  if (columns.count * pitch - 2 <= gridWidth) {
    const show = (value: number | undefined): string =>
      `${square(value, 2)} ${numberText(value, write).padStart(withNumber - 3)}${" ".repeat(pitch - withNumber)}`;
    return { pitch, isLabelled: true, show };
  }
  // Names are cut, rather than left out, as long as something is left of them.
  const widest = greatest(labels, 2) + 1;
  const labelled = Math.min(widest, Math.floor((gridWidth + 1) / Math.max(1, columns.count)));
  if (!columns.isIndexed && labelled >= Math.min(widest, leastAbove)) {
    return { pitch: labelled, isLabelled: true, show: (value) => `${square(value, labelled - 1)} ` };
  }
  const plain = 2 * columns.count <= gridWidth ? 2 : 1;
  return { pitch: plain, isLabelled: false, show: (value) => square(value, plain) };
}

function legendOf(grid: Grid, scale: Scale | undefined, write: (value: number) => string): string[] {
  const specials = specialsIn(grid).map(
    (each) => `${each === "missing" ? "blank" : specialSigns[each]} ${specialLabels[each]}`,
  );
  const note = noteOf(grid, "square");
  return [...rampText(scale, write), ...specials, ...(note === undefined ? [] : [note])];
}

function rampText(scale: Scale | undefined, write: (value: number) => string): string[] {
  if (scale === undefined) return [];
  if (scale.low === scale.high) return [`${signOf(scale, scale.low)} ${write(scale.low)}`];
  return [`${write(scale.low)} ${signsOf(scale).join("")} ${write(scale.high)}`];
}

const smallest = 5;
const largest = { width: 72, height: 30 } as const;

/** Where the parts of a drawing stand. */
interface HeatLayout {
  readonly grid: Grid;
  readonly scale: Scale | undefined;
  readonly write: (value: number) => string;
  /** The first square begins here; the labels of rows end before it, those of columns above it. */
  readonly left: number;
  readonly top: number;
  readonly gridWidth: number;
  /** The size of a square. */
  readonly cell: Pick<Rectangle, "width" | "height">;
  readonly above: Drawing;
}

export function heatSvg(field: Field, width: number, marking: Marking): Drawing {
  const layout = heatLayout(field, width);
  const { grid, scale, write, left, top, cell } = layout;
  const bottom = top + grid.rows.count * cell.height;
  const legend = rampSvg(grid, scale, write, left, bottom + 16);
  const end = bottom + 16 + legend.height;
  const note = noteSvg(grid, "square", end, width);
  return {
    body: [
      ...heatLabels(field, layout),
      ...heatSquares(layout, marking),
      heatFrame(layout),
      ...legend.body,
      ...note.body,
    ],
    height: end + note.height,
  };
}

function heatLayout(field: Field, width: number): HeatLayout {
  const down = shortened(field.rows, mostRows.svg);
  const left = edge + Math.min(width / 4, greatest(labelsOf(down).map(widthOf), widthOf(down.name)) + 10);
  const gridWidth = width - left - edge;
  const grid = gridOf(field, { rows: mostRows.svg, columns: Math.floor(gridWidth / smallest) });
  const { rows, columns } = grid;
  const room = gridWidth / Math.max(1, columns.count);
  const cell = {
    width: Math.min(largest.width, room),
    height: Math.max(smallest, Math.min(largest.height, room, 640 / Math.max(1, rows.count))),
  };
  const scale = scaleOf(grid, "ramp");
  const above = labelsOnTop(grid, left, cell.width, width);
  return { grid, scale, write: writerOf(scale), left, top: 18 + above.height, gridWidth, cell, above };
}

const labelsOf = (axis: Axis): readonly string[] =>
  Array.from({ length: axis.count }, (_, at) => axis.label(at));

/** The names of the dimensions and the labels along them; not those of all rows where they would touch. */
function heatLabels(
  field: Field,
  { grid, left, top, gridWidth, cell, above }: HeatLayout,
): readonly string[] {
  const { rows, columns } = grid;
  const step = Math.ceil(13 / cell.height);
  return [
    label(left, 12, fitted(columns.name, gridWidth), { "font-weight": 600 }, columns.name),
    rowLabel(rows.name, left - 10, top - 6, left - edge, { "font-weight": 600 }),
    ...above.body,
    ...labelsOf(shortened(field.rows, mostRows.svg)).flatMap((text, at) =>
      at % step > 0 || text === ""
        ? []
        : rowLabel(text, left - 10, top + (at + 0.5) * cell.height + 4, left - edge - 10),
    ),
  ];
}

/** The squares, with their numbers where all have room. */
function heatSquares(
  { grid, scale, write, left, top, cell }: HeatLayout,
  marking: Marking,
): readonly string[] {
  const widest = greatest(grid.cells.flat().map((value) => widthOf(numberText(value, write))));
  const showsNumbers = widest + 6 <= cell.width && cell.height >= 15;
  return grid.cells.flatMap((row, at) =>
    row.map((value, column) => {
      const position = { x: left + column * cell.width, y: top + at * cell.height, ...cell };
      const number = numberText(value, write);
      const full = `${coordinatesOf(grid, at, column)} → ${number}`;
      return square(value, scale, position, full, showsNumbers ? number : "", marking(grid, at, column));
    }),
  );
}

const heatFrame = ({ grid: { rows, columns }, left, top, cell }: HeatLayout): string =>
  element("rect", {
    x: left,
    y: top,
    width: columns.count * cell.width,
    height: rows.count * cell.height,
    fill: "none",
    stroke: "currentColor",
    "stroke-opacity": 0.35,
  });

/** A label that ends at a point. */
const rowLabel = (text: string, x: number, y: number, width: number, more: Attributes = {}): string =>
  label(x, y, fitted(text, width), { "text-anchor": "end", ...more }, text);

/** `row: a, column: 0`, without axes that have no name. */
const coordinatesOf = ({ rows, columns }: Grid, row: number, column: number): string =>
  [
    { axis: rows, at: row },
    { axis: columns, at: column },
  ]
    .flatMap(({ axis, at }) => (axis.name === "" ? [] : [`${axis.name}: ${axis.label(at)}`]))
    .join(", ");

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function square(
  value: number | undefined,
  scale: Scale | undefined,
  position: Rectangle,
  full: string,
  number: string,
  mark: Attributes,
): string {
  const { x, y, width, height } = position;
  const [middle, centre] = [x + width / 2, y + height / 2];
  const special = specialOf(value);
  if (special === "missing" || value === undefined) return "";
  if (special !== undefined || scale === undefined) {
    const ground = element("rect", { x, y, width, height, fill: "currentColor", "fill-opacity": 0.08 });
    return element(
      "g",
      mark,
      tip(full),
      ground,
      specialMark(special ?? "nan", middle, centre, Math.min(width, height)),
    );
  }
  const colour = colourAt(scale, scale.position(value));
  const fill = hexOf(colour);
  const rectangle = element(
    "rect",
    { x, y, width, height, fill, "shape-rendering": "crispEdges", ...mark },
    tip(full),
  );
  if (number === "") return rectangle;
  return (
    rectangle +
    label(middle, centre + 4, number, {
      "text-anchor": "middle",
      fill: inkOn(colour),
      "pointer-events": "none",
    })
  );
}

/** The labels above the columns: upright where all have room, otherwise turned; not all where they would touch. */
function labelsOnTop({ columns }: Grid, left: number, pitch: number, width: number): Drawing {
  const texts = Array.from({ length: columns.count }, (_, at) => columns.label(at));
  const widest = greatest(texts.map(widthOf));
  const isLevel = widest + 4 <= pitch || (columns.isIndexed && columns.each === 1);
  const step = Math.ceil((isLevel ? widest + 6 : 15) / pitch);
  const height = isLevel ? letter.height : Math.min(110, widest) + 6;
  const body = texts.flatMap((text, at) => {
    if (at % step > 0) return [];
    const x = left + (at + 0.5) * pitch;
    if (isLevel) return [label(x, 18 + height - 5, text, { "text-anchor": "middle" })];
    const [base, turn] = [18 + height - 5, `rotate(-90 ${Math.round(x + 4)} ${Math.round(18 + height - 5)})`];
    return [label(Math.round(x + 4), Math.round(base), fitted(text, 110), { transform: turn }, text)];
  });
  return { body: left < width ? body : [], height };
}
