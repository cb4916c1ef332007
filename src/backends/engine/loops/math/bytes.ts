import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";

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

/** The powers of two that a byte has, by the numbers of their bits, and 0 from there on. */
const powers = Array.from({ length: 16 }, (_, at) => (at < 8 ? 2 ** at : 0));

/** One of the lowest 8 bits; 0 where there is no such, and the lowest for NaN. */
export function bit(n: Numbers, x: StackValue, position: StackValue): StackValue {
  const { scope } = n;
  const word = (value: number): StackValue => scope.vector("i32x4", value);
  // A position below 0 is a great number where it has no sign.
  const at = n.of(["i32x4.min_u"], bitsOf(n, position), word(8));
  const power = n.of(["v128.and"], n.of(["i8x16.swizzle"], scope.vector("i8x16", powers), at), word(255));
  const isSet = n.of(["i32x4.gt_s"], n.of(["v128.and"], bitsOf(n, lowByte(n, x)), power), word(0));
  const mask = n.isDouble ? n.of(["i64x2.extend_low_i32x4_s"], isSet) : isSet;
  return n.of(["v128.and"], mask, n.constant(1));
}
