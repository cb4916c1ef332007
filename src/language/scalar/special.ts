/**
 * The scalar functions that Math lacks, or has with another idea of the corner cases. They take numbers and
 * give numbers, truth being 1 and 0, and none of them knows of tensors or cell types; what JavaScript has
 * already, such as exp and %, is used as it is and not repeated here.
 *
 * Where Vespa's two implementations differ, what ranking does decides: the C++ one, except for the functions
 * that only Java has.
 */

/** The error function, to about one unit in the last place. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size <= 1) return erfSeries(x);
  if (size > 6) return Math.sign(x); // nearer to 1 than to the double before it
  return Number.isNaN(x) ? x : Math.sign(x) * (1 - erfcFraction(size));
}

/** 2/√π · (x - x³/(1!·3) + x⁵/(2!·5) - …), as x and a small rest, so that the rest's errors are small. */
function erfSeries(x: number): number {
  const square = x * x;
  let tail = 0;
  for (let n = 20; n >= 1; n -= 1) tail = ((square * (2 * n - 1)) / (n * (2 * n + 1))) * (1 - tail);
  return x + x * (beyondOne - tail - beyondOne * tail);
}

/** 2/√π - 1, with the digits that a subtraction would lose. */
const beyondOne = 0.12837916709551256;

/** 1 - erf(x) as exp(-x²)/√π / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))). */
function erfcFraction(x: number): number {
  let below = x;
  // The nearer x is to 0, the longer the fraction has to be: about 200 steps at 1, 30 at 3.
  for (let half = Math.ceil(180 / (x * x) + 10) / 2; half > 0; half -= 0.5) below = x + half / below;
  return (Math.exp(-x * x) * inverseRootOfPi) / below;
}

/** 1/√π. */
const inverseRootOfPi = 0.5641895835477563;

/** x · 2^e with the fraction of e cut off, rounded once. */
export function ldexp(x: number, e: number): number {
  // A NaN counts as the lowest exponent of all (D22). ±2200 is enough for any double to become 0 or infinite.
  let exponent = Number.isNaN(e) ? -2200 : Math.min(Math.max(Math.trunc(e), -2200), 2200);
  let scaled = x;
  for (; exponent > 1023; exponent -= 1023) scaled *= 2 ** 1023;
  // A step of 1022 could leave a denormal, rounded already, to be rounded again; after one of 969, a denormal
  // has still so far to go that it becomes 0 either way.
  for (; exponent < -1022; exponent += 969) scaled *= 2 ** -969;
  return scaled * 2 ** exponent;
}

/** Bit n of the lowest 8 bits of x, both without their fractions; 0 where there is no such bit, and bit 0 for NaN. */
export function bit(x: number, n: number): number {
  const index = Number.isNaN(n) ? 0 : Math.trunc(n);
  return index >= 0 && index < 8 ? (lowByte(x) >> index) & 1 : 0;
}

/** How many of the lowest 8 bits of x and y differ, both without their fractions. */
export function hamming(x: number, y: number): number {
  let count = 0;
  for (let rest = lowByte(x) ^ lowByte(y); rest !== 0; rest >>= 1) count += rest & 1;
  return count;
}

/** & takes any number modulo 2^32 in two's complement, and NaN and the infinities as 0. */
const lowByte = (x: number): number => x & 0xff;

/** The bits of two whole numbers in two's complement, of which a double holds those below 2^53; NaN for larger ones. */
export const bitwise = {
  and: (x: number, y: number): number =>
    wholeBits(
      x,
      y,
      (a, b) => a & b,
      (a, b) => a & b,
    ),
  or: (x: number, y: number): number =>
    wholeBits(
      x,
      y,
      (a, b) => a | b,
      (a, b) => a | b,
    ),
  xor: (x: number, y: number): number =>
    wholeBits(
      x,
      y,
      (a, b) => a ^ b,
      (a, b) => a ^ b,
    ),
};

function wholeBits(
  x: number,
  y: number,
  small: (x: number, y: number) => number,
  large: (x: bigint, y: bigint) => bigint,
): number {
  const [a, b] = [Math.trunc(x), Math.trunc(y)];
  if (!(Math.abs(a) < 2 ** 53 && Math.abs(b) < 2 ** 53)) return Number.NaN;
  if ((a | 0) === a && (b | 0) === b) return small(a, b);
  return Number(large(BigInt(a), BigInt(b)));
}

/** The operator ~= as ranking has it: whether a and b are equal to about one unit in a float's last place. */
export function approximately(a: number, b: number): number {
  if (a === b) return 1;
  if (Math.abs(a) > 1) return nextFloat(b / a, 1) === 1 ? 1 : 0;
  return Math.fround(a) === nextFloat(b, a) ? 1 : 0;
}

/** C's nextafterf: the float next to x in the direction of another, both first rounded to floats. */
export function nextFloat(x: number, towards: number): number {
  const start = Math.fround(x);
  const end = Math.fround(towards);
  if (Number.isNaN(start) || Number.isNaN(end)) return Number.NaN;
  if (start === end) return start;
  if (start === 0) return end > 0 ? 2 ** -149 : -(2 ** -149);
  floatBits.setFloat32(0, start);
  // The bits of a float without its sign are in the order of its size.
  const away = start > 0 === end > start;
  floatBits.setInt32(0, floatBits.getInt32(0) + (away ? 1 : -1));
  return floatBits.getFloat32(0);
}

const floatBits = new DataView(new ArrayBuffer(4));

/** The nearest whole number; of two, the even one. Adding 2^52 leaves no fraction, and rounds as all additions do. */
export function roundHalfEven(x: number): number {
  const size = Math.abs(x);
  if (!(size < 2 ** 52)) return x;
  const rounded = size + 2 ** 52 - 2 ** 52;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

/** Java's Math.round: halves go up, NaN is 0, and the result stays within 64 bits. */
export function roundHalfUp(x: number): number {
  const rounded = Math.round(x) || 0; // -0 becomes 0 too: Java's result is an integer
  return Math.min(Math.max(rounded, -(2 ** 63)), 2 ** 63);
}

/** The exponential linear unit. */
export function elu(x: number): number {
  return x < 0 ? Math.exp(x) - 1 : x; // not expm1, which is more exact than the engines are
}

/** 1 from zero up, -1 below and for NaN. */
export function sign(x: number): number {
  return x >= 0 ? 1 : -1;
}

/** The logistic function: below 0 as exp(x)/(1 + exp(x)), which is as exact there as 1/(1 + exp(-x)) is above. */
export function sigmoid(x: number): number {
  const power = Math.exp(-Math.abs(x));
  return (x < 0 ? power : 1) / (1 + power);
}

/** The hyperbolic tangent, to about one unit in the last place: what JavaScript has may be off by more than two. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (size >= 1) return Math.sign(x) * (1 - 2 / (Math.exp(2 * size) + 1));
  if (!(size > 0)) return x; // of zeros and of NaN
  // x / (1 + x²/(3 + x²/(5 + …))), as x less a small part of it.
  const square = x * x;
  let below = 21;
  for (let odd = 19; odd >= 3; odd -= 2) below = odd + square / below;
  return x - (x * square) / (below + square);
}
