import type { CellType } from "../../../language/types/cell.js";
import type { MemoryInstruction, VectorInstruction } from "../assembler/instructions.js";

/** What a kernel computes in: doubles, or floats whose sums are carried on in doubles. */
export type Precision = "double" | "float";

interface LanesRow {
  /** The type of one lane. */
  readonly type: "f64" | "f32";
  /** Bytes of one lane, and as a shift. */
  readonly width: number;
  readonly shift: number;
  /** Lanes of a vector. */
  readonly count: number;
  readonly load: MemoryInstruction;
  readonly store: MemoryInstruction;
  /** Loads one number into every lane. */
  readonly loadAll: MemoryInstruction;
  readonly splat: VectorInstruction;
  readonly add: VectorInstruction;
  readonly subtract: VectorInstruction;
  readonly multiply: VectorInstruction;
  /** x × y + z, rounded once or twice, as the machine likes. */
  readonly multiplyAdd: VectorInstruction;
  /**
   * How many products may be added up in one accumulator before it is carried into a double. With u the unit roundoff,
   * a chain of n terms is within n·u of the sum of magnitudes.
   */
  readonly chain: number;
}

// biome-ignore format: a table
export const lanes: Readonly<Record<Precision, LanesRow>> = {
  double: { type: "f64", width: 8, shift: 3, count: 2, load: "f64.load", store: "f64.store", loadAll: "v128.load64_splat", splat: "f64x2.splat", add: "f64x2.add", subtract: "f64x2.sub", multiply: "f64x2.mul", multiplyAdd: "f64x2.relaxed_madd", chain: 64 },
  float:  { type: "f32", width: 4, shift: 2, count: 4, load: "f32.load", store: "f32.store", loadAll: "v128.load32_splat", splat: "f32x4.splat", add: "f32x4.add", subtract: "f32x4.sub", multiply: "f32x4.mul", multiplyAdd: "f32x4.relaxed_madd", chain: 32 },
};

/** How many products of floats may be added up in floats, chain by chain, before they are carried into doubles. */
export const floatStretch = 256;

/** Bytes of a cell, as a shift. */
// biome-ignore format: a table
export const shifts: Readonly<Record<CellType, number>> = { double: 3, float: 2, bfloat16: 1, int8: 0, half: 1, short: 1, int: 2, long: 3 };
