import { intAt } from "../../../language/values/element.js";

/** Keys by which cells are put in order a digit at a time: their high words, with the sign turned, in the order of the numbers. */

/** The digits of a key of 32 bits, the lowest first. */
export const digits = [
  { shift: 0, size: 2048 },
  { shift: 11, size: 2048 },
  { shift: 22, size: 1024 },
] as const;

/** A key of all NaNs, as a signed number: no cell that is a number has it. */
export const keyOfNaN = -1;
/** The key of zeros of both signs, and of the smallest positive numbers. */
export const keyOfZero = 0x80000000 | 0;

/** Keys, and the positions of their cells. */
export interface KeyLists {
  keys: Int32Array;
  positions: Int32Array;
}

/** Makes of the numbers of keys with each digit where they begin; whether keys have different ones. */
export function sumUp(counts: Int32Array, all: number): boolean {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = intAt(counts, digit);
    if (count === all) return false;
    counts[digit] = start;
    start += count;
  }
  return true;
}
