import { cellTypes } from "../../../language/types/cell.js";
import type { TensorType } from "../../../language/types/type.js";
import { copyRun } from "../../../language/values/data/array-cells.js";
import { element } from "../../../language/values/element.js";
import { cellsOf, stridesOf } from "../../../language/values/shape.js";
import { Tensor } from "../../../language/values/tensor.js";

/** The tensors of one step, and how many items they have. */
export interface Batch {
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly size: number;
}

/**
 * How many items the data has along a dimension: indexes, or all labels that any of its tensors has. Nothing where its tensors disagree,
 * or none has it.
 */
export function itemCount(data: Readonly<Record<string, Tensor>>, dimension: string): number | undefined {
  const sizes = Object.values(data).flatMap(({ type, sizes }) => {
    const at = type.indexed.findIndex(({ name }) => name === dimension);
    return at < 0 ? [] : [element(sizes, at)];
  });
  if (Object.values(data).some(({ type }) => mappedPosition(type, dimension) >= 0))
    return sizes.length === 0 ? labelsAlong(data, dimension).length : undefined;
  const [first] = sizes;
  return sizes.every((size) => size === first) ? first : undefined;
}

/** The items that each tensor has along a dimension, in words. */
export const itemTexts = (data: Readonly<Record<string, Tensor>>, dimension: string): readonly string[] =>
  Object.entries(data).flatMap(([name, { type, sizes, labels }]) => {
    const at = type.indexed.findIndex((each) => each.name === dimension);
    if (at >= 0) return [`${element(sizes, at)} of ${name}`];
    const label = mappedPosition(type, dimension);
    return label < 0 ? [] : [`${new Set(labels.map((row) => row[label])).size} labels of ${name}`];
  });

/** The labels along a mapped dimension of all tensors, sorted. */
function labelsAlong(data: Readonly<Record<string, Tensor>>, dimension: string): readonly string[] {
  const found = new Set<string>();
  for (const { type, labels } of Object.values(data)) {
    const at = mappedPosition(type, dimension);
    if (at >= 0) for (const row of labels) found.add(element(row, at));
  }
  return [...found].sort();
}

const mappedPosition = (type: TensorType, dimension: string): number =>
  type.mapped.findIndex(({ name }) => name === dimension);

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
  const labels = labelsAlong(data, dimension);
  const batchOf = new Map(order.map((item, at) => [labels[item], Math.floor(at / size)]));
  const rows = Object.entries(data).map(([name, tensor]) => {
    const position = mappedPosition(tensor.type, dimension);
    return [name, tensor, position < 0 ? undefined : rowsByBatch(tensor, position, batchOf)] as const;
  });
  for (let start = 0; start < order.length; start += size) {
    const items = order.slice(start, start + size);
    const parts = rows.map(([name, tensor, byBatch]) => {
      const part =
        byBatch === undefined
          ? taken(tensor, dimension, items)
          : withRows(tensor, byBatch.get(start / size) ?? []);
      return [name, part] as const;
    });
    yield { inputs: Object.fromEntries(parts), size: items.length };
  }
}

/** The rows of a tensor, in their order, by the batch that the label at a position belongs to. */
function rowsByBatch(
  { labels }: Tensor,
  position: number,
  batchOf: ReadonlyMap<string | undefined, number>,
): ReadonlyMap<number, readonly number[]> {
  const rows = new Map<number, number[]>();
  for (const [row, own] of labels.entries()) {
    const batch = batchOf.get(own[position]);
    if (batch === undefined) continue;
    const ofBatch = rows.get(batch);
    if (ofBatch === undefined) rows.set(batch, [row]);
    else ofBatch.push(row);
  }
  return rows;
}

/** Some rows of a tensor. */
export function withRows({ type, sizes, labels, blockCells, data }: Tensor, rows: readonly number[]): Tensor {
  const part = cellTypes[type.cellType].allocate(rows.length * blockCells);
  for (const [at, row] of rows.entries()) copyRun(data, row * blockCells, blockCells, part, at * blockCells);
  return Tensor.of(
    type,
    sizes,
    rows.map((row) => element(labels, row)),
    part,
  );
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
    for (const [at, item] of items.entries())
      copyRun(data, (block * length + item) * inner, inner, part, (block * items.length + at) * inner);
  const dimensions = type.dimensions.map((each) =>
    each.name === dimension && each.size !== undefined ? { ...each, size: items.length } : each,
  );
  return Tensor.of(type.withDimensions(dimensions), ownSizes, labels, part);
}
