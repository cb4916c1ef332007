import { type CellType, cellTypes, decay } from "../../language/types/cell.js";
import type { Reading } from "./reading.js";
import type { JsonValue } from "./value.js";

/**
 * Numbers in JSON: JSON's own; null for NaN; text, for what JSON has no number for; and hexadecimal
 * text for all cells of a dense block, whose width says what the bits are.
 */

// Each digit can be matched in one way only: a long text that is no number must not take forever.
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;

/** A number; after a complaint, any. */
export function numberOf(value: JsonValue, reading: Reading): number {
  const number = readNumber(value);
  if (number === undefined) reading.report(value, "number");
  return number ?? Number.NaN;
}

/** The number that a member of an object is; after a complaint, any. */
export function memberNumber(object: JsonValue, key: string, reading: Reading): number {
  const value = object.member(key);
  if (value !== undefined) return numberOf(value, reading);
  reading.reportMember(object, key, "number");
  return Number.NaN;
}

/** The number that a value is: one, null for NaN, or the text of one. */
export function readNumber(value: JsonValue): number | undefined {
  const { number } = value;
  if (number !== undefined) return number;
  if (value.kind === "null") return Number.NaN;
  return value.string === undefined ? undefined : numberInText(value.string);
}

/** The number that a text is: in decimal, or one of the names of NaN and the infinities; nothing for any other text. */
export function numberInText(text: string): number | undefined {
  if (decimal.test(text)) return Number(text);
  const [name, sign, infinity] = special.exec(text) ?? [];
  if (name === undefined) return undefined;
  return infinity === undefined ? Number.NaN : sign === "-" ? -Infinity : Infinity;
}

/** The bits of one cell, from the left. */
const bits = new DataView(new ArrayBuffer(8));

interface HexFormat {
  readonly cellType: CellType;
  /** Of one cell. */
  readonly digits: number;
  /** The number that `bits` are. */
  readonly get: () => number;
  readonly set: (value: number) => void;
}

/** A bfloat16 is the left half of a float. */
const hexFormats: readonly HexFormat[] = [
  {
    cellType: "int8",
    digits: 2,
    get: () => bits.getInt8(0),
    set: (value) => bits.setInt8(0, value),
  },
  {
    cellType: "bfloat16",
    digits: 4,
    get: () => bits.getFloat32(0),
    set: (value) => bits.setFloat32(0, value),
  },
  {
    cellType: "float",
    digits: 8,
    get: () => bits.getFloat32(0),
    set: (value) => bits.setFloat32(0, value),
  },
  {
    cellType: "double",
    digits: 16,
    get: () => bits.getFloat64(0),
    set: (value) => bits.setFloat64(0, value),
  },
];

/**
 * Whether a text is the digits of a cell by itself, a double as Vespa reads it, or of another width if it is no number: Vespa has lone
 * cells of all types, which are doubles here.
 */
export const isLoneCell = (text: string | undefined): boolean =>
  text !== undefined &&
  /^[0-9a-fA-F]+$/.test(text) &&
  hexFormats.some(({ digits }) => digits === text.length) &&
  (text.length === 16 || numberInText(text) === undefined);

/** The cells of a dense block of known sizes, which a string has. */
export function hexNumbers(block: JsonValue, text: string, reading: Reading): Float64Array | undefined {
  const { type } = reading;
  const cells = type.blockSize;
  if (!type.isBound) return reading.report(block, { kind: "array of open sizes", type });
  if (!/^[0-9a-fA-F]+$/.test(text)) return reading.report(block, { kind: "array or digits", cells });
  const format = hexFormats.find(({ digits }) => digits * cells === text.length);
  if (format === undefined) {
    return reading.report(block, { kind: "digits", cells }, { kind: "digits", count: text.length });
  }
  if (type.cellType === "int8" && format.cellType !== "int8") {
    const found = { kind: "digits of cell", count: format.digits } as const;
    return reading.report(block, { kind: "digits of int8", cells }, found);
  }
  return Float64Array.from({ length: cells }, (_, at) => {
    const cell = text.slice(at * format.digits, (at + 1) * format.digits).padEnd(16, "0");
    bits.setUint32(0, Number.parseInt(cell.slice(0, 8), 16));
    bits.setUint32(4, Number.parseInt(cell.slice(8), 16));
    return format.get();
  });
}

/** Cells as upper-case digits in the width of their type, or of what it decays to where Vespa lacks the type. */
export function hexText(numbers: readonly number[], cellType: CellType): string {
  const vespaType = cellTypes[cellType].vespa ? cellType : decay(cellType);
  const format = hexFormats.find((each) => each.cellType === vespaType);
  const cells = numbers.map((value) => {
    format?.set(value);
    return bits.getBigUint64(0).toString(16).padStart(16, "0").slice(0, format?.digits);
  });
  return cells.join("").toUpperCase();
}
