import type { Bytes } from "../bytes.js";
import { readNumber } from "./number.js";

/**
 * So many small numbers of some bits each, from where reading has come to: runs of one number, and groups of eight that are packed
 * (the hybrid encoding of Parquet). A run is only believed as far as there are numbers left.
 */
export function readRuns(bytes: Bytes, width: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let filled = 0; filled < count; ) {
    const head = readNumber(bytes, 5, "Parquet run");
    const isPacked = head % 2 === 1;
    const length = isPacked ? 8 * ((head - 1) / 2) : head / 2;
    const end = Math.min(count, filled + length);
    if (isPacked) unpack(bytes, width, numbers.subarray(filled, end), (length / 8) * width);
    else numbers.fill(littleEndian(bytes, Math.ceil(width / 8)), filled, end);
    filled = end;
  }
  return numbers;
}

function littleEndian(bytes: Bytes, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) value += bytes.byte("Parquet run") * 256 ** index;
  return value;
}

/** Numbers of some bits each, one behind the other from the lowest bit on. Some writers leave out the bytes that only fill the last group. */
function unpack(bytes: Bytes, width: number, numbers: Uint32Array, length: number): void {
  const needed = Math.ceil((numbers.length * width) / 8);
  const start = bytes.take(needed, "Parquet run");
  for (let index = 0; index < numbers.length; index++) {
    let value = 0;
    for (let bit = 0; bit < width; bit++) {
      const position = index * width + bit;
      const byte = bytes.view.getUint8(start + (position >> 3));
      if ((byte >> (position & 7)) & 1) value += 2 ** bit;
    }
    numbers[index] = value;
  }
  bytes.take(Math.min(length - needed, bytes.left), "Parquet run");
}
