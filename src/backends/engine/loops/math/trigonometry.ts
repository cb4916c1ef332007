import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { lowestBit, shifted, signOf, xor } from "./bits.js";
import { polynomial } from "./polynomial.js";
import { type QuarterTurns, quarterTurns } from "./quarter-turns.js";

/**
 * Sine, cosine and tangent. Of the rest of an angle r without its quarter turns, between ±π/4, the sine is r + r³·S(r²) and the
 * cosine 1 - r²/2 + r⁴·C(r²); each quarter turn makes one of them the other.
 *
 * The polynomials are (sin r - r)/r³ and (cos r - 1 + r²/2)/r⁴, fitted for the least greatest error (Remez' algorithm with 50 digits).
 */
interface TrigonometryTable {
  readonly sine: readonly number[];
  readonly cosine: readonly number[];
  /** Added to a number, this leaves it as a whole one in the lowest bits. */
  readonly rounder: number;
}

// biome-ignore format: tables of numbers
const double: TrigonometryTable = {
  sine: [
    -0.16666666666666666, 0.008333333333333323, -0.0001984126984125499, 2.755731921414898e-06, -2.5052104900563684e-08,
    1.6058365195457586e-10, -7.578625575558243e-13,
  ],
  cosine: [
    0.0416666666666666, -0.001388888888887399, 2.480158728939495e-05, -2.755731432602047e-07, 2.0875719555529986e-09,
    -1.1359448444202524e-11,
  ],
  rounder: 2 ** 52 * 1.5,
};

// biome-ignore format: tables of numbers
const float: TrigonometryTable = {
  sine: [-0.16666655, 0.008332173, -0.00019516656],
  cosine: [0.041666646, -0.0013887362, 2.443773e-05],
  rounder: 2 ** 23 * 1.5,
};

const tableOf = ({ isDouble }: Numbers): TrigonometryTable => (isDouble ? double : float);

interface SineAndCosine {
  readonly sine: StackValue;
  readonly cosine: StackValue;
}

function ofRest(n: Numbers, { high, low }: QuarterTurns): SineAndCosine {
  const square = n.bind(n.multiply(high, high));
  const fourth = n.bind(n.multiply(square, square));
  const halfSquare = n.bind(n.multiply(square, n.constant(0.5)));
  const lessHalf = n.bind(n.subtract(n.constant(1), halfSquare));

  const curve = n.bind(polynomial(n, square, fourth, tableOf(n).sine));
  const cube = n.multiply(high, square);
  const sine = n.bind(n.add(high, n.multiplyAdd(low, lessHalf, n.multiply(cube, curve))));

  const lost = n.subtract(n.subtract(n.constant(1), lessHalf), halfSquare);
  const fine = n.bind(polynomial(n, square, fourth, tableOf(n).cosine));
  const tail = n.multiplySubtract(high, low, n.multiply(fourth, fine));
  return { sine, cosine: n.bind(n.add(lessHalf, n.add(lost, n.bind(tail)))) };
}

/** The quarter turns as whole numbers in the lowest bits, after so many more. */
const turnBits = (n: Numbers, { turns }: QuarterTurns, more: number): StackValue =>
  n.bind(n.add(turns, n.constant(tableOf(n).rounder + more)));

/** The sign of a sine after so many quarter turns: the second lowest bit of their number. */
const signAfter = (n: Numbers, bits: StackValue): StackValue =>
  signOf(n, shifted(n, "shl", bits, n.isDouble ? 62 : 30));

function sineAfter(n: Numbers, angle: QuarterTurns, more: number): StackValue {
  const { sine: ofSine, cosine: ofCosine } = ofRest(n, angle);
  const bits = turnBits(n, angle, more);
  return xor(n, n.choose(lowestBit(n, bits), ofCosine, ofSine), signAfter(n, bits));
}

/** The sine, with an error below one unit in the last place; NaN of infinity. */
export function sine(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const result = sineAfter(n, quarterTurns(n, n.bind(n.unary("abs", x))), 0);
  return xor(n, result, signOf(n, x));
}

/** The cosine, with an error below one unit in the last place; NaN of infinity. */
export function cosine(n: Numbers, x: StackValue): StackValue {
  return sineAfter(n, quarterTurns(n, n.bind(n.unary("abs", x))), 1);
}

/** The tangent, within two units in the last place; NaN of infinity. */
export function tangent(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const angle = quarterTurns(n, n.bind(n.unary("abs", x)));
  const { sine: ofSine, cosine: ofCosine } = ofRest(n, angle);
  const isTurned = lowestBit(n, turnBits(n, angle, 0));
  const quotient = n.divide(n.choose(isTurned, ofCosine, ofSine), n.choose(isTurned, ofSine, ofCosine));
  return xor(n, quotient, signOf(n, xor(n, x, isTurned)));
}
