import type { Numbers } from "../numbers.js";
import type { StackValue } from "../scope.js";
import { withSign } from "./bits.js";
import { exponential, exponentialLessOne } from "./exponential.js";

/** tanh x is (e²ˣ - 1)/(e²ˣ + 1), of the size of x, with the sign of x. Beyond `most` it is 1. */
export function hyperbolicTangent(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const most = n.isDouble ? 20 : 10;
  const size = n.bind(n.smaller(n.bind(n.unary("abs", x)), n.constant(most)));
  const lessOne = n.bind(exponentialLessOne(n, n.bind(n.add(size, size))));
  return withSign(n, n.divide(lessOne, n.add(lessOne, n.constant(2))), x);
}

/**
 * 1/(1 + e⁻ˣ). Of floats, where eˣ may be a float and e⁻ˣ beyond them: with the sign of x turned, e⁻ˣ/(1 + e⁻ˣ) is the
 * rest up to 1.
 */
export function logistic(n: Numbers, value: StackValue): StackValue {
  const one = n.constant(1);
  const x = n.bind(value);
  if (!n.isDouble) {
    const power = n.bind(exponential(n, n.bind(n.unary("neg", n.unary("abs", x)))));
    return n.divide(n.choose(n.compare("lt", x, n.constant(0)), power, one), n.add(power, one));
  }
  return n.divide(one, n.add(one, exponential(n, n.bind(n.unary("neg", x)))));
}
