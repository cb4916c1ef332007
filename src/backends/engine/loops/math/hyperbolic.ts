import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { or } from "./bits.js";
import { exponentialBelowOne, exponentialLessOne, halfExponential } from "./exponential.js";

/** tanh x is (e²ˣ - 1)/(e²ˣ + 1), of the size of x, with the sign of x. Beyond `most` it is 1. */
export function hyperbolicTangent(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const most = n.isDouble ? 20 : 10;
  const size = n.bind(n.smaller(n.bind(n.unary("abs", x)), n.constant(most)));
  const lessOne = n.bind(exponentialLessOne(n, n.bind(n.add(size, size))));
  return n.withSign(n.divide(lessOne, n.add(lessOne, n.constant(2))), x);
}

/**
 * sinh x is half of eˣ - 1 and of what that is of eˣ, of the size of x, with the sign of x. Beyond `far` it is half of eˣ, which is a
 * number where eˣ is beyond all.
 */
export function hyperbolicSine(n: Numbers, value: StackValue): StackValue {
  const far = n.constant(22);
  const x = n.bind(value);
  const size = n.bind(n.unary("abs", x));
  const lessOne = n.bind(exponentialLessOne(n, n.bind(n.smaller(size, far))));
  const sum = n.add(lessOne, n.divide(lessOne, n.add(lessOne, n.constant(1))));
  const near = n.multiply(sum, n.constant(0.5));
  return n.withSign(n.choose(n.compare("gt", size, far), halfExponential(n, size), near), x);
}

/** cosh x is half of eˣ and half of e⁻ˣ, of which a quarter of the inverse of the one is the other. */
export function hyperbolicCosine(n: Numbers, value: StackValue): StackValue {
  const half = n.bind(halfExponential(n, n.bind(n.unary("abs", value))));
  return n.add(half, n.divide(n.constant(0.25), half));
}

/**
 * 1/(1 + e⁻ˣ), or eˣ/(1 + eˣ) below 0, where e⁻ˣ may be beyond all floats, and so large that its sum with 1 is rounded to
 * one of two numbers as far from it.
 */
export function logistic(n: Numbers, value: StackValue): StackValue {
  const one = n.constant(1);
  const x = n.bind(value);
  const power = n.bind(exponentialBelowOne(n, n.bind(or(n, x, n.constant(-0)))));
  return n.divide(n.choose(n.compare("lt", x, n.constant(0)), power, one), n.add(power, one));
}
