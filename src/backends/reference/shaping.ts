import type { NodeOf } from "../../language/core/operations.js";
import { scalarFunctions } from "../../language/scalar/functions.js";
import { renaming } from "../../language/types/algebra.js";
import { Rows } from "../../language/values/data/rows.js";
import { element, entry, numberAt } from "../../language/values/element.js";
import { offsetsOf, stridesOf } from "../../language/values/shape.js";
import { wholeLabel } from "../../language/values/text.js";
import type { Steps } from "../meter.js";
import { stridesAlong } from "./axes.js";
import type { EvaluationContext, ReferenceValue } from "./context.js";
import { sortedPositions } from "./sorting.js";
import { allow, numbersOf, stored, storedRows } from "./storing.js";

/** A scalar function of scalars. */
export function* apply(run: EvaluationContext, node: NodeOf<"apply">): Steps<ReferenceValue> {
  const numbers = node.arguments.map((each) => run.scalar(each));
  const [, y = 0] = numbers; // a function of one argument takes no notice of another
  return scalarFunctions[node.function].compute(element(numbers, 0), y);
}

/** if: the value of the chosen branch; the other is never computed. */
// biome-ignore lint/correctness/useYield: the branch has been computed
export function* select(run: EvaluationContext, node: NodeOf<"select">): Steps<ReferenceValue> {
  const chosen = run.scalar(node.condition) !== 0 ? node.yes : node.no;
  const value = run.computed(chosen);
  return typeof value === "number" ? value : value.as(node.type);
}

/** cell_cast, and the generalising of a branch: the same cells stored as another type. */
export function* cast(run: EvaluationContext, node: NodeOf<"cast">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  // A smaller bound size than the declared one is filled up with zeros.
  const sizes = node.type.indexed.map(({ size }, at) => size ?? element(tensor.sizes, at));
  if (sizes.every((size, at) => size === tensor.sizes[at])) {
    return yield* stored(
      run,
      node.type,
      sizes,
      tensor.labels,
      yield* numbersOf(run, tensor, node.span),
      node.span,
    );
  }
  allow(run, node.type, sizes, tensor.rows, node.span);
  const rows = new Rows(node.type, sizes);
  const into = offsetsOf(tensor.sizes, stridesOf(sizes), tensor.rows);
  for (const [row, labels] of tensor.labels.entries()) {
    const block = rows.block(labels);
    for (let cell = 0; cell < tensor.blockCells; cell++)
      block[numberAt(into, cell)] = tensor.at(row * tensor.blockCells + cell);
  }
  return yield* storedRows(run, rows, node.span);
}

/** rename: the same cells under other names, in the canonical order of those (Paper 5.3.5). */
export function* rename(run: EvaluationContext, node: NodeOf<"rename">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const { type, from, to, span } = node;
  const newName = renaming(from, to);
  const indexed = tensor.type.indexed.map(({ name }) => newName(name));
  const sizeOf = new Map(indexed.map((name, at) => [name, element(tensor.sizes, at)]));
  const sizes = type.indexed.map(({ name }) => entry(sizeOf, name));
  const positions = new Map(tensor.type.mapped.map(({ name }, at) => [newName(name), at]));
  const order = type.mapped.map(({ name }) => entry(positions, name));
  const into = offsetsOf(tensor.sizes, stridesAlong({ type, sizes }, indexed), tensor.rows);
  const rows = new Rows(type, sizes);
  for (const [row, labels] of tensor.labels.entries()) {
    const block = rows.block(order.map((at) => element(labels, at)));
    for (let cell = 0; cell < tensor.blockCells; cell++)
      block[numberAt(into, cell)] = tensor.at(row * tensor.blockCells + cell);
    if (run.options.meter.spend(tensor.blockCells, span)) yield;
  }
  return yield* storedRows(run, rows, node.span);
}

/**
 * slice: the cells at a partial address. What is not there is 0 in a scalar or a dense result, and leaves no row in one
 * with mapped dimensions; an index is computed, cut to a whole number, and may point nowhere.
 */
export function* slice(run: EvaluationContext, node: NodeOf<"slice">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const { type, span } = node;
  const requested = new Map(
    node.at.map(({ dimension, label }) => [
      dimension,
      typeof label === "string" ? label : wholeLabel(run.scalar(label)),
    ]),
  );
  const strides = stridesOf(tensor.sizes);
  let start = 0;
  let isPresent = true;
  for (const [at, { name }] of tensor.type.indexed.entries()) {
    const label = requested.get(name);
    if (label === undefined) continue;
    const index = Number(label);
    if (!(index >= 0 && index < element(tensor.sizes, at))) isPresent = false;
    start += index * element(strides, at);
  }
  const retained = tensor.type.indexed.flatMap(({ name }, at) => (requested.has(name) ? [] : [at]));
  const sizes = retained.map((at) => element(tensor.sizes, at));
  const from = offsetsOf(
    sizes,
    retained.map((at) => element(strides, at)),
    tensor.rows,
  );
  const rows = new Rows(type, sizes);
  const matches = (labels: readonly string[]): boolean =>
    tensor.type.mapped.every(({ name }, at) => !requested.has(name) || requested.get(name) === labels[at]);
  for (const [row, labels] of tensor.labels.entries()) {
    if (!isPresent || !matches(labels)) continue;
    const block = rows.block(labels.filter((_, at) => !requested.has(element(tensor.type.mapped, at).name)));
    for (let cell = 0; cell < from.length; cell++) {
      block[cell] = tensor.at(row * tensor.blockCells + start + numberAt(from, cell));
    }
    if (run.options.meter.spend(1 + from.length, span)) yield;
  }
  return yield* storedRows(run, rows, node.span);
}

/** cell_order: the rank of each cell among all; ties in canonical order, NaN last (D19). */
export function* order(run: EvaluationContext, node: NodeOf<"order">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const cells = yield* numbersOf(run, tensor, node.span);
  const compare = (left: number, right: number): number => {
    const [a, b] = [numberAt(cells, left), numberAt(cells, right)];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a === b ? 0 : a < b === node.descending ? 1 : -1;
  };
  const ranks = new Float64Array(cells.length);
  const positions = yield* sortedPositions(cells.length, compare, run.options.meter, node.span);
  for (const [rank, at] of positions.entries()) ranks[at] = rank;
  return yield* stored(run, node.type, tensor.sizes, tensor.labels, ranks, node.span);
}
