import { expect } from "vitest";
import type { Tensor } from "../../src/index.js";
import { isNear } from "../../src/language/values/near.js";

/** The same type and addresses, and cells that agree but for the last digits. */
export function nearTensor(found: Tensor, expected: Tensor): void {
  expect(`${found.type}`).toBe(`${expected.type}`);
  const [cells, others] = [[...found.cells()], [...expected.cells()]];
  expect(cells.map((cell) => cell.address)).toEqual(others.map((cell) => cell.address));
  for (const [at, { value }] of cells.entries()) {
    const other = others[at]?.value ?? Number.NaN;
    expect(isNear(value, other, 1e-9 * Math.abs(other)), `${found} is not ${expected}`).toBe(true);
  }
}
