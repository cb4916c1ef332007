import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { ofWordMask, word } from "./bits.js";

/**
 * A mask of the lanes where y is x to the precision of a float: where they are the same, or where two floats are the same or
 * next to each other. These are x and y, or for an x beyond 1 that and their quotient.
 */
export function nearlyEqual(n: Numbers, first: StackValue, second: StackValue): StackValue {
  const [x, y, one] = [n.bind(first), n.bind(second), n.constant(1)];
  const isBeyond = n.bindMask(n.compare("gt", n.unary("abs", x), one));
  const start = rankOf(n, n.choose(isBeyond, n.divide(y, x), y));
  const end = rankOf(n, n.choose(isBeyond, one, x));
  const areNear = n.both(isAtMostOne(n, n.of(["i32x4.sub"], start, end)), n.compare("eq", x, x));
  return n.either(n.compare("eq", x, y), areNear);
}

/** Which of the floats in their order a number is rounded to, 0 being that of both zeros: in words of 32 bits. */
function rankOf(n: Numbers, x: StackValue): StackValue {
  const { scope } = n;
  const bits = scope.bind("v128", n.isDouble ? n.of(["f32x4.demote_f64x2_zero"], x) : x);
  const size = n.of(["v128.and"], bits, word(n, 2 ** 31 - 1));
  const isNegative = scope.bind("v128", n.of(["i32x4.gt_s"], word(n, 0), bits));
  // All bits of a word turned over, and 1 more: the word with the other sign.
  return n.of(["i32x4.sub"], n.of(["v128.xor"], size, isNegative), isNegative);
}

/** A mask, as wide as the numbers are, of the words that are -1, 0 or 1. */
function isAtMostOne(n: Numbers, difference: StackValue): StackValue {
  const beyond = n.scope.bind("v128", n.of(["i32x4.add"], difference, word(n, 1)));
  const isWithin = n.of(["i32x4.eq"], beyond, n.of(["i32x4.min_u"], beyond, word(n, 2)));
  return ofWordMask(n, isWithin);
}
