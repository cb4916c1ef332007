import type { Bytes } from "../bytes.js";
import type { ExpectedBytes } from "../messages/bytes.js";

/** A whole number of so many bytes at most, seven bits of it in each, the lowest first. */
export function readNumber(bytes: Bytes, most: number, expected: ExpectedBytes): number {
  const start = bytes.at;
  let value = 0;
  for (let index = 0; index < most; index++) {
    const byte = bytes.byte(expected);
    value += (byte & 127) * 2 ** (7 * index);
    if (byte < 128) return value;
  }
  return bytes.fail(start, "other bytes", expected);
}
