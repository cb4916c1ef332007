import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { highestBit, signOf, xor } from "./bits.js";
import { partsOfPi } from "./half-pi.js";
import { polynomial } from "./polynomial.js";

/**
 * The angles of sines, cosines and tangents. The polynomials are (arctan r - r)/r³ in r² for an r up to tan π/8, and
 * (arcsin r - r)/r³ for one up to ½, fitted for the least greatest error (Remez' algorithm with 50 digits).
 */
interface InverseTable {
  readonly tangent: readonly number[];
  readonly sine: readonly number[];
}

// biome-ignore format: tables of numbers
const double: InverseTable = {
  tangent: [
    -0.33333333333333326, 0.19999999999997647, -0.1428571428538518, 0.11111111087999953, -0.09090908138066818,
    0.07692282611679963, -0.06666224575359302, 0.05877000326093167, -0.05218265523334689, 0.04502982202853627,
    -0.03346119223459407, 0.01518162158725039,
  ],
  sine: [
    0.16666666666666763, 0.07499999999970093, 0.04464285717528977, 0.03038194267513696, 0.022372215909211728,
    0.01735159545052062, 0.013981019035750207, 0.011397289576331399, 0.010789337810814474, 0.0036721307209865825,
    0.021790762326896883, -0.021116862092511023, 0.0327022405472255,
  ],
};

// biome-ignore format: tables of numbers
const float: InverseTable = {
  tangent: [-0.33333316, 0.19998479, -0.14243627, 0.10594266, -0.060788315],
  sine: [0.16666754, 0.07495233, 0.045478333, 0.024141032, 0.04223048],
};

const tableOf = ({ isDouble }: Numbers): InverseTable => (isDouble ? double : float);

/** tan π/8: an angle with a greater tangent is nearer to π/4 than to 0. */
const tangentOfEighth = Math.SQRT2 - 1;

/** The angle of a tangent, within two units in the last place: that of a point right of the origin. */
export function arcTangent(n: Numbers, value: StackValue): StackValue {
  const y = n.bind(value);
  return n.withSign(slopeAngle(n, n.bind(n.unary("abs", y)), n.constant(1)), y);
}

/** The angle of the point (x, y), within two units in the last place; what JavaScript says of infinities and of both zeros. */
export function pointAngle(n: Numbers, ordinate: StackValue, abscissa: StackValue): StackValue {
  const [y, x] = [n.bind(ordinate), n.bind(abscissa)];
  const [height, width] = [n.bind(n.unary("abs", y)), n.bind(n.unary("abs", x))];
  const isLeft = highestBit(n, x);
  return n.withSign(slopeAngle(n, height, width, isLeft), y);
}

/**
 * The angle of a point above and right of the origin, or left where a mask says so. The lesser of both coordinates by the other
 * is a tangent up to 1; where it is above tan π/8, that of the difference to π/4 is (lesser - greater)/(lesser + greater). So the angle is
 * some multiple of π/4 and the angle of a small tangent, or less that.
 */
