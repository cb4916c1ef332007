import { element, intAt } from "../../../../language/values/element.js";
import { wholeLabel } from "../../../../language/values/text.js";
import type { Factor } from "../../sparse/factor.js";
import type { Value } from "../../values/value.js";

/** Rows by the numbers that their labels are, so that cells can tell which are read: a label that is computed is a whole number. */
export interface NumberedRows {
  /** Where the axis of the rows is among those of a value. */
  readonly at: number;
  /** For each number from 0 on one more than its row; 0 for those that no row has. */
  readonly rows: Int32Array;
}

/** The rows of a dimension that is the only one of a factor; nothing where numbers may be its labels that are negative, or far beyond the others. */
export function numberedRows({ axes }: Value, dimension: string): NumberedRows | undefined {
  const at = axes.findIndex(({ factor }) => factor?.names.length === 1 && factor.names[0] === dimension);
  const factor = axes[at]?.factor;
  const rows = factor && rowsByNumber(factor);
  return rows && { at, rows };
}

const cached = new WeakMap<Factor["index"], Int32Array | undefined>();

function rowsByNumber({ index }: Factor): Int32Array | undefined {
  if (!cached.has(index)) cached.set(index, newRows(index));
  return cached.get(index);
}

/** Labels that are no whole numbers are never computed. */
function newRows({ rows, columns, dictionaries }: Factor["index"]): Int32Array | undefined {
  const { labels } = element(dictionaries, 0);
  const column = element(columns, 0);
  const numbers = labels.map((text) => (wholeLabel(Number(text)) === text ? Number(text) : undefined));
  let size = 0;
  for (const number of numbers) {
    if (number === undefined) continue;
    if (number < 0 || number >= mostNumbers(rows)) return undefined;
    size = Math.max(size, number + 1);
  }
  const found = new Int32Array(Math.max(size, 1));
  for (let row = 0; row < rows; row++) {
    const number = numbers[intAt(column, row)];
    if (number !== undefined) found[number] = row + 1;
  }
  return found;
}

/** How large a table may become for so many rows. */
const mostNumbers = (rows: number): number => 64 * rows + 65_536;
