import { cellTypes } from "../../../language/types/cell.js";
import type { MemoryInstruction } from "../assembler/instructions.js";
import { type CompiledCellType, readCell, stored, writeCell } from "./cells.js";
import { type Group, type Groups, groupSize } from "./groups.js";
import type { StackValue } from "./scope.js";

/**
 * Four neighbouring cells read and written at once. Where they do not lie side by side, one after the other.
 */
export interface LaneAddress {
  /** Of the first of the cells along the axis, of the first group. */
  readonly pointer: StackValue;
  /** How many cells further the next one along the axis is; or the address of the table that says it. */
  readonly stride: number | { readonly table: StackValue };
  /** How many groups lie before this one. */
  readonly group: number;
  /** How many cells there still are along the axis, where that may be less than four. */
  readonly remaining: StackValue | undefined;
}

const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const lowHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const secondBytes = [2, 3, 6, 7, 10, 11, 14, 15, 2, 3, 6, 7, 10, 11, 14, 15];
const firstPairs = [0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13];
const firstBytes = [0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12];

export function readLanes(groups: Groups, cellType: CompiledCellType, from: LaneAddress): Group {
  if (from.stride !== 1 || cellType === "long") return gathered(groups, cellType, from);
  const { code } = groups.scope;
  const n = groups.numbers("float", true);
  const start = from.group * groupSize * cellTypes[cellType].width;
  const load = (name: MemoryInstruction, bytes = 0): StackValue => ({
    push: () => {
      from.pointer.push();
      code.memory(name, start + bytes);
    },
    isBound: false,
  });
  const floats = (value: StackValue): Group => ({
    isLanes: true,
    number: "float",
    isMask: false,
    parts: [value],
  });
  switch (cellType) {
    case "double":
      return {
        ...floats(load("v128.load")),
        number: "double",
        parts: [load("v128.load"), load("v128.load", 16)],
      };
    case "float":
      return floats(load("v128.load"));
    case "bfloat16": {
      const push = (): void => {
        load("v128.load16x4_u").push();
        code.i32(16).do("i32x4.shl");
      };
      return floats({ push, isBound: false });
    }
    case "int8":
      return floats(
        n.of(
          ["i16x8.extend_low_i8x16_s", "i32x4.extend_low_i16x8_s", "f32x4.convert_i32x4_s"],
          load("v128.load32_zero"),
        ),
      );
    case "short":
      return floats(n.of(["f32x4.convert_i32x4_s"], load("v128.load16x4_s")));
    case "int": {
      const integers = groups.scope.bind("v128", load("v128.load"));
      return { ...floats(integers), number: "double", parts: doublesOf(groups, integers) };
    }
  }
}

/** Whole numbers as doubles. */
function doublesOf(groups: Groups, integers: StackValue): readonly StackValue[] {
  const n = groups.numbers("double", true);
  const bound = groups.scope.bind("v128", integers);
  return [bound, groups.shuffled(bound, bound, upperHalf)].map((part) =>
    n.of(["f64x2.convert_low_i32x4_s"], part),
  );
}

function gathered(groups: Groups, cellType: CompiledCellType, from: LaneAddress): Group {
  const read = Array.from({ length: groupSize }, (_, lane) => {
    const { address, bytes } = laneAddress(groups, cellType, from, lane);
    return readCell(groups, cellType, address, bytes);
  });
  const [first] = read as [Group];
  return groups.ofLanes(
    first.number,
    read.map(({ parts }) => parts[0] as StackValue),
  );
}

/** Where the cell of a lane is. Beyond the last cell, that is the first one: there are no cells to read. */
function laneAddress(
  groups: Groups,
  cellType: CompiledCellType,
  { pointer, stride, group, remaining }: LaneAddress,
  lane: number,
): { readonly address: StackValue; readonly bytes: number } {
  const { code } = groups.scope;
  const { width } = cellTypes[cellType];
  const cell = group * groupSize + lane;
  const isInside = remaining === undefined || lane === 0;
  if (typeof stride === "number") {
    const bytes = cell * stride * width;
    if (bytes >= 0 && isInside) return { address: pointer, bytes };
    const push = (): void => {
      pointer.push();
      code.i32(bytes);
      if (!isInside) {
        code.i32(0);
        pushIsPresent(groups, remaining, lane);
        code.do("select");
      }
      code.do("i32.add");
    };
    return { address: { push, isBound: false }, bytes: 0 };
  }
  const push = (): void => {
    stride.table.push();
    if (!isInside) {
      code.i32(cell * 4).i32(0);
      pushIsPresent(groups, remaining, lane);
      code.do("select", "i32.add").memory("i32.load");
    } else code.memory("i32.load", cell * 4);
    code.i32(width).do("i32.mul");
    pointer.push();
    code.do("i32.add");
  };
  return { address: { push, isBound: false }, bytes: 0 };
}

