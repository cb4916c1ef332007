/** What operators and functions give for numbers (4.3 and 5.1 of the language). */

export type Dialect = "formalism" | "vespa";
type OfOne = (x: number) => number;
type OfTwo = (x: number, y: number) => number;

const truth = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** By a series without differences up to 3, and beyond by a continued fraction of what is left to 1. */
function erf(x: number): number {
  const size = Math.abs(x);
  if (!(size > 0)) return x;
  if (size > 6) return Math.sign(x);
  const bell = Math.exp(-size * size) / Math.sqrt(Math.PI);
  if (size >= 3) {
    let rest = 0;
    for (let step = 120; step > 0; step--) rest = step / 2 / (size + rest);
    return Math.sign(x) * (1 - bell / (size + rest));
  }
  let [sum, term] = [0, 2 * size];
  for (let odd = 3; term > sum * 1e-18; odd += 2) {
    sum += term;
    term *= (2 * size * size) / odd;
  }
  return Math.sign(x) * bell * sum;
}

const greatest = 2 ** 63;

export const ofOne: Readonly<Record<string, OfOne>> = {
  "-": (x) => -x,
  "!": (x) => truth(x === 0),
  abs: Math.abs,
  fabs: Math.abs,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  elu: (x) => (x < 0 ? Math.exp(x) - 1 : x),
  erf,
  exp: Math.exp,
  floor: Math.floor,
  isNan: (x) => truth(Number.isNaN(x)),
  log: Math.log,
  log10: Math.log10,
  relu: (x) => (x < 0 ? 0 : x),
  // Halves go up; NaN is 0, and so is -0, since the result is a whole number of 64 bits.
  round: (x) => (Number.isNaN(x) ? 0 : Math.min(Math.max(Math.round(x) + 0, -greatest), greatest)),
  // Both are the same number, of which each is exact on its side.
  sigmoid: (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x))),
  sign: (x) => (x >= 0 ? 1 : -1),
  sin: Math.sin,
  sinh: Math.sinh,
  square: (x) => x * x,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
};

/** The lowest 8 bits of a whole number in two's complement; 0 of what is none. */
const lowByte = (x: number): number =>
  Number.isFinite(x) ? Number(BigInt.asUintN(8, BigInt(Math.trunc(x)))) : 0;

function bit(x: number, n: number): number {
  const at = Number.isNaN(n) ? 0 : Math.trunc(n);
  return at >= 0 && at < 8 ? (lowByte(x) >> at) & 1 : 0;
}

const hamming: OfTwo = (x, y) =>
  [...(lowByte(x) ^ lowByte(y)).toString(2)].filter((digit) => digit === "1").length;

/** x · 2^trunc(e), rounded once; NaN counts as the lowest exponent of all (D22). */
function ldexp(x: number, e: number): number {
  let left = Number.isNaN(e) ? -5000 : Math.trunc(Math.min(Math.max(e, -5000), 5000));
  let scaled = x;
  while (left > 0) {
    const step = Math.min(left, 1000);
    scaled *= 2 ** step;
    left -= step;
  }
  // Halves are exact down to the least normal number, where the rest is one step.
  while (left < 0 && Math.abs(scaled) >= 2 ** -1021) {
    scaled /= 2;
    left++;
  }
  return scaled * 2 ** left;
}

const single = new DataView(new ArrayBuffer(4));

/** The float beside a float, on the side of another one. */
function floatBeside(from: number, towards: number): number {
  const [start, end] = [Math.fround(from), Math.fround(towards)];
  if (Number.isNaN(start) || Number.isNaN(end)) return Number.NaN;
  if (start === end) return end;
  if (start === 0) return Math.sign(end) * 2 ** -149;
  single.setFloat32(0, start);
  single.setInt32(0, single.getInt32(0) + (start < end === start > 0 ? 1 : -1));
  return single.getFloat32(0);
}

function approximately(a: number, b: number): number {
  if (a === b) return 1;
  if (Math.abs(a) > 1) return truth(floatBeside(b / a, 1) === 1);
  return truth(Math.fround(a) === floatBeside(b, a));
}

const eitherNaN = (x: number, y: number): boolean => Number.isNaN(x) || Number.isNaN(y);
const vespaMax: OfTwo = (a, b) => (a < b ? b : a);
const vespaMin: OfTwo = (a, b) => (b < a ? b : a);

const common: Readonly<Record<string, OfTwo>> = {
  "+": (x, y) => x + y,
  "-": (x, y) => x - y,
  "*": (x, y) => x * y,
  "/": (x, y) => x / y,
  "%": (x, y) => x % y,
  "^": (x, y) => x ** y,
  "==": (x, y) => truth(x === y),
  "!=": (x, y) => truth(x !== y),
  "<": (x, y) => truth(x < y),
  "<=": (x, y) => truth(x <= y),
  ">": (x, y) => truth(x > y),
  ">=": (x, y) => truth(x >= y),
  "&&": (x, y) => truth(x !== 0 && y !== 0),
  "||": (x, y) => truth(x !== 0 || y !== 0),
  "~=": approximately,
  atan2: Math.atan2,
  bit,
  fmod: (x, y) => x % y,
  hamming,
  ldexp,
  pow: (x, y) => x ** y,
};

/** Which of two numbers is larger depends on the dialect where one is NaN (D17). */
export const ofTwo: Readonly<Record<Dialect, Readonly<Record<string, OfTwo>>>> = {
  formalism: {
    ...common,
    max: (x, y) => (eitherNaN(x, y) ? Number.NaN : vespaMax(x, y)),
    min: (x, y) => (eitherNaN(x, y) ? Number.NaN : vespaMin(x, y)),
  },
  vespa: { ...common, max: vespaMax, min: vespaMin },
};
