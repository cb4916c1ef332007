import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";

/** The bits of lanes, for mathematics that takes numbers apart or puts them together. */

type Shift = "i32x4.shl" | "i32x4.shr_s" | "i32x4.shr_u" | "i64x2.shl" | "i64x2.shr_s" | "i64x2.shr_u";

export function shifted(n: Numbers, shift: Shift, value: StackValue, by: number): StackValue {
  const push = (): void => {
    value.push();
    n.scope.code.i32(by).do(shift);
  };
  return { push, isBound: false };
}

/** Whole numbers in all lanes, as wide as the numbers are. */
export function integer(n: Numbers, value: number): StackValue {
  return n.scope.vector(n.isDouble ? "i64x2" : "i32x4", value);
}

/** Sums and differences of lanes as whole numbers of their width. */
export function plus(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of([n.isDouble ? "i64x2.add" : "i32x4.add"], x, y);
}

export function minus(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of([n.isDouble ? "i64x2.sub" : "i32x4.sub"], x, y);
}

export function and(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of(["v128.and"], x, y);
}

export function or(n: Numbers, x: StackValue, y: StackValue): StackValue {
  return n.of(["v128.or"], x, y);
}
