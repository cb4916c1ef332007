import { cellTypes } from "../../../language/types/cell.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import type { Access, NumberCall, Slot, Step } from "../loop.js";
import type { Block } from "../memory/arena.js";

/**
 * Calls of kernels with where the cells are at the moment, and blocks of their own. For few accesses they are spelt out:
 * such kernels may take less time than a call with a list of arguments.
 */
export function callOf(
  kernel: ExportedFunction,
  accesses: readonly Access[],
  ownBlocks: readonly Block[],
): Step["run"] {
  // What is absent belongs to a case with fewer of them.
  const [a, b, c, d] = accesses.map(cellAddressOf) as [CellAddress, CellAddress, CellAddress, CellAddress];
  const [e] = ownBlocks as [Block];
  switch (`${accesses.length} ${ownBlocks.length}`) {
    case "1 0":
      return (from, to) => void kernel(from, to, currentAddress(a));
    case "2 0":
      return (from, to) => void kernel(from, to, currentAddress(a), currentAddress(b));
    case "3 0":
      return (from, to) => void kernel(from, to, currentAddress(a), currentAddress(b), currentAddress(c));
    case "4 0":
      return (from, to) =>
        void kernel(from, to, currentAddress(a), currentAddress(b), currentAddress(c), currentAddress(d));
    case "2 1":
      return (from, to) => void kernel(from, to, currentAddress(a), currentAddress(b), e.address);
    case "3 1":
      return (from, to) =>
        void kernel(from, to, currentAddress(a), currentAddress(b), currentAddress(c), e.address);
  }
  const addresses = accesses.map(cellAddressOf);
  const values = [0, 0, ...addresses.map(() => 0), ...ownBlocks.map(() => 0)];
  return (from, to) => {
    values[0] = from;
    values[1] = to;
    let next = 2;
    for (const each of addresses) values[next++] = currentAddress(each);
    for (const block of ownBlocks) values[next++] = block.address;
    kernel(...values);
  };
}

/** The values that a kernel is called with, for other callers. */
export function valuesOf(
  accesses: readonly Access[],
  ownBlocks: readonly Block[],
): (from: number, to: number) => readonly number[] {
  const addresses = accesses.map(cellAddressOf);
  return (from, to) => [
    from,
    to,
    ...addresses.map(currentAddress),
    ...ownBlocks.map(({ address }) => address),
  ];
}

/** Calls a kernel that takes the address of a list of addresses. */
export function listCallOf(kernel: ExportedFunction, accesses: readonly Access[], list: Block): Step["run"] {
  const addresses = accesses.map(cellAddressOf);
  return (from, to) => {
    const { cells } = list;
    for (let each = 0; each < addresses.length; each++)
      cells[each] = currentAddress(addresses[each] as CellAddress); // within the list
    kernel(from, to, list.address);
  };
}

/**
 * Calls a kernel that takes numbers, and returns one: those of a list at these positions of it. What the kernel does not take is
 * ignored. Up to eight are written out, at 2 ns each; more are spread, at 3.
 */
export function numberCall(kernel: ExportedFunction, positions: readonly number[]): NumberCall {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = positions;
  const at = (numbers: ArrayLike<number>, position: number): number => numbers[position] as number; // within the list
  switch (positions.length) {
    case 1:
      return (all) => kernel(at(all, a));
    case 2:
      return (all) => kernel(at(all, a), at(all, b));
    case 3:
      return (all) => kernel(at(all, a), at(all, b), at(all, c));
    case 4:
      return (all) => kernel(at(all, a), at(all, b), at(all, c), at(all, d));
  }
  if (positions.length <= 8)
    return (all) =>
      kernel(at(all, a), at(all, b), at(all, c), at(all, d), at(all, e), at(all, f), at(all, g), at(all, h));
  const numbers = positions.map(() => 0.5); // as V8 has lists of doubles
  return (all) => {
    for (let index = 0; index < positions.length; index++) numbers[index] = at(all, at(positions, index));
    return kernel(...numbers);
  };
}

interface CellAddress {
  readonly slot: Slot;
  readonly bytes: number;
}

function cellAddressOf({ slot, cellType, offset }: Access): CellAddress {
  return { slot, bytes: offset * cellTypes[cellType].width };
}

function currentAddress({ slot, bytes }: CellAddress): number {
  return slot.block.address + bytes;
}
