import { type CellType, readCell } from "../../language/types/cell.js";

/** NumPy's types of numbers, by their letter and width: how a cell is read, and which cell type takes it. */
export interface Kind {
  /** The cell type that holds all of its numbers, or comes nearest. */
  readonly cellType: CellType;
  readonly width: number;
  /** Whether its bytes, little-endian, are those of the cell type's array. */
  readonly isPlain: boolean;
  /** The number, or the double that is nearest to it. */
  readonly get: (view: DataView, at: number, isLittle: boolean) => number;
  /** The number itself where it may be none that a double is. */
  readonly whole?: (view: DataView, at: number, isLittle: boolean) => bigint;
}

// biome-ignore format: a table
export const kinds: Readonly<Record<string, Kind>> = {
  f8: { cellType: "double", width: 8, isPlain: true,  get: (view, at, isLittle) => view.getFloat64(at, isLittle) },
  f4: { cellType: "float",  width: 4, isPlain: true,  get: (view, at, isLittle) => view.getFloat32(at, isLittle) },
  f2: { cellType: "half",   width: 2, isPlain: false, get: (view, at, isLittle) => readCell("half", Uint16Array.of(view.getUint16(at, isLittle)), 0) },
  i8: { cellType: "long",   width: 8, isPlain: true,  get: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),  whole: (view, at, isLittle) => view.getBigInt64(at, isLittle) },
  i4: { cellType: "int",    width: 4, isPlain: true,  get: (view, at, isLittle) => view.getInt32(at, isLittle) },
  i2: { cellType: "short",  width: 2, isPlain: true,  get: (view, at, isLittle) => view.getInt16(at, isLittle) },
  i1: { cellType: "int8",   width: 1, isPlain: true,  get: (view, at) => view.getInt8(at) },
  u8: { cellType: "double", width: 8, isPlain: false, get: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)), whole: (view, at, isLittle) => view.getBigUint64(at, isLittle) },
  u4: { cellType: "long",   width: 4, isPlain: false, get: (view, at, isLittle) => view.getUint32(at, isLittle) },
  u2: { cellType: "int",    width: 2, isPlain: false, get: (view, at, isLittle) => view.getUint16(at, isLittle) },
  u1: { cellType: "short",  width: 1, isPlain: false, get: (view, at) => view.getUint8(at) },
  b1: { cellType: "int8",   width: 1, isPlain: false, get: (view, at) => Math.min(view.getUint8(at), 1) },
};
