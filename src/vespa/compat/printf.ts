/**
 * A number as `%.6g` of C writes it, or with more significant digits: without trailing zeros, with an exponent where the
 * number is large or small. Halves are rounded to the even digit, as there.
 */
export function general(value: number, precision = 6): string {
  if (Number.isNaN(value)) return "nan";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (!Number.isFinite(value)) return `${sign}inf`;
  const { digits, exponent } = rounded(Math.abs(value), precision);
  const trimmed = digits.replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= precision) {
    const size = `${Math.abs(exponent)}`.padStart(2, "0");
    return `${sign}${pointed(trimmed, 1)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  return exponent < 0
    ? `${sign}0.${"0".repeat(-exponent - 1)}${trimmed}`
    : `${sign}${pointed(trimmed.padEnd(exponent + 1, "0"), exponent + 1)}`;
}

const pointed = (digits: string, whole: number): string =>
  digits.length > whole ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : digits;

/** The first digits of a number, which stand before and behind the point as the exponent of ten says. */
function rounded(size: number, precision: number): { digits: string; exponent: number } {
  const [mantissa = "0", power = "0"] = size.toExponential(100).split("e");
  const all = mantissa.replace(".", "");
  const leading = all.slice(0, precision);
  const rest = all.slice(precision);
  const half = `5${"0".repeat(rest.length - 1)}`;
  const isUp = rest > half || (rest === half && Number(leading.at(-1)) % 2 === 1);
  if (!isUp) return { digits: leading, exponent: Number(power) };
  const next = `${BigInt(leading) + 1n}`;
  return next.length > precision
    ? { digits: next.slice(0, precision), exponent: Number(power) + 1 }
    : { digits: next.padStart(precision, "0"), exponent: Number(power) };
}
