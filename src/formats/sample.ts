import type { TensorType } from "../types/type.js";
import { Rows } from "../values/rows.js";
import type { Tensor } from "../values/tensor.js";

/** An example of a type: two labels for each mapped dimension, two cells where a size is open, and cells counted up. */
export function sampleOf(type: TensorType): Tensor {
  const rows = new Rows(
    type,
    type.indexed.map(({ size }) => size ?? 2),
  );
  let next = 0;
  // All cell types hold whole numbers below 100.
  const fill = (labels: readonly string[]): void =>
    void rows.block(labels).forEach((_, at, block) => {
      block[at] = (next++ % 99) + 1;
    });
  if (type.isDense) fill([]);
  // Not all combinations of labels: a sparse tensor has those that it has.
  else for (const label of ["a", "b"]) fill(type.mapped.map(() => label));
  return rows.finish();
}
