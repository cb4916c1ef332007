import { element, entry, intAt } from "../../../language/values/element.js";

/** A column of labels as numbers, which are in the order of the texts. */
interface LabelCodes {
  readonly texts: readonly string[];
  readonly codes: Int32Array;
}

function codesOf(column: readonly unknown[]): LabelCodes {
  const numbers = new Map<string, number>();
  const codes = new Int32Array(column.length);
  for (let row = 0; row < column.length; row++) {
    const text = `${column[row]}`;
    let number = numbers.get(text);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(text, number);
    }
    codes[row] = number;
  }
  // By code units, as the canonical order is.
  const texts = [...numbers.keys()].sort();
  const ranks = new Int32Array(texts.length);
  for (const [rank, text] of texts.entries()) ranks[entry(numbers, text)] = rank;
  for (let row = 0; row < codes.length; row++) codes[row] = intAt(ranks, intAt(codes, row));
  return { texts, codes };
}

/** Rows by their labels: which have the same ones, in canonical order. */
export interface LabelledRows {
  /** The labels of each block. */
  readonly labels: readonly (readonly string[])[];
  /** The block of each row. */
  readonly blocks: Int32Array;
}

/**
 * The blocks of rows whose labels are in these columns. Labels are compared as numbers: rows are sorted by counting, from the last
 * column to the first.
 */
export function labelledRows(columns: readonly (readonly unknown[])[], count: number): LabelledRows {
  const blocks = new Int32Array(count);
  if (columns.length === 0) return { labels: [[]], blocks };
  const coded = columns.map(codesOf);
  let order = Int32Array.from(blocks.keys());
  for (const each of coded.toReversed()) order = sortedBy(each, order);
  const labels: (readonly string[])[] = [];
  let previous = -1;
  for (let at = 0; at < count; at++) {
    const row = intAt(order, at);
    const isSame = previous >= 0 && coded.every(({ codes }) => codes[row] === codes[previous]);
    if (!isSame) labels.push(coded.map(({ texts, codes }) => element(texts, intAt(codes, row))));
    blocks[row] = labels.length - 1;
    previous = row;
  }
  return { labels, blocks };
}

/** Rows in the order of their codes, and as they were where these are equal. */
function sortedBy({ texts, codes }: LabelCodes, order: Int32Array): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(texts.length + 1);
  for (const code of codes) starts[code + 1] = intAt(starts, code + 1) + 1;
  for (let code = 1; code < starts.length; code++)
    starts[code] = intAt(starts, code) + intAt(starts, code - 1);
  const sorted = new Int32Array(order.length);
  for (const row of order) {
    const code = intAt(codes, row);
    const at = intAt(starts, code);
    sorted[at] = row;
    starts[code] = at + 1;
  }
  return sorted;
}
