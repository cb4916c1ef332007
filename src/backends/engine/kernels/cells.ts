import { type CellType, cellTypes } from "../../../language/types/cell.js";
import type { MemoryInstruction } from "../assembler/instructions.js";
import { cellRows } from "./cell-types.js";
import { type Group, type Groups, groupSize, partOf } from "./groups.js";
import { type Precision, precisions } from "./precision.js";
import type { StackValue } from "./scope.js";
import { firstBytes, firstPairs, secondPairs } from "./shuffles.js";

/** Cells in memory: reading them as numbers, storing numbers in them, and what number it is then. */

/** One cell as a number, at an address that is pushed, plus some bytes; of the precision that is best, or another. */
export function readCell(
  groups: Groups,
  cellType: CellType,
  address: StackValue,
  bytes: number,
  best: Precision = cellTypes[cellType].decaysTo,
): Group {
  return decoded(groups, cellType, groups.scope.loaded(cellRows[cellType].load, address, bytes), false, best);
}

/** Puts one number into a cell. */
export function writeCell(
  groups: Groups,
  cellType: CellType,
  address: StackValue,
  bytes: number,
  group: Group,
): void {
  const { store, coding } = cellRows[cellType];
  const word = encoded(groups, cellType, group);
  address.push();
  (coding?.position === undefined ? word : groups.words(false).shift("shr_u", word, coding.position)).push();
  groups.scope.code.memory(store, bytes);
}

/** Reads a vector of neighbouring cells, at an address that is pushed, plus some bytes; nothing where they are taken one by one. */
export function vectorReader(
  cellType: CellType,
  precision: Precision,
): ((groups: Groups, address: StackValue, bytes: number) => StackValue) | undefined {
  const vector = cellRows[cellType].vectors[precision];
  if (vector === undefined) return undefined;
  return (groups, address, bytes) => {
    const loaded = groups.scope.of(vector.convert, groups.scope.loaded(vector.load, address, bytes));
    if (!vector.isCoded) return loaded;
    return partOf(decoded(groups, cellType, loaded, true, precision));
  };
}

/** Four neighbouring cells, at an address that is pushed, plus some bytes; nothing where they are taken one by one. */
export function readFour(
  groups: Groups,
  cellType: CellType,
  address: StackValue,
  bytes: number,
): Group | undefined {
  const { decaysTo, width } = cellTypes[cellType];
  const read = vectorReader(cellType, decaysTo);
  if (read === undefined) return undefined;
  const { count } = precisions[decaysTo];
  const parts = Array.from({ length: groupSize / count }, (_, at) =>
    read(groups, address, bytes + at * count * width),
  );
  return { isLanes: true, number: decaysTo, isMask: false, parts };
}

/** Puts four numbers into neighbouring cells; false where that must be done one by one. */
export function writeFour(
  groups: Groups,
  cellType: CellType,
  address: StackValue,
  bytes: number,
  group: Group,
): boolean {
  const { scope } = groups;
  const { coding } = cellRows[cellType];
  const { decaysTo, width } = cellTypes[cellType];
  const store = (name: MemoryInstruction, value: StackValue, offset = 0): void => {
    address.push();
    value.push();
    scope.code.memory(name, bytes + offset);
  };
  if (coding === undefined) {
    for (const [at, part] of groups.as(decaysTo, group).parts.entries()) store("v128.store", part, at * 16);
    return true;
  }
  if (!hasLanes(cellType)) return false;
  const words = encoded(groups, cellType, group);
  if (width === 4) store("v128.store", words);
  else {
    const bound = scope.bind("v128", words);
    const [indexes, extract, name] =
      width === 1
        ? ([firstBytes, "i32x4.extract_lane", "i32.store"] as const)
        : ([
            coding.position === undefined ? firstPairs : secondPairs,
            "i64x2.extract_lane",
            "i64.store",
          ] as const);
    const packed = scope.value(() => {
      scope.shuffled(bound, bound, indexes).push();
      scope.code.lane(extract, 0);
    });
    store(name, packed);
  }
  return true;
}

/** The numbers that cells hold after numbers were stored in them. */
export function stored(groups: Groups, cellType: CellType, group: Group): Group {
  const { coding } = cellRows[cellType];
  const { decaysTo } = cellTypes[cellType];
  if (cellType === "double" || group.isMask) return group;
  if (coding === undefined) return groups.as(decaysTo, group);
  const { isLanes } = group;
  if (isLanes && !hasLanes(cellType))
    return groups.perLane(group, decaysTo, (one) => stored(groups, cellType, one));
  const words = coding.narrow(groups, encoded(groups, cellType, group), isLanes);
  return coding.decode(groups, words, isLanes, decaysTo);
}

const hasLanes = (cellType: CellType): boolean =>
  cellRows[cellType].vectors[cellTypes[cellType].decaysTo] !== undefined;

function decoded(
  groups: Groups,
  cellType: CellType,
  loaded: StackValue,
  isLanes: boolean,
  best: Precision,
): Group {
  const { coding } = cellRows[cellType];
  if (coding === undefined)
    return { isLanes, number: cellTypes[cellType].decaysTo, isMask: false, parts: [loaded] };
  const { position } = coding;
  const word = position === undefined ? loaded : groups.words(isLanes).shift("shl", loaded, position);
  return coding.decode(groups, word, isLanes, best);
}

/** What is stored: words, or one number as it is. */
function encoded(groups: Groups, cellType: CellType, group: Group): StackValue {
  const { coding } = cellRows[cellType];
  if (coding !== undefined) return coding.encode(groups, groups.as(coding.rounded, group));
  return partOf(groups.as(cellTypes[cellType].decaysTo, group));
}
