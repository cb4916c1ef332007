import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { integer, minus, shifted } from "./bits.js";
import { polynomial } from "./polynomial.js";

/**
 * e to the power of x is 2ⁿ·eʳ, with the whole number n nearest to x/ln 2, and r = x - n·ln 2 between ±ln 2 / 2, where a
 * polynomial does. ln 2 is split in two, of which the first has so few digits that n times it is exact.
 *
 * The polynomials are (eʳ - 1 - r)/r², fitted for the least greatest error (Remez' algorithm with 50 digits).
 */
interface ExponentialTable {
  readonly least: number;
  readonly most: number;
  readonly ln2: readonly [high: number, low: number];
  /** Added to a number, this leaves it rounded to a whole one in the lowest bits, plus twice the exponent's bias. */
  readonly rounder: number;
  readonly coefficients: readonly number[];
}

// biome-ignore format: tables of numbers
const double: ExponentialTable = {
  least: -746, most: 710,
  ln2: [0.6931471805582987, 1.6465949582897082e-12],
  rounder: 6755399441055744 + 2046,
  coefficients: [
    0.5000000000000001, 0.16666666666666674, 0.04166666666662409, 0.008333333333322198, 0.00138888889172324,
    0.00019841269886620256, 2.4801521267318604e-05, 2.7557242303929243e-06, 2.7620101929949607e-07,
    2.5110062141329056e-08,
  ],
};

// biome-ignore format: tables of numbers
const float: ExponentialTable = {
  least: -104.5, most: 89,
  ln2: [0.693115234375, 3.194618329871446e-05],
  rounder: 12582912 + 254,
  coefficients: [0.5, 0.16666576, 0.041666374, 0.008363187, 0.0013941134],
};

/** An exponent taken apart: r, what has been rounded off it, and what the powers of 2 are made of. */
interface Reduced {
  readonly rest: StackValue;
  /** Computed where it is used. */
  readonly tail: () => StackValue;
  /** The lowest bits of each lane hold n plus twice the bias. */
  readonly bits: StackValue;
}

/** The number that, added to another, leaves that rounded to a whole one in the lowest bits, with twice the bias. */
export function rounderOf(n: Numbers): StackValue {
  return n.constant((n.isDouble ? double : float).rounder);
}

function reduced(n: Numbers, x: StackValue): Reduced {
  const { ln2, rounder } = n.isDouble ? double : float;
  const bits = n.bind(n.multiplyAdd(x, n.constant(Math.LOG2E), n.constant(rounder)));
  const count = n.bind(n.subtract(bits, n.constant(rounder)));
  const [high, low] = ln2;
  const first = n.bind(n.multiplySubtract(count, n.constant(high), x));
  const rest = n.bind(n.multiplySubtract(count, n.constant(low), first));
  const tail = (): StackValue => n.multiplySubtract(count, n.constant(low), n.subtract(first, rest));
  return { rest, tail, bits };
}

/** eʳ - 1 for an r between ±ln 2 / 2. */
export function lessOne(n: Numbers, rest: StackValue): StackValue {
  const square = n.bind(n.multiply(rest, rest));
  const { coefficients } = n.isDouble ? double : float;
  return n.multiplyAdd(n.bind(polynomial(n, rest, square, coefficients)), square, rest);
}

/** The power of 2 whose exponent, with its bias, is in the lowest bits. */
export const powerOfTwo = (n: Numbers, bits: StackValue): StackValue =>
  shifted(n, "shl", bits, n.isDouble ? 52 : 23);

/** Two powers of 2 whose product is 2ⁿ: it may be out of the range of normal numbers, but they are not. */
export function powers(n: Numbers, bits: StackValue): readonly [StackValue, StackValue] {
  const half = n.bind(shifted(n, "shr_u", bits, 1));
  return [powerOfTwo(n, half), powerOfTwo(n, minus(n, bits, half))];
}

function limited(n: Numbers, x: StackValue): StackValue {
  const { least, most } = n.isDouble ? double : float;
  return n.bind(n.larger(n.smaller(x, n.constant(most)), n.constant(least)));
}

/** e to the power of x, with an error below one unit in the last place. */
export const exponential = (n: Numbers, x: StackValue): StackValue => powerOf(n, limited(n, x));

/** eˣ - 1 below 0, otherwise x. In doubles: near 0 the last digits of the power are all that the difference has. */
export function exponentialUnit(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const lessOne = n.subtract(exponential(n, x), n.constant(1));
  return n.choose(n.compare("lt", x, n.constant(0)), lessOne, x);
}

/** e to the power of x, for x up to 0. */
export const exponentialBelowOne = (n: Numbers, x: StackValue): StackValue =>
  powerOf(n, n.bind(n.larger(x, n.constant((n.isDouble ? double : float).least))));

function powerOf(n: Numbers, limitedExponent: StackValue): StackValue {
  const { rest, bits } = reduced(n, limitedExponent);
  return scaledPower(n, rest, bits);
}

/** Half of e to the power of x, for x from 0 on: that is a number where the power itself is beyond all. */
export function halfExponential(n: Numbers, x: StackValue): StackValue {
  const { most } = n.isDouble ? double : float;
  const { rest, bits } = reduced(n, n.bind(n.smaller(x, n.constant(most + 2))));
  return scaledPower(n, rest, n.bind(minus(n, bits, integer(n, 1))));
}

/** eʳ, times the power of 2 that the bits say. */
function scaledPower(n: Numbers, rest: StackValue, bits: StackValue): StackValue {
  const power = n.bind(n.add(lessOne(n, rest), n.constant(1)));
  const [first, second] = powers(n, bits);
  return n.multiply(n.multiply(power, first), second);
}

/** e to the power of x, less 1, for x from 0 on; where x is small as exact as where it is not. */
export function exponentialLessOne(n: Numbers, x: StackValue): StackValue {
  const { rest, tail, bits } = reduced(n, limited(n, x));
  const bias = integer(n, n.isDouble ? 1023 : 127);
  const scale = n.bind(powerOfTwo(n, minus(n, bits, bias)));
  const scaleLessOne = n.bind(n.subtract(scale, n.constant(1)));
  if (!n.isDouble) return n.multiplyAdd(n.bind(lessOne(n, rest)), scale, scaleLessOne);
  // Where 1 cancels digits, what has been rounded off counts: it is added in the end.
  const square = n.bind(n.multiply(rest, rest));
  const curve = n.bind(n.multiply(n.bind(polynomial(n, rest, square, double.coefficients)), square));
  const power = n.bind(n.add(curve, rest));
  const scaled = n.bind(n.multiply(power, scale));
  const sum = n.bind(n.add(scaled, scaleLessOne));
  const ofPower = n.bind(n.add(n.subtract(curve, n.subtract(power, rest)), tail()));
  const ofSum = n.bind(n.subtract(scaled, n.subtract(sum, scaleLessOne)));
  return n.add(sum, n.multiplyAdd(ofPower, scale, ofSum));
}
