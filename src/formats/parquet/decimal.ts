/** Numbers that are stored as whole ones, with a number of decimal places for all of a column. */

/** What a file says of a column, as far as it concerns these. */
interface Element {
  readonly type?: string;
  readonly converted_type?: string;
  readonly logical_type?: { readonly type: string; readonly scale?: number };
  readonly scale?: number;
}

/** A whole number as Parquet stores it: as such, or as bytes, the highest first, the first bit being the sign. */
type Whole = number | bigint | Uint8Array;

/** Powers of ten are doubles up to this one. */
const greatestPower = 22;
/** As many as a number of 76 digits takes; writers have no longer ones. */
const mostBytes = 32;

/** How many decimal places the numbers of a column have that are stored as whole ones; nothing where they are not. */
export function placesIn({ converted_type, logical_type, scale = 0 }: Element): number | undefined {
  if (logical_type?.type === "DECIMAL") return logical_type.scale;
  return converted_type === "DECIMAL" ? scale : undefined;
}

/** Whether the numbers of a column are dates, times of day, moments or intervals; of the durations of Arrow a file does not say it. */
export const isTime = ({ type, converted_type, logical_type }: Element): boolean =>
  [type, converted_type, logical_type?.type].some((each) => /^(?:INT96|DATE|TIME|INTERVAL)/.test(each ?? ""));

/**
 * Each number with so many places: the double that is nearest to it; of a whole number that no double need be, itself, as it may
 * be a label.
 * @throws Error where a number is too long.
 */
export const decimals = (values: ArrayLike<Whole>, places: number): (number | bigint)[] =>
  Array.from(values, (value) => decimal(value instanceof Uint8Array ? wholeIn(value) : value, places));

function decimal(whole: number | bigint, places: number): number | bigint {
  const number = Number(whole);
  // The quotient of two doubles is rounded once; a product with a tenth, which no double is, would be twice.
  if (Number.isSafeInteger(number) && places <= greatestPower) return number / 10 ** places;
  const scale = 10n ** BigInt(places);
  const isWhole = BigInt(whole) % scale === 0n;
  return isWhole ? BigInt(whole) / scale : Number(`${whole}e-${places}`);
}

function wholeIn(bytes: Uint8Array): bigint {
  if (bytes.length > mostBytes) throw new Error(`a number of ${bytes.length} bytes`);
  const whole = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(8 * bytes.length, whole);
}
