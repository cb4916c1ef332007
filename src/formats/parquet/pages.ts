import type { Store } from "../../language/limits/spend.js";
import { SphexError } from "../../language/source/problem.js";
import { Bytes, type BytesFile } from "../bytes.js";
import type { ExpectedBytes } from "../messages/bytes.js";
import { textInUtf8 } from "../utf8.js";
import { decimals, isTime, placesIn } from "./decimal.js";
import { type DeltaContext, deltaReaders } from "./deltas.js";
import { gunzipped } from "./gzip.js";
import { readRuns } from "./runs.js";
import { skipStructure } from "./structure.js";
import { unpackedFrame } from "./zstandard.js";

/** The library, once it is loaded. */
export type Library = typeof import("./library.js");

type Header = ReturnType<Library["parquetHeader"]>;
export type Metadata = ReturnType<Library["parquetMetadata"]>;
export type ColumnNode = ReturnType<Library["parquetSchema"]>;
export type ChunkMetadata = NonNullable<Metadata["row_groups"][number]["columns"][number]["meta_data"]>;
type Values = ReturnType<Library["convert"]>;
/** Values as they are stored. */
type Stored = Parameters<Library["convert"]>[0];

/** The bytes of a column in a group of rows. */
export interface Chunk {
  readonly name: string;
  readonly node: ColumnNode;
  readonly metadata: ChunkMetadata;
  /** How many rows the group has. */
  readonly rows: number;
}

/** What a page has: a value for each row, undefined where there is none. */
export interface Page {
  readonly offset: number;
  readonly values: ArrayLike<unknown>;
}

/** The pages of a column in a group of rows, each counted before it is unpacked. @throws SphexError where they are broken. */
export function* pagesOf(bytes: Bytes, chunk: Chunk, library: Library, store: Store): Generator<Page> {
  const { name, metadata, rows } = chunk;
  const start = Number(metadata.dictionary_page_offset) || Number(metadata.data_page_offset);
  const size = Number(metadata.total_compressed_size);
  const isInside = isCount(start) && isCount(size) && start + size <= bytes.view.byteLength;
  if (!isInside) bytes.fail(0, { kind: "number", value: start }, { kind: "column bytes", name });
  bytes.at = start;
  let dictionary: Values | undefined;
  for (let read = 0; read < rows; ) {
    const offset = bytes.at;
    const expected = { kind: "page", name } as const;
    if (offset >= start + size) bytes.fail(offset, "nothing", expected);
    const header = headerIn(bytes, library);
    const { type, compressed_page_size: packed } = header;
    if (!isCount(packed)) bytes.fail(offset, "other bytes", expected);
    const from = bytes.take(packed, expected);
    const reader = new PageReader(bytes, { ...chunk, offset, header, library, store });
    const content = bytes.file.bytes.subarray(from, from + packed);
    if (type === "DICTIONARY_PAGE") dictionary = reader.dictionary(content);
    else if (type === "DATA_PAGE" || type === "DATA_PAGE_V2") {
      const values = reader.values(content, rows - read, dictionary);
      read += values.length;
      yield { offset, values };
    } else if (type !== "INDEX_PAGE") bytes.fail(offset, { kind: "page type", name: `${type}` }, expected);
    bytes.at = from + packed;
  }
}

function headerIn(bytes: Bytes, { parquetHeader }: Library): Header {
  const start = bytes.at;
  skipStructure(bytes);
  return byLibrary(bytes, start, "Parquet header", () => parquetHeader({ view: bytes.view, offset: start }));
}

/** What the library makes of some bytes; what it throws is damage of the file, and no problem that was told already. */
export function byLibrary<T>(bytes: Bytes, offset: number, expected: ExpectedBytes, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SphexError) throw error;
    // Its own errors say what is wrong; others come from bytes that it did not expect.
    const isOwn = error instanceof Error && error.constructor === Error;
    return bytes.fail(offset, isOwn ? { kind: "damage", reason: error.message } : "other bytes", expected);
  }
}

interface PageContext extends Chunk {
  readonly offset: number;
  readonly header: Header;
  readonly library: Library;
  readonly store: Store;
}

class PageReader {
  constructor(
    private readonly bytes: Bytes,
    private readonly context: PageContext,
  ) {}

