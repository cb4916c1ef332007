import { type Factor, type RowMap, takeRows } from "./factor.js";

/** Some rows of a factor: undefined where it is all of them. */
export interface Filtered {
  readonly factor: Factor;
  readonly rows: RowMap;
}

/** The rows that are listed, in rising order; the same factor where it is all of them. */
export function filterRows(factor: Factor, rows: Int32Array): Filtered {
  if (rows.length === factor.index.rows) return { factor, rows: undefined };
  return { factor: { names: factor.names, index: takeRows(factor.index, rows) }, rows };
}
