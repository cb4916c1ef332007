import type { Bytes } from "../bytes.js";
import { readNumber } from "./number.js";

/** The part of the library that unpacks numbers, once it is loaded; what becomes of values that are none, and of the memory that they ask for. */
export interface DeltaContext {
  readonly unpack: (
    reader: { readonly view: DataView; offset: number },
    count: number,
    numbers: Int32Array | BigInt64Array,
  ) => void;
  /** Counts bytes of memory. */
  readonly store: (bytes: number) => void;
  readonly damaged: () => never;
}

/** The most bytes of a whole number of 32 bits. */
const longest = 5;
/** Blocks have a multiple of so many numbers, and so have the parts that they consist of. */
const [blockUnit, partUnit] = [128, 32];

type DeltaReader = (
  content: Bytes,
  count: number,
  context: DeltaContext,
) => Int32Array | BigInt64Array | Uint8Array[];

/** How values of a physical type are read that are encoded by differences. */
export const deltaReaders: Readonly<Record<string, Readonly<Record<string, DeltaReader>>>> = {
  DELTA_BINARY_PACKED: {
    INT32: (content, count, context) => deltas(content, new Int32Array(count), context),
    INT64: (content, count, context) => deltas(content, new BigInt64Array(count), context),
  },
  DELTA_LENGTH_BYTE_ARRAY: { BYTE_ARRAY: withLengths },
  DELTA_BYTE_ARRAY: { BYTE_ARRAY: withPrefixes, FIXED_LEN_BYTE_ARRAY: withPrefixes },
};

/** Whole numbers, each as what is to be added to the one before (DELTA_BINARY_PACKED). */
function deltas<Numbers extends Int32Array | BigInt64Array>(
  content: Bytes,
  numbers: Numbers,
  { unpack, damaged }: DeltaContext,
): Numbers {
  const start = content.at;
  const next = (): number => readNumber(content, longest, "Parquet run");
  const [block, parts, count] = [next(), next(), next()];
  const isBlock = block > 0 && block % blockUnit === 0 && parts > 0 && block % (parts * partUnit) === 0;
  // The first number stands in the header; each block begins with a byte for each of its parts.
  if (!isBlock || (count > 1 && parts > content.left) || count !== numbers.length) damaged();
  const reader = { view: content.view, offset: start };
  if (numbers instanceof Int32Array && numbers.length > 0 && isWide(content)) {
    const wide = new BigInt64Array(numbers.length);
    unpack(reader, numbers.length, wide);
    for (const [at, number] of wide.entries()) numbers[at] = Number(BigInt.asIntN(32, number));
  } else unpack(reader, numbers.length, numbers);
  content.at = Math.min(reader.offset, content.view.byteLength);
  return numbers;
}

/**
 * Whether the number that is read next takes more than 32 bits: of a column without signs, DuckDB writes the first one as one with a
 * sign, which takes a bit more.
 */
function isWide(content: Bytes): boolean {
  const start = content.at;
  const first = readNumber(content, 2 * longest, "Parquet run");
  content.at = start;
  return first >= 2 ** 32;
}

/** Bytes behind all of their lengths (DELTA_LENGTH_BYTE_ARRAY). */
function withLengths(content: Bytes, count: number, context: DeltaContext): Uint8Array[] {
  const lengths = deltas(content, new Int32Array(count), context);
  return Array.from(lengths, (length) => taken(content, length, context));
}

/** Bytes, each as how many the one before begins with too, and what follows them (DELTA_BYTE_ARRAY). */
function withPrefixes(content: Bytes, count: number, context: DeltaContext): Uint8Array[] {
  const prefixes = deltas(content, new Int32Array(count), context);
  const suffixes = withLengths(content, count, context);
  let previous = new Uint8Array(0);
  return suffixes.map((suffix, at) => {
    const length = prefixes[at] ?? context.damaged();
    if (length < 0 || length > previous.length) context.damaged();
    context.store(length + suffix.length);
    const whole = new Uint8Array(length + suffix.length);
    whole.set(previous.subarray(0, length));
    whole.set(suffix, length);
    previous = whole;
    return whole;
  });
}

function taken(content: Bytes, length: number, { damaged }: DeltaContext): Uint8Array {
  if (length < 0) damaged();
  const start = content.take(length, "Parquet run");
  return content.file.bytes.subarray(start, start + length);
}
