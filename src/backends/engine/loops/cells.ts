import type { CellType } from "../../../language/types/cell.js";
import type { MemoryInstruction, WasmInstruction } from "../assembler/instructions.js";
import type { Group, Groups } from "./groups.js";
import type { StackValue } from "./scope.js";

/**
 * Cells in memory: how each cell type is read as a number, how a number is stored, and what number it is then.
 */

/** What a cell is read as. */
interface Reading {
  readonly number: "double" | "float";
  readonly load: MemoryInstruction;
  /** From what is loaded to the number. */
  readonly convert?: (groups: Groups, loaded: StackValue) => StackValue;
}

const of =
  (...instructions: readonly WasmInstruction[]) =>
  (groups: Groups, loaded: StackValue): StackValue =>
    groups.numbers("double", false).of(instructions, loaded);

const ofUpperHalf = (groups: Groups, loaded: StackValue): StackValue => {
  const push = (): void => {
    loaded.push();
    groups.scope.code.i32(16).do("i32.shl", "f32.reinterpret_i32");
  };
  return { push, isBound: false };
};

// biome-ignore format: a table
const readings: Readonly<Record<Exclude<CellType, "half">, Reading>> = {
  double:   { number: "double", load: "f64.load" },
  float:    { number: "float",  load: "f32.load" },
  bfloat16: { number: "float",  load: "i32.load16_u", convert: ofUpperHalf },
  int8:     { number: "float",  load: "i32.load8_s",  convert: of("f32.convert_i32_s") },
  short:    { number: "float",  load: "i32.load16_s", convert: of("f32.convert_i32_s") },
  int:      { number: "double", load: "i32.load",     convert: of("f64.convert_i32_s") },
  long:     { number: "double", load: "i64.load",     convert: of("f64.convert_i64_s") },
};

export type CompiledCellType = keyof typeof readings;

export function isCompiledCellType(cellType: CellType): cellType is CompiledCellType {
  return cellType !== "half";
}

/** One cell as a number, at an address that is pushed, plus some bytes. */
export function readCell(
  groups: Groups,
  cellType: CompiledCellType,
  address: StackValue,
  bytes: number,
): Group {
  const { number, load, convert } = readings[cellType];
  const push = (): void => {
    address.push();
    groups.scope.code.memory(load, bytes);
  };
  const loaded: StackValue = { push, isBound: false };
  return {
    isLanes: false,
    number,
    isMask: false,
    parts: [convert === undefined ? loaded : convert(groups, loaded)],
  };
}

/** Cell types whose cells are rounded to float before they are narrowed. */
const throughFloat: ReadonlySet<CompiledCellType> = new Set(["float", "bfloat16", "int8"]);

/** Puts one number into a cell. */
export function writeCell(
  groups: Groups,
  cellType: CompiledCellType,
  address: StackValue,
  bytes: number,
  group: Group,
): void {
  const { code } = groups.scope;
  const store = (name: MemoryInstruction, value: StackValue): void => {
    address.push();
    value.push();
    code.memory(name, bytes);
  };
  const [part] = groups.as(throughFloat.has(cellType) ? "float" : "double", group).parts as [StackValue];
  switch (cellType) {
    case "double":
      return store("f64.store", part);
    case "float":
      return store("f32.store", part);
    case "bfloat16":
      return store("i32.store16", bfloat16Bits(groups, part));
    case "int8":
      return store("i32.store8", of("i32.trunc_sat_f32_s")(groups, part));
    case "short":
      return store("i32.store16", of("i32.trunc_sat_f64_u")(groups, modulo(groups, part, 2 ** 32)));
    case "int":
      return store("i32.store", of("i32.trunc_sat_f64_u")(groups, modulo(groups, part, 2 ** 32)));
    case "long":
      return store("i64.store", longBits(groups, part));
  }
}

/** The number that a cell holds after a number was stored in it. */
export function stored(groups: Groups, cellType: CompiledCellType, group: Group): Group {
  const ofOne = (number: "double" | "float", part: StackValue): Group => ({
    isLanes: false,
    number,
    isMask: false,
    parts: [part],
  });
  if (cellType === "double") return group;
  if (group.isMask) return group;
  if (cellType === "float") return groups.as("float", group);
  if (cellType === "bfloat16") {
    const [part] = groups.as("float", group).parts as [StackValue];
    return ofOne("float", ofUpperHalf(groups, bfloat16Bits(groups, part)));
  }
  if (cellType === "int8") {
    const [part] = groups.as("float", group).parts as [StackValue];
    return ofOne("float", of("i32.trunc_sat_f32_s", "i32.extend8_s", "f32.convert_i32_s")(groups, part));
  }
  const [part] = groups.as("double", group).parts as [StackValue];
  const narrow = of("i32.trunc_sat_f64_u")(groups, modulo(groups, part, 2 ** 32));
  switch (cellType) {
    case "short":
      return ofOne("float", of("i32.extend16_s", "f32.convert_i32_s")(groups, narrow));
    case "int":
      return ofOne("double", of("f64.convert_i32_s")(groups, narrow));
    case "long":
      return ofOne("double", of("f64.convert_i64_s")(groups, longBits(groups, part)));
  }
}

/** The upper half of a float; a NaN stays one whatever its payload. */
function bfloat16Bits(groups: Groups, value: StackValue): StackValue {
  const { code } = groups.scope;
  const numbers = groups.numbers("float", false);
  const float = numbers.bind(value);
  const push = (): void => {
    float.push();
    code.do("i32.reinterpret_f32").i32(16).do("i32.shr_u").i32(0x7fc0);
    numbers.compare("eq", float, float).push();
    code.do("select");
  };
  return { push, isBound: false };
}

/** Modulo 2^64; what is beyond 2^63 either way has no small digits that the detour over positive numbers could lose. */
function longBits(groups: Groups, value: StackValue): StackValue {
  const n = groups.numbers("double", false);
  const { code } = groups.scope;
  const part = n.bind(value);
  const wrapped = n.bind(modulo(groups, part, 2 ** 64));
  const push = (): void => {
    of("i64.trunc_sat_f64_s")(groups, part).push();
    of("i64.trunc_sat_f64_u")(groups, wrapped).push();
    n.compare("lt", n.unary("abs", part), n.constant(2 ** 63)).push();
    code.do("select");
  };
  return { push, isBound: false };
}

/** The whole part, from 0 to below a power of two, all exactly; NaN for what is not finite. */
function modulo(groups: Groups, value: StackValue, power: number): StackValue {
  const n = groups.numbers("double", false);
  const truncated = n.bind(n.unary("trunc", value));
  const multiples = n.unary("floor", n.multiply(truncated, n.constant(1 / power)));
  return n.subtract(truncated, n.multiply(multiples, n.constant(power)));
}
