import type { Numbers } from "../numbers.js";
import type { Value } from "../scope.js";
import { minus, shifted, whole as wholeNumber } from "./bits.js";

/** Functions of the lowest 8 bits of numbers, as whole numbers in two's complement. */

/** The lowest 8 bits of a number without its fraction, as a number; what is not finite becomes NaN. */
function lowByte(n: Numbers, x: Value): Value {
  const trunc = n.keep(n.unary("trunc", x));
  const multiples = n.unary("floor", n.multiply(trunc, n.constant(1 / 256)));
  return n.subtract(trunc, n.multiply(multiples, n.constant(256)));
}

/** Whole numbers in 32 bits, in the first lanes of a vector; 0 for NaN. */
function bitsOf(n: Numbers, x: Value): Value {
  return n.of([n.isDouble ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f32x4_s"], x);
}

/** How many of the lowest 8 bits differ. */
export function hamming(n: Numbers, x: Value, y: Value): Value {
  const differing = n.of(["v128.xor", "i8x16.popcnt"], bitsOf(n, lowByte(n, x)), bitsOf(n, lowByte(n, y)));
  return n.of([n.isDouble ? "f64x2.convert_low_i32x4_s" : "f32x4.convert_i32x4_s"], differing);
}

/** One of the lowest 8 bits; 0 where there is no such, and the lowest for NaN. */
export function bit(n: Numbers, x: Value, place: Value): Value {
  const [zero, half, two] = [0, 0.5, 2].map((value) => n.constant(value)) as [Value, Value, Value];
  const whole = n.keep(n.unary("trunc", place));
  const at = n.keep(n.choose(n.compare("eq", whole, whole), whole, zero));
  const isBit = n.keepMask(n.both(n.compare("ge", at, zero), n.compare("lt", at, n.constant(8))));
  // 2 to the power of -place, put together as a number.
  const index = bitsOf(n, at);
  const power = n.isDouble
    ? shifted(n, "i64x2.shl", minus(n, wholeNumber(n, 1023), n.of(["i64x2.extend_low_i32x4_s"], index)), 52)
    : shifted(n, "i32x4.shl", minus(n, wholeNumber(n, 127), index), 23);
  const bits = n.keep(n.unary("floor", n.multiply(lowByte(n, x), power)));
  const result = n.keep(n.subtract(bits, n.multiply(n.unary("floor", n.multiply(bits, half)), two)));
  // The byte of what is not finite is 0.
  return n.choose(n.both(isBit, n.compare("eq", result, result)), result, zero);
}
