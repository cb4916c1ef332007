import { clip, columnsOf } from "../language/source/columns.js";
import { addressAt, type Grid, noteOf, type Special, specialLabels } from "./grid.js";

/**
 * What pictures of SVG share: elements as text, and marks and words in the colour of the page around them. A picture
 * that stands alone, in a file or an image, asks for dark or light itself; only then is it the root, so that the style
 * touches nothing else.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element; its children are elements or what `escapeXml` gives. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const attributeTexts = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escapeXml(`${value}`)}"`);
  const start = `<${name}${attributeTexts.join("")}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join("")}</${name}>`;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** A text as XML has it, in elements and in attributes; characters that XML does not allow are replaced. */
function escapeXml(text: string): string {
  const legal = text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return legal.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** How wide a column of text is about, in pixels, and how high a line. */
export const letter = { width: 7.2, height: 16 } as const;

export const widthOf = (text: string): number => columnsOf(text) * letter.width;

/** As much of a text as is about so many pixels wide. */
export const fitted = (text: string, width: number): string =>
  clip(text, Math.max(1, Math.floor((width + 1) / letter.width)));

/** A tooltip. */
export const tip = (text: string): string => element("title", {}, escapeXml(clip(text, 400)));

/** A line of text from a point of its base line. What is shown was clipped; what it stands for may be longer. */
export function label(x: number, y: number, text: string, more: Attributes = {}, full = text): string {
  const whole = full === text ? [] : [tip(full)];
  return element("text", { x, y, fill: "currentColor", ...more }, escapeXml(text), ...whole);
}

export const line = (x1: number, y1: number, x2: number, y2: number, more: Attributes = {}): string =>
  element("line", { x1, y1, x2, y2, stroke: "currentColor", ...more });

/** Marks for values that are not on the scale, around a point. */
export function specialMark(special: Special, x: number, y: number, size: number): string {
  const half = Math.min(size, 12) / 2.6;
  const path = {
    nan: `M${-half},${-half}L${half},${half}M${-half},${half}L${half},${-half}`,
    plus: `M${-half},${half}L0,${-half}L${half},${half}Z`,
    minus: `M${-half},${-half}L0,${half}L${half},${-half}Z`,
    missing: "",
  }[special];
  if (path === "") return "";
  const d = path.replace(/-?\d+\.\d+/g, (number) => `${rounded(Number(number))}`);
  const fill = special === "nan" ? "none" : "currentColor";
  return element("path", {
    d,
    transform: `translate(${rounded(x)} ${rounded(y)})`,
    fill,
    stroke: "currentColor",
    "stroke-width": 1.4,
  });
}

/** What a mark says of the cell that it stands for, beside how it looks. */
export type Marking = (grid: Grid, row: number, column: number) => Attributes;

export const unmarked: Marking = () => ({});

/** The labels of the cell as JSON, so that a page can tell which one somebody points at. */
export const addressed: Marking = (grid, row, column) => {
  const address = addressAt(grid, row, column);
  return address === undefined ? {} : { "data-address": JSON.stringify(address) };
};

/** Parts that stand for one cell together, where they say of which. */
export const marked = (mark: Attributes, ...parts: readonly string[]): readonly string[] =>
  Object.keys(mark).length === 0 ? parts : [element("g", mark, ...parts)];

/** What is drawn below the title, and how high it is. */
export interface Drawing {
  readonly body: readonly string[];
  readonly height: number;
}

export interface Page {
  readonly title: string;
  readonly width: number;
  /** How many pixels of the page lie below its title, and what is drawn there, from 0 on. */
  readonly height: number;
  readonly body: readonly string[];
}

export const edge = 14;

/** A whole picture. */
export function page({ title, width, height, body }: Page): string {
  const text = title.replace(/\s+/g, " ").trim();
  const top = text === "" ? edge : edge + 26;
  const total = Math.ceil(top + height + edge);
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${total}`,
    width,
    height: total,
    role: "img",
    "font-family": "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif",
    "font-size": 12,
  };
  const heading = fitted(text, ((width - 2 * edge) * 12) / 15.5);
  const parts = [
    ...(text === "" ? [] : [tip(text)]),
    element("style", {}, style),
    ...(text === "" ? [] : [label(edge, edge + 12, heading, { "font-size": 14, "font-weight": 600 })]),
    element("g", { transform: `translate(0 ${top})` }, "\n", ...body.map((each) => `${each}\n`)),
  ];
  return `${element("svg", attributes, ...parts.map((each) => `\n${each}`), "\n")}\n`;
}

const style =
  "svg:root{color:#24292f;color-scheme:light dark}@media (prefers-color-scheme:dark){svg:root{color:#d0d7de}}";

/** A remark in a line below a picture. */
export const remark = (text: string, y: number, width: number): string =>
  label(edge, y + 0.75 * letter.height, fitted(text, width - 2 * edge), { opacity: 0.75 }, text);

/** A remark where values are means of cells; `what` is the name of their marks in the picture. */
export function noteSvg(grid: Grid, what: string, y: number, width: number): Drawing {
  const note = noteOf(grid, what);
  return note === undefined
    ? { body: [], height: 0 }
    : { body: [remark(note, y, width)], height: letter.height };
}

/** Marks side by side, each with its label. */
export function legendMarks(specials: readonly Special[], x: number, y: number): string[] {
  let left = x;
  return specials
    .filter((each) => each !== "missing")
    .flatMap((each) => {
      const [mark, text] = [specialMark(each, left + 6, y - 4, 11), label(left + 16, y, specialLabels[each])];
      left += 16 + widthOf(specialLabels[each]) + 18;
      return [mark, text];
    });
}
