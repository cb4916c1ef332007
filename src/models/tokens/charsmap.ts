import type { JsonReader } from "../json-reader.js";

/**
 * The map of characters of Sentencepiece: an array that is walked byte by byte, whose leaves say where in a text of many short
 * texts the one stands that takes the place of what led there.
 */
export function charsmap(part: JsonReader): (text: string) => string {
  const bytes = bytesOf(part);
  if (bytes === undefined) return (text) => text;
  const view = new DataView(bytes.buffer);
  const size = bytes.length < 4 ? part.fail("map of characters") : view.getUint32(0, true);
  if (size % 4 !== 0 || size < 4 || 4 + size > bytes.length) return part.fail("map of characters");
  const units = Uint32Array.from({ length: size / 4 }, (_, at) => view.getUint32(4 + 4 * at, true));
  const replacements = bytes.subarray(4 + size);
  if (longestOf(replacements) > longestReplacement) return part.fail("map of characters");
  const characters = new Intl.Segmenter("en", { granularity: "grapheme" });
  const replaced = (text: string): string | undefined => {
    const leaf = firstLeaf(units, utf8.encode(text));
    if (leaf === undefined) return undefined;
    const end = replacements.indexOf(0, leaf);
    return decoder.decode(replacements.subarray(leaf, end < 0 ? undefined : end));
  };
  const replacedEach = (text: string): string => Array.from(text, (each) => replaced(each) ?? each).join("");
  return (text) =>
    Array.from(characters.segment(text), ({ segment }) => {
      const whole = utf8.encode(segment).length < longestWhole ? replaced(segment) : undefined;
      return whole ?? replacedEach(segment);
    }).join("");
}

/** So many bytes one character may become: those of Sentencepiece have at most 33. */
export const longestReplacement = 64;

/** The most bytes that stand between zeros. */
function longestOf(bytes: Uint8Array): number {
  let [longest, start] = [0, 0];
  while (start < bytes.length) {
    const found = bytes.indexOf(0, start);
    const end = found < 0 ? bytes.length : found;
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return longest;
}

/** What a reader sees as one character is replaced as one where it has fewer bytes. */
const longestWhole = 6;

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** The value of the shortest key that a text begins with. */
function firstLeaf(units: Uint32Array, text: Uint8Array): number | undefined {
  let at = offsetOf(units[0]);
  for (const byte of text) {
    at ^= byte;
    const unit = units[at];
    if (unit === undefined || byte === 0 || (unit & labelBits) >>> 0 !== byte) return undefined;
    at ^= offsetOf(unit);
    const leaf = units[at];
    if ((unit & leafBit) !== 0) return leaf === undefined ? undefined : leaf & valueBits;
  }
  return undefined;
}

const labelBits = 0x800000ff;
const leafBit = 1 << 8;
const valueBits = 0x7fffffff;

/** How far from a unit those of the next byte are; a bit says that it is counted in 256s. */
const offsetOf = (unit = 0): number => (unit >>> 10) << ((unit & (1 << 9)) >>> 6);

/** The bytes that a text of base 64 or a list of numbers says. */
function bytesOf(part: JsonReader): Uint8Array | undefined {
  if (part.isAbsent) return undefined;
  if (part.isList) return Uint8Array.from(part.numbers);
  try {
    return Uint8Array.from(atob(part.text), (each) => each.charCodeAt(0));
  } catch {
    return part.fail("map of characters");
  }
}
