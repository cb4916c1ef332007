/** Numbers in texts: as Vespa's content nodes read them, with `strtod` of C, and as its containers do, with `parseDouble` of Java. */

interface Leading {
  readonly value: number;
  /** Where the number ends. */
  readonly end: number;
  /** C tells of what is too large for a double, and of what is too near to 0. */
  readonly isInRange: boolean;
}

const decimal = /[ \t-\r]*([+-]?(\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;
const hexadecimal = /[ \t-\r]*([+-]?)0x(?=\.?[\da-f])([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?/iy;
const named = /[ \t-\r]*([+-]?)(?:(inf(?:inity)?)|nan(?:\(\w*\))?)/iy;

/** The number that a text begins with, behind white space. */
function leading(text: string): Leading | undefined {
  const [signs, sign, whole = "", part = "", power = "0"] = matched(hexadecimal, text);
  if (signs !== undefined) {
    const digits = BigInt(`0x0${whole}${part}`);
    const size = digits === 0n ? 0 : Number(digits) * 2 ** (Number(power) - 4 * part.length);
    return {
      value: signed(size, sign),
      end: signs.length,
      isInRange: digits === 0n || isFiniteFrom(0, size),
    };
  }
  const [all, number, mantissa = ""] = matched(decimal, text);
  if (all !== undefined) {
    const value = Number(number);
    return { value, end: all.length, isInRange: !/[1-9]/.test(mantissa) || isFiniteFrom(leastNormal, value) };
  }
  const [name, before, infinity] = matched(named, text);
  if (name === undefined) return undefined;
  const size = infinity === undefined ? Number.NaN : Number.POSITIVE_INFINITY;
  return { value: signed(size, before), end: name.length, isInRange: true };
}

function matched(pattern: RegExp, text: string): readonly (string | undefined)[] {
  pattern.lastIndex = 0;
  return pattern.exec(text) ?? [];
}

const signed = (size: number, sign: string | undefined): number => (sign === "-" ? -size : size);

/** Decimal digits are never exactly what is nearer to 0. */
const leastNormal = 2 ** -1022;

const isFiniteFrom = (least: number, value: number): boolean =>
  Number.isFinite(value) && value !== 0 && Math.abs(value) >= least;

/** The number that content nodes read at the beginning of a text. */
export function leadingNumber(text: string): number | undefined {
  const found = leading(text);
  return found?.isInRange === true ? found.value : undefined;
}

/** The number that a whole text is to content nodes: 0 where it is empty. */
export function contentNumber(text: string): number | undefined {
  if (text === "") return 0;
  const found = leading(text);
  return found?.isInRange === true && found.end === text.length ? found.value : undefined;
}

/** The number that a text begins with as `atof` of C has it, which tells of nothing: 0 where there is none. */
export const startingNumber = (text: string): number => leading(text)?.value ?? 0;

/** The whole number that a text begins with as `atoi` of C has it: 0 where there is none. */
export function startingWhole(text: string): number {
  const [, digits = "0"] = /^[ \t-\r]*([+-]?\d+)/.exec(text) ?? [];
  return Number(digits);
}

/** The number from 0 to 2³² - 1 that a text begins with, behind nothing, in hexadecimal digits too: 0 where there is none. */
export function startingCount(text: string): number {
  const [digits = "0"] = /^(?:0x[\da-f]+|\d+)/i.exec(text) ?? [];
  const number = Number(digits);
  return number < 2 ** 32 ? number : 0;
}

/** What Java reads beside white space: an exponent must follow hexadecimal digits, and the letter of a type may end a number. */
const ofJava =
  /^[+-]?(?:NaN|Infinity|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?|0[xX](?:[\da-fA-F]+\.?|[\da-fA-F]*\.[\da-fA-F]+)[pP][+-]?\d+[fFdD]?)$/;

/** The number that a whole text is to containers. */
export function containerNumber(text: string): number | undefined {
  const plain = trimmed(text);
  return ofJava.test(plain) ? leading(plain)?.value : undefined;
}

/** A text without spaces and control characters at its ends. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (start < end && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}
