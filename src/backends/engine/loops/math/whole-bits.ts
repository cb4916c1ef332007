import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { and, ofWords, or, wordsOf, xor } from "./bits.js";

/**
 * The bits of two numbers without their fractions, in two's complement; NaN from 2⁵³ on. In doubles, which hold them all: a
 * number is h·2²⁶ + l with an l that is not negative. Both fit into 32 bits, and so bits are combined half by half.
 */
const lowerHalf = 2 ** 26;

type Combination = (n: Numbers, x: StackValue, y: StackValue) => StackValue;

const ofHalves =
  (combination: Combination): Combination =>
  (n, left, right) => {
    const [x, y] = [halvesOf(n, left), halvesOf(n, right)];
    const [high, low] = [combination(n, x.high, y.high), combination(n, x.low, y.low)];
    const bits = n.add(n.multiply(ofWords(n, high), n.constant(lowerHalf)), ofWords(n, low));
    return n.choose(n.both(x.isWhole, y.isWhole), bits, n.constant(Number.NaN));
  };

export const bitsOfBoth = ofHalves(and);
export const bitsOfEither = ofHalves(or);
export const bitsOfOne = ofHalves(xor);

interface Halves {
  readonly high: StackValue;
  readonly low: StackValue;
  /** A mask of the lanes whose numbers the halves are. */
  readonly isWhole: StackValue;
}

function halvesOf(n: Numbers, value: StackValue): Halves {
  const x = n.bind(n.unary("trunc", value));
  const high = n.bind(n.unary("floor", n.multiply(x, n.constant(1 / lowerHalf))));
  const low = n.subtract(x, n.multiply(high, n.constant(lowerHalf)));
  const isWhole = n.compare("lt", n.unary("abs", x), n.constant(2 ** 53));
  return { high: wordsOf(n, high), low: wordsOf(n, low), isWhole };
}
