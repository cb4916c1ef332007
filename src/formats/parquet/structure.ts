import type { Bytes } from "../bytes.js";
import { readNumber } from "./number.js";

/**
 * Walks over a structure of Thrift's compact protocol, which the headers of Parquet are, without making anything of it: its lists have no
 * more elements than there are bytes, it is not deep, and it ends.
 * @throws SphexError where that is not so.
 */
export function skipStructure(bytes: Bytes, depth = 0): void {
  if (depth > deepest) bytes.fail(bytes.at, "deep structure", "Parquet header");
  for (;;) {
    const at = bytes.at;
    const head = bytes.byte("Parquet header");
    if ((head & 15) === 0) return;
    if (head >> 4 === 0) skipNumber(bytes);
    skipValue(bytes, head & 15, at, depth);
  }
}

const deepest = 16;

/** The kinds of values in the compact protocol. */
const kinds = {
  yes: 1,
  no: 2,
  byte: 3,
  short: 4,
  int: 5,
  long: 6,
  double: 7,
  binary: 8,
  list: 9,
  structure: 12,
};

function skipValue(bytes: Bytes, kind: number, at: number, depth: number): void {
  if (kind === kinds.yes || kind === kinds.no) return;
  if (kind === kinds.byte) bytes.take(1, "Parquet header");
  else if (kind === kinds.short || kind === kinds.int || kind === kinds.long) skipNumber(bytes);
  else if (kind === kinds.double) bytes.take(8, "Parquet header");
  else if (kind === kinds.binary) bytes.take(skipNumber(bytes), "Parquet header");
  else if (kind === kinds.list) skipList(bytes, depth);
  else if (kind === kinds.structure) skipStructure(bytes, depth + 1);
  else bytes.fail(at, "other byte", "Parquet header");
}

function skipList(bytes: Bytes, depth: number): void {
  const at = bytes.at;
  if (depth > deepest) bytes.fail(at, "deep structure", "Parquet header");
  const head = bytes.byte("Parquet header");
  const kind = head & 15;
  const count = head >> 4 === 15 ? skipNumber(bytes) : head >> 4;
  if (count > bytes.left) bytes.fail(at, { kind: "number", value: count }, "Parquet header");
  // In a list each truth value has a byte.
  const element = kind === kinds.yes || kind === kinds.no ? kinds.byte : kind;
  for (let index = 0; index < count; index++) skipValue(bytes, element, at, depth + 1);
}

/** The most bytes of a whole number of 64 bits. */
const longest = 10;

const skipNumber = (bytes: Bytes): number => readNumber(bytes, longest, "Parquet header");
