import { shownLabel } from "../../formats/addresses.js";
import { type CellType, cellTypes } from "../../language/types/cell.js";
import { isNear } from "../../language/values/near.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { shortId } from "../judging/judgments.js";

/** How a value differs from the one that was expected: in words, and for numbers by how much. */
export interface Difference {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  /** Of two finite numbers. */
  readonly by?: number;
}

/**
 * Whether a number is the expected one: off by no more than a part of it, or of 1 where that is less; or what a cell holds that
 * it was stored in, where cells are not whole numbers: 0.1 is 0.099609375 in bfloat16.
 */
function isExpected(found: number, expected: number, { cells, tolerance }: Manner): boolean {
  if (isNear(found, expected, tolerance * Math.max(1, Math.abs(expected)))) return true;
  const { whole, store } = cellTypes[cells];
  return !whole && Number.isFinite(found) && store(expected) === found;
}

/** How numbers are compared. */
interface Manner {
  readonly cells: CellType;
  readonly tolerance: number;
}

/**
 * All cells that differ, and those that only one of two tensors has; one difference where both are numbers. What is expected has the
 * numbers that were written, in cells of double.
 */
export function differences(name: string, found: Tensor, expected: Tensor, tolerance: number): Difference[] {
  const manner = { cells: found.type.cellType, tolerance };
  if (found.type.isScalar) {
    const numbers = [expected.at(0), found.at(0)] as const;
    return isExpected(numbers[1], numbers[0], manner) ? [] : [numberDifference(name, ...numbers)];
  }
  const cells = cellsOf(expected);
  const differing: Difference[] = [];
  for (const [address, value] of cellsOf(found)) {
    const expectedNumber = cells.get(address);
    cells.delete(address);
    const cellName = `${name}{${address}}`;
    if (expectedNumber === undefined)
      differing.push({ name: cellName, expected: "no such cell", found: numberText(value) });
    else if (!isExpected(value, expectedNumber, manner))
      differing.push(numberDifference(cellName, expectedNumber, value));
  }
  for (const [address, expectedNumber] of cells)
    differing.push({
      name: `${name}{${address}}`,
      expected: numberText(expectedNumber),
      found: "no such cell",
    });
  return differing;
}

function numberDifference(name: string, expected: number, found: number): Difference {
  const by = found - expected;
  const base = { name, expected: numberText(expected), found: numberText(found) };
  return Number.isFinite(by) ? { ...base, by } : base;
}

function cellsOf(tensor: Tensor): Map<string, number> {
  return new Map(
    [...tensor.cells()].map(({ address, value }) => {
      const parts = Object.entries(address).map(([dimension, label]) => `${dimension}:${shownLabel(label)}`);
      return [parts.join(","), value];
    }),
  );
}

/** How two orders of documents differ: the places where another document stands. */
export function orderDifferences(found: readonly string[], expected: readonly string[]): Difference[] {
  return Array.from({ length: Math.max(found.length, expected.length) }, (_, at): Difference[] => {
    const [expectedId, actualId] = [expected[at], found[at]];
    const isSame = expectedId !== undefined && actualId !== undefined && isSameId(actualId, expectedId);
    return isSame
      ? []
      : [{ name: `rank ${at + 1}`, expected: expectedId ?? "no hit", found: actualId ?? "no hit" }];
  }).flat();
}

/** An id may be shortened to what stands behind its type. */
export const isSameId = (id: string, expected: string): boolean =>
  id === expected || shortId(id) === expected;
