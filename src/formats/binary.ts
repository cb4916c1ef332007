import type { Parsed } from "../language/syntax/parse.js";
import { type CellType, cellTypes, decay } from "../language/types/cell.js";
import { type Dimension, indexed, mapped, TensorType } from "../language/types/type.js";
import { Rows } from "../language/values/data/rows.js";
import { cellsOf } from "../language/values/shape.js";
import { Tensor } from "../language/values/tensor.js";
import { Bytes, type BytesFile, parsed } from "./bytes.js";
import { isDimensionName } from "./literal.js";
import type { ExpectedBytes, TextPart } from "./messages/bytes.js";
import { refuseTensor } from "./messages.js";

/**
 * Vespa's typed binary format: a tag that says which parts follow, the cell type, the mapped dimensions, the indexed ones
 * with their sizes, and blocks of cells with their labels. Big-endian throughout.
 */

/** The bits of the tag. */
const [hasMapped, hasIndexed, hasCellType] = [1, 2, 4];

interface CellRow {
  readonly cellType: CellType;
  readonly get: (view: DataView, at: number) => number;
  readonly set: (view: DataView, at: number, value: number) => void;
}

// biome-ignore format: a table; a cell type is its row's number
const cellRows: readonly CellRow[] = [
  { cellType: "double",   get: (view, at) => view.getFloat64(at),           set: (view, at, value) => view.setFloat64(at, value) },
  { cellType: "float",    get: (view, at) => view.getFloat32(at),           set: (view, at, value) => view.setFloat32(at, value) },
  { cellType: "bfloat16", get: (view, at) => upperHalf(view.getUint16(at)), set: (view, at, value) => view.setUint16(at, halfOf(value)) },
  { cellType: "int8",     get: (view, at) => view.getInt8(at),              set: (view, at, value) => view.setInt8(at, value) },
];

const scratch = new DataView(new ArrayBuffer(4));

function upperHalf(bits: number): number {
  scratch.setUint32(0, bits * 0x10000);
  return scratch.getFloat32(0);
}

function halfOf(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint16(0);
}

/** Reads a tensor of the type that the bytes say. */
export function readBinary(file: BytesFile): Parsed<Tensor> {
  return parsed(() => {
    const bytes = new Bytes(file);
    const tensor = tensorIn(bytes);
    if (bytes.left > 0) bytes.fail(bytes.at, bytes.rest, "end");
    return tensor;
  });
}

function tensorIn(bytes: Bytes): Tensor {
  const tag = count(bytes, "tag");
  if (tag === 0 || tag === hasCellType || tag > 7) bytes.fail(0, { kind: "number", value: tag }, "known tag");
  const at = bytes.at;
  const cells = cellRows[tag & hasCellType ? count(bytes, "cell type") : 0];
  if (cells === undefined)
    return bytes.fail(at, { kind: "number", value: bytes.view.getUint8(at) }, "known cell type");
  const mappedOnes = tag & hasMapped ? dimensions(bytes, [], (name) => mapped(name)) : [];
  const all =
    tag & hasIndexed
      ? dimensions(bytes, mappedOnes, (name) => indexed(name, sizeIn(bytes, name)))
      : mappedOnes;
  const type = TensorType.of(all.length === 0 ? "double" : cells.cellType, all);
  return type.isDense ? dense(bytes, type, cells, tag) : sparse(bytes, type, cells);
}

/** One block without labels. A scalar is written with a count of blocks, too, if it counts mapped dimensions. */
function dense(bytes: Bytes, type: TensorType, cells: CellRow, tag: number): Tensor {
  if (!(tag & hasIndexed)) {
    const at = bytes.at;
    const blocks = count(bytes, "blocks");
    if (blocks !== 1) bytes.fail(at, { kind: "blocks", count: blocks }, "one block");
  }
  // Only when the bytes are known to be there is a block made for them.
  const at = takeBlock(bytes, type, cells);
  const rows = new Rows(type, type.declaredSizes);
  fill(rows.block([]), bytes, at, cells);
  return Tensor.ofRows(rows);
}

function sparse(bytes: Bytes, type: TensorType, cells: CellRow): Tensor {
  const rows = new Rows(type, type.declaredSizes);
  const blocks = count(bytes, "blocks");
  for (let block = 0; block < blocks; block++) {
    const start = bytes.at;
    const labels = type.mapped.map(({ name }) => text(bytes, { kind: "label", dimension: name }));
    if (rows.find(labels) !== undefined) bytes.fail(start, { kind: "labels", labels }, "other labels");
    const at = takeBlock(bytes, type, cells);
    fill(rows.block(labels), bytes, at, cells);
  }
  return Tensor.ofRows(rows);
}

