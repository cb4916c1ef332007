import { type CellType, cellTypes } from "../../../language/types/cell.js";
import type { MemoryInstruction, VectorInstruction } from "../assembler/instructions.js";
import { type Group, type Groups, partOf } from "./groups.js";
import { type Precision, precisions } from "./precision.js";
import type { StackValue } from "./scope.js";

/**
 * How kernels load and store the cells of each type, one at a time and in lanes. Numbers are of the precision that the
 * cell type decays to, which has every number that a cell holds.
 */
export interface CellRow {
  readonly load: MemoryInstruction;
  readonly store: MemoryInstruction;
  /** How neighbouring cells become the lanes of a vector of such numbers. Where that is absent, cells are taken one by one. */
  readonly vectors: Readonly<Partial<Record<Precision, VectorLoad>>>;
  /** From what is in memory to numbers and back; absent where that is the number itself. */
  readonly coding?: Coding;
}

export interface VectorLoad {
  readonly load: MemoryInstruction;
  readonly convert: readonly VectorInstruction[];
  /** Whether what comes of it are words that are still to be decoded, or numbers. */
  readonly isCoded: boolean;
}

/**
 * How numbers are coded in memory, where they are not stored as they are: in words of 32 bits, of which a cell may be a
 * part. A coding is written once for one number and for lanes of four.
 */
interface Coding {
  /** The bits of a word below the cell. */
  readonly position?: 16;
  /** Whether decoding takes so many instructions that cells which are used often had better be decoded once. */
  readonly isCostly?: true;
  /** To what a number is rounded before it is coded. */
  readonly rounded: Precision;
  /** The words of numbers that are so rounded. Bits beside the cell may be anything. */
  readonly encode: (groups: Groups, numbers: Group) => StackValue;
  /** A word with the bits beside the cell as they are after a load. */
  readonly narrow: (groups: Groups, word: StackValue, isLanes: boolean) => StackValue;
  /** The numbers of words: in the precision that is best, which a single number may have at no cost, or another. */
  readonly decode: (groups: Groups, word: StackValue, isLanes: boolean, best: Precision) => Group;
}

const ofParts = (number: Precision, isLanes: boolean, ...parts: readonly StackValue[]): Group => ({
  ...{ isLanes, number, isMask: false, parts },
});

/** The upper halves of floats; a NaN stays one whatever its payload. */
const upperHalves: Coding = {
  position: 16,
  rounded: "float",
  encode: (groups, numbers) => {
    const [n, words] = [groups.of(numbers), groups.words(numbers.isLanes)];
    const float = n.bind(partOf(numbers));
    return words.choose(n.compare("eq", float, float), words.ofFloat(float), words.constant(0x7fc00000));
  },
  narrow: (groups, word, isLanes) => {
    const words = groups.words(isLanes);
    return words.and(word, words.constant(-65536));
  },
  decode: (groups, word, isLanes) => ofParts("float", isLanes, groups.words(isLanes).toFloat(word)),
};

/** IEEE binary16. */
const halfFloats: Coding = {
  isCostly: true,
  rounded: "double",
  encode: (groups, numbers) => {
    const { isLanes } = numbers;
    const n = groups.numbers("double", isLanes);
    const rounded = numbers.parts.map((part) => {
      const number = n.bind(part);
      // Beyond 65520 a number is infinite, which has the digits of 65536. NaN stays.
      const size = n.bind(n.smaller(n.bind(n.unary("abs", number)), n.constant(65536)));
      // So great a power of two leaves the digits of a half, rounded to even; below 2^-14 the spacing stays.
      const power = n.larger(n.bind(n.powerOfTwoBelow(size)), n.constant(2 ** -14));
      const digits = n.bind(n.multiply(power, n.constant(1.5 * 2 ** 42)));
      return n.withSign(n.subtract(n.add(size, digits), digits), number);
    });
    const floats = groups.numbers("float", isLanes);
    const float = floats.bind(partOf(groups.as("float", { ...numbers, parts: rounded })));
    const words = groups.words(isLanes);
    // Scaled by 2^-112, a float has the digits of a half in their order: exponent, fraction, and 13 bits that are 0.
    const bits = words.bind(words.ofFloat(floats.multiply(float, floats.constant(2 ** -112))));
    const digits = words.and(words.shift("shr_u", bits, 13), words.constant(0x7fff));
    const sign = words.and(words.shift("shr_u", bits, 16), words.constant(0x8000));
    const isNumber = floats.compare("eq", float, float);
    return words.choose(isNumber, words.or(digits, sign), words.constant(0x7e00));
  },
  narrow: (_, word) => word,
  decode: (groups, word, isLanes) => {
    const [floats, words] = [groups.numbers("float", isLanes), groups.words(isLanes)];
    const bits = words.bind(word);
    const digits = words.bind(words.shift("shl", words.and(bits, words.constant(0x7fff)), 13));
    // The exponent of what is not finite is all ones here as there.
    const special = words.constant(0x7c00);
    const notFinite = words.or(digits, words.constant(0x7f800000));
    const finite = words.ofFloat(floats.multiply(words.toFloat(digits), floats.constant(2 ** 112)));
    const size = words.choose(words.equal(words.and(bits, special), special), notFinite, finite);
    const sign = words.shift("shl", words.and(bits, words.constant(0x8000)), 16);
    return ofParts("float", isLanes, words.toFloat(words.or(size, sign)));
  },
};

