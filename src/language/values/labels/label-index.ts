import { cellsPerRow, type Slices, sliceCells } from "../../limits/slices.js";
import { absent, element, entry, intAt } from "../element.js";
import { Dictionary } from "./dictionary.js";
import { orderBy } from "./order.js";

/**
 * Which rows of mapped labels there are: a column of ids for each mapped dimension, rows distinct and in the order of
 * their ids, column by column, which is the canonical order of the labels. Immutable. It knows no names of dimensions, so
 * renaming shares it; two tensors that share it have the same rows in the same order.
 */
export class LabelIndex {
  constructor(
    /** For each column. */
    readonly dictionaries: readonly Dictionary[],
    /** For each column, the id of each row. */
    readonly columns: readonly Int32Array[],
    /** Without columns there is one row, or none. */
    readonly rows: number,
  ) {}

  /** The index of distinct rows of `width` labels each, which are in canonical order as those of a tensor are. */
  static of(labels: readonly (readonly string[])[], width: number): LabelIndex {
    return LabelIndex.ofUnsorted(labels, width).index;
  }

  /** The same for rows in any order: row `r` of the index is row `order[r]` of these, or row `r` without an order. */
  static ofUnsorted(
    labels: readonly (readonly string[])[],
    width: number,
  ): { readonly index: LabelIndex; readonly order: Int32Array | undefined } {
    const encoded = Array.from({ length: width }, (_, at) => encode(labels, at));
    const dictionaries = encoded.map(({ dictionary }) => dictionary);
    const columns = encoded.map(({ column }) => column);
    if (isSorted(columns))
      return { index: new LabelIndex(dictionaries, columns, labels.length), order: undefined };
    const order = orderBy(
      columns,
      dictionaries.map(({ size }) => size),
      labels.length,
    );
    const sorted = columns.map((column) => order.map((row) => intAt(column, row)));
    return { index: new LabelIndex(dictionaries, sorted, labels.length), order };
  }
}

/** The labels of each row. */
export function labelsOf(index: LabelIndex): string[][] {
  const all = new Array<string[]>(index.rows);
  fillLabels(all, index, 0, index.rows);
  return all;
}

/** As `labelsOf`, in slices. */
export function* labelSlices(index: LabelIndex): Slices<string[][]> {
  const all = new Array<string[]>(index.rows);
  const rows = sliceCells / cellsPerRow;
  for (let start = 0; start < all.length; start += rows) {
    if (start > 0) yield;
    fillLabels(all, index, start, Math.min(all.length, start + rows));
  }
  return all;
}

/** Sets the labels of some of the rows. */
function fillLabels(
  all: string[][],
  { dictionaries, columns }: LabelIndex,
  start: number,
  end: number,
): void {
  const encoded = columns.map((column, at): Encoded => ({ dictionary: element(dictionaries, at), column }));
  const [first, second] = encoded;
  if (first === undefined) for (let row = start; row < end; row++) all[row] = [];
  else if (second === undefined) for (let row = start; row < end; row++) all[row] = [labelAt(first, row)];
  else if (encoded.length === 2)
    for (let row = start; row < end; row++) all[row] = [labelAt(first, row), labelAt(second, row)];
  else for (let row = start; row < end; row++) all[row] = encoded.map((each) => labelAt(each, row));
}

interface Encoded {
  readonly dictionary: Dictionary;
  readonly column: Int32Array;
}

const labelAt = ({ dictionary, column }: Encoded, row: number): string =>
  dictionary.label(intAt(column, row));

function encode(labels: readonly (readonly string[])[], at: number): Encoded {
  return encodeSorted(labels, at) ?? encodeUnsorted(labels, at);
}

/** One of the labels of a row: a read of its own, since this takes most of the time of an index. */
function labelIn(rows: readonly (readonly string[])[], row: number, at: number): string {
  const label = rows[row]?.[at];
  return label === undefined ? absent(at, rows.length) : label;
}

/** The column, where its labels come in canonical order: the first column of sorted rows. */
function encodeSorted(rows: readonly (readonly string[])[], at: number): Encoded | undefined {
  const column = new Int32Array(rows.length);
  const distinct: string[] = [];
  let last = "";
  for (let row = 0; row < rows.length; row++) {
    const label = labelIn(rows, row, at);
    if (distinct.length === 0 || label !== last) {
      if (distinct.length > 0 && label < last) return undefined;
      distinct.push(label);
      last = label;
    }
    column[row] = distinct.length - 1;
  }
  return { dictionary: Dictionary.ofSorted(distinct), column };
}

function encodeUnsorted(rows: readonly (readonly string[])[], at: number): Encoded {
  const column = new Int32Array(rows.length);
  const ids = new Map<string, number>();
  const distinct: string[] = [];
  // Rows of a full box come round again in the same order: the label after the last one found is a good guess.
  let next = 0;
  for (let row = 0; row < rows.length; row++) {
    const label = labelIn(rows, row, at);
    let id = distinct[next] === label ? next : ids.get(label);
    if (id === undefined) {
      id = distinct.push(label) - 1;
      ids.set(label, id);
    }
    column[row] = id;
    next = id + 1 < distinct.length ? id + 1 : 0;
  }
  const sorted = distinct.slice().sort();
  if (sorted.some((label, id) => label !== distinct[id])) {
    for (const [id, label] of sorted.entries()) ids.set(label, id);
    const newIds = Int32Array.from(distinct, (label) => entry(ids, label));
    for (let row = 0; row < column.length; row++) column[row] = intAt(newIds, intAt(column, row));
  }
  return { dictionary: Dictionary.ofSorted(sorted), column };
}

/** Whether rows rise strictly, column by column. */
function isSorted(columns: readonly Int32Array[]): boolean {
  const [first] = columns;
  if (first === undefined) return true;
  const rises = (row: number): boolean => {
    for (const column of columns) {
      const step = intAt(column, row) - intAt(column, row - 1);
      if (step !== 0) return step > 0;
    }
    return false;
  };
  for (let row = 1; row < first.length; row++) if (!rises(row)) return false;
  return true;
}
