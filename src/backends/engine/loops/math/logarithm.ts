import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { short } from "./bits.js";
import { decompose } from "./decomposition.js";
import { polynomial } from "./polynomial.js";

/**
 * The logarithm of x = 2ᵏ·m is k·ln 2 + ln m, with m between √½ and √2. With f = m - 1 and s = f/(2 + f), ln m is
 * 2·artanh s = f - f²/2 + s·(f²/2 + R), where R is s² times a polynomial in s²: that loses nothing where x is near 1.
 *
 * The polynomials are (2·artanh(s)/s - 2)/s², fitted for the least greatest error (Remez' algorithm with 50 digits).
 */
// biome-ignore format: tables of numbers
const double = {
  ln2: [0.6931471805592082, 7.371002565167799e-13],
  coefficients: [
    0.6666666666666691, 0.3999999999966603, 0.285714286923008, 0.22222203279156086, 0.1818333713365061,
    0.15319506350956968, 0.14744310479008685,
  ],
} as const;

// biome-ignore format: tables of numbers
const float = {
  ln2: [0.693115234375, 3.194618329871446e-05],
  coefficients: [0.6666667, 0.40000287, 0.2853996, 0.2353804],
} as const;

interface LogarithmTerms {
  readonly exponent: StackValue;
  /** m - 1, and half its square. */
  readonly beyondOne: StackValue;
  readonly halfSquare: StackValue;
  /** s·(f²/2 + R). */
  readonly correction: StackValue;
}

function termsOf(n: Numbers, x: StackValue): LogarithmTerms {
  const { coefficients } = n.isDouble ? double : float;
  const { exponent, beyondOne } = decompose(n, x);
  const ratio = n.bind(n.divide(beyondOne, n.add(beyondOne, n.constant(2))));
  const square = n.bind(n.multiply(ratio, ratio));
  const rest = n.multiply(square, polynomial(n, square, n.bind(n.multiply(square, square)), coefficients));
  const halfSquare = n.bind(n.multiply(n.multiply(beyondOne, beyondOne), n.constant(0.5)));
  const correction = n.bind(n.multiply(ratio, n.add(halfSquare, rest)));
  return { exponent, beyondOne, halfSquare, correction };
}

/** What is not the logarithm of a positive number: -Infinity of 0, NaN of less; Infinity and NaN stay. */
function withSpecial(n: Numbers, x: StackValue, logarithm: StackValue): StackValue {
  const zero = n.constant(0);
  const isOrdinary = n.both(
    n.compare("gt", x, zero),
    n.compare("lt", x, n.constant(Number.POSITIVE_INFINITY)),
  );
  const ofOthers = n.choose(
    n.compare("eq", x, zero),
    n.constant(Number.NEGATIVE_INFINITY),
    n.choose(n.compare("lt", x, zero), n.constant(Number.NaN), x),
  );
  return n.choose(isOrdinary, logarithm, ofOthers);
}

/** The natural logarithm, with an error below one unit in the last place. */
export function logarithm(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  return withSpecial(n, x, logarithmWith(n, x));
}

/** The logarithm of 1 + x, with an error of about one unit in the last place, also where x is small. */
export function logarithmBeyondOne(n: Numbers, value: StackValue): StackValue {
  const one = n.constant(1);
  const x = n.bind(value);
  const sum = n.bind(n.add(one, x));
  // What is rounded off the sum, by the sum, is what its logarithm lacks.
  const [ofOne, ofX] = [n.subtract(one, n.subtract(sum, x)), n.subtract(x, n.subtract(sum, one))];
  const lost = n.choose(n.compare("gt", x, one), ofOne, ofX);
  return withSpecial(n, sum, logarithmWith(n, sum, n.divide(lost, sum)));
}

/** The logarithm of a positive number, and something small. */
function logarithmWith(n: Numbers, x: StackValue, more?: StackValue): StackValue {
  const { exponent, beyondOne, halfSquare, correction } = termsOf(n, x);
  const [high, low] = (n.isDouble ? double : float).ln2;
  const ofExponent = n.multiplyAdd(exponent, n.constant(low), correction);
  const small = more === undefined ? ofExponent : n.add(ofExponent, more);
  const inner = n.subtract(n.subtract(halfSquare, small), beyondOne);
  return n.bind(n.subtract(n.multiply(exponent, n.constant(high)), inner));
}

/** A constant in a part with few digits and a rest. */
type SplitConstant = readonly [number, number];

/** The logarithm of 2 and that of e to base 10. */
// biome-ignore format: tables of numbers
const toBase10: Readonly<Record<"double" | "float", { readonly two: SplitConstant; readonly e: SplitConstant }>> = {
  double: { two: [0.30102999566361177, 3.694239077158931e-13], e: [0.4342944771051407, 4.798111141615973e-09] },
  float:  { two: [0.301025390625, 4.605038981195214e-06], e: [0.434326171875, -3.16899717482e-05] },
};

/** The logarithm to base 10, with an error below about one unit in the last place. */
export function logarithmToBase10(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const { exponent, beyondOne, halfSquare, correction } = termsOf(n, x);
  const { two, e } = n.isDouble ? toBase10.double : toBase10.float;
  const rough = n.subtract(beyondOne, halfSquare);
  const high = short(n, rough);
  const low = n.bind(n.add(n.subtract(n.subtract(beyondOne, high), halfSquare), correction));
  const [twoHigh, twoLow] = two;
  const [eHigh, eLow] = e;
  const main = n.bind(n.multiply(high, n.constant(eHigh)));
  const shift = n.bind(n.multiply(exponent, n.constant(twoHigh)));
  const sum = n.bind(n.add(shift, main));
  const lost = n.add(n.subtract(shift, sum), main);
  const small = n.add(
    n.add(n.multiply(exponent, n.constant(twoLow)), n.multiply(n.add(low, high), n.constant(eLow))),
    n.multiply(low, n.constant(eHigh)),
  );
  return withSpecial(n, x, n.bind(n.add(sum, n.add(small, lost))));
}
