import type { Parsed } from "../../language/syntax/parse.js";
import {
  type CellArray,
  type CellType,
  cellTypes,
  isLittleEndian,
  storeCells,
} from "../../language/types/cell.js";
import { indexed, TensorType } from "../../language/types/type.js";
import { axisOrder, isAscending, offsetsAlong, permuted } from "../../language/values/data/axis-order.js";
import { absent, element } from "../../language/values/element.js";
import { cellsOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";
import { Bytes, type BytesFile, parsed } from "../bytes.js";
import { refuseTensor } from "../messages.js";
import { shapeText } from "../shape-text.js";
import { type NpyHeader, parseHeader } from "./npy-header.js";

/**
 * NumPy's files of one array: a header that says type, order and shape, and the cells. An array has axes where a tensor
 * has names: the reader of a file says which dimension each axis is, and otherwise they are `d0`, `d1` and so on.
 */

export interface NpyOptions {
  /** With indexed dimensions only. */
  readonly type?: TensorType | undefined;
  /** The dimension of each axis, outermost first; those of the type in canonical order unless given. */
  readonly axes?: readonly string[] | undefined;
}

/** Reads an array as a tensor. Whole numbers beyond ±2^53 are rounded, unless they become cells of type long. */
export function readNpy(file: BytesFile, options: NpyOptions = {}): Parsed<Tensor> {
  return parsed(() => {
    const bytes = new Bytes(file);
    const header = parseHeader(bytes);
    const names = header.shape.map((_, at) => `d${at}`);
    const type = options.type ?? typeOf(header.shape, header.kind.cellType, options.axes ?? names);
    const axes = options.axes ?? (options.type === undefined ? names : type.names);
    const { sizes, cells } = cellsIn(bytes, header, type, axes, type.cellType);
    return Tensor.of(type, sizes, [[]], cells);
  });
}

/** The cells of an array in the order of those of a tensor, and how many there are along each of its dimensions. */
export interface SizedCells {
  readonly sizes: readonly number[];
  readonly cells: CellArray;
}

/**
 * Reads an array as cells of a type, of these sizes where they are known; a type without dimensions is double, while one cell
 * among several rows may be of any type.
 */
export function readNpyCells(
  file: BytesFile,
  type: TensorType,
  axes: readonly string[],
  cellType: CellType,
  sizes?: readonly number[],
): Parsed<SizedCells> {
  return parsed(() => {
    const bytes = new Bytes(file);
    return cellsIn(bytes, parseHeader(bytes), type, axes, cellType, sizes);
  });
}

/** An axis without an element has no size that a type could name. */
function typeOf(shape: readonly number[], cellType: CellType, axes: readonly string[]): TensorType {
  const dimensions = axes.map((name, at) => indexed(name, shape[at] === 0 ? undefined : shape[at]));
  return TensorType.of(cellType, dimensions);
}

function cellsIn(
  bytes: Bytes,
  header: NpyHeader,
  type: TensorType,
  axes: readonly string[],
  cellType: CellType,
  boundSizes: readonly (number | undefined)[] = type.indexed.map(({ size }) => size),
): SizedCells {
  if (!type.isDense) refuseTensor("npy", type, "dense");
  axisOrder(type, axes); // refuses axes that are not the type's
  const shape = axes.map((name) => boundSizes[type.names.indexOf(name)]);
  const fits =
    header.shape.length === axes.length && header.shape.every((size, at) => size === (shape[at] ?? size));
  if (!fits) {
    const found = { kind: "shape", shape: header.shape } as const;
    bytes.fail(header.shapeAt, found, { kind: "shape of axes", shape, axes, type });
  }
  const count = cellsOf(header.shape);
  const size = count * header.kind.width;
  if (bytes.left !== size)
    bytes.fail(
      bytes.at,
      { kind: "bytes", bytes: bytes.left },
      { kind: "all cells", cells: count, bytes: size },
    );
  const sizes = type.indexed.map(({ name }) => element(header.shape, axes.indexOf(name)));
  const order = axisOrder(type, header.isFortran ? [...axes].reverse() : axes).indexed;
  return { sizes, cells: storedCells(bytes, header, sizes, order, cellType) };
}

function storedCells(
  bytes: Bytes,
  { kind, isLittle }: NpyHeader,
  sizes: readonly number[],
  order: readonly number[],
  cellType: CellType,
): CellArray {
  const count = cellsOf(sizes);
  const start = bytes.take(count * kind.width, "cells");
  if (kind.isPlain && isLittle && kind.cellType === cellType && areAsWritten(order)) {
    const data = cellTypes[cellType].allocate(count);
    bytesOf(data).set(bytes.file.bytes.subarray(start, start + data.byteLength));
    return data;
  }
  const targets = offsetsAlong(order, sizes);
  const { whole } = kind;
  if (whole !== undefined && cellType === "long") {
    const cells = new BigInt64Array(targets.length); // which takes its elements modulo 2^64
    for (const [at, target] of targets.entries())
      cells[target] = whole(bytes.view, start + at * kind.width, isLittle);
    return cells;
  }
  const numbers = new Float64Array(targets.length);
  for (const [at, target] of targets.entries())
    numbers[target] = kind.get(bytes.view, start + at * kind.width, isLittle);
  return storeCells(cellType, numbers);
}

/** Whether the cells of a little-endian file that lie along axes in an order, the last of them fastest, lie so in memory. */
const areAsWritten = (order: readonly number[]): boolean => isLittleEndian && isAscending(order);

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

interface Written {
  readonly descr: string;
  /** Whether the bytes are those of the cell type's array. */
  readonly isPlain: boolean;
  /** Writes an element of that array. */
  readonly set: (view: DataView, at: number, element: number | bigint) => void;
}

// biome-ignore format: a table
const written: Readonly<Record<CellType, Written>> = {
  double:   { descr: "<f8", isPlain: true,  set: (view, at, element) => view.setFloat64(at, Number(element), true) },
  float:    { descr: "<f4", isPlain: true,  set: (view, at, element) => view.setFloat32(at, Number(element), true) },
  bfloat16: { descr: "<f4", isPlain: false, set: (view, at, element) => view.setUint32(at, Number(element) * 0x10000, true) },
  half:     { descr: "<f2", isPlain: true,  set: (view, at, element) => view.setUint16(at, Number(element), true) },
  int8:     { descr: "|i1", isPlain: true,  set: (view, at, element) => view.setInt8(at, Number(element)) },
  short:    { descr: "<i2", isPlain: true,  set: (view, at, element) => view.setInt16(at, Number(element), true) },
  int:      { descr: "<i4", isPlain: true,  set: (view, at, element) => view.setInt32(at, Number(element), true) },
  long:     { descr: "<i8", isPlain: true,  set: (view, at, element) => view.setBigInt64(at, BigInt(element), true) },
};

/**
 * A tensor with indexed dimensions only as a file of version 1, in C order and little-endian; bfloat16, which NumPy lacks,
 * as float.
 * @throws SphexError for any other tensor, and for axes that are not its dimensions.
 */
export function writeNpy(tensor: Tensor, axes: readonly string[] = tensor.type.names): Uint8Array {
  const { type, sizes, data } = tensor;
  if (!type.isDense) return refuseTensor("npy", type, "dense");
  return writeNpyCells(type.cellType, sizes, axisOrder(type, axes).indexed, data);
}

/** Cells of a type as such a file, whose axes are an order of those with the sizes. */
export function writeNpyCells(
  cellType: CellType,
  sizes: readonly number[],
  order: readonly number[],
  data: CellArray,
): Uint8Array {
  const { descr, isPlain, set } = written[cellType];
  const width = Number(descr.slice(2));
  const shape = shapeText(permuted(sizes, order));
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  // The cells begin at a multiple of 64 bytes, behind spaces and a line break.
  const start = Math.ceil((10 + header.length + 1) / 64) * 64;
  const bytes = new Uint8Array(start + data.length * width);
  const view = new DataView(bytes.buffer);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  view.setUint16(8, start - 10, true);
  bytes.set(new TextEncoder().encode(`${header.padEnd(start - 11)}\n`), 10);
  if (isPlain && areAsWritten(order)) bytes.set(bytesOf(data), start);
  else
    for (const [at, cell] of offsetsAlong(order, sizes).entries())
      set(view, start + at * width, data[cell] ?? absent(cell, data.length));
  return bytes;
}
