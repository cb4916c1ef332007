/** What kernels compute in: doubles, or floats. */
export type Precision = "double" | "float";

interface PrecisionRow {
  /** The type of one number, and of a vector of them: what the names of their instructions begin with. */
  readonly number: "f64" | "f32";
  readonly vector: "f64x2" | "f32x4";
  /** Lanes of a vector. */
  readonly count: 2 | 4;
  /** Bytes of one lane, and as a shift. */
  readonly width: 8 | 4;
  readonly shift: 3 | 2;
  /** Loads one number into every lane. */
  readonly loadAll: "v128.load64_splat" | "v128.load32_splat";
}

// biome-ignore format: a table
export const precisions: Readonly<Record<Precision, PrecisionRow>> = {
  double: { number: "f64", vector: "f64x2", count: 2, width: 8, shift: 3, loadAll: "v128.load64_splat" },
  float:  { number: "f32", vector: "f32x4", count: 4, width: 4, shift: 2, loadAll: "v128.load32_splat" },
};
