import { intAt } from "../language/values/element.js";

/** Packed bytes, unpacked no further than they may be, and the checksum by which zip and gzip see that they are the same. */

/** The part of a library that unpacks, once it is loaded: it is handed a few bytes after the others, and hands on what they make. */
export type Inflate = new (
  handOn: (part: Uint8Array) => void,
) => { push(packed: Uint8Array, isLast: boolean): void };

/** How many bytes some deflated ones make at the most: 1032 for each. */
export const mostInflated = (packed: Uint8Array): number => packed.length * 1032 + 1032;

/** What is thrown where bytes cannot be unpacked. */
export interface InflateFailures {
  readonly tooLong: () => never;
  readonly damaged: (reason: string) => never;
}

/** Few bytes at a time, so that an endless file is found out early. */
const portion = 16_384;

/** At most `size` bytes; perhaps fewer. */
export function inflated(
  packed: Uint8Array,
  size: number,
  Inflate: Inflate,
  { tooLong, damaged }: InflateFailures,
): Uint8Array {
  const content = new Uint8Array(size);
  let filled = 0;
  const inflate = new Inflate((part) => {
    if (filled + part.length > size) tooLong();
    content.set(part, filled);
    filled += part.length;
  });
  try {
    for (let at = 0; at < packed.length; at += portion)
      inflate.push(packed.subarray(at, at + portion), at + portion >= packed.length);
  } catch (error) {
    // The library's own errors have a number.
    if (error instanceof Error && "code" in error) damaged(error.message);
    throw error;
  }
  return content.subarray(0, filled);
}

/** CRC-32, as zip and gzip have it. */
export function checksumOf(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) sum = intAt(checksums, (sum ^ byte) & 0xff) ^ (sum >>> 8);
  return (sum ^ -1) >>> 0;
}

const checksums = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});
