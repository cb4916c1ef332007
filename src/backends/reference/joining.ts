import type { NodeOf } from "../../language/core/operations.js";
import type { TensorType } from "../../language/types/type.js";
import { labelKey, Rows } from "../../language/values/data/rows.js";
import { element, numberAt } from "../../language/values/element.js";
import { offsetsOf, stridesOf } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Steps } from "../meter.js";
import { labelsIn, sizeAlong, stridesAlong } from "./axes.js";
import type { EvaluationContext, ReferenceValue } from "./context.js";
import { allow, storedRows } from "./storing.js";

/**
 * join: for every pair of cells that agree in the dimensions they share, a cell at the combined address (Paper 5.3.3).
 * Shared indexed dimensions of different sizes overlap; where the type still promises more cells, they are 0.
 */
export function* join(run: EvaluationContext, node: NodeOf<"join">): Steps<ReferenceValue> {
  const [left, right] = [run.tensor(node.left), run.tensor(node.right)];
  const { type, span } = node;
  const overlap = overlapOf(type, left, right);
  const sizes = type.indexed.map(({ size }, at) => size ?? element(overlap, at));
  allow(run, type, sizes, 1, span);
  const rows = new Rows(type, sizes);
  const pairs: Pair[] = [];
  // Rows of which no cells agree are none, though the type promises each row some (D24).
  const matching = overlap.includes(0) ? [] : matchingRows(left, right);
  for (const pair of matching) {
    allow(run, type, sizes, rows.count, span);
    pairs.push({ ...pair, block: rows.block(combined(type, left, pair.left, right, pair.right)) });
    if (run.options.meter.spend(1, span)) yield;
  }
  yield* combine(run, node, pairs, left, right, overlap, sizes);
  return yield* storedRows(run, rows, span);
}

/** A row of each tensor, and the block that their cells go to. */
interface Pair {
  readonly left: number;
  readonly right: number;
  readonly block: Float64Array;
}

/** How far both tensors reach in each indexed dimension of a result. */
function overlapOf(type: TensorType, left: Tensor, right: Tensor): number[] {
  return type.indexed.map(({ name }) => Math.min(extent(left, name), extent(right, name)));
}

/** Fills the blocks, which have these sizes, with the lambda's values on the pairs of cells in the overlap. */
function* combine(
  run: EvaluationContext,
  { type, lambda, span }: NodeOf<"join" | "merge">,
  pairs: readonly Pair[],
  left: Tensor,
  right: Tensor,
  overlap: readonly number[],
  sizes: readonly number[],
): Steps<void> {
  if (pairs.length === 0) return;
  const [fromLeft, fromRight] = [offsetsIn(type, overlap, left), offsetsIn(type, overlap, right)];
  const into = offsetsOf(overlap, stridesOf(sizes));
  const cells = into.length;
  const pairAt = (at: number): Pair => element(pairs, Math.floor(at / cells));
  const fill = (at: number, registers: Float64Array): void => {
    const pair = pairAt(at);
    registers[0] = left.at(pair.left * left.blockCells + numberAt(fromLeft, at % cells));
    registers[1] = right.at(pair.right * right.blockCells + numberAt(fromRight, at % cells));
  };
  const put = (at: number, value: number): void => {
    pairAt(at).block[numberAt(into, at % cells)] = value;
  };
  yield* run.lambda(lambda, pairs.length * cells, fill, put, span);
}

/** All pairs of rows that agree in the mapped dimensions that both tensors have. */
function* matchingRows(left: Tensor, right: Tensor): Generator<{ left: number; right: number }> {
  const shared = left.type.mapped
    .filter(({ name }) => right.type.dimension(name) !== undefined)
    .map(({ name }) => name);
  const byLabels = new Map<string, number[]>();
  for (let row = 0; row < right.rows; row++) {
    const key = labelKey(labelsIn(right, row, shared));
    const rows = byLabels.get(key);
    if (rows === undefined) byLabels.set(key, [row]);
    else rows.push(row);
  }
  for (let row = 0; row < left.rows; row++) {
    for (const other of byLabels.get(labelKey(labelsIn(left, row, shared))) ?? [])
      yield { left: row, right: other };
  }
}

/** The labels of a type's mapped dimensions, from whichever tensor has them. */
function combined(type: TensorType, left: Tensor, row: number, right: Tensor, other: number): string[] {
  return type.mapped.flatMap(({ name }) =>
    left.type.dimension(name) !== undefined ? labelsIn(left, row, [name]) : labelsIn(right, other, [name]),
  );
}

/** The size of an indexed dimension; without end where the tensor lacks it. */
const extent = (tensor: Tensor, name: string): number => sizeAlong(tensor, name) ?? Number.POSITIVE_INFINITY;

