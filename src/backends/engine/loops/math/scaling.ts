import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { powerOfTwo } from "./exponential.js";

/** Beyond these exponents any double has become 0 or infinite. */
const farthest = 2200;

/** The exponents of the powers of 2 that are normal numbers. */
const [least, most] = [-1022, 1023];

/** How far down one step goes: so far that no denormal number it leaves, rounded already, becomes another than 0 by the next. */
const stepDown = -969;

/** Added to a whole number, this leaves it in the lowest bits, with an exponent's bias. */
const biased = 1.5 * 2 ** 52 + 1023;

/** x times 2 to the power of e without its fraction, rounded once; a NaN is the lowest power of all. In doubles. */
export function scaled(n: Numbers, x: StackValue, e: StackValue): StackValue {
  const limited = n.larger(n.constant(-farthest), n.smaller(e, n.constant(farthest)));
  let product = x;
  let exponent = n.bind(n.unary("trunc", limited));
  for (let step = 0; step < 2; step++) {
    const isAbove = n.bindMask(n.compare("gt", exponent, n.constant(most)));
    const isBelow = n.bindMask(n.compare("lt", exponent, n.constant(least)));
    const stepped = (above: number, below: number, within: number): StackValue =>
      n.choose(isAbove, n.constant(above), n.choose(isBelow, n.constant(below), n.constant(within)));
    product = n.multiply(product, stepped(2 ** most, 2 ** stepDown, 1));
    exponent = n.bind(n.subtract(exponent, stepped(most, stepDown, 0)));
  }
  return n.multiply(product, powerOfTwo(n, n.add(exponent, n.constant(biased))));
}
