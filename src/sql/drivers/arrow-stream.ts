import { byteAt, element } from "../../language/values/element.js";
/**
 * Columns from a stream of Apache Arrow's messages: numbers, truths and texts, which are all that statements of ours answer.
 * Messages are tables of FlatBuffers, whose fields are found by their numbers.
 */
export function columnsOfArrow(bytes: Uint8Array): unknown[][] {
  try {
    return columnsIn(bytes);
  } catch (error) {
    // What lies outside of the bytes is damage, and there may be more rows or fields said than memory has room for.
    throw error instanceof RangeError ? new Error("the answer of the server is damaged") : error;
  }
}

function columnsIn(bytes: Uint8Array): unknown[][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let types: readonly ColumnType[] = [];
  let columns: unknown[][] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    // A message of before version 0.15 has no mark of continuation.
    if (view.getUint32(at, true) === 0xffffffff) at += 4;
    const size = view.getInt32(at, true);
    if (size === 0) break;
    const message = FlatTable.root(view, at + 4);
    const body = at + 4 + size;
    const header = message.table(messageFields.header);
    const kind = message.byte(messageFields.kind);
    if (kind === messageKinds.schema) {
      types = header.tables(1).map(typeOf);
      columns = types.map(() => []);
    }
    if (kind === messageKinds.batch)
      appendBatch(columns, types, header, new Uint8Array(view.buffer), view.byteOffset + body);
    const next = body + message.long(messageFields.bodyLength);
    if (!(next > at && next <= bytes.length)) throw new RangeError("a message ends before it begins");
    at = next;
  }
  return columns;
}

const messageFields = { kind: 1, header: 2, bodyLength: 3 } as const;
const messageKinds = { schema: 1, batch: 3 } as const;

/** How a column lies in the buffers of a batch. */
type ColumnType =
  | { readonly kind: "null" }
  | { readonly kind: "truth" | "text" }
  | {
      readonly kind: "number";
      readonly width: number;
      readonly read: (view: DataView, at: number) => number;
    };

/** The type of a field of a schema. @throws Error for one that no statement of ours has. */
function typeOf(field: FlatTable): ColumnType {
  const kind = field.byte(2);
  const type = field.table(3);
  if (field.has(4)) throw new Error("columns of codes of Arrow's dictionaries are not read");
  if (kind === typeKinds.null) return { kind: "null" };
  if (kind === typeKinds.truth) return { kind: "truth" };
  if (kind === typeKinds.text) return { kind: "text" };
  if (kind === typeKinds.float && type.short(0) === 2)
    return { kind: "number", width: 8, read: (view, at) => view.getFloat64(at, true) };
  if (kind === typeKinds.float && type.short(0) === 1)
    return { kind: "number", width: 4, read: (view, at) => view.getFloat32(at, true) };
  if (kind === typeKinds.integer) return integerOf(type.int(0), type.byte(1) !== 0);
  throw new Error(`columns of Arrow's type ${kind} are not read`);
}

const typeKinds = { null: 1, integer: 2, float: 3, text: 5, truth: 6 } as const;

type ReadInteger = (view: DataView, at: number) => number;

/** By the number of bits. */
const signedIntegers: Readonly<Record<number, ReadInteger>> = {
  8: (view, at) => view.getInt8(at),
  16: (view, at) => view.getInt16(at, true),
  32: (view, at) => view.getInt32(at, true),
  64: (view, at) => Number(view.getBigInt64(at, true)),
};
const unsignedIntegers: Readonly<Record<number, ReadInteger>> = {
  8: (view, at) => view.getUint8(at),
  16: (view, at) => view.getUint16(at, true),
  32: (view, at) => view.getUint32(at, true),
  64: (view, at) => Number(view.getBigUint64(at, true)),
};

function integerOf(bits: number, isSigned: boolean): ColumnType {
  const read = (isSigned ? signedIntegers : unsignedIntegers)[bits];
  if (read === undefined) throw new Error(`integers of ${bits} bits are not read`);
  return { kind: "number", width: bits / 8, read };
}

/** Rows of a column that is null throughout take no bytes; those of all others a bit at least. */
const mostNulls = 1_000_000;

