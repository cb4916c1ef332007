import { cellTypes } from "../../../language/types/cell.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import type { Access, Slot, Step } from "../loop.js";
import type { Block } from "../memory/arena.js";

/**
 * Calls of kernels with where the cells are at the moment, and blocks of their own. For few accesses they are spelt out:
 * such kernels may take less time than a call with a list of arguments.
 */
export function callOf(
  kernel: ExportedFunction,
  accesses: readonly Access[],
  own: readonly Block[],
): Step["run"] {
  const [a, b, c, d] = accesses.map(placeOf) as [Place, Place, Place, Place];
  const [e] = own as [Block];
  switch (`${accesses.length} ${own.length}`) {
    case "1 0":
      return (from, to) => void kernel(from, to, at(a));
    case "2 0":
      return (from, to) => void kernel(from, to, at(a), at(b));
    case "3 0":
      return (from, to) => void kernel(from, to, at(a), at(b), at(c));
    case "4 0":
      return (from, to) => void kernel(from, to, at(a), at(b), at(c), at(d));
    case "2 1":
      return (from, to) => void kernel(from, to, at(a), at(b), e.address);
    case "3 1":
      return (from, to) => void kernel(from, to, at(a), at(b), at(c), e.address);
  }
  const places = accesses.map(placeOf);
  const values = [0, 0, ...places.map(() => 0), ...own.map(() => 0)];
  return (from, to) => {
    values[0] = from;
    values[1] = to;
    let next = 2;
    for (const place of places) values[next++] = at(place);
    for (const block of own) values[next++] = block.address;
    kernel(...values);
  };
}

/** The values that a kernel is called with, for whoever else calls it. */
export function valuesOf(
  accesses: readonly Access[],
  own: readonly Block[],
): (from: number, to: number) => readonly number[] {
  const places = accesses.map(placeOf);
  return (from, to) => [from, to, ...places.map(at), ...own.map(({ address }) => address)];
}

/** Calls a kernel that takes the address of a list of addresses. */
export function listCallOf(kernel: ExportedFunction, accesses: readonly Access[], list: Block): Step["run"] {
  const places = accesses.map(placeOf);
  return (from, to) => {
    const { cells } = list;
    for (let each = 0; each < places.length; each++) cells[each] = at(places[each] as Place);
    kernel(from, to, list.address);
  };
}

interface Place {
  readonly slot: Slot;
  readonly bytes: number;
}

function placeOf({ slot, cellType, offset }: Access): Place {
  return { slot, bytes: offset * cellTypes[cellType].width };
}

function at({ slot, bytes }: Place): number {
  return slot.block.address + bytes;
}
