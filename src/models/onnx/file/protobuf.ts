import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/**
 * Messages of protocol buffers as tables of fields. The library reads what lies on the wire; a table says which number is which
 * field, and fields without a row are skipped.
 */
export interface Field<T> {
  readonly number: number;
  readonly absent: () => T;
  /** The value after one more occurrence in the file. */
  read(input: Wire, before: T): T;
}

/** One occurrence of a field: the reader stands behind its tag. */
interface Wire {
  readonly reader: BinaryReader;
  readonly type: WireType;
  readonly depth: number;
}

/** How one value is read. */
interface Reading<T> {
  readonly read: (input: Wire) => T;
  /** Whether several values may be packed into one field. */
  readonly isPacked: boolean;
}

export type Fields<T> = { readonly [Name in keyof T]: Field<T[Name]> };

const unpacked = <T>(read: (input: Wire) => T): Reading<T> => ({ read, isPacked: false });
const packed = <T>(read: (input: Wire) => T): Reading<T> => ({ read, isPacked: true });

/** Whole numbers beyond 2^53 lose their last bits: no shape or index has as many. */
export const integer = packed(({ reader }) => Number(reader.int64()));
export const unsigned = packed(({ reader }) => Number(reader.uint64()));
export const float = packed(({ reader }) => reader.float());
export const double = packed(({ reader }) => reader.double());
export const text = unpacked(({ reader }) => reader.string());
export const bytes = unpacked(({ reader }) => reader.bytes());

/** How deep messages may nest; a graph in a graph takes three levels. */
const deepest = 100;

/** A message within a message; `fields` is asked for when one is met, so that messages may hold their own kind. */
export const message = <T>(fields: () => Fields<T>): Reading<T> =>
  unpacked(({ reader, depth }) => {
    const content = reader.bytes();
    return located(content, (inner) => readFields(inner, fields(), depth + 1));
  });

export function optional<T>(number: number, { read }: Reading<T>): Field<T | undefined> {
  return { number, absent: () => undefined, read };
}

export function required<T>(number: number, { read }: Reading<T>, absent: T): Field<T> {
  return { number, absent: () => absent, read };
}

export function repeated<T>(number: number, { read, isPacked }: Reading<T>): Field<T[]> {
  return {
    number,
    absent: () => [],
    read: (input, before) => {
      if (!isPacked || input.type !== WireType.LengthDelimited) {
        before.push(read(input));
        return before;
      }
      const content = input.reader.bytes();
      return located(content, (reader) => {
        while (reader.pos < reader.len) before.push(read({ ...input, reader }));
        return before;
      });
    },
  };
}

/** What the bytes of a file cannot be read as, and where. */
export class MalformedMessage extends Error {
  constructor(readonly offset: number) {
    super(`malformed message at byte ${offset}`);
  }
}

/**
 * Decodes a message.
 * @throws MalformedMessage with the byte of the file.
 */
export function decode<T>(file: Uint8Array, fields: Fields<T>): T {
  try {
    return located(file, (reader) => readFields(reader, fields, 0));
  } catch (error) {
    if (error instanceof MalformedMessage) throw new MalformedMessage(error.offset - file.byteOffset);
    throw error;
  }
}

/** Reads bytes that are a part of the file; what the library cannot read is reported at its byte in the memory of the file. */
function located<T>(content: Uint8Array, read: (reader: BinaryReader) => T): T {
  const reader = new BinaryReader(content);
  try {
    return read(reader);
  } catch (error) {
    if (error instanceof MalformedMessage) throw error;
    throw new MalformedMessage(content.byteOffset + Math.min(reader.pos, content.length));
  }
}

function readFields<T>(reader: BinaryReader, fields: Fields<T>, depth: number): T {
  if (depth > deepest) throw new RangeError("nested too deeply");
  const rows = Object.entries(fields) as [string, Field<unknown>][]; // the fields of T, whatever each of them holds
  const message: Record<string, unknown> = Object.fromEntries(
    rows.map(([name, row]) => [name, row.absent()]),
  );
  const byNumber = new Map(rows.map((row) => [row[1].number, row]));
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const row = byNumber.get(number);
    if (row === undefined) reader.skip(type, number);
    else message[row[0]] = row[1].read({ reader, type, depth }, message[row[0]]);
  }
  return message as T; // has all fields of the table
}