function appendBatch(
  columns: readonly unknown[][],
  types: readonly ColumnType[],
  batch: FlatTable,
  memory: Uint8Array,
  body: number,
): void {
  const length = batch.long(0);
  if (!(length >= 0 && length <= Math.max(8 * memory.length, mostNulls)))
    throw new RangeError("too many rows");
  const buffers = batch.pairs(2).values();
  const nextBuffer = (): BufferRange => {
    const [offset, size] = buffers.next().value ?? [0, 0];
    return { at: body + offset, length: size };
  };
  for (const [position, type] of types.entries()) {
    const valueAt = valuesOf(type, memory, nextBuffer);
    const column = element(columns, position);
    for (let row = 0; row < length; row++) column.push(valueAt(row));
  }
}

/** A part of a message's memory. */
interface BufferRange {
  readonly at: number;
  readonly length: number;
}

/** The values of a column by row, which lie in the next buffers of a batch. */
function valuesOf(
  type: ColumnType,
  memory: Uint8Array,
  nextBuffer: () => BufferRange,
): (row: number) => unknown {
  if (type.kind === "null") return () => null;
  const validity = nextBuffer();
  const valueAt = presentValuesOf(type, memory, nextBuffer);
  return (row) => (validity.length === 0 || bitAt(memory, validity.at, row) ? valueAt(row) : null);
}

/** The same of those that are not NULL. */
function presentValuesOf(
  type: Exclude<ColumnType, { kind: "null" }>,
  memory: Uint8Array,
  nextBuffer: () => BufferRange,
): (row: number) => unknown {
  const view = new DataView(memory.buffer);
  const { at } = nextBuffer();
  if (type.kind === "number") return (row) => type.read(view, at + row * type.width);
  if (type.kind === "truth") return (row) => bitAt(memory, at, row);
  const bytes = nextBuffer();
  // What would be a mark at the beginning of a file is a character of a label.
  const text = new TextDecoder("utf-8", { ignoreBOM: true });
  return (row) => {
    const start = view.getInt32(at + 4 * row, true);
    const end = view.getInt32(at + 4 * row + 4, true);
    return text.decode(memory.subarray(bytes.at + start, bytes.at + end));
  };
}

const bitAt = (memory: Uint8Array, at: number, bit: number): boolean =>
  ((byteAt(memory, at + (bit >> 3)) >> (bit & 7)) & 1) === 1;

/** A table of FlatBuffers: its fields lie where its list of offsets says; one that is not there has the value 0. */
class FlatTable {
  private constructor(
    private readonly view: DataView,
    private readonly at: number,
  ) {}

  static root(view: DataView, at: number): FlatTable {
    return new FlatTable(view, at + view.getUint32(at, true));
  }

  has(field: number): boolean {
    return this.position(field) !== undefined;
  }

  byte(field: number): number {
    return this.read(field, (at) => this.view.getUint8(at));
  }

  short(field: number): number {
    return this.read(field, (at) => this.view.getInt16(at, true));
  }

  int(field: number): number {
    return this.read(field, (at) => this.view.getInt32(at, true));
  }

  long(field: number): number {
    return this.read(field, (at) => Number(this.view.getBigInt64(at, true)));
  }

  table(field: number): FlatTable {
    const at = this.position(field);
    return at === undefined ? this : FlatTable.root(this.view, at);
  }

  tables(field: number): readonly FlatTable[] {
    return this.elements(field, 4).map((at) => FlatTable.root(this.view, at));
  }

  /** A list of pairs of long numbers. */
  pairs(field: number): readonly (readonly [number, number])[] {
    return this.elements(field, 16).map((at) => [
      Number(this.view.getBigInt64(at, true)),
      Number(this.view.getBigInt64(at + 8, true)),
    ]);
  }

  private elements(field: number, width: number): readonly number[] {
    const at = this.position(field);
    if (at === undefined) return [];
    const start = at + this.view.getUint32(at, true);
    const count = this.view.getUint32(start, true);
    if (count * width > this.view.byteLength) throw new RangeError("more elements than bytes");
    return Array.from({ length: count }, (_, index) => start + 4 + index * width);
  }

  private read(field: number, number: (at: number) => number): number {
    const at = this.position(field);
    return at === undefined ? 0 : number(at);
  }

  private position(field: number): number | undefined {
    const offsets = this.at - this.view.getInt32(this.at, true);
    const slot = 4 + 2 * field;
    if (slot >= this.view.getUint16(offsets, true)) return undefined;
    const offset = this.view.getUint16(offsets + slot, true);
    return offset === 0 ? undefined : this.at + offset;
  }
}
