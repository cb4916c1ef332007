import type { Store } from "../../language/limits/spend.js";
import { Bytes, type BytesFile } from "../bytes.js";
import { checksumOf, type Inflate, inflated, mostInflated } from "../inflate.js";

/**
 * Zip archives: the files that the directory at the end lists, stored or deflated. What the directory says is not
 * believed: each file is unpacked only as far as its size goes, no two share bytes, and checksums have to agree.
 */

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  /** Where its own header starts. */
  readonly start: number;
  /** Where the directory says so. */
  readonly at: number;
}

/**
 * The files of an archive whose names are requested, unpacked to at most so many bytes in all, each counted by its size
 * before it is unpacked.
 * @throws SphexError where the archive is broken, or they are more bytes.
 */
export async function unzip(
  file: BytesFile,
  isRequested: (name: string) => boolean,
  most: number,
  store: Store,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { Inflate } = await import("./deflate.js");
  return filesIn(file, isRequested, most, store, (content, entry, bytes) =>
    inflatedFile(content, entry, bytes, Inflate),
  );
}

/** As `unzip`, at once, of archives whose files are only stored. @throws SphexError where they are packed. */
export function unzipStored(
  file: BytesFile,
  isRequested: (name: string) => boolean,
  most: number,
  store: Store,
): ReadonlyMap<string, Uint8Array> {
  return filesIn(file, isRequested, most, store, (_, { at, method }, bytes) =>
    bytes.fail(at + 10, { kind: "method", method }, "stored"),
  );
}

type Unpack = (content: Uint8Array, entry: ZipEntry, bytes: Bytes) => Uint8Array;

function filesIn(
  file: BytesFile,
  isRequested: (name: string) => boolean,
  most: number,
  store: Store,
  unpack: Unpack,
): ReadonlyMap<string, Uint8Array> {
  const bytes = new Bytes(file);
  const entries = directory(bytes).filter(({ name }) => isRequested(name));
  const files = new Map<string, Uint8Array>();
  let [total, packed] = [0, 0];
  for (const entry of entries) {
    total += entry.size;
    packed += entry.packedSize;
    if (total > most)
      bytes.fail(entry.at, { kind: "unpacked", bytes: total }, { kind: "most unpacked", bytes: most });
    store(entry.size, bytes.span(entry.at));
    if (packed > bytes.view.byteLength) bytes.fail(entry.at, "shared bytes", "own bytes");
    if (files.has(entry.name)) bytes.fail(entry.at, { kind: "file", name: entry.name }, "other name");
    const content = contentOf(bytes, entry);
    const unpacked = entry.method === 0 ? content : unpack(content, entry, bytes);
    if (unpacked.length !== entry.size || checksumOf(unpacked) !== entry.checksum)
      bytes.fail(entry.start, "other bytes", { kind: "same checksum", name: entry.name });
    files.set(entry.name, unpacked);
  }
  return files;
}

const [endSign, entrySign, fileSign] = [0x06054b50, 0x02014b50, 0x04034b50];

/** The list of files. Its end is found from the end of the archive, before which a comment may stand. */
function directory(bytes: Bytes): ZipEntry[] {
  const { view } = bytes;
  let end = view.byteLength - 22;
  while (end >= 0 && end > view.byteLength - 65_558 && view.getUint32(end, true) !== endSign) end--;
  if (end < 0 || view.getUint32(end, true) !== endSign)
    bytes.fail(0, view.byteLength === 0 ? "nothing" : "no directory", "archive");
  const count = view.getUint16(end + 10, true);
  bytes.at = view.getUint32(end + 16, true);
  if (count === 0xffff || bytes.at > end) bytes.fail(end, "directory beyond", "directory");
  const behind = bytes.at + view.getUint32(end + 12, true);
  const entries = Array.from({ length: count }, () => entryIn(bytes));
  // Of more files than 16 bits can count, only some would be read.
  if (bytes.at < behind) bytes.fail(end, "directory beyond", "directory");
  return entries;
}

function entryIn(bytes: Bytes): ZipEntry {
  const { view } = bytes;
  const at = bytes.take(46, "directory entry");
  if (view.getUint32(at, true) !== entrySign) bytes.fail(at, "other sign", "directory entry");
  const name = bytes.text(view.getUint16(at + 28, true), "file name");
  bytes.take(view.getUint16(at + 30, true) + view.getUint16(at + 32, true), "file notes");
  const method = view.getUint16(at + 10, true);
  if (view.getUint16(at + 8, true) & 1) bytes.fail(at, { kind: "encrypted", name }, "plain");
  if (method !== 0 && method !== 8) bytes.fail(at + 10, { kind: "method", method }, "known method");
  return {
    ...{ name, method, at },
    checksum: view.getUint32(at + 16, true),
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    start: view.getUint32(at + 42, true),
  };
}

/** The packed bytes behind a file's own header, which has a name and notes again. */
function contentOf(bytes: Bytes, { name, start, packedSize }: ZipEntry): Uint8Array {
  const { view } = bytes;
  bytes.at = Math.min(start, view.byteLength);
  const header = { kind: "file header", name } as const;
  const at = bytes.take(30, header);
  if (view.getUint32(at, true) !== fileSign) bytes.fail(at, "other sign", header);
  bytes.take(view.getUint16(at + 26, true) + view.getUint16(at + 28, true), header);
  const from = bytes.take(packedSize, { kind: "packed file", name, bytes: packedSize });
  return bytes.file.bytes.subarray(from, from + packedSize);
}

function inflatedFile(
  packed: Uint8Array,
  { name, size, start }: ZipEntry,
  bytes: Bytes,
  Inflate: Inflate,
): Uint8Array {
  if (size > mostInflated(packed))
    bytes.fail(start, { kind: "bytes", bytes: packed.length }, { kind: "deflated file", name, bytes: size });
  const tooLong = (): never => bytes.fail(start, "more bytes", { kind: "unpacked file", name, bytes: size });
  const damaged = (reason: string): never =>
    bytes.fail(start, { kind: "damage", reason }, { kind: "deflated bytes", name });
  return inflated(packed, size, Inflate, { tooLong, damaged });
}
