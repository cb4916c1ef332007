import { mapTuple } from "../../../../language/source/lists.js";
import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { and, or, short, signOf } from "./bits.js";
import { decompose } from "./decomposition.js";
import { lessOne, powers, rounderOf } from "./exponential.js";
import { polynomial } from "./polynomial.js";

/**
 * x to the power of y is 2 to the power of y·log₂ x. Since the whole part of that says how large the power is, and the rest what its
 * digits are, the logarithm needs more digits than a number has. So it, and all that goes into it, is a sum of two numbers, of which
 * the first has so few digits that products of such are exact.
 *
 * With x = 2ᵏ·m, f = m - 1, s = f/(2 + f) and z = s², log₂ m is 2/(3·ln 2) · s·(3 + z + z²·L(z)). The polynomial L is
 * fitted for the least greatest error (Remez' algorithm with 50 digits).
 */
interface PowerTable {
  readonly coefficients: readonly number[];
  /** 2/(3·ln 2) and ln 2: as one number, and as a short one with a rest. */
  readonly perThird: SplitNumber;
  readonly ln2: SplitNumber;
  /** A power of 2 with an exponent beyond it, or below its opposite, is Infinity or 0. */
  readonly limit: number;
}

interface SplitNumber {
  readonly all: number;
  readonly high: number;
  readonly low: number;
}

// biome-ignore format: tables of numbers
const double: PowerTable = {
  coefficients: [
    0.6, 0.42857142857144065, 0.3333333333247541, 0.27272727504841043, 0.23076892270286167, 0.20002215856385894,
    0.17559132483747103, 0.1758696382813826,
  ],
  perThird: { all: 0.9617966939259756, high: 0.9617962837219238, low: 4.102040517767816e-7 },
  ln2: { all: Math.LN2, high: 0.6931467056274414, low: 4.7493250390316726e-7 },
  limit: 1100,
};

// biome-ignore format: tables of numbers
const float: PowerTable = {
  coefficients: [0.6000023, 0.428207, 0.35127863],
  perThird: { all: 0.9617967, high: 0.9619140625, low: -0.00011736857 },
  ln2: { all: Math.fround(Math.LN2), high: 0.693115234375, low: 3.194618329871446e-5 },
  limit: 160,
};

const tableOf = ({ isDouble }: Numbers): PowerTable => (isDouble ? double : float);

interface NumberSum {
  readonly high: StackValue;
  readonly low: StackValue;
}

/** The power, within about one unit in the last place. */
export function power(n: Numbers, base: StackValue, exponent: StackValue): StackValue {
  const [x, y] = [n.bind(base), n.bind(exponent)];
  const size = n.bind(n.unary("abs", x));
  return withSpecial(n, x, y, size, n.bind(twoTo(n, timesLogarithm(n, size, y))));
}

/** y·log₂ x, of positive x; or, beyond the limit, that. */
function timesLogarithm(n: Numbers, x: StackValue, exponent: StackValue): NumberSum {
  const logarithm = logarithmOf(n, x);
  const most = 2 ** 80;
  const y = n.bind(n.larger(n.smaller(exponent, n.constant(most)), n.constant(-most)));
  const first = short(n, y);
  const low = n.bind(n.add(n.multiply(n.subtract(y, first), logarithm.high), n.multiply(y, logarithm.low)));
  const high = n.bind(n.multiply(first, logarithm.high));
  const { limit } = tableOf(n);
  const isWithin = n.bindMask(n.compare("lt", n.unary("abs", n.add(high, low)), n.constant(limit)));
  const limited = n.larger(n.bind(n.smaller(high, n.constant(limit))), n.constant(-limit));
  return { high: n.bind(n.choose(isWithin, high, limited)), low: n.bind(and(n, low, isWithin)) };
}

