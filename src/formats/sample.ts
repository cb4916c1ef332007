import { SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import { Rows } from "../language/values/data/rows.js";
import { Tensor } from "../language/values/tensor.js";
import { problem } from "./messages.js";

/** Nobody looks at more cells than these. */
const most = 1_000_000;

/**
 * An example of a type: two labels for each mapped dimension, two cells where a size is open, and cells counted up.
 * @throws SphexError for a type of very many cells.
 */
export function sampleOf(type: TensorType): Tensor {
  const sizes = type.indexed.map(({ size }) => size ?? 2);
  const cells = sizes.reduce((product, size) => product * size, 1);
  if (cells > most) {
    const text = `${type}`;
    const span = { source: { name: "type", text }, start: 0, end: text.length };
    throw new SphexError([problem("limit/cells", span, { cells, limit: most })]);
  }
  const rows = new Rows(type, sizes);
  let next = 0;
  // All cell types hold whole numbers below 100.
  const fill = (labels: readonly string[]): void =>
    void rows.block(labels).forEach((_, at, block) => {
      block[at] = (next++ % 99) + 1;
    });
  if (type.isDense) fill([]);
  // Not all combinations of labels: a sparse tensor has those that it has.
  else for (const label of ["a", "b"]) fill(type.mapped.map(() => label));
  return Tensor.ofRows(rows);
}
