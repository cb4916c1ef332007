import { clip } from "../language/source/columns.js";
import { labelText } from "../language/source/escapes.js";
import {
  amount,
  boolean,
  checkCallOptions,
  type OptionRules,
  oneOf,
  text,
} from "../language/source/option-rule.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { requireTensor } from "../language/values/arguments.js";
import { element } from "../language/values/element.js";
import type { Tensor } from "../language/values/tensor.js";
import { barsSvg, barsText } from "./bars.js";
import { type Field, fieldOf } from "./grid.js";
import { heatSvg, heatText } from "./heat.js";
import { lineSvg, lineText } from "./line.js";
import { problem } from "./messages.js";
import { addressed, type Drawing, letter, type Marking, page, remark, unmarked } from "./svg.js";
import { framed, type TextPicture } from "./text.js";

/**
 * Pictures of tensors. Two dimensions make a heat map, a mapped one and a short indexed one bars, a longer one a line;
 * another kind may be chosen, as far as the dimensions allow it. Other tensors are refused, with a hint of an expression
 * that can be drawn.
 */

/** The kinds of pictures. */
export type PictureKind = "heat" | "bars" | "line";

/** How a picture is drawn. */
export interface PictureOptions {
  /** The title above the picture, such as the text of the expression. */
  readonly title?: string;
  /** Columns of a text, 80 by default; pixels of SVG, 640 by default. */
  readonly width?: number | undefined;
  /** The lines of a text, where the rows of a heat map and bars are drawn together until they fit. */
  readonly height?: number | undefined;
  readonly kind?: PictureKind | undefined;
  /** Whether the squares of a heat map in characters have colours too, by the escapes of a terminal. */
  readonly colour?: boolean | undefined;
  /** Whether each mark of SVG that stands for one cell has its labels, as JSON in `data-address`. */
  readonly addresses?: boolean | undefined;
}

interface Kind {
  readonly text: (field: Field, width: number, rows: number, colour: boolean) => TextPicture;
  readonly svg: (field: Field, width: number, marking: Marking) => Drawing;
  readonly most: number;
}

const kinds: Readonly<Record<PictureKind, Kind>> = {
  heat: { text: heatText, svg: heatSvg, most: 2 },
  bars: { text: barsText, svg: barsSvg, most: 1 },
  line: { text: lineText, svg: lineSvg, most: 1 },
};

// biome-ignore format: a table
const pictureRules: OptionRules<PictureOptions> = {
  title:     text,
  width:     amount,
  height:    amount,
  kind:      oneOf(Object.keys(kinds)),
  colour:    boolean,
  addresses: boolean,
};

/** The longest indexed dimension that becomes bars. */
const mostBars = 24;

const widths = {
  text: { least: 20, usual: 80, most: 1000 },
  svg: { least: 240, usual: 640, most: 4000 },
} as const;

/**
 * A picture in characters, no line of it wider than the width, and no line end after the last.
 * @throws SphexError for a tensor of no dimensions, or of more than the kind of picture has.
 */
export function renderText(tensor: Tensor, options: PictureOptions = {}): string {
  requireTensor("renderText", tensor);
  checkCallOptions("renderText", options, pictureRules);
  const [width, kind, title] = [
    within(options.width, widths.text),
    kindOf(tensor, options),
    options.title ?? "",
  ];
  if (tensor.data.length === 0) return framed(title, [clip(emptyNote(tensor), width)], [], width);
  const { body, legend } = kind.text(fieldOf(tensor), width, rowsIn(options.height), options.colour ?? false);
  return framed(title, body, legend, width);
}

/**
 * A picture as a whole SVG document, which can also stand in a page.
 * @throws SphexError for a tensor of no dimensions, or of more than the kind of picture has.
 */
export function renderSvg(tensor: Tensor, options: PictureOptions = {}): string {
  requireTensor("renderSvg", tensor);
  checkCallOptions("renderSvg", options, pictureRules);
  const [width, kind, title] = [
    within(options.width, widths.svg),
    kindOf(tensor, options),
    options.title ?? "",
  ];
  const empty = { body: [remark(emptyNote(tensor), 0, width)], height: letter.height };
  const marking = options.addresses === true ? addressed : unmarked;
  const drawing = tensor.data.length === 0 ? empty : kind.svg(fieldOf(tensor), width, marking);
  return page({ title, width, ...drawing });
}

/** What stands around the rows of a picture: a title, names and labels of dimensions, a legend. */
const linesAround = 8;
const leastRows = 4;

const rowsIn = (height = Number.POSITIVE_INFINITY): number =>
  Math.max(leastRows, Math.floor(height) - linesAround);

const emptyNote = ({ type }: Tensor): string => `${type} has no cells`;

function within(
  width: number | undefined,
  { least, usual, most }: { readonly least: number; readonly usual: number; readonly most: number },
): number {
  return Math.min(Math.max(Math.floor(width ?? usual), least), most);
}

function kindOf(tensor: Tensor, options: PictureOptions): Kind {
  const { type, sizes } = tensor;
  const usual = type.rank === 2 ? "heat" : type.isDense && (sizes[0] ?? 0) > mostBars ? "line" : "bars";
  const kind = options.kind ?? usual;
  if (type.rank === 0 || type.rank > 2) {
    const instead = type.rank === 0 ? undefined : drawable(tensor, 2, options.title);
    refuse(problem("picture/rank", spanOf(tensor, options), { type, instead }));
  }
  if (type.rank > kinds[kind].most && kind !== "heat") {
    const instead = drawable(tensor, 1, options.title);
    refuse(problem("picture/kind", spanOf(tensor, options), { kind, type, instead }));
  }
  return kinds[kind];
}

/** The longest text that is worth repeating in a hint. */
const mostRepeated = 40;

/** A reduction and a slice that leave so many dimensions: those with the most labels. */
function drawable(tensor: Tensor, left: number, title = "") {
  const { type, sizes, labels } = tensor;
  const dimensions = [
    ...type.mapped.map(({ name }, at) => {
      const names = new Set(labels.map((row) => element(row, at)));
      return { name, count: names.size, selector: selectorOf(labels[0]?.[at]) };
    }),
    ...type.indexed.map(({ name }, at) => ({ name, count: element(sizes, at), selector: "0" })),
  ];
  const dropped = dimensions.sort((one, other) => one.count - other.count).slice(0, dimensions.length - left);
  dropped.sort((one, other) => (one.name < other.name ? -1 : 1));
  const text = title.trim();
  const shown = text === "" || text.length > mostRepeated || /\n/.test(text) ? "…" : text;
  const average = `avg(${[shown, ...dropped.map(({ name }) => name)].join(", ")})`;
  const operand = /^[\w$]+$/.test(shown) || shown === "…" ? shown : `(${shown})`;
  const slice = `${operand}{${dropped.map(({ name, selector }) => `${name}:${selector}`).join(", ")}}`;
  return { average, slice: tensor.data.length === 0 ? undefined : slice };
}

/** A label as a slice takes it: a name as it is, and anything else as a text. */
function selectorOf(label = ""): string {
  const text = labelText(label);
  return /^[A-Za-z_]\w*$/.test(text) || /^['"]/.test(text) ? text : `"${text}"`;
}

function refuse(found: Problem): never {
  throw new SphexError([found]);
}

/** A problem points at the text that the picture is of, where there is one. */
function spanOf({ type }: Tensor, { title }: PictureOptions): Span {
  const source =
    title === undefined ? { name: "tensor", text: `${type}` } : { name: "expression", text: title };
  return { source, start: 0, end: source.text.length };
}
