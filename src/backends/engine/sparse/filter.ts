import { type Factor, type RowMap, takeRows } from "./factor.js";

/** Some rows of a factor: undefined where it is all of them. */
export interface Filtered {
  readonly factor: Factor;
  readonly rows: RowMap;
}

/** The rows with a number other than 0 for each row of the factor, or those listed in rising order. */
export function filterRows(factor: Factor, selection: Uint8Array | Int32Array): Filtered {
  const rows = selection instanceof Uint8Array ? markedRows(selection) : selection;
  if (rows.length === factor.index.rows) return { factor, rows: undefined };
  return { factor: { names: factor.names, index: takeRows(factor.index, rows) }, rows };
}

function markedRows(selection: Uint8Array): Int32Array {
  let count = 0;
  for (const mark of selection) if (mark !== 0) count++;
  const rows = new Int32Array(count);
  let next = 0;
  for (let row = 0; next < count; row++) if (selection[row] !== 0) rows[next++] = row;
  return rows;
}
