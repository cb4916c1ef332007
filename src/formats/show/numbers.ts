import { requireNumber } from "../../language/source/arguments.js";
import { requireCellType } from "../../language/types/arguments.js";
import { type CellType, cellTypes } from "../../language/types/cell.js";
import { numberText } from "../../language/values/text.js";

/**
 * Numbers for reading: short ones, and columns of them with the points below each other. Whoever needs all digits takes
 * `numberText`.
 */

/** How many digits tell a number well enough. */
const digits = 6;
/** From here on, and below its counterpart, a number is written with an exponent. */
const [largest, smallest] = [1e9, 1e-4];

/** About six significant digits, but all of a whole part; whole-number cells as they are. */
export function shortNumber(value: number, cellType: CellType): string {
  requireNumber("shortNumber", value);
  requireCellType("shortNumber", cellType);
  if (!Number.isFinite(value) || cellTypes[cellType].whole) return numberText(value, cellType);
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (size === 0) return `${sign}0`;
  const exponential = size.toExponential(digits - 1);
  const [mantissa = "", exponent = ""] = exponential.split("e");
  if (Number(exponential) >= largest || Number(exponential) < smallest) {
    return `${sign}${withoutZeros(mantissa)}e${Number(exponent)}`;
  }
  return sign + withoutZeros(size.toFixed(Math.max(0, digits - 1 - Number(exponent))));
}

const withoutZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Texts of numbers, all as wide as the widest, with the points below each other; words stand to the right. */
export function aligned(texts: readonly string[]): string[] {
  const parts = texts.map(parted);
  const wholes = longest(parts.map(({ whole }) => whole));
  const rests = longest(parts.map(({ rest }) => rest));
  const columns = Math.max(wholes + rests, longest(texts));
  return texts.map((text, at) => {
    const { whole = "", rest = "" } = parts[at] ?? {};
    return (whole === "" ? text : whole + rest.padEnd(rests)).padStart(columns);
  });
}

const longest = (texts: readonly string[]): number =>
  texts.reduce((length, text) => Math.max(length, text.length), 0);

/** What stands before the point, and the rest with the point; a word such as NaN has neither. */
function parted(text: string): { whole: string; rest: string } {
  const [, whole = "", rest = ""] = /^(-?\d+|·)(.*)$/.exec(text) ?? [];
  return { whole, rest };
}
