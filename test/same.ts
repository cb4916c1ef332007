import { expect } from "vitest";
import type { Tensor } from "../src/index.js";

/** What it takes for two tensors to be the same, and to be equal. */

export interface Contents {
  readonly type: string;
  readonly sizes: readonly number[];
  readonly labels: readonly (readonly string[])[];
  readonly cells: readonly (number | bigint)[];
}

/** All that a tensor is. Cells of a long as they are kept, for they might not be numbers. */
export function contents(tensor: Tensor): Contents {
  const { type, sizes, labels, data } = tensor;
  const cells = data instanceof BigInt64Array ? [...data] : Array.from(data, (_, at) => tensor.at(at));
  return { type: `${type}`, sizes, labels, cells };
}

export function expectSame(found: Tensor, expected: Tensor): void {
  expect(contents(found)).toEqual(contents(expected));
  expect(found.equals(expected)).toBe(true);
}

/** As numbers are equal: 0 and -0 are. */
export function expectEqual(found: Tensor, expected: Tensor): void {
  const positive = (tensor: Tensor): Contents => {
    const all = contents(tensor);
    return { ...all, cells: all.cells.map((cell) => (cell === 0 ? 0 : cell)) };
  };
  expect(positive(found)).toEqual(positive(expected));
}
