import type { CellType } from "../../../language/types/cell.js";
import type { MemoryInstruction, WasmInstruction } from "../assembler/instructions.js";
import type { Group, Groups } from "./groups.js";
import type { Value } from "./scope.js";

/**
 * Cells in memory: how each cell type is read as a number, how a number is stored, and what number it is then.
 */

/** What a cell is read as. */
interface Reading {
  readonly number: "double" | "float";
  readonly load: MemoryInstruction;
  /** From what is loaded to the number. */
  readonly convert?: (groups: Groups, loaded: Value) => Value;
}

const of =
  (...instructions: readonly WasmInstruction[]) =>
  (groups: Groups, loaded: Value): Value =>
    groups.numbers("double", false).of(instructions, loaded);

const ofUpperHalf = (groups: Groups, loaded: Value): Value => {
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

export type KnownCellType = keyof typeof readings;

export function isKnown(cellType: CellType): cellType is KnownCellType {
  return cellType !== "half";
}

/** One cell as a number, at an address that is pushed, plus some bytes. */
export function readCell(groups: Groups, cellType: KnownCellType, address: Value, bytes: number): Group {
  const { number, load, convert } = readings[cellType];
  const push = (): void => {
    address.push();
    groups.scope.code.memory(load, bytes);
  };
  const loaded: Value = { push, isBound: false };
  return {
    isLanes: false,
    number,
    isMask: false,
    parts: [convert === undefined ? loaded : convert(groups, loaded)],
  };
}

/** Cell types whose cells are rounded to float before they are narrowed. */
const throughFloat: ReadonlySet<KnownCellType> = new Set(["float", "bfloat16", "int8"]);

/** Puts one number into a cell. */
export function writeCell(
  groups: Groups,
  cellType: KnownCellType,
  address: Value,
  bytes: number,
  group: Group,
): void {
  const { code } = groups.scope;
  const put = (name: MemoryInstruction, value: Value): void => {
    address.push();
    value.push();
    code.memory(name, bytes);
  };
  const [part] = groups.as(throughFloat.has(cellType) ? "float" : "double", group).parts as [Value];
  switch (cellType) {
    case "double":
      return put("f64.store", part);
    case "float":
      return put("f32.store", part);
    case "bfloat16":
      return put("i32.store16", bfloat16Bits(groups, part));
    case "int8":
      return put("i32.store8", of("i32.trunc_sat_f32_s")(groups, part));
    case "short":
      return put("i32.store16", of("i32.trunc_sat_f64_u")(groups, modulo(groups, part, 2 ** 32)));
    case "int":
      return put("i32.store", of("i32.trunc_sat_f64_u")(groups, modulo(groups, part, 2 ** 32)));
    case "long":
      return put("i64.store", longBits(groups, part));
  }
}

/** The number that a cell holds after a number was stored in it. */
export function stored(groups: Groups, cellType: KnownCellType, group: Group): Group {
  const ofOne = (number: "double" | "float", part: Value): Group => ({
    isLanes: false,
    number,
    isMask: false,
    parts: [part],
  });
  if (cellType === "double") return group;
  if (group.isMask) return group;
  if (cellType === "float") return groups.as("float", group);
  if (cellType === "bfloat16") {
    const [part] = groups.as("float", group).parts as [Value];
    return ofOne("float", ofUpperHalf(groups, bfloat16Bits(groups, part)));
  }
  if (cellType === "int8") {
    const [part] = groups.as("float", group).parts as [Value];
    return ofOne("float", of("i32.trunc_sat_f32_s", "i32.extend8_s", "f32.convert_i32_s")(groups, part));
  }
  const [part] = groups.as("double", group).parts as [Value];
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
function bfloat16Bits(groups: Groups, value: Value): Value {
  const { code } = groups.scope;
  const numbers = groups.numbers("float", false);
  const float = numbers.keep(value);
  const push = (): void => {
    float.push();
    code.do("i32.reinterpret_f32").i32(16).do("i32.shr_u").i32(0x7fc0);
    numbers.compare("eq", float, float).push();
    code.do("select");
  };
  return { push, isBound: false };
}

/** Modulo 2^64; what is beyond 2^63 either way has no small digits that the detour over positive numbers could lose. */
function longBits(groups: Groups, value: Value): Value {
  const n = groups.numbers("double", false);
  const { code } = groups.scope;
  const part = n.keep(value);
  const beyond = n.keep(modulo(groups, part, 2 ** 64));
  const push = (): void => {
    of("i64.trunc_sat_f64_s")(groups, part).push();
    of("i64.trunc_sat_f64_u")(groups, beyond).push();
    n.compare("lt", n.unary("abs", part), n.constant(2 ** 63)).push();
    code.do("select");
  };
  return { push, isBound: false };
}

/** The whole part, from 0 to below a power of two, all exactly; NaN for what is not finite. */
function modulo(groups: Groups, value: Value, power: number): Value {
  const n = groups.numbers("double", false);
  const whole = n.keep(n.unary("trunc", value));
  const multiples = n.unary("floor", n.multiply(whole, n.constant(1 / power)));
  return n.subtract(whole, n.multiply(multiples, n.constant(power)));
}