function slopeAngle(n: Numbers, height: StackValue, width: StackValue, isLeft?: StackValue): StackValue {
  const [zero, one, infinity] = [n.constant(0), n.constant(1), n.constant(Number.POSITIVE_INFINITY)];
  const isSteep = n.bindMask(n.compare("gt", height, width));
  const least = n.bind(n.choose(isSteep, width, height));
  const most = n.bind(n.choose(isSteep, height, width));
  // Two zeros are as 0 by 1, two infinities as 1 by 1. Large numbers are halved, since their sum may be none; of denormal ones,
  // products need more digits.
  const areInfinite = n.bindMask(n.both(n.compare("eq", least, infinity), n.compare("eq", most, infinity)));
  const scale = n.bind(
    n.choose(n.compare("gt", most, n.constant(2 ** 100)), n.constant(0.5), n.constant(2 ** 20)),
  );
  const lesser = n.bind(n.choose(areInfinite, one, n.multiply(least, scale)));
  const divisor = n.choose(n.compare("eq", most, zero), one, n.multiply(most, scale));
  const greater = n.bind(n.choose(areInfinite, one, divisor));

  const isBetween = n.bindMask(n.compare("gt", lesser, n.multiply(greater, n.constant(tangentOfEighth))));
  const tangent = n.bind(
    n.divide(
      n.choose(isBetween, n.subtract(lesser, greater), lesser),
      n.choose(isBetween, n.add(lesser, greater), greater),
    ),
  );
  const square = n.bind(n.multiply(tangent, tangent));
  const curve = n.bind(polynomial(n, square, n.bind(n.multiply(square, square)), tableOf(n).tangent));
  const cube = n.multiply(tangent, square);

  const eighths = n.bind(n.ofMask(isBetween));
  const turned = n.bind(n.choose(isSteep, n.subtract(n.constant(2), eighths), eighths));
  const multiple =
    isLeft === undefined ? turned : n.bind(n.choose(isLeft, n.subtract(n.constant(4), turned), turned));
  const isSubtracted = isLeft === undefined ? isSteep : xor(n, isSteep, isLeft);
  const sign = n.bind(signOf(n, isSubtracted));
  const signed = (value: StackValue): StackValue => xor(n, value, sign);
  const [quarter, quarterRest] = partsOfPi(n).quarter;
  const small = n.multiplyAdd(multiple, n.constant(quarterRest), signed(n.multiply(cube, curve)));
  return n.add(n.multiply(multiple, n.constant(quarter)), n.add(signed(tangent), small));
}

/** arcsin r - r, for the square of an r up to ½ in size. */
function arcSineCurve(n: Numbers, r: StackValue, square: StackValue): StackValue {
  const curve = n.bind(polynomial(n, square, n.bind(n.multiply(square, square)), tableOf(n).sine));
  return n.bind(n.multiply(n.multiply(r, square), curve));
}

interface HalfAngle {
  readonly isNearOne: StackValue;
  /** Where it is near one, the root of (1 - size)/2, which is the sine of half the angle that is left; else the size. */
  readonly r: StackValue;
  /** arcsin r - r. */
  readonly curve: StackValue;
}

function halfAngle(n: Numbers, size: StackValue): HalfAngle {
  const isNearOne = n.bindMask(n.compare("gt", size, n.constant(0.5)));
  const half = n.bind(n.multiply(n.subtract(n.constant(1), size), n.constant(0.5)));
  const square = n.bind(n.choose(isNearOne, half, n.multiply(size, size)));
  const r = n.bind(n.choose(isNearOne, n.unary("sqrt", half), size));
  return { isNearOne, r, curve: arcSineCurve(n, r, square) };
}

/** The angle of a sine, within two units in the last place; NaN beyond 1. */
export function arcSine(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const { isNearOne, r, curve } = halfAngle(n, n.bind(n.unary("abs", x)));
  const angle = n.bind(n.add(r, curve));
  const [halfPi, halfPiRest] = partsOfPi(n).nearest;
  const [two, rest] = [n.constant(2), n.constant(halfPiRest)];
  const left = n.subtract(
    n.subtract(n.constant(halfPi), n.multiply(two, r)),
    n.subtract(n.multiply(two, curve), rest),
  );
  return n.withSign(n.choose(isNearOne, left, angle), x);
}

/** The angle of a cosine, within two units in the last place; NaN beyond 1. */
export function arcCosine(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const { isNearOne, r, curve } = halfAngle(n, n.bind(n.unary("abs", x)));
  const sign = n.bind(signOf(n, x));
  const signed = (of: StackValue): StackValue => xor(n, of, sign);
  const twice = n.bind(n.multiply(n.constant(2), n.add(r, curve)));
  const isBelow = n.bindMask(n.compare("lt", x, n.constant(0)));
  const [halfPi, halfPiRest] = partsOfPi(n).nearest;
  const opposite = n.subtract(n.constant(2 * halfPi), n.subtract(twice, n.constant(2 * halfPiRest)));
  const near = n.choose(isBelow, opposite, twice);
  const far = n.subtract(
    n.constant(halfPi),
    n.subtract(signed(r), n.subtract(n.constant(halfPiRest), signed(curve))),
  );
  return n.choose(isNearOne, near, far);
}
