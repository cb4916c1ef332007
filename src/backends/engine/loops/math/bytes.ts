import { element } from "../../../../language/values/element.js";
import { type Group, type Groups, partOf } from "../../kernels/groups.js";
import type { Numbers } from "../../kernels/numbers.js";
import type { LocalScope, StackValue } from "../../kernels/scope.js";
import { ofWordMask, ofWords, wordsOf } from "./bits.js";

/** Functions of the lowest 8 bits of numbers, as whole numbers in two's complement. */

/** The lowest 8 bits of a number without its fraction, as a number; what is not finite becomes NaN. */
const lowByte = (n: Numbers, x: StackValue): StackValue => n.modulo(x, 256);

/** How many of the lowest 8 bits differ. */
export function hamming(n: Numbers, x: StackValue, y: StackValue): StackValue {
  const differing = n.of(["v128.xor", "i8x16.popcnt"], wordsOf(n, lowByte(n, x)), wordsOf(n, lowByte(n, y)));
  return ofWords(n, differing);
}

/** The powers of two that a byte has, by the numbers of their bits, and 0 from there on. */
const powers = Array.from({ length: 16 }, (_, at) => (at < 8 ? 2 ** at : 0));

/** One of the lowest 8 bits; 0 where there is no such, and the lowest for NaN. */
export function bit(n: Numbers, x: StackValue, position: StackValue): StackValue {
  const isSet = hasBit(n.scope, wordsOf(n, lowByte(n, x)), wordsOf(n, position));
  return n.ofMask(ofWordMask(n, isSet));
}

/** The same for four lanes at once, as a mask of floats, whatever numbers either operand is of. */
export function bitInLanes(groups: Groups, x: Group, position: Group): Group {
  const words = x.number === "float" ? lowBytesOfFloats(groups, x) : wordsOfGroup(groups, x, lowByte);
  return {
    isLanes: true,
    number: "float",
    isMask: true,
    parts: [
      hasBit(
        groups.scope,
        words,
        wordsOfGroup(groups, position, (_, part) => part),
      ),
    ],
  };
}

/** Four numbers in words of 32 bits, after something was made of them. */
function wordsOfGroup(
  groups: Groups,
  group: Group,
  of: (n: Numbers, part: StackValue) => StackValue,
): StackValue {
  const { number, parts } = groups.as(group.number, group);
  const n = groups.numbers(number, true);
  const words = parts.map((part) => wordsOf(n, of(n, part)));
  return number === "double" ? groups.joinedHalves(words) : element(words, 0);
}

/** From 2^31 on, the lowest 8 bits of a float are 0. */
function lowBytesOfFloats(groups: Groups, x: Group): StackValue {
  const n = groups.numbers("float", true);
  const part = n.bind(partOf(groups.as("float", x)));
  const isSmall = n.compare("lt", n.unary("abs", part), n.constant(2 ** 31));
  return n.of(["v128.and"], wordsOf(n, part), isSmall);
}

/** In which words a bit is set, as a mask. */
function hasBit(scope: LocalScope, words: StackValue, position: StackValue): StackValue {
  const word = (value: number): StackValue => scope.vector("i32x4", value);
  // A position below 0 is a great number where it has no sign.
  const at = scope.of(["i32x4.min_u"], position, word(8));
  const power = scope.of(
    ["v128.and"],
    scope.of(["i8x16.swizzle"], scope.vector("i8x16", powers), at),
    word(255),
  );
  return scope.of(["i32x4.gt_s"], scope.of(["v128.and"], words, power), word(0));
}
