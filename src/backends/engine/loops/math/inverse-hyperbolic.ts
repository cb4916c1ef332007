import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { logarithmBeyondOne } from "./logarithm.js";

/** The numbers whose hyperbolic sines, cosines and tangents are given: logarithms of what is beyond 1, which lose nothing near 0. */

/** From here on the square of a number beside 1 is that of the number alone. */
const farFrom = ({ isDouble }: Numbers): number => (isDouble ? 2 ** 55 : 2 ** 26);

/** arsinh x is ln(1 + x + x²/(1 + √(1 + x²))), of the size of x, with its sign. Far from 0 it is ln 2x. */
export function inverseHyperbolicSine(n: Numbers, value: StackValue): StackValue {
  const one = n.constant(1);
  const x = n.bind(value);
  const size = n.bind(n.unary("abs", x));
  const square = n.bind(n.multiply(size, size));
  const root = n.unary("sqrt", n.add(one, square));
  const near = n.add(size, n.divide(square, n.add(one, root)));
  return n.withSign(logarithmOfNearOrTwice(n, size, near), x);
}

/** arcosh x is ln(1 + t + √(t² + 2t)), with t = x - 1. Far from 0 it is ln 2x; below 1 it is NaN. */
export function inverseHyperbolicCosine(n: Numbers, value: StackValue): StackValue {
  const one = n.constant(1);
  const x = n.bind(value);
  const beyond = n.bind(n.subtract(x, one));
  const root = n.unary("sqrt", n.multiply(beyond, n.add(beyond, n.constant(2))));
  const result = logarithmOfNearOrTwice(n, x, n.add(beyond, root));
  return n.choose(n.compare("lt", x, one), n.constant(Number.NaN), result);
}

/** artanh x is half of ln(1 + 2x + 2x²/(1 - x)), of the size of x, with its sign; NaN beyond 1. */
export function inverseHyperbolicTangent(n: Numbers, value: StackValue): StackValue {
  const one = n.constant(1);
  const x = n.bind(value);
  const size = n.bind(n.unary("abs", x));
  const twice = n.bind(n.add(size, size));
  const ratio = n.divide(n.multiply(twice, size), n.subtract(one, size));
  const half = n.multiply(logarithmBeyondOne(n, n.add(twice, ratio)), n.constant(0.5));
  return n.withSign(n.choose(n.compare("gt", size, one), n.constant(Number.NaN), half), x);
}

/** The logarithm of 1 and what is near; or, far from 0, that of twice a size, which may be beyond all numbers. */
function logarithmOfNearOrTwice(n: Numbers, size: StackValue, near: StackValue): StackValue {
  const isFar = n.bindMask(n.compare("gt", size, n.constant(farFrom(n))));
  const logarithm = n.bind(logarithmBeyondOne(n, n.choose(isFar, size, near)));
  return n.add(logarithm, n.choose(isFar, n.constant(Math.LN2), n.constant(0)));
}
