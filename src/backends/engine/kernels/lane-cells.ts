import { type CellType, cellTypes } from "../../../language/types/cell.js";
import { readCell, readFour, writeCell, writeFour } from "./cells.js";
import { type Group, type Groups, groupSize, partOf } from "./groups.js";
import type { StackValue } from "./scope.js";
import { evenWords } from "./shuffles.js";

/**
 * Four neighbouring cells read and written at once. Where they do not lie side by side, one after the other.
 */
export interface LaneAddress {
  /** Of the first of the cells along the axis, of the first group, less some bytes. */
  readonly pointer: StackValue;
  readonly bytes: number;
  /** How many cells further the next one along the axis is; or the address of the table that says it. */
  readonly stride: number | { readonly table: StackValue };
  /** How many groups lie before this one. */
  readonly group: number;
  /** How many cells there still are along the axis, where that may be less than four. */
  readonly remaining: StackValue | undefined;
}

const startOf = (cellType: CellType, { bytes, group }: LaneAddress): number =>
  bytes + group * groupSize * cellTypes[cellType].width;

export function readLanes(groups: Groups, cellType: CellType, from: LaneAddress): Group {
  const four =
    from.stride === 1
      ? readFour(groups, cellType, from.pointer, startOf(cellType, from))
      : everyOther(groups, cellType, from);
  return four ?? gathered(groups, cellType, from);
}

export function writeLanes(groups: Groups, cellType: CellType, to: LaneAddress, group: Group): void {
  const areWhole = to.stride === 1 && to.remaining === undefined;
  const isWritten = areWhole && writeFour(groups, cellType, to.pointer, startOf(cellType, to), group);
  if (!isWritten) scattered(groups, cellType, to, group);
}

/** Every other float, as strided windows read them: of two vectors. */
function everyOther(groups: Groups, cellType: CellType, from: LaneAddress): Group | undefined {
  if (cellType !== "float" || from.stride !== 2) return undefined;
  const { scope } = groups;
  const start = from.bytes + from.group * groupSize * 2 * cellTypes[cellType].width;
  const [first, second] = [0, 16].map((bytes) => scope.loaded("v128.load", from.pointer, start + bytes));
  if (first === undefined || second === undefined) return undefined;
  return { isLanes: true, number: "float", isMask: false, parts: [scope.shuffled(first, second, evenWords)] };
}

function gathered(groups: Groups, cellType: CellType, from: LaneAddress): Group {
  const read = Array.from({ length: groupSize }, (_, lane) => {
    const { address, bytes } = laneAddress(groups, cellType, from, lane);
    return readCell(groups, cellType, address, bytes);
  });
  const [first] = read as [Group]; // there is one for each lane
  return groups.ofLanes(first.number, read.map(partOf));
}

/** Where the cell of a lane is. Beyond the last cell, that is the first one: there are no cells to read. */
function laneAddress(
  groups: Groups,
  cellType: CellType,
  { pointer, bytes: start, stride, group, remaining }: LaneAddress,
  lane: number,
): { readonly address: StackValue; readonly bytes: number } {
  const { scope } = groups;
  const { code } = scope;
  const { width } = cellTypes[cellType];
  const cell = group * groupSize + lane;
  const isInside = remaining === undefined || lane === 0;
  if (typeof stride === "number") {
    const bytes = start + cell * stride * width;
    if (bytes >= 0 && isInside) return { address: pointer, bytes };
    const address = scope.value(() => {
      pointer.push();
      code.i32(bytes);
      if (!isInside) {
        code.i32(0);
        pushIsPresent(groups, remaining, lane);
        code.do("select");
      }
      code.do("i32.add");
    });
    return { address, bytes: 0 };
  }
  const address = scope.value(() => {
    stride.table.push();
    if (!isInside) {
      code.i32(cell * 4).i32(0);
      pushIsPresent(groups, remaining, lane);
      code.do("select", "i32.add").memory("i32.load");
    } else code.memory("i32.load", cell * 4);
    code.i32(width).do("i32.mul");
    pointer.push();
    code.do("i32.add");
  });
  return { address, bytes: start };
}

function pushIsPresent(groups: Groups, remaining: StackValue, lane: number): void {
  remaining.push();
  groups.scope.code.i32(lane).do("i32.gt_s");
}

function scattered(groups: Groups, cellType: CellType, to: LaneAddress, group: Group): void {
  const bound = groups.bind(group);
  for (let lane = 0; lane < groupSize; lane++) {
    const { address, bytes } = laneAddress(groups, cellType, { ...to, remaining: undefined }, lane);
    const write = (): void => writeCell(groups, cellType, address, bytes, groups.lane(bound, lane));
    if (to.remaining === undefined || lane === 0) write();
    else {
      pushIsPresent(groups, to.remaining, lane);
      groups.scope.code.if(write);
    }
  }
}
