import type { NodeOf } from "../../core/operations.js";
import { aggregators } from "../../scalar/aggregators.js";
import type { Dimension } from "../../types/type.js";
import { Rows } from "../../values/rows.js";
import { offsetsOf, stridesOf } from "../../values/shape.js";
import type { Steps } from "../meter.js";
import { type Evaluation, unboxed, type Value } from "./evaluation.js";

/**
 * reduce: cells that agree in the remaining dimensions form a group, in canonical order; each group that has a cell is
 * aggregated. A dense result has zeros where there was none.
 */
export function* reduce(run: Evaluation, node: NodeOf<"reduce">): Steps<Value> {
  const tensor = run.tensor(node.tensor);
  const { type, span } = node;
  const sizes = type.indexed.map(({ name }) => sizeOf(tensor.type.indexed, tensor.sizes, name));
  run.allow(type, sizes, tensor.rows, span);
  const kept = type.mapped.map(({ name }) => tensor.type.mapped.findIndex((each) => each.name === name));
  const strides = stridesOf(sizes);
  const target = offsetsOf(
    tensor.sizes,
    tensor.type.indexed.map(({ name }) => strides[type.indexed.findIndex((each) => each.name === name)] ?? 0),
  );

  const rows = new Rows(type, sizes);
  const groups = new Map<Float64Array, number[][]>();
  for (let row = 0; row < tensor.rows; row++) {
    const labels = tensor.labels[row] ?? [];
    const block = rows.block(kept.map((at) => labels[at] ?? ""));
    const cells = groups.get(block) ?? Array.from(block, (): number[] => []);
    groups.set(block, cells);
    for (let cell = 0; cell < tensor.blockCells; cell++) {
      cells[target[cell] ?? 0]?.push(tensor.at(row * tensor.blockCells + cell));
      if (run.given.meter.spend(1, span)) yield;
    }
  }
  const { aggregate } = aggregators[node.aggregator];
  for (const [block, cells] of groups) {
    for (const [at, group] of cells.entries()) {
      if (group.length > 0) block[at] = aggregate(Float64Array.from(group));
      if (run.given.meter.spend(group.length, span)) yield;
    }
  }
  return unboxed(rows.finish());
}

/** The size of a dimension that is there. */
export function sizeOf(dimensions: readonly Dimension[], sizes: readonly number[], name: string): number {
  return sizes[dimensions.findIndex((each) => each.name === name)] ?? 1;
}
