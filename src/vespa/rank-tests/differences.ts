import { shownLabel } from "../../formats/addresses.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";

/** How a value differs from the one that was expected: in words, and for numbers by how much. */
export interface Difference {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  /** Of two finite numbers. */
  readonly by?: number;
}

/** Whether a number is near enough: off by no more than a part of the expected one, or of 1 where that is less. */
function isNear(found: number, expected: number, tolerance: number): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(found);
  if (found === expected) return true;
  return Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected));
}

/** All cells that differ, and those that only one of two tensors has; one difference where both are numbers. */
export function differences(name: string, found: Tensor, expected: Tensor, tolerance: number): Difference[] {
  if (found.type.isScalar) {
    const numbers = [expected.at(0), found.at(0)] as const;
    return isNear(numbers[1], numbers[0], tolerance) ? [] : [numberDifference(name, ...numbers)];
  }
  const cells = cellsOf(expected);
  const differing: Difference[] = [];
  for (const [address, value] of cellsOf(found)) {
    const expectedNumber = cells.get(address);
    cells.delete(address);
    const cellName = `${name}{${address}}`;
    if (expectedNumber === undefined)
      differing.push({ name: cellName, expected: "no such cell", found: numberText(value) });
    else if (!isNear(value, expectedNumber, tolerance))
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

/** An id may be shortened to what stands behind its last `::`. */
export const isSameId = (id: string, expected: string): boolean =>
  id === expected || id.slice(id.indexOf("::") + 2) === expected;
