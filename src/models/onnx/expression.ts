import type { CellType } from "../../language/types/cell.js";
import type { SizedDimension } from "./axes.js";

/** Texts of the language, put together from texts of operands. An operand is a name, a number, or stands in parentheses. */

/** `sum(t, y, z)`; t itself where nothing is reduced. */
export function reduce(aggregator: string, operand: string, names: readonly string[]): string {
  return names.length === 0 ? operand : `${aggregator}(${operand}, ${names.join(", ")})`;
}

/** `rename(t, y, z)`; t itself where every name stays. */
export function rename(operand: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const changed = pairs.filter(([from, to]) => from !== to);
  const [only] = changed;
  if (only === undefined) return operand;
  if (changed.length === 1) return `rename(${operand}, ${only[0]}, ${only[1]})`;
  const list = (side: 0 | 1): string => changed.map((pair) => pair[side]).join(", ");
  return `rename(${operand}, (${list(0)}), (${list(1)}))`;
}

/** Operands behind each other along an axis that they lack; halves first, so that each is copied few times. */
export function stacked(texts: readonly string[], axis: string): string {
  const [first = "0"] = texts;
  if (texts.length <= 1) return first;
  const middle = texts.length >> 1;
  return `concat(${stacked(texts.slice(0, middle), axis)}, ${stacked(texts.slice(middle), axis)}, ${axis})`;
}

/** The same number for each cell of an operand, whatever it has there. */
export const filled = (operand: string, value: number): string => `map(${operand}, f(a)(${number(value)}))`;

/** `tensor<float>(y[2], z[3])(…)`; the body alone where there is no dimension. */
export function generate(cell: CellType, dimensions: readonly SizedDimension[], body: string): string {
  if (dimensions.length === 0) return `(${body})`;
  return `${typeText(cell, dimensions)}(${body})`;
}

export function typeText(cell: CellType, dimensions: readonly SizedDimension[]): string {
  const cellText = cell === "double" ? "" : `<${cell}>`;
  if (dimensions.length === 0) return `tensor${cellText}()`;
  return `tensor${cellText}(${dimensions.map(({ name, size }) => `${name}[${size}]`).join(", ")})`;
}

/** A number as the language writes it, fit to stand beside an operator. */
export function number(value: number): string {
  if (Number.isNaN(value)) return "(0 / 0)";
  if (!Number.isFinite(value)) return value > 0 ? "(1 / 0)" : "(-1 / 0)";
  return value < 0 || Object.is(value, -0) ? `(-${-value})` : `${value}`;
}

/** A sum of an index and a whole number. */
export function shifted(index: string, by: number): string {
  if (by === 0) return index;
  if (isNumber(index)) return `${Number(index) + by}`;
  return by > 0 ? `${index} + ${by}` : `${index} - ${-by}`;
}

/** A multiple of an index; the index in parentheses where it is a sum. */
export function scaled(index: string, by: number): string {
  if (by === 1) return index;
  if (isNumber(index)) return `${Number(index) * by}`;
  return `${isAtom(index) ? index : `(${index})`} * ${number(by)}`;
}

/** `floor(i / n)` */
export const divided = (index: string, by: number): string =>
  by === 1
    ? index
    : isNumber(index)
      ? `${Math.floor(Number(index) / by)}`
      : `floor(${parenthesised(index)} / ${by})`;

/** `i % n` of an index that is not negative */
export const remainder = (index: string, by: number): string =>
  by === 1 ? "0" : isNumber(index) ? `${Number(index) % by}` : `${parenthesised(index)} % ${by}`;

/** A sum; terms that are 0 are left out. */
export function total(terms: readonly string[]): string {
  const some = terms.filter((term) => term !== "0");
  return some.length === 0 ? "0" : some.join(" + ");
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const isAtom = (text: string): boolean => /^\w+$/.test(text);
export const parenthesised = (text: string): string => (isAtom(text) ? text : `(${text})`);