function logarithmOf(n: Numbers, x: StackValue): NumberSum {
  const { coefficients, perThird } = tableOf(n);
  const { exponent, beyondOne } = decompose(n, x);
  const two = n.constant(2);
  // s as a sum: the short first part times the divisor, in two parts as well, is taken from what is divided.
  const divisor = n.bind(n.add(beyondOne, two));
  const inverse = n.bind(n.divide(n.constant(1), divisor));
  const ratio = n.bind(n.multiply(beyondOne, inverse));
  const first = short(n, ratio);
  const divisorFirst = short(n, divisor);
  const divisorRest = n.bind(n.subtract(beyondOne, n.subtract(divisorFirst, two)));
  const left = n.subtract(
    n.subtract(beyondOne, n.multiply(first, divisorFirst)),
    n.multiply(first, divisorRest),
  );
  const second = n.bind(n.multiply(inverse, left));

  const square = n.bind(n.multiply(ratio, ratio));
  const fourth = n.bind(n.multiply(square, square));
  const series = n.multiply(fourth, polynomial(n, square, fourth, coefficients));
  const rest = n.bind(n.add(series, n.multiply(second, n.add(first, ratio))));
  const firstSquare = n.bind(n.multiply(first, first));
  const three = n.constant(3);
  const factor = short(n, n.add(n.add(three, firstSquare), rest));
  const factorRest = n.subtract(rest, n.subtract(n.subtract(factor, three), firstSquare));

  const main = n.bind(n.multiply(first, factor));
  const small = n.bind(n.add(n.multiply(second, factor), n.multiply(factorRest, ratio)));
  const high = short(n, n.add(main, small));
  const low = n.subtract(small, n.subtract(high, main));

  const inBits = n.bind(n.multiply(high, n.constant(perThird.high)));
  const inBitsRest = n.bind(
    n.add(n.multiply(high, n.constant(perThird.low)), n.multiply(low, n.constant(perThird.all))),
  );
  const sum = short(n, n.add(n.add(inBits, inBitsRest), exponent));
  const lost = n.subtract(inBitsRest, n.subtract(n.subtract(sum, exponent), inBits));
  return { high: sum, low: n.bind(lost) };
}

function twoTo(n: Numbers, { high, low }: NumberSum): StackValue {
  const { ln2 } = tableOf(n);
  const rounder = rounderOf(n);
  const bits = n.bind(n.add(n.add(high, low), rounder));
  const part = n.bind(n.subtract(high, n.subtract(bits, rounder)));
  const first = short(n, n.add(low, part));
  const main = n.bind(n.multiply(first, n.constant(ln2.high)));
  const small = n.bind(
    n.add(
      n.multiply(n.subtract(low, n.subtract(first, part)), n.constant(ln2.all)),
      n.multiply(first, n.constant(ln2.low)),
    ),
  );
  const sum = n.bind(n.add(main, small));
  const lost = n.subtract(small, n.subtract(sum, main));
  const digits = n.bind(n.add(n.constant(1), n.add(n.bind(lessOne(n, sum)), lost)));
  const [one, other] = powers(n, bits);
  return n.multiply(n.multiply(digits, one), other);
}

/** What JavaScript says of 0, infinities, negative numbers and NaN; without a branch, which takes longer than all of this. */
function withSpecial(
  n: Numbers,
  x: StackValue,
  y: StackValue,
  size: StackValue,
  ordinary: StackValue,
): StackValue {
  const [zero, infinity, nan] = mapTuple([0, Number.POSITIVE_INFINITY, Number.NaN], (value) =>
    n.constant(value),
  );
  const isRising = n.bindMask(n.compare("gt", y, zero));
  const ofZero = n.choose(isRising, zero, infinity);
  const ofInfinity = n.choose(isRising, infinity, zero);
  const positive = n.choose(
    n.compare("eq", size, zero),
    ofZero,
    n.choose(n.compare("eq", size, infinity), ofInfinity, ordinary),
  );
  const isWhole = n.bindMask(n.compare("eq", n.unary("trunc", y), y));
  const half = n.bind(n.multiply(y, n.constant(0.5)));
  const isOdd = n.both(isWhole, n.compare("ne", n.unary("trunc", half), half));
  const signed = or(n, positive, signOf(n, and(n, x, isOdd)));
  const isBelow = n.both(n.compare("lt", x, zero), n.compare("gt", x, n.constant(Number.NEGATIVE_INFINITY)));
  const isNever = n.both(isBelow, n.not(isWhole));
  const isUndecided = n.both(
    n.compare("eq", size, n.constant(1)),
    n.compare("eq", n.unary("abs", y), infinity),
  );
  const isUnknown = n.either(n.compare("ne", x, x), n.compare("ne", y, y));
  const isNan = n.either(n.either(isNever, isUndecided), isUnknown);
  const result = n.choose(isNan, nan, signed);
  return n.choose(n.compare("eq", y, zero), n.constant(1), result);
}