  dictionary(packed: Uint8Array): Values {
    const { header } = this.context;
    const content = this.unpacked(packed, header.uncompressed_page_size);
    return this.plain(
      content,
      this.count(header.dictionary_page_header?.num_values, 8 * content.view.byteLength),
    );
  }

  /** At most so many values. */
  values(packed: Uint8Array, most: number, dictionary: Values | undefined): ArrayLike<unknown> {
    const { header, node } = this.context;
    const isOptional = node.element.repetition_type !== "REQUIRED";
    const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
    const count = this.count((second ?? first)?.num_values, most);
    if (second === undefined) {
      const content = this.unpacked(packed, size);
      const length = isOptional ? littleEndian(content) : 0;
      const present = isOptional ? this.presence(content, length, count) : undefined;
      return this.decoded(content, first?.encoding, count, present, dictionary);
    }
    const { definition_levels_byte_length: length, repetition_levels_byte_length: repetitions } = second;
    if (!(repetitions === 0 && isCount(length) && length <= packed.length)) this.damaged();
    const levels = this.reading(packed.subarray(0, length));
    const present = isOptional ? this.presence(levels, length, count) : undefined;
    const rest = packed.subarray(length);
    const content = second.is_compressed === false ? this.reading(rest) : this.unpacked(rest, size - length);
    return this.decoded(content, second.encoding, count, present, dictionary);
  }

  /** Which rows have a value: a level of 1. */
  private presence(content: Bytes, length: number, count: number): Uint32Array {
    const end = content.at + length;
    if (length > content.left) this.damaged();
    const levels = readRuns(content, 1, count);
    content.at = end;
    return levels;
  }

  private decoded(
    content: Bytes,
    encoding: string | undefined,
    count: number,
    present: Uint32Array | undefined,
    dictionary: Values | undefined,
  ): ArrayLike<unknown> {
    const values = this.encoded(
      content,
      encoding,
      present?.reduce((sum, level) => sum + level, 0) ?? count,
      dictionary,
    );
    if (present === undefined) return values;
    let next = 0;
    return Array.from(present, (level) => (level === 1 ? values[next++] : undefined));
  }

  private encoded(
    content: Bytes,
    encoding: string | undefined,
    count: number,
    dictionary: Values | undefined,
  ): ArrayLike<unknown> {
    const { name, offset, metadata } = this.context;
    if (encoding === "PLAIN") return this.plain(content, count);
    if (encoding === "BYTE_STREAM_SPLIT") return this.split(content, count);
    const readers = encoding === undefined ? undefined : deltaReaders[encoding];
    if (readers !== undefined) {
      const read = readers[metadata.type] ?? this.damaged();
      return count === 0 ? [] : this.meant(() => read(content, count, this.deltaContext));
    }
    if (encoding === "RLE" && metadata.type === "BOOLEAN") {
      littleEndian(content); // how many bytes follow
      return readRuns(content, 1, count);
    }
    if (encoding !== "PLAIN_DICTIONARY" && encoding !== "RLE_DICTIONARY")
      return this.bytes.fail(offset, { kind: "encoding", name: `${encoding}` }, "page encoding");
    if (dictionary === undefined)
      return this.bytes.fail(offset, "nothing", { kind: "page dictionary", name });
    if (count === 0) return [];
    const width = content.byte("Parquet run");
    if (width > 32) this.damaged();
    const indexes = width === 0 ? new Uint32Array(count) : readRuns(content, width, count);
    return Array.from(indexes, (index) => (index < dictionary.length ? dictionary[index] : this.damaged()));
  }

  /** Values one behind the other, as what they mean. */
  private plain(content: Bytes, count: number): Values {
    const { node, library, metadata } = this.context;
    const reader = readerOf(content);
    return this.meant(() => library.readPlain(reader, metadata.type, count, node.element.type_length));
  }

  /** The first bytes of all values, and then the second ones, and so on. */
  private split(content: Bytes, count: number): Values {
    const { node, library, metadata } = this.context;
    const { type_length: length } = node.element;
    const width = metadata.type === "FIXED_LEN_BYTE_ARRAY" ? length : widths[metadata.type];
    if (width === undefined || !isCount(width) || width * count !== content.left) this.damaged();
    const reader = readerOf(content);
    return this.meant(() => library.byteStreamSplit(reader, count, metadata.type, length));
  }