function pushIsPresent(groups: Groups, remaining: StackValue, lane: number): void {
  remaining.push();
  groups.scope.code.i32(lane).do("i32.gt_s");
}

export function writeLanes(groups: Groups, cellType: CompiledCellType, to: LaneAddress, group: Group): void {
  const { code } = groups.scope;
  if (to.stride !== 1 || to.remaining !== undefined || cellType === "long")
    return scattered(groups, cellType, to, group);
  const start = to.group * groupSize * cellTypes[cellType].width;
  const store = (name: MemoryInstruction, value: () => void, bytes = 0): void => {
    to.pointer.push();
    value();
    code.memory(name, start + bytes);
  };
  switch (cellType) {
    case "double":
      for (const [at, part] of groups.as("double", group).parts.entries())
        store("v128.store", part.push, at * 16);
      return;
    case "float":
      return store("v128.store", (groups.as("float", group).parts[0] as StackValue).push);
    case "bfloat16": {
      const bits = groups.scope.bind("v128", bfloat16Floats(groups, group));
      return store("i64.store", () => {
        groups.shuffled(bits, bits, secondBytes).push();
        code.lane("i64x2.extract_lane", 0);
      });
    }
    case "int":
      return store("v128.store", wrappedIntegers(groups, group).push);
    case "short": {
      const bits = groups.scope.bind("v128", wrappedIntegers(groups, group));
      return store("i64.store", () => {
        groups.shuffled(bits, bits, firstPairs).push();
        code.lane("i64x2.extract_lane", 0);
      });
    }
    case "int8": {
      const bits = groups.scope.bind("v128", saturated(groups, group));
      return store("i32.store", () => {
        groups.shuffled(bits, bits, firstBytes).push();
        code.lane("i32x4.extract_lane", 0);
      });
    }
  }
}

function scattered(groups: Groups, cellType: CompiledCellType, to: LaneAddress, group: Group): void {
  const { code } = groups.scope;
  const bound = groups.bind(group);
  for (let lane = 0; lane < groupSize; lane++) {
    const { address, bytes } = laneAddress(groups, cellType, { ...to, remaining: undefined }, lane);
    const write = (): void => writeCell(groups, cellType, address, bytes, groups.lane(bound, lane));
    if (to.remaining === undefined || lane === 0) write();
    else {
      pushIsPresent(groups, to.remaining, lane);
      code.if(write);
    }
  }
}

/** The numbers that cells hold after numbers were stored in them. */
export function storedLanes(groups: Groups, cellType: CompiledCellType, group: Group): Group {
  if (cellType === "double" || group.isMask) return group;
  const floats = (part: StackValue): Group => ({
    isLanes: true,
    number: "float",
    isMask: false,
    parts: [part],
  });
  const shifted = (integers: StackValue, bits: number): StackValue => ({
    push: () => {
      integers.push();
      groups.scope.code.i32(bits).do("i32x4.shl").i32(bits).do("i32x4.shr_s", "f32x4.convert_i32x4_s");
    },
    isBound: false,
  });
  switch (cellType) {
    case "float":
      return groups.as("float", group);
    case "bfloat16":
      return floats(bfloat16Floats(groups, group));
    case "int8":
      return floats(shifted(saturated(groups, group), 24));
    case "short":
      return floats(shifted(wrappedIntegers(groups, group), 16));
    case "int": {
      const integers = groups.scope.bind("v128", wrappedIntegers(groups, group));
      return { ...floats(integers), number: "double", parts: doublesOf(groups, integers) };
    }
    case "long":
      return groups.perLane(group, "double", (one) => stored(groups, cellType, one));
  }
}

/** Floats without their lower halves; a NaN stays one. */
function bfloat16Floats(groups: Groups, group: Group): StackValue {
  const n = groups.numbers("float", true);
  const float = n.bind(groups.as("float", group).parts[0] as StackValue);
  const upper = n.of(["v128.and"], float, groups.vector("i32x4", -65536));
  return n.choose(n.compare("eq", float, float), upper, groups.vector("i32x4", 0x7fc00000));
}

/** Rounded to float, then toward zero, saturated to 32 bits. */
function saturated(groups: Groups, group: Group): StackValue {
  const n = groups.numbers("float", true);
  return n.of(["i32x4.trunc_sat_f32x4_s"], groups.as("float", group).parts[0] as StackValue);
}

/** Toward zero, modulo 2^32. */
function wrappedIntegers(groups: Groups, group: Group): StackValue {
  const n = groups.numbers("double", true);
  const [low, high] = groups.as("double", group).parts.map((part) => {
    const integers = n.bind(n.unary("trunc", part));
    const multiples = n.unary("floor", n.multiply(integers, n.constant(2 ** -32)));
    const wrapped = n.subtract(integers, n.multiply(multiples, n.constant(2 ** 32)));
    return n.of(["i32x4.trunc_sat_f64x2_u_zero"], wrapped);
  });
  return groups.shuffled(low, high, lowHalves);
}
