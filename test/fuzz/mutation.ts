import type { Choice } from "../hunt/choice.js";

/** What may happen to a text or to bytes on their way. */

/** Characters and words that have no business where they stand. */
// biome-ignore format: a list
const odd: readonly string[] = [
  "\0", "\ud800", "\udfff", "🐝", "é", "“", "\u00a0", "\ufeff", "\u2028", "\x1b[31m", "\x7f", "\x85", "\u202e", "\u200b", "\\", '"', "'", "`", "$", "@", "&", "|", "?", "=", ";",
  "\n", "\r", "\r\n", "\t", "\v", " ", "#", "//", "(", ")", "[", "]", "{", "}", ",", ":", ".", "!", "-", "+", "*", "/", "%", "^", "<", ">", "~=",
  "0", "1", "-1", "3.5", "1e400", "-0", "99999999999999999999", "2147483647", "2147483648", "4294967296", "0x1F", "1.", ".5", "NaN", "Infinity", "inf", "null", "true", "[]", "{}", '""',
  "x", "k", "a", "f", "in", "tensor", "tensor(x[2])", "tensor(k{})", "value", "__proto__", "constructor", "toString", "hasOwnProperty", "\\u0000", "\\ud800", "%00", "%", "&#0;", "*a", "&a", "- ", ": ", "? ",
];

export function mutatedText(text: string, donor: string, choice: Choice): string {
  let result = text;
  for (let left = choice.between(1, 4); left > 0; left--) result = changed(result, donor, choice);
  return result.slice(0, longest);
}

/** Longer texts only take longer. */
const longest = 3000;

function changed(text: string, donor: string, choice: Choice): string {
  const at = choice.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + choice.below(choice.percent(70) ? 4 : 40));
  const part = text.slice(at, end);
  const put = (middle: string): string => text.slice(0, at) + middle + text.slice(end);
  const start = choice.below(donor.length + 1);
  // biome-ignore format: a table
  const changes: readonly (() => string)[] = [
    () => put(""),
    () => put(choice.oneOf(odd)),
    () => put(part + choice.oneOf(odd)),
    () => put(part.repeat(choice.between(2, choice.percent(10) ? 60 : 4))),
    () => put(donor.slice(start, start + choice.below(30))),
    () => put([...part].reverse().join("")),
    () => text.slice(0, at),
    () => text.slice(at) + text.slice(0, at),
    () => text.replace(/\d+/, () => `${choice.oneOf([0, 1, -1, 2, 3, 255, 256, 65536, 2 ** 31, 2 ** 32, 1e21, 0.5])}`),
  ];
  return choice.oneOf(changes)();
}

const oddBytes = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x20, 0x0a, 0x28, 0x27];

export function mutatedBytes(bytes: Uint8Array, donor: Uint8Array, choice: Choice): Uint8Array {
  let result = bytes;
  for (let left = choice.between(1, 4); left > 0; left--) result = changedBytes(result, donor, choice);
  return result.slice(0, longest);
}

function changedBytes(bytes: Uint8Array, donor: Uint8Array, choice: Choice): Uint8Array {
  const at = choice.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + choice.below(9));
  const put = (...middle: readonly number[]): Uint8Array =>
    Uint8Array.of(...bytes.subarray(0, at), ...middle, ...bytes.subarray(end));
  const start = choice.below(donor.length + 1);
  // biome-ignore format: a table
  const changes: readonly (() => Uint8Array)[] = [
    () => put(),
    () => put(choice.oneOf(oddBytes)),
    () => put(choice.below(256)),
    () => put((bytes[at] ?? 0) ^ (1 << choice.below(8)), ...bytes.subarray(at + 1, end)),
    () => put(...Array.from({ length: 4 }, () => choice.oneOf(oddBytes))),
    () => put(...donor.subarray(start, start + choice.below(16))),
    () => put(...bytes.subarray(at, end), ...bytes.subarray(at, end)),
    () => bytes.slice(0, at),
  ];
  return choice.oneOf(changes)();
}
