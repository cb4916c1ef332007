import type { NodeOf } from "../language/core/operations.js";
import type { AggregatorName } from "../language/scalar/aggregators.js";
import { SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import { Rows } from "../language/values/data/rows.js";
import { element, numberAt } from "../language/values/element.js";
import { spanOfText } from "../language/values/messages.js";
import { offsetsOf, stridesOf } from "../language/values/shape.js";
import { Tensor } from "../language/values/tensor.js";
import { problem } from "./messages.js";

/**
 * What the shards have, as one tensor.
 * @throws SphexError where two of them have cells under the same labels: then what each has computed is of a part of the rows.
 */
export function unionOf(type: TensorType, parts: readonly Tensor[]): Tensor {
  const sizes = type.indexed.map(({ size }, at) =>
    parts.reduce((most, each) => Math.max(most, element(each.sizes, at)), size ?? 0),
  );
  const rows = new Rows(type, sizes);
  for (const part of parts) {
    const into = offsetsOf(part.sizes, stridesOf(sizes), part.rows);
    for (const [row, labels] of part.labels.entries()) {
      if (labels.length > 0 && rows.find(labels) !== undefined)
        throw new SphexError([problem("rows/shards", spanOfText("result", `${type}`), { labels })]);
      const block = rows.block(labels);
      for (const [cell, offset] of into.entries()) block[offset] = part.at(row * part.blockCells + cell);
    }
  }
  return Tensor.ofRows(rows);
}

/** How two partial aggregates become one; an average is a sum until the end. */
const combinations: Readonly<Partial<Record<AggregatorName, (a: number, b: number) => number>>> = {
  sum: (a, b) => a + b,
  count: (a, b) => a + b,
  avg: (a, b) => a + b,
  max: (a, b) => (b > a ? b : a),
  min: (a, b) => (b < a ? b : a),
};

/** The reduction of all cells, from that of each shard's, and how many cells each of them had. */
export function aggregateOf(
  { type, aggregator }: NodeOf<"reduce">,
  values: readonly Tensor[],
  counts: readonly Tensor[] | undefined,
): Tensor {
  const combine = combinations[aggregator];
  if (combine === undefined) throw new Error(`${aggregator} has no partial aggregates`);
  const sizes = type.indexed.map(({ size = 0 }) => size);
  const rows = new Rows(type, sizes);
  const seen = new Rows(type, sizes);
  for (const [shard, value] of values.entries()) {
    for (const [row, labels] of value.labels.entries()) {
      const [block, cells] = [rows.block(labels), seen.block(labels)];
      for (let cell = 0; cell < value.blockCells; cell++) {
        const at = row * value.blockCells + cell;
        const count = counts === undefined ? 1 : element(counts, shard).at(at);
        if (count === 0) continue;
        const [before, total] = [numberAt(cells, cell), numberAt(block, cell)];
        block[cell] = before === 0 ? value.at(at) : combine(total, value.at(at));
        cells[cell] = before + count;
      }
    }
  }
  if (aggregator === "avg")
    for (const labels of rows.sorted().labels) {
      const [block, cells] = [rows.block(labels), seen.block(labels)];
      for (const [cell, count] of cells.entries()) if (count > 0) block[cell] = numberAt(block, cell) / count;
    }
  return Tensor.ofRows(rows);
}
