import { type CellType, cellTypes } from "../../../language/types/cell.js";
import type { MemoryInstruction, VectorInstruction } from "../assembler/instructions.js";
import { type Coding, halfFloats, integers, longs, upperHalves } from "./codings.js";
import type { Precision } from "./precision.js";

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
