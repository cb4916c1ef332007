import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";

/** The bits of lanes, for mathematics that takes numbers apart or puts them together. */

/** Lanes that hold whole numbers, as wide as the numbers are. */
const integersOf = ({ isDouble }: Numbers): "i64x2" | "i32x4" => (isDouble ? "i64x2" : "i32x4");

/** Bits moved up or down, with zeros after or before them. */
export function shifted(n: Numbers, shift: "shl" | "shr_u", value: StackValue, by: number): StackValue {
  return n.scope.value(() => {
    value.push();
    n.scope.code.i32(by).do(`${integersOf(n)}.${shift}`);
  });
}

/** Whole numbers in all lanes, as wide as the numbers are. */
export function integer(n: Numbers, value: number): StackValue {
  return n.scope.vector(integersOf(n), value);
}

/** A word of 32 bits in all lanes of such, whatever the numbers are. */
export function word(n: Numbers, value: number): StackValue {
  return n.scope.vector("i32x4", value);
}

/** Whole numbers in words of 32 bits, in the first lanes of a vector; 0 for NaN. */
export function wordsOf(n: Numbers, x: StackValue): StackValue {
  return n.of([n.isDouble ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f32x4_s"], x);
}

/** The numbers that are in such words. */
export function ofWords(n: Numbers, words: StackValue): StackValue {
  return n.of([n.isDouble ? "f64x2.convert_low_i32x4_s" : "f32x4.convert_i32x4_s"], words);
}

/** A mask of lanes that are as wide as the numbers, from one of words. */
export function ofWordMask(n: Numbers, mask: StackValue): StackValue {
  return n.isDouble ? n.of(["i64x2.extend_low_i32x4_s"], mask) : mask;
}

/** Sums and differences of lanes as whole numbers of their width. */
export function plus(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of([`${integersOf(n)}.add`], x, y);
}

export function minus(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of([`${integersOf(n)}.sub`], x, y);
}

export function and(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of(["v128.and"], x, y);
}

export function or(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of(["v128.or"], x, y);
}

export function xor(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of(["v128.xor"], x, y);
}

/** A number without the lower half of its digits: products of two such are exact. */
export function short(n: Numbers, x: StackValue): StackValue {
  return n.bind(and(n, x, integer(n, n.isDouble ? -(2 ** 32) : -(2 ** 12))));
}

/** The sign's bit of each lane, alone. */
export function signOf(n: Numbers, x: StackValue): StackValue {
  return and(n, x, n.constant(-0));
}

/** A mask of the lanes whose lowest bit is set. */
export function lowestBit(n: Numbers, bits: StackValue): StackValue {
  return n.bindMask(minus(n, integer(n, 0), and(n, bits, integer(n, 1))));
}

/** A mask of the lanes with a sign. Few machines move the highest bit of 64 to all of them. */
export function highestBit(n: Numbers, bits: StackValue): StackValue {
  return n.bindMask(minus(n, integer(n, 0), shifted(n, "shr_u", bits, n.isDouble ? 63 : 31)));
}
