import { library, type Tensor } from "./library.js";

/** An input of a workload: the value that ours is given, and the same as arrays for everybody else. */
export interface Input {
  readonly value: Tensor | number;
  readonly cells: Cells;
  /** Of `cells`, the mapped dimension of blocks first. */
  readonly shape: readonly number[];
  /** Of a sparse tensor: for each dimension by name, which label each cell has. */
  readonly ids: Readonly<Record<string, Int32Array>>;
}

export type Cells = Float64Array | Float32Array | Int8Array;
export type Inputs = Readonly<Record<string, Input>>;

export function number(value: number): Input {
  return { value, cells: Float64Array.of(value), shape: [], ids: {} };
}

/** A dense tensor: all sizes are in the type, all cells in canonical order. */
export function dense(type: string, cells: Cells): Input {
  const parsed = library.parseType(type);
  const value = library.Tensor.from(parsed, cells);
  return { value, cells, shape: parsed.indexed.map(({ size }) => size ?? 0), ids: {} };
}

/** The label of an id: labels are in the order of their ids. */
export const labelOf = (id: number): string => `label${`${id}`.padStart(8, "0")}`;

const labels: string[] = [];
/** The same text for the same id, as tensors that were read from one file have it. */
function sharedLabel(id: number): string {
  labels[id] ??= labelOf(id);
  return labels[id];
}

/** A tensor with mapped dimensions: the ids of its rows, rising, by dimension in canonical order. */
export function sparse(type: string, columns: readonly Int32Array[], cells: Cells): Input {
  const parsed = library.parseType(type);
  const rows = columns[0]?.length ?? 0;
  const texts = Array.from({ length: rows }, (_, row) => columns.map((ids) => sharedLabel(ids[row] ?? 0)));
  const sizes = parsed.indexed.map(({ size }) => size ?? 0);
  const value = library.Tensor.of(parsed, sizes, texts, cells.slice());
  const ids = Object.fromEntries(
    parsed.mapped.map(({ name }, at) => [name, columns[at] ?? new Int32Array()]),
  );
  return { value, cells, shape: [rows, ...sizes], ids };
}

/** A tensor with one mapped dimension, all of whose labels from the first are there. */
export function blocks(type: string, rows: number, cells: Cells): Input {
  return sparse(type, [Int32Array.from({ length: rows }, (_, row) => row)], cells);
}
