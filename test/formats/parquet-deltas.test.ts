import { expect, test } from "vitest";
import { Bytes } from "../../src/formats/bytes.js";
import { deltaReaders } from "../../src/formats/parquet/deltas.js";
import { deltaBinaryUnpack } from "../../src/formats/parquet/library.js";
import { byLibrary } from "../../src/formats/parquet/pages.js";
import { SphexError } from "../../src/index.js";

/** What Parquet files have as differences: numbers from one to the next, and bytes by what they have in common. */

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const zigzag = (value: number): number[] => varint(value < 0 ? -2 * value - 1 : 2 * value);
/** So many numbers from one on, each greater than the one before by the same. */
const even = (count: number, first: number, step: number): number[] => [
  ...[...varint(128), 4, ...varint(count), ...zigzag(first)],
  ...Array.from({ length: Math.ceil((count - 1) / 128) }, () => [...zigzag(step), 0, 0, 0, 0]).flat(),
];
const damaged = (): never => {
  throw new SphexError([]);
};
const read = (
  encoding: string,
  type: string,
  bytes: readonly number[],
  count: number,
  store: (bytes: number) => void = () => undefined,
) => {
  const reader = deltaReaders[encoding]?.[type] ?? expect.unreachable();
  const content = new Bytes({ name: "page", bytes: Uint8Array.from(bytes) });
  return reader(content, count, { unpack: deltaBinaryUnpack, store, damaged });
};

test.each([
  [1, 7, 0],
  [300, -5, 3],
  [129, 2_000_000_000, -1_000_000],
])("%i numbers from %i in steps of %i", (count, first, step) => {
  const numbers = Array.from({ length: count }, (_, at) => first + at * step);
  const bytes = even(count, first, step);
  expect(Array.from(read("DELTA_BINARY_PACKED", "INT32", bytes, count), Number)).toEqual(numbers);
  expect(Array.from(read("DELTA_BINARY_PACKED", "INT64", bytes, count), Number)).toEqual(numbers);
});

test("bytes that begin as those before do count as memory, however short what they add is", () => {
  const count = 1000;
  const bytes = [...even(count, 0, 1), ...even(count, 1, 0), ...new Uint8Array(count).fill(97)];
  let stored = 0;
  const values = read("DELTA_BYTE_ARRAY", "BYTE_ARRAY", bytes, count, (more) => {
    stored += more;
  });
  expect(values.at(-1)).toEqual(new Uint8Array(count).fill(97));
  expect(stored).toBe((count * (count + 1)) / 2);
});

test("a limit of memory that they reach is told as such", () => {
  const reached = new SphexError([]);
  const refuse = (): never => {
    throw reached;
  };
  const bytes = [...even(2, 0, 1), ...even(2, 1, 0), 97, 97];
  const file = new Bytes({ name: "page", bytes: Uint8Array.from(bytes) });
  const values = () => read("DELTA_BYTE_ARRAY", "BYTE_ARRAY", bytes, 2, refuse);
  expect(() => byLibrary(file, 0, "Parquet run", values)).toThrow(reached);
});

test("the first number may take a bit more than those of its column", () => {
  const wrapped = (first: number, step: number) => [
    ...read("DELTA_BINARY_PACKED", "INT32", even(3, first, step), 3),
  ];
  expect(wrapped(2 ** 32 - 1, -1)).toEqual([-1, -2, -3]);
  expect(wrapped(2 ** 31, 2)).toEqual([-(2 ** 31), -(2 ** 31) + 2, -(2 ** 31) + 4]);
  expect(wrapped(-1, -1)).toEqual([-1, -2, -3]);
  expect(wrapped(2 ** 31 - 1, -(2 ** 31))).toEqual([2 ** 31 - 1, -1, 2 ** 31 - 1]);
});

const prefixes = "DELTA_BYTE_ARRAY";
// biome-ignore format: a table
test.each([
  { what: "a longer beginning than the one before is", encoding: prefixes, bytes: [...even(2, 0, 2), ...even(2, 1, 0), 97, 97] },
  { what: "a beginning of less than nothing",          encoding: prefixes, bytes: [...even(2, 0, -1), ...even(2, 1, 0), 97, 97] },
  { what: "a length of less than nothing",             encoding: "DELTA_LENGTH_BYTE_ARRAY", bytes: [...even(2, 1, -2), 97] },
  { what: "fewer bytes than the lengths say",          encoding: "DELTA_LENGTH_BYTE_ARRAY", bytes: [...even(2, 1, 1), 97, 97] },
  { what: "another count than the page has",           encoding: "DELTA_LENGTH_BYTE_ARRAY", bytes: [...even(3, 0, 0)] },
  { what: "blocks without parts",                      encoding: "DELTA_LENGTH_BYTE_ARRAY", bytes: [...varint(128), 0, 2, 0, 0] },
  { what: "more parts than there are bytes",           encoding: "DELTA_LENGTH_BYTE_ARRAY", bytes: [...varint(128 * 2 ** 20), ...varint(2 ** 20), 2, 0, 0] },
  { what: "blocks of no numbers",                      encoding: "DELTA_LENGTH_BYTE_ARRAY", bytes: [0, 4, 2, 0, 0] },
])("$what is found out", ({ encoding, bytes }) => {
  expect(() => read(encoding, "BYTE_ARRAY", bytes, 2)).toThrow(SphexError);
});
