import { element, intAt } from "../element.js";

/**
 * The rows of some columns of ids in the order of their first column, then their second, and so on: row `r` of the result
 * is row `order[r]` of the columns. Rows that have the same ids stay in order. The ids in a column are below its size.
 *
 * By counting, from the last column to the first: as long as rows and columns are, and no longer.
 */
export function orderBy(columns: readonly Int32Array[], sizes: readonly number[], rows: number): Int32Array {
  let order: Int32Array = new Int32Array(rows);
  for (let row = 0; row < rows; row++) order[row] = row;
  // As many counters as pay for themselves; a wider column is sorted digit by digit, the last one first.
  const bits = Math.min(24, Math.max(8, 34 - Math.clz32(rows)));
  for (let at = columns.length - 1; at >= 0; at--) {
    const [column, size] = [element(columns, at), element(sizes, at)];
    if (size <= 2 ** bits) order = countingSort(column, order, 0, size, -1);
    else
      for (let shift = 0; size > 2 ** shift; shift += bits)
        order = countingSort(column, order, shift, 2 ** bits, 2 ** bits - 1);
  }
  return order;
}

/** A stable sort by one digit of the ids, which is below the base. */
function countingSort(
  column: Int32Array,
  order: Int32Array,
  shift: number,
  base: number,
  mask: number,
): Int32Array {
  const starts = new Int32Array(base + 1);
  // Nothing is absent here: with reads that say so, or with iterators, sorting takes a sixth longer.
  for (let row = 0; row < column.length; row++) {
    const digit = ((column[row] ?? 0) >>> shift) & mask;
    starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
  }
  for (let digit = 1; digit <= base; digit++) starts[digit] = intAt(starts, digit) + intAt(starts, digit - 1);
  const sorted = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const row = order[at] ?? 0;
    const digit = ((column[row] ?? 0) >>> shift) & mask;
    const position = starts[digit] ?? 0;
    starts[digit] = position + 1;
    sorted[position] = row;
  }
  return sorted;
}