function takeBlock(bytes: Bytes, type: TensorType, { cellType }: CellRow): number {
  const size = cellsOf(type.declaredSizes) * cellTypes[cellType].width;
  return bytes.take(size, { kind: "block", bytes: size });
}

function fill(block: Float64Array, { view }: Bytes, start: number, { cellType, get }: CellRow): void {
  const { width } = cellTypes[cellType];
  for (let at = 0; at < block.length; at++) block[at] = get(view, start + at * width);
}

/** A count of one byte below 128, otherwise of four, with the top bit set. */
function count(bytes: Bytes, expected: ExpectedBytes): number {
  const first = bytes.byte(expected);
  if (first < 0x80) return first;
  return bytes.view.getUint32(bytes.take(3, expected) - 1) - 0x80000000;
}

function text(bytes: Bytes, part: TextPart): string {
  return bytes.text(count(bytes, { kind: "length", part }), part);
}

/** Each takes a byte at least, so that a count that lies ends where the bytes do. */
function dimensions(
  bytes: Bytes,
  others: readonly Dimension[],
  dimensionOf: (name: string) => Dimension,
): Dimension[] {
  const all = count(bytes, "dimensions");
  const found: Dimension[] = [];
  const names = new Set(others.map(({ name }) => name));
  for (let each = 0; each < all; each++) {
    const at = bytes.at;
    const name = text(bytes, "dimension name");
    if (!isDimensionName(name)) bytes.fail(at, { kind: "text", text: name }, "dimension name");
    const after = found.at(-1)?.name;
    if (names.has(name) || (after !== undefined && name < after))
      bytes.fail(at, { kind: "dimension", name, after }, "sorted names");
    names.add(name);
    found.push(dimensionOf(name));
  }
  return [...others, ...found];
}

function sizeIn(bytes: Bytes, name: string): number {
  const at = bytes.at;
  const size = count(bytes, { kind: "size", dimension: name });
  return size > 0
    ? size
    : bytes.fail(at, { kind: "number", value: 0 }, { kind: "positive size", dimension: name });
}

/**
 * The bytes of a tensor. Cells of types that Vespa lacks become what they decay to; an unbound dimension gets the size that
 * it has.
 * @throws SphexError where an unbound dimension has no cell, or a label is no UTF-8.
 */
export function writeBinary(tensor: Tensor): Uint8Array {
  const { type, sizes, blockCells } = tensor;
  const cellType = cellTypes[type.cellType].vespa ? type.cellType : decay(type.cellType);
  const code = cellRows.findIndex((each) => each.cellType === cellType);
  const row = cellRows[code];
  if (row === undefined || (type.isDense && blockCells === 0))
    return refuseTensor("binary", type, "some cell");
  const [mappedOnes, indexedOnes] = [
    type.mapped.length > 0,
    type.indexed.length > 0 || type.mapped.length === 0,
  ];
  const out = new Output();
  out.count((mappedOnes ? hasMapped : 0) + (indexedOnes ? hasIndexed : 0) + (code > 0 ? hasCellType : 0));
  if (code > 0) out.count(code);
  if (mappedOnes) {
    out.count(type.mapped.length);
    for (const { name } of type.mapped) out.text(name, type);
  }
  if (indexedOnes) {
    out.count(type.indexed.length);
    for (const [at, { name }] of type.indexed.entries()) {
      out.text(name, type);
      out.count(sizes[at] || 1); // without rows nothing tells the size of an unbound dimension
    }
  }
  if (mappedOnes) out.count(tensor.rows);
  const { width } = cellTypes[cellType];
  for (const [at, labels] of tensor.labels.entries()) {
    for (const label of labels) out.text(label, type);
    const view = out.space(blockCells * width);
    for (let cell = 0; cell < blockCells; cell++)
      row.set(view, cell * width, tensor.at(at * blockCells + cell));
  }
  return out.finish();
}

/** Bytes that grow. */
class Output {
  private bytes = new Uint8Array(256);
  private length = 0;

  space(size: number): DataView {
    const start = this.length;
    this.length += size;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
    }
    return new DataView(this.bytes.buffer, start, size);
  }

  count(value: number): void {
    if (value < 0x80) this.space(1).setUint8(0, value);
    else this.space(4).setUint32(0, value + 0x80000000);
  }

  /** Half of a surrogate pair has no UTF-8. */
  text(text: string, type: TensorType): void {
    if (/\p{Cs}/u.test(text)) refuseTensor("binary", type, "whole characters");
    const encoded = new TextEncoder().encode(text);
    this.count(encoded.length);
    const view = this.space(encoded.length);
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(encoded);
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}
