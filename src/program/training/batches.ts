import { cellTypes } from "../../language/types/cell.js";
import { element } from "../../language/values/element.js";
import { cellsOf, stridesOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";

/** The tensors of one step, and how many items they have. */
export interface Batch {
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly size: number;
}

/** How many items the data has along a dimension: nothing where its tensors disagree, or none has it. */
export function itemCount(data: Readonly<Record<string, Tensor>>, dimension: string): number | undefined {
  const sizes = Object.values(data).flatMap(({ type, sizes }) => {
    const at = type.indexed.findIndex(({ name }) => name === dimension);
    return at < 0 ? [] : [element(sizes, at)];
  });
  const [first] = sizes;
  return sizes.every((size) => size === first) ? first : undefined;
}

/**
 * The data of an epoch: each item once, in an order by chance, so many at a time; the last batch may be smaller. All items at once
 * stay in their order, so that they meet what else has it.
 */
export function* batchesOf(
  data: Readonly<Record<string, Tensor>>,
  dimension: string,
  size: number,
  random: () => number,
): Generator<Batch> {
  const count = itemCount(data, dimension) ?? 0;
  const order = shuffled(count, random);
  if (size >= count && count > 0) {
    yield { inputs: data, size: count };
    return;
  }
  for (let start = 0; start < order.length; start += size) {
    const items = order.slice(start, start + size);
    const parts = Object.entries(data).map(
      ([name, tensor]) => [name, taken(tensor, dimension, items)] as const,
    );
    yield { inputs: Object.fromEntries(parts), size: items.length };
  }
}

/** The numbers below a count in an order by chance, by Fisher and Yates. */
export function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [element(order, other), element(order, at)];
  }
  return order;
}

/** The items of a tensor at some indexes of a dimension; the tensor itself, where it does not have it. */
function taken(tensor: Tensor, dimension: string, items: readonly number[]): Tensor {
  const { type, sizes, labels, rows, blockCells, data } = tensor;
  const axis = type.indexed.findIndex(({ name }) => name === dimension);
  if (axis < 0) return tensor;
  const inner = element(stridesOf(sizes), axis);
  const length = element(sizes, axis);
  const ownSizes = sizes.map((size, at) => (at === axis ? items.length : size));
  const outer = (rows * blockCells) / (inner * length);
  const part = cellTypes[type.cellType].allocate(rows * cellsOf(ownSizes));
  for (let block = 0; block < outer; block++)
    for (const [at, item] of items.entries()) {
      const from = (block * length + item) * inner;
      part.set(data.subarray(from, from + inner) as never, (block * items.length + at) * inner); // of the same kind
    }
  const dimensions = type.dimensions.map((each) =>
    each.name === dimension && each.size !== undefined ? { ...each, size: items.length } : each,
  );
  return Tensor.of(type.withDimensions(dimensions), ownSizes, labels, part);
}
