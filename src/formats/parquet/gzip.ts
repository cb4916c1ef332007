import type { Bytes } from "../bytes.js";
import { checksumOf, type Inflate, inflated, mostInflated } from "../inflate.js";

/** What a header of gzip may have behind its first ten bytes, by the bits that say so. */
const flags = { checksum: 2, extra: 4, name: 8, comment: 16 };

const endBytes = 8;

/**
 * The bytes that one member of gzip packs, which are as many as is said elsewhere and have its checksum; nothing is unpacked beyond
 * them. `bytes` are the member, and `damaged` throws.
 */
export function gunzipped(
  bytes: Bytes,
  size: number,
  Inflate: Inflate,
  damaged: (reason?: string) => never,
): Uint8Array {
  const { view } = bytes;
  const start = bytes.take(10, "gzip header");
  if (view.getUint16(start) !== 0x1f8b || view.getUint8(start + 2) !== 8) damaged();
  const flag = view.getUint8(start + 3);
  if (flag & flags.extra) bytes.take(view.getUint16(bytes.take(2, "gzip header"), true), "gzip header");
  for (const text of [flags.name, flags.comment]) if (flag & text) while (bytes.byte("gzip header") !== 0);
  if (flag & flags.checksum) bytes.take(2, "gzip header");
  if (bytes.left < endBytes) damaged();
  const end = view.byteLength - endBytes;
  const packed = bytes.file.bytes.subarray(bytes.at, end);
  if (size > mostInflated(packed)) damaged();
  const content = inflated(packed, size, Inflate, { tooLong: damaged, damaged });
  const isSame =
    content.length === size &&
    view.getUint32(end, true) === checksumOf(content) &&
    view.getUint32(end + 4, true) === size;
  return isSame ? content : damaged();
}
