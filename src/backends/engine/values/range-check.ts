import type { Span } from "../../../language/source/span.js";
import type { Storage, StoredValue } from "./storage.js";
import type { BufferAccess, Products } from "./value.js";

/**
 * A cell that a run makes 1 if all that values are stored in is 0, or smaller than a limit and larger than its reciprocal, and otherwise
 * 0: whether some products may be computed in another way than they are written. With an infinite limit, whether it is finite.
 */
export function rangeCheck(
  storage: Storage,
  values: readonly StoredValue[],
  limit: number,
  products: Products,
  span: Span,
): BufferAccess {
  const buffers = [...new Set(values.map(({ source }) => source.access.slot))];
  const slot = storage.buffer("double", 1, { kind: "range", buffers, limit, products }, span);
  return { slot, cellType: "double", offset: 0, strides: [] };
}

/** What cells are that are within a limit, in a few words. */
export const describeRange = (limit: number): string =>
  Number.isFinite(limit) ? `0 or within ${limit}` : "finite";
