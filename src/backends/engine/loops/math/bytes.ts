import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { integer, minus, shifted } from "./bits.js";

/** Functions of the lowest 8 bits of numbers, as whole numbers in two's complement. */

/** The lowest 8 bits of a number without its fraction, as a number; what is not finite becomes NaN. */
const lowByte = (n: Numbers, x: StackValue): StackValue => n.modulo(x, 256);

/** Whole numbers in 32 bits, in the first lanes of a vector; 0 for NaN. */
function bitsOf(n: Numbers, x: StackValue): StackValue {
  return n.of([n.isDouble ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f32x4_s"], x);
}

/** How many of the lowest 8 bits differ. */
export function hamming(n: Numbers, x: StackValue, y: StackValue): StackValue {
  const differing = n.of(["v128.xor", "i8x16.popcnt"], bitsOf(n, lowByte(n, x)), bitsOf(n, lowByte(n, y)));
  return n.of([n.isDouble ? "f64x2.convert_low_i32x4_s" : "f32x4.convert_i32x4_s"], differing);
}

/** One of the lowest 8 bits; 0 where there is no such, and the lowest for NaN. */
export function bit(n: Numbers, x: StackValue, position: StackValue): StackValue {
  const [zero, half, two] = [0, 0.5, 2].map((value) => n.constant(value)) as [
    StackValue,
    StackValue,
    StackValue,
  ];
  const truncated = n.bind(n.unary("trunc", position));
  const at = n.bind(n.choose(n.compare("eq", truncated, truncated), truncated, zero));
  const isBit = n.bindMask(n.both(n.compare("ge", at, zero), n.compare("lt", at, n.constant(8))));
  // 2 to the power of -position, put together as a number.
  const index = bitsOf(n, at);
  const power = n.isDouble
    ? shifted(n, "i64x2.shl", minus(n, integer(n, 1023), n.of(["i64x2.extend_low_i32x4_s"], index)), 52)
    : shifted(n, "i32x4.shl", minus(n, integer(n, 127), index), 23);
  const bits = n.bind(n.unary("floor", n.multiply(lowByte(n, x), power)));
  const result = n.bind(n.subtract(bits, n.multiply(n.unary("floor", n.multiply(bits, half)), two)));
  // The byte of what is not finite is 0.
  return n.choose(n.both(isBit, n.compare("eq", result, result)), result, zero);
}