  private get deltaContext(): DeltaContext {
    const { library, offset, store } = this.context;
    return {
      unpack: library.deltaBinaryUnpack,
      store: (bytes) => store(bytes, this.bytes.span(offset)),
      damaged: () => this.damaged(),
    };
  }

  /** Values that are read, as what they mean. */
  private meant(read: () => Stored): Values {
    const { node, library, metadata, name, offset } = this.context;
    const decoder = {
      ...{ pathInSchema: [name], schemaPath: [node], element: node.element, type: metadata.type },
      ...{ codec: "UNCOMPRESSED" as const, parsers: parsersOf(library) },
    };
    const places = placesIn(node.element);
    if (places !== undefined && !isCount(places)) this.damaged();
    // The library makes dates of these, or the number that is stored, of whatever unit and beginning.
    if (isTime(node.element)) this.bytes.fail(offset, "times", { kind: "numbers or labels", name });
    return byLibrary(this.bytes, offset, { kind: "page", name }, () => {
      const values = read();
      // The library multiplies by a tenth, which no double is.
      return places === undefined ? library.convert(values, decoder) : decimals(values, places);
    });
  }

  private unpacked(packed: Uint8Array, size: number): Bytes {
    const { name, metadata, offset, library, store } = this.context;
    const { codec } = metadata;
    if (!isCount(size)) this.damaged();
    store(size, this.bytes.span(offset));
    if (codec === "UNCOMPRESSED") return this.reading(packed);
    const damaged = (reason?: string): never => this.damaged(reason);
    if (codec === "GZIP")
      return this.reading(gunzipped(this.reading(packed), size, library.Inflate, damaged));
    if (codec === "ZSTD") {
      const { Decompress } = library;
      const storeMore = (count: number): void => store(count, this.bytes.span(offset));
      const context = { Decompress, damaged, store: storeMore };
      return this.reading(unpackedFrame(this.reading(packed), size, context));
    }
    if (codec !== "SNAPPY") return this.bytes.fail(offset, { kind: "codec", name: codec }, "page codec");
    // A byte of Snappy makes less than 32.
    if (size > 32 * packed.length) this.damaged();
    const content = new Uint8Array(size);
    if (size > 0)
      byLibrary(this.bytes, offset, { kind: "page", name }, () => library.snappyUncompress(packed, content));
    return this.reading(content);
  }

  private reading(bytes: Uint8Array): Bytes {
    const file: BytesFile = { name: this.bytes.file.name, bytes };
    return new Bytes(file);
  }

  private count(count: number | undefined, most: number): number {
    if (count !== undefined && isCount(count) && count <= most) return count;
    return this.damaged();
  }

  private damaged(reason?: string): never {
    const { name, offset } = this.context;
    const found = reason === undefined ? "other bytes" : ({ kind: "damage", reason } as const);
    return this.bytes.fail(offset, found, { kind: "page", name });
  }
}

/** A page of its own: the library reads as far as the buffer goes. */
function readerOf(content: Bytes): { view: DataView<ArrayBuffer>; offset: number } {
  const own = new Uint8Array(content.file.bytes.subarray(content.at));
  return { view: new DataView(own.buffer), offset: 0 };
}

const widths: Readonly<Partial<Record<ChunkMetadata["type"], number>>> = {
  INT32: 4,
  FLOAT: 4,
  INT64: 8,
  DOUBLE: 8,
};

const littleEndian = (content: Bytes): number => content.view.getUint32(content.take(4, "Parquet run"), true);

/** A field of a damaged header may be of any type, whatever the library says. */
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** Texts stay texts as they are, and shapes bytes: neither is a number or a label. */
function parsersOf({ DEFAULT_PARSERS }: Library): Library["DEFAULT_PARSERS"] {
  // To the decoder of the library U+FEFF at the beginning of a label is the mark of a file, which it drops.
  const stringFromBytes = (bytes: Uint8Array): string => {
    const text = textInUtf8(bytes, "a part");
    if (text === undefined) throw new Error("a text is not UTF-8");
    return text;
  };
  const same = (bytes: Uint8Array): Uint8Array => bytes;
  return {
    ...DEFAULT_PARSERS,
    stringFromBytes,
    jsonFromBytes: stringFromBytes,
    geometryFromBytes: same,
    geographyFromBytes: same,
  };
}
