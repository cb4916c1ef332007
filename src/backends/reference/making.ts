import type { NodeOf } from "../../language/core/operations.js";
import { subspaceType } from "../../language/types/algebra.js";
import type { CellType } from "../../language/types/cell.js";
import { Rows } from "../../language/values/data/rows.js";
import { element } from "../../language/values/element.js";
import { cellsOf, indexesAt, offsetsOf, stridesOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Steps } from "../meter.js";
import { declaredSizes } from "./axes.js";
import { boxed, type EvaluationContext, type ReferenceValue } from "./context.js";
import { sumOf } from "./reducing.js";
import { allow, stored, storedRows } from "./storing.js";

/** map: the lambda's value at every cell (Paper 5.3.1). */
export function* map(run: EvaluationContext, node: NodeOf<"map">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const cells = new Float64Array(tensor.data.length);
  const fill = (at: number, registers: Float64Array): void => {
    registers[0] = tensor.at(at);
  };
  const put = (at: number, value: number): void => {
    cells[at] = value;
  };
  yield* run.lambda(node.lambda, cells.length, fill, put, node.span);
  return yield* stored(run, node.type, tensor.sizes, tensor.labels, cells, node.span);
}

/** generate: the body's value for each combination of indexes (Paper 5.3.7). */
export function* generate(run: EvaluationContext, node: NodeOf<"generate">): Steps<ReferenceValue> {
  const { type, level, body, span } = node;
  const sizes = declaredSizes(type);
  allow(run, type, sizes, 1, span);
  const cells = new Float64Array(cellsOf(sizes));
  const fill = (at: number, registers: Float64Array): void => registers.set(indexesAt(at, sizes));
  const put = (at: number, value: number): void => {
    cells[at] = value;
  };
  yield* run.loop(body, level, sizes.length, cells.length, fill, put, span);
  return yield* stored(run, type, sizes, [[]], cells, span);
}

/** random: uniform from 0 up to 1, cell by cell; 1 itself is none of them, whatever the cell type rounds. */
export function* random(run: EvaluationContext, node: NodeOf<"random">): Steps<ReferenceValue> {
  const { type, span } = node;
  const greatest = greatestBelowOne(type.cellType);
  const sizes = declaredSizes(type);
  allow(run, type, sizes, 1, span);
  const cells = new Float64Array(cellsOf(sizes));
  for (let at = 0; at < cells.length; at++) {
    cells[at] = Math.min(run.options.random(), greatest);
    if (run.options.meter.spend(1, span)) yield;
  }
  return yield* stored(run, type, sizes, [[]], cells, span);
}

/** A number of a half has 11 binary digits, and one of a float 24, to which a bfloat16 is rounded first. */
const greatestBelowOne = (cellType: CellType): number =>
  cellType === "half" ? 1 - 2 ** -11 : cellType === "double" ? 1 - 2 ** -53 : 1 - 2 ** -24;

/** literal: each cell where it is said to be; other cells of a dense block are 0. */
export function* literal(run: EvaluationContext, node: NodeOf<"literal">): Steps<ReferenceValue> {
  const sizes = declaredSizes(node.type);
  allow(run, node.type, sizes, node.cells.length, node.span);
  const rows = new Rows(node.type, sizes);
  for (const { labels, offset, value } of node.cells) {
    rows.block(labels)[offset] = run.scalar(value);
    if (run.options.meter.spend(1, node.span)) yield;
  }
  return yield* storedRows(run, rows, node.span);
}

/**
 * map_subspaces: the lambda's tensor for each dense block, under the block's labels. Along an unbound dimension the tensors
 * may differ in size: all of the result's blocks are as large as the largest, and shorter ones end in zeros.
 */
export function* mapSubspaces(run: EvaluationContext, node: NodeOf<"mapSubspaces">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const { type, lambda, span } = node;
  const resultOf = run.callable(lambda);
  const results: { labels: readonly string[]; block: Tensor }[] = [];
  let sizes = declaredSizes(type);
  for (const [row, labels] of tensor.labels.entries()) {
    const block = boxed(yield* resultOf(subspace(tensor, row)), lambda.body.type);
    results.push({ labels, block });
    sizes = block.sizes.map((size, at) => Math.max(size, element(sizes, at)));
    allow(run, type, sizes, results.length, span);
    if (run.options.meter.spend(1, span)) yield;
  }
  const rows = new Rows(type, sizes);
  for (const { labels, block } of results) {
    const target = rows.block(labels);
    for (const [cell, offset] of offsetsOf(block.sizes, stridesOf(sizes)).entries())
      target[offset] = block.at(cell);
  }
  return yield* storedRows(run, rows, node.span);
}

/** filter_subspaces: the blocks for which the sum of the lambda's cells is not 0. */
export function* filterSubspaces(
  run: EvaluationContext,
  node: NodeOf<"filterSubspaces">,
): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const { lambda, span } = node;
  const resultOf = run.callable(lambda);
  const rows = new Rows(node.type, tensor.sizes);
  for (const [row, labels] of tensor.labels.entries()) {
    const result = boxed(yield* resultOf(subspace(tensor, row)), lambda.body.type);
    if ((yield* sumOf(result, run.options.meter, span)) !== 0) {
      const block = rows.block(labels);
      for (let cell = 0; cell < block.length; cell++) block[cell] = tensor.at(row * tensor.blockCells + cell);
    }
    if (run.options.meter.spend(1 + tensor.blockCells, span)) yield;
  }
  return yield* storedRows(run, rows, span);
}

/** A row's block as a tensor of its own, or its one cell as a number. */
export function subspace(tensor: Tensor, row: number): ReferenceValue {
  const start = row * tensor.blockCells;
  if (tensor.type.indexed.length === 0) return tensor.at(start);
  const cells = tensor.data.subarray(start, start + tensor.blockCells);
  return Tensor.of(subspaceType(tensor.type), tensor.sizes, [[]], cells);
}
