import { absent, element, intAt, numberAt } from "../../../language/values/element.js";
/**
 * One number for the ids of a row in some columns: rows with equal ids have equal keys, and keys are in the order of the
 * rows. Rows of two indexes are compared by them where both have the same dictionaries.
 */
export type Keys = Int32Array | Float64Array;

/** A key of either kind: narrow keys are read by a function of their own where there are many. */
export function keyAt(keys: Keys, row: number): number {
  const key = keys[row];
  return key === undefined ? absent(row, keys.length) : key;
}

/** Columns of equal length, and how many rows they have, for there may be no column. */
export interface Columns {
  readonly columns: readonly Int32Array[];
  readonly rows: number;
}

/** Two sets of rows as numbers below `count`. */
export interface KeyPair {
  readonly left: Keys;
  readonly right: Keys;
  readonly count: number;
}

/** The keys of two sets of rows. The ids in a column are below its size, on both sides. */
export function keysOf(left: Columns, right: Columns, sizes: readonly number[]): KeyPair {
  const [first = 1, ...others] = sizes;
  let [ours, theirs]: [Keys, Keys] = [firstKeys(left), firstKeys(right)];
  let count = first;
  for (const [at, size] of others.entries()) {
    if (count * size >= 2 ** 53) {
      [ours, theirs] = ranks(ours, theirs);
      count = ours.length + theirs.length;
    }
    count *= size;
    ours = packed(ours, element(left.columns, at + 1), size, count);
    theirs = packed(theirs, element(right.columns, at + 1), size, count);
  }
  return { left: ours, right: theirs, count };
}

/** The keys of one set of rows, if they are all below a limit of at most 2^31. */
export function smallKeys(
  { columns, rows }: Columns,
  sizes: readonly number[],
  limit: number,
): Int32Array | undefined {
  if (sizes.reduce((count, size) => count * size, 1) > limit) return undefined;
  const [first = new Int32Array(rows), ...others] = columns;
  return others.reduce((keys, column, at) => narrow(keys, column, element(sizes, at + 1)), first);
}

const firstKeys = ({ columns, rows }: Columns): Keys => columns[0] ?? new Int32Array(rows);

/** Keys with another column behind them: whole numbers below `count`. */
function packed(keys: Keys, ids: Int32Array, size: number, count: number): Keys {
  return count > 2 ** 31 || keys instanceof Float64Array ? wide(keys, ids, size) : narrow(keys, ids, size);
}

function narrow(keys: Int32Array, ids: Int32Array, size: number): Int32Array {
  const result = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++)
    result[row] = Math.imul(intAt(keys, row), size) + intAt(ids, row);
  return result;
}

function wide(keys: Keys, ids: Int32Array, size: number): Float64Array {
  const result = new Float64Array(keys.length);
  for (let row = 0; row < keys.length; row++) result[row] = keyAt(keys, row) * size + intAt(ids, row);
  return result;
}

/** The same keys counted through: as far apart as they can be, and no further. */
function ranks(left: Keys, right: Keys): [Keys, Keys] {
  const all = new Float64Array(left.length + right.length);
  all.set(left);
  all.set(right, left.length);
  all.sort();
  let distinct = 0;
  for (let at = 0; at < all.length; at++)
    if (at === 0 || all[at] !== all[distinct - 1]) all[distinct++] = numberAt(all, at);
  const rank = (key: number): number => {
    let [low, high] = [0, distinct];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numberAt(all, middle) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [Float64Array.from(left, rank), Float64Array.from(right, rank)];
}
