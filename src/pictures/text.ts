import { clip, columnsOf, padded } from "../language/source/columns.js";
import { greatest } from "../language/source/lists.js";
import { element } from "../language/values/element.js";
import type { Axis } from "./grid.js";
import { stepOf } from "./scale.js";

/** What pictures made of characters share. No line is wider than the width. */

/** A picture without its title: its lines, and the legend below them. */
export interface TextPicture {
  readonly body: readonly string[];
  readonly legend: readonly string[];
}

/** A picture below its title, with its legend and notes behind it. */
export function framed(
  title: string,
  body: readonly string[],
  legend: readonly string[],
  width: number,
): string {
  const head = title.trim() === "" ? [] : [oneLine(title, width), ""];
  const foot = wrapped(legend, width);
  return [...head, ...body, ...(foot.length > 0 ? ["", ...foot] : [])]
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A text that may have had several lines. */
const oneLine = (text: string, columns: number): string => clip(text.replace(/\s+/g, " ").trim(), columns);

/** Short texts side by side, in as many lines as they need; one that is longer than a line breaks between words. */
function wrapped(texts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const isLong = columnsOf(text) > width;
    for (const [at, piece] of (isLong ? text.split(" ") : [text])
      .map((each) => clip(each, width))
      .entries()) {
      const joined = `${lines.at(-1)}${at > 0 ? " " : "   "}${piece}`;
      const isNew = lines.length === 0 || (isLong && at === 0) || columnsOf(joined) > width;
      if (isNew) lines.push(piece);
      else lines[lines.length - 1] = joined;
    }
  }
  return lines;
}

/** The labels of an axis and its name in a column of text, none wider than the third of the picture. */
export interface Labels {
  readonly name: string;
  readonly columns: number;
  readonly at: (position: number) => string;
}

export function labelsBeside(axis: Axis, width: number): Labels {
  const most = Math.max(1, Math.floor(width / 3));
  const texts = Array.from({ length: axis.count }, (_, at) => clip(axis.label(at), most));
  const name = clip(axis.name, most);
  const columns = greatest([name, ...texts].map(columnsOf));
  return {
    name: padded(name, columns, "end"),
    columns,
    at: (position) => padded(element(texts, position), columns, "end"),
  };
}

/** A text and the column that it begins in. */
export interface PositionedText {
  readonly text: string;
  readonly column: number;
}

/** Texts in one line; one that would touch an earlier one of the list, or leave the line, is left out. */
export function lineOf(texts: readonly PositionedText[], width: number): string {
  const retained: { from: number; to: number; text: string }[] = [];
  for (const { text, column: from } of texts) {
    const to = from + columnsOf(text);
    const isFree = retained.every((each) => to < each.from || each.to < from);
    if (text !== "" && from >= 0 && to <= width && isFree) retained.push({ from, to, text });
  }
  let [line, end] = ["", 0];
  for (const { from, to, text } of retained.sort((left, right) => left.from - right.from)) {
    line += " ".repeat(from - end) + text;
    end = to;
  }
  return line;
}

/** The labels above columns of a picture: all, or at even distances as many as have room. */
export function labelsAbove(axis: Axis, pitch: number, width: number, most: number): string {
  const widest = greatest(
    Array.from({ length: axis.count }, (_, at) => columnsOf(clip(axis.label(at), most))),
  );
  const step = stepOf(axis, (widest + 1) / pitch);
  const labels = Array.from({ length: Math.ceil(axis.count / step) }, (_, at) => ({
    text: clip(axis.label(at * step), most),
    column: at * step * pitch,
  }));
  return lineOf(labels, width);
}