/** The offsets in a tensor's block that a walk over the result's block meets. */
function offsetsIn(type: TensorType, sizes: readonly number[], tensor: Tensor): Float64Array {
  const names = type.indexed.map(({ name }) => name);
  return offsetsOf(sizes, stridesAlong(tensor, names), tensor.rows);
}

/**
 * merge: the cells of both tensors; where both have one, the lambda decides (Paper 5.3.4). Along an unbound dimension
 * the longer tensor keeps its tail, as far as the type allows.
 */
export function* merge(run: EvaluationContext, node: NodeOf<"merge">): Steps<ReferenceValue> {
  const [left, right] = [run.tensor(node.left), run.tensor(node.right)];
  const { type, span } = node;
  const sizes = type.indexed.map(
    ({ name, size }) => size ?? Math.max(extent(left, name), extent(right, name)),
  );
  allow(run, type, sizes, left.rows + right.rows, span);
  const rows = new Rows(type, sizes);
  const inRight = new Map(right.labels.map((labels, row) => [labelKey(labels), row]));
  const pairs: Pair[] = [];
  for (const side of ["right", "left"] as const) {
    const tensor = { left, right }[side];
    const part = type.indexed.map(({ name }, at) => Math.min(extent(tensor, name), element(sizes, at)));
    const [from, into] = [offsetsIn(type, part, tensor), offsetsOf(part, stridesOf(sizes), tensor.rows)];
    for (const [row, labels] of tensor.labels.entries()) {
      const block = rows.block(labels);
      for (let cell = 0; cell < from.length; cell++) {
        block[numberAt(into, cell)] = tensor.at(row * tensor.blockCells + numberAt(from, cell));
        if (run.options.meter.spend(1, span)) yield;
      }
      const other = side === "left" ? inRight.get(labelKey(labels)) : undefined;
      if (other !== undefined) pairs.push({ left: row, right: other, block });
    }
  }
  const overlap = overlapOf(type, left, right).map((size, at) => Math.min(size, element(sizes, at)));
  yield* combine(run, node, pairs, left, right, overlap, sizes);
  return yield* storedRows(run, rows, span);
}

/**
 * concat: along a dimension, the second tensor's cells behind the first's; one that lacks a dimension is repeated along
 * it. In other dimensions the shorter one is padded with zeros (Paper 5.3.6), or the longer one cut (Vespa).
 */
export function* concat(run: EvaluationContext, node: NodeOf<"concat">): Steps<ReferenceValue> {
  const [left, right] = [run.tensor(node.left), run.tensor(node.right)];
  const { type, along, span } = node;
  const [first, second] = [lengthAlong(left, along), lengthAlong(right, along)];
  const sizes = type.indexed.map(({ name }) =>
    name === along ? first + second : common(left, right, name, node.pad),
  );
  allow(run, type, sizes, 1, span);
  const offsetsOfSide = (tensor: Tensor, length: number) => {
    // A tensor that lacks another dimension is repeated all along it.
    const part = type.indexed.map(({ name }, at) =>
      name === along ? length : Math.min(extent(tensor, name), element(sizes, at)),
    );
    return { from: offsetsIn(type, part, tensor), into: offsetsOf(part, stridesOf(sizes), tensor.rows) };
  };
  const sides = [
    { tensor: left, start: 0, ...offsetsOfSide(left, first) },
    {
      tensor: right,
      start: first * element(stridesAlong({ type, sizes }, [along]), 0),
      ...offsetsOfSide(right, second),
    },
  ] as const;
  const rows = new Rows(type, sizes);
  for (const pair of matchingRows(left, right)) {
    allow(run, type, sizes, rows.count, span);
    const block = rows.block(combined(type, left, pair.left, right, pair.right));
    for (const [side, { tensor, start, from, into }] of sides.entries()) {
      const base = (side === 0 ? pair.left : pair.right) * tensor.blockCells;
      for (let cell = 0; cell < from.length; cell++) {
        block[start + numberAt(into, cell)] = tensor.at(base + numberAt(from, cell));
        if (run.options.meter.spend(1, span)) yield;
      }
    }
  }
  return yield* storedRows(run, rows, span);
}

/** How far a tensor reaches along the dimension of a concat. */
function lengthAlong(tensor: Tensor, along: string): number {
  const length = extent(tensor, along);
  return length === Number.POSITIVE_INFINITY ? 1 : length;
}

/** The size of another dimension in the result: that of the longer tensor, or of the shorter one. */
function common(left: Tensor, right: Tensor, name: string, pad: boolean): number {
  const extents = [extent(left, name), extent(right, name)].filter(Number.isFinite);
  return pad ? Math.max(...extents) : Math.min(...extents);
}
