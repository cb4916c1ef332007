import { keysOf } from "../../../language/source/lists.js";
import { type CellType, readCell } from "../../../language/types/cell.js";

/**
 * ONNX's types of elements: which cell type holds one at the border of a model, in which one a model computes, and how it lies
 * in a file. Whole numbers of up to 16 bits are exact in floats, larger ones in doubles; all are exact within ±2^53.
 */
interface ElementRow {
  /** Its number in a file. */
  readonly code: number;
  /** The cells of inputs and outputs. */
  readonly border: CellType;
  /** The cells that a model computes with. */
  readonly inside: "float" | "double";
  /** Bytes of one in raw data; of several in a byte the first has the lowest bits. */
  readonly width: number;
  readonly read: (view: DataView, at: number) => number;
  /** The least and the greatest whole number; absent for floating point. */
  readonly range?: readonly [number, number];
}

const bits = (type: "half" | "bfloat16") => (view: DataView, at: number) =>
  readCell(type, Uint16Array.of(view.getUint16(at, true)), 0);

/** Some bits of a byte, at an offset in bytes that may have a fraction. */
function packed(view: DataView, at: number, count: number): number {
  const byte = Math.floor(at);
  return (view.getUint8(byte) >> ((at - byte) * 8)) & (2 ** count - 1);
}

/** ONNX Runtime takes any bits but none for true. */
export const truth = (bits: number): number => (bits === 0 ? 0 : 1);

const signed = (number: number, count: number): number =>
  number >= 2 ** (count - 1) ? number - 2 ** count : number;

// biome-ignore format: a table
const rows = {
  float:    { code: 1,  border: "float",    inside: "float",  width: 4, read: (view, at) => view.getFloat32(at, true) },
  double:   { code: 11, border: "double",   inside: "double", width: 8, read: (view, at) => view.getFloat64(at, true) },
  float16:  { code: 10, border: "half",     inside: "float",  width: 2, read: bits("half") },
  bfloat16: { code: 16, border: "bfloat16", inside: "float",  width: 2, read: bits("bfloat16") },
  bool:     { code: 9,  border: "int8",     inside: "float",  width: 1, read: (view, at) => truth(view.getUint8(at)),             range: [0, 1] },
  int8:     { code: 3,  border: "int8",     inside: "float",  width: 1, read: (view, at) => view.getInt8(at),                     range: [-128, 127] },
  uint8:    { code: 2,  border: "short",    inside: "float",  width: 1, read: (view, at) => view.getUint8(at),                    range: [0, 255] },
  int16:    { code: 5,  border: "short",    inside: "float",  width: 2, read: (view, at) => view.getInt16(at, true),              range: [-32768, 32767] },
  uint16:   { code: 4,  border: "int",      inside: "float",  width: 2, read: (view, at) => view.getUint16(at, true),             range: [0, 65535] },
  int32:    { code: 6,  border: "int",      inside: "double", width: 4, read: (view, at) => view.getInt32(at, true),              range: [-(2 ** 31), 2 ** 31 - 1] },
  uint32:   { code: 12, border: "long",     inside: "double", width: 4, read: (view, at) => view.getUint32(at, true),             range: [0, 2 ** 32 - 1] },
  int64:    { code: 7,  border: "long",     inside: "double", width: 8, read: (view, at) => Number(view.getBigInt64(at, true)),   range: [-(2 ** 63), 2 ** 63] },
  uint64:   { code: 13, border: "double",   inside: "double", width: 8, read: (view, at) => Number(view.getBigUint64(at, true)),  range: [0, 2 ** 64] },
  int4:     { code: 22, border: "int8",     inside: "float",  width: 0.5, read: (view, at) => signed(packed(view, at, 4), 4),       range: [-8, 7] },
  uint4:    { code: 21, border: "int8",     inside: "float",  width: 0.5, read: (view, at) => packed(view, at, 4),                  range: [0, 15] },
  int2:     { code: 26, border: "int8",     inside: "float",  width: 0.25, read: (view, at) => signed(packed(view, at, 2), 2),      range: [-2, 1] },
  uint2:    { code: 25, border: "int8",     inside: "float",  width: 0.25, read: (view, at) => packed(view, at, 2),                 range: [0, 3] },
} as const satisfies Record<string, ElementRow>;

export type ElementType = keyof typeof rows;

export const elementTypes: Readonly<Record<ElementType, ElementRow>> = rows;

/** The type with this number; nothing for texts, complex numbers, and those of less than a byte. */
export function elementOfCode(code: number): ElementType | undefined {
  const names = keysOf(rows);
  return names.find((name) => rows[name].code === code);
}

/** The cells of an input or output whose elements ONNX calls so; double for types that are refused where they are used. */
export const elementCell = (name: string): CellType =>
  Object.hasOwn(rows, name) ? rows[name as ElementType].border : "double"; // a key of the table

export const isWhole = (element: ElementType): boolean => elementTypes[element].range !== undefined;

/** What ONNX calls the types that the table lacks, for messages. */
const otherNames: Readonly<Record<number, string>> = {
  8: "string",
  14: "complex64",
  15: "complex128",
  17: "float8e4m3fn",
  18: "float8e4m3fnuz",
  19: "float8e5m2",
  20: "float8e5m2fnuz",
  23: "float4e2m1",
  24: "float8e8m0",
};

export const elementName = (code: number): string =>
  elementOfCode(code) ?? otherNames[code] ?? `type ${code}`;