/** Whole numbers: rounded to float, toward zero and saturated to 32 bits; or toward zero and modulo 2^32. */
const integers = ({ bits, isSaturated = false }: IntegerOptions): Coding => ({
  rounded: isSaturated ? "float" : "double",
  encode: (groups, { isLanes, parts }) => {
    const { scope } = groups;
    if (isSaturated) return scope.of([isLanes ? "i32x4.trunc_sat_f32x4_s" : "i32.trunc_sat_f32_s"], ...parts);
    const n = groups.numbers("double", isLanes);
    const words = parts.map((part) => n.modulo(part, 2 ** 32));
    if (!isLanes) return scope.of(["i32.trunc_sat_f64_u"], ...words);
    return groups.joinedHalves(words.map((word) => scope.of(["i32x4.trunc_sat_f64x2_u_zero"], word)));
  },
  narrow: (groups, word, isLanes) => (bits === 32 ? word : groups.words(isLanes).signed(word, bits)),
  decode: (groups, word, isLanes, best) => {
    const { scope } = groups;
    const number = bits === 32 ? "double" : isLanes ? "float" : best;
    if (!isLanes)
      return ofParts(number, isLanes, scope.of([`${precisions[number].number}.convert_i32_s`], word));
    if (number === "float") return ofParts(number, isLanes, scope.of(["f32x4.convert_i32x4_s"], word));
    const halves = groups.halves(scope.bind("v128", word));
    return ofParts(number, isLanes, ...halves.map((half) => scope.of(["f64x2.convert_low_i32x4_s"], half)));
  },
});

interface IntegerOptions {
  readonly bits: 8 | 16 | 32;
  readonly isSaturated?: boolean;
}

/** Whole numbers of 64 bits, toward zero and modulo 2^64; one at a time. */
const longs: Coding = {
  rounded: "double",
  encode: (groups, numbers) => {
    const { scope } = groups;
    const n = groups.numbers("double", false);
    const number = n.bind(partOf(numbers));
    const wrapped = n.bind(n.modulo(number, 2 ** 64));
    // What is beyond 2^63 either way has no small digits that the detour over positive numbers could lose.
    const isSmall = n.compare("lt", n.unary("abs", number), n.constant(2 ** 63));
    const [small, large] = [
      scope.of(["i64.trunc_sat_f64_s"], number),
      scope.of(["i64.trunc_sat_f64_u"], wrapped),
    ];
    return scope.of(["select"], small, large, isSmall);
  },
  narrow: (_, word) => word,
  decode: (groups, word) => ofParts("double", false, groups.scope.of(["f64.convert_i64_s"], word)),
};

const numbers = (load: MemoryInstruction, ...convert: VectorInstruction[]): VectorLoad => ({
  ...{ load, convert, isCoded: false },
});
const coded = (load: MemoryInstruction, ...convert: VectorInstruction[]): VectorLoad => ({
  ...{ load, convert, isCoded: true },
});
const bytes = coded("v128.load32_zero", "i16x8.extend_low_i8x16_s", "i32x4.extend_low_i16x8_s");

// biome-ignore format: a table
export const cellRows: Readonly<Record<CellType, CellRow>> = {
  double:   { load: "f64.load",     store: "f64.store",   vectors: { double: numbers("v128.load") } },
  float:    { load: "f32.load",     store: "f32.store",   vectors: { float: numbers("v128.load"), double: numbers("v128.load64_zero", "f64x2.promote_low_f32x4") } },
  bfloat16: { load: "i32.load16_u", store: "i32.store16", vectors: { float: coded("v128.load16x4_u") }, coding: upperHalves },
  half:     { load: "i32.load16_u", store: "i32.store16", vectors: { float: coded("v128.load16x4_u") }, coding: halfFloats },
  int8:     { load: "i32.load8_s",  store: "i32.store8",  vectors: { float: bytes }, coding: integers({ bits: 8, isSaturated: true }) },
  short:    { load: "i32.load16_s", store: "i32.store16", vectors: { float: coded("v128.load16x4_s") }, coding: integers({ bits: 16 }) },
  int:      { load: "i32.load",     store: "i32.store",   vectors: { double: numbers("v128.load64_zero", "f64x2.convert_low_i32x4_s") }, coding: integers({ bits: 32 }) },
  long:     { load: "i64.load",     store: "i64.store",   vectors: {}, coding: longs },
};

/** Bytes of a cell, as a shift. */
export const shiftOf = (cellType: CellType): number => Math.log2(cellTypes[cellType].width);
