import { cellTypes } from "../../language/types/cell.js";
import { isNear } from "../../language/values/near.js";
import type { Tensor } from "../../language/values/tensor.js";

/** What the terms of a value are, as far as its tolerance depends on them. */
export interface Terms {
  /** The largest size of any cell that the value is made of. */
  readonly scale: number;
  readonly isFloat: boolean;
}

/** How a value differs from that of the reference by more than it may (D16), in words; nothing where it does not. */
export function differenceOf(found: Tensor, expected: Tensor, { scale, isFloat }: Terms): string | undefined {
  if (!found.type.equals(expected.type)) return `${found.type} instead of ${expected.type}`;
  if (found.sizes.join() !== expected.sizes.join())
    return `sizes ${found.sizes} instead of ${expected.sizes}`;
  if (JSON.stringify(found.labels) !== JSON.stringify(expected.labels)) return "other labels";
  const { width } = cellTypes[expected.type.cellType];
  const tolerance = width === 2 ? 2 ** -7 : width === 4 || isFloat ? 1e-6 : 1e-14;
  for (let at = 0; at < expected.data.length; at++) {
    const [a, b] = [found.at(at), expected.at(at)];
    if (isNear(a, b, tolerance * Math.max(Math.abs(a), Math.abs(b), scale))) continue;
    return `${a} instead of ${b}, cell ${at}`;
  }
  return undefined;
}
