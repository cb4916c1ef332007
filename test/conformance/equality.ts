import { nextFloat } from "../../src/language/scalar/special.js";
import type { Tensor } from "../../src/language/values/tensor.js";

/** When Vespa's engine calls two cells equal: to about one unit in the last place of a float; NaN is NaN. */
export function sameNumber(left: number, right: number): boolean {
  if (Number.isNaN(left) && Number.isNaN(right)) return true;
  if (left === right) return true;
  if (Math.abs(left) > 1) return nextFloat(Math.fround(right / left), 1) === 1;
  return Math.fround(left) === nextFloat(Math.fround(right), Math.fround(left));
}

export type CellList = readonly (readonly [Readonly<Record<string, string>>, number | string])[];

/** The first difference of a tensor from a list of cells, in words; nothing where they agree. */
export function cellDifference(
  tensor: Tensor,
  cells: CellList,
  same: (a: number, b: number) => boolean = sameNumber,
): string | undefined {
  const ours = new Map([...tensor.cells()].map(({ address, value }) => [addressKey(address), value]));
  if (ours.size !== cells.length) return `${ours.size} cells instead of ${cells.length}`;
  for (const [address, value] of cells) {
    const found = ours.get(addressKey(address));
    if (found === undefined) return `no cell ${addressKey(address)}`;
    if (!same(found, Number(value))) return `${found} instead of ${value} at ${addressKey(address)}`;
  }
  return undefined;
}

const addressKey = (address: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(address).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The cells of a tensor as a list. */
export function cellList(tensor: Tensor): CellList {
  return [...tensor.cells()].map(({ address, value }): [Readonly<Record<string, string>>, number] => [
    address,
    value,
  ]);
}
