import type { CellType } from "../../../language/types/cell.js";
import type { Code } from "../assembler/code.js";
import type { MemoryInstruction, PlainInstruction, VectorInstruction } from "../assembler/instructions.js";
import type { Precision } from "./lanes.js";

/** How cells of each type become numbers in registers: several at once where there are instructions for it, or one. */

export type Load = readonly [MemoryInstruction, ...(VectorInstruction | "shift")[]];

/** Cells as lanes of the precision: four floats or two doubles. Other cells are packed one by one. */
const loads: Readonly<Record<Precision, Readonly<Partial<Record<CellType, Load>>>>> = {
  float: {
    float: ["v128.load"],
    bfloat16: ["v128.load16x4_u", "shift"],
    short: ["v128.load16x4_s", "f32x4.convert_i32x4_s"],
    int8: [
      "v128.load32_zero",
      "i16x8.extend_low_i8x16_s",
      "i32x4.extend_low_i16x8_s",
      "f32x4.convert_i32x4_s",
    ],
  },
  double: {
    double: ["v128.load"],
    float: ["v128.load64_zero", "f64x2.promote_low_f32x4"],
    int: ["v128.load64_zero", "f64x2.convert_low_i32x4_s"],
  },
};

export const loader =
  ([instruction, ...conversions]: Load) =>
  (code: Code, distance: number): void => {
    code.memory(instruction, distance);
    for (const each of conversions) {
      if (each === "shift") code.i32(16).do("i32x4.shl");
      else code.do(each);
    }
  };

/** Loads lanes of cells, if that takes few instructions. */
export function lanesLoader(
  cellType: CellType,
  precision: Precision,
): ((code: Code, distance: number) => void) | undefined {
  const load = loads[precision][cellType];
  return load === undefined ? undefined : loader(load);
}

/** Code that takes an address from the stack and leaves the cell there as a number: a double, or a float for "float". */
export function loadCell(code: Code, cellType: CellType, precision: Precision, bits: number): void {
  const widen = (): void => {
    if (precision === "double") code.do("f64.promote_f32");
  };
  const convert: PlainInstruction = precision === "double" ? "f64.convert_i32_s" : "f32.convert_i32_s";
  // biome-ignore format: a table
  const loads: Readonly<Record<CellType, () => void>> = {
    double:   () => { code.memory("f64.load"); if (precision === "float") code.do("f32.demote_f64"); },
    float:    () => { code.memory("f32.load"); widen(); },
    bfloat16: () => { code.memory("i32.load16_u").i32(16).do("i32.shl", "f32.reinterpret_i32"); widen(); },
    int8:     () => { code.memory("i32.load8_s").do(convert); },
    short:    () => { code.memory("i32.load16_s").do(convert); },
    int:      () => { code.memory("i32.load").do(convert); },
    long:     () => { code.memory("i64.load").do("f64.convert_i64_s"); if (precision === "float") code.do("f32.demote_f64"); },
    half:     () => { loadHalf(code, bits); widen(); },
  };
  loads[cellType]();
}

/** Exponent and fraction move to their positions in a float and are scaled by 2^112; what is not finite gets all ones. */
function loadHalf(code: Code, bits: number): void {
  const magnitude = (): Code => code.get(bits).i32(0x7fff).do("i32.and").i32(13).do("i32.shl");
  code.memory("i32.load16_u").set(bits);
  magnitude().i32(0x7f800000).do("i32.or", "f32.reinterpret_i32");
  magnitude()
    .do("f32.reinterpret_i32")
    .f32(2 ** 112)
    .do("f32.mul");
  code.get(bits).i32(0x7c00).do("i32.and").i32(0x7c00).do("i32.eq", "select");
  code.get(bits).i32(16).do("i32.shl", "f32.reinterpret_i32", "f32.copysign");
}
