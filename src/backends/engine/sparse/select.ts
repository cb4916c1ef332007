import { intAt } from "../../../language/values/element.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { columnPositions, type Factor, pick, take, trimmed } from "./factor.js";
import { firstRow } from "./search.js";

/** Rows of a factor without the dimensions that were asked for. */
export interface Selected {
  /** The other dimensions; undefined where there are none. */
  readonly factor: Factor | undefined;
  /** The rows that have the labels. */
  readonly rows: Int32Array;
}

/** The rows that have these labels, by the names of dimensions, all of which the factor has. */
export function selectRows(factor: Factor, labels: ReadonlyMap<string, string>): Selected {
  const { names, index } = factor;
  const rows = rowsWith(factor, labels);
  const others = names.filter((name) => !labels.has(name));
  if (others.length === 0) return { factor: undefined, rows };
  const positions = columnPositions(factor, others);
  const columns = pick(index.columns, positions).map((column) => take(column, rows));
  const remaining = new LabelIndex(pick(index.dictionaries, positions), columns, rows.length);
  return { factor: { names: others, index: remaining }, rows };
}

/** By halving as long as columns rise, and then row by row. */
function rowsWith({ names, index }: Factor, labels: ReadonlyMap<string, string>): Int32Array {
  const ids = names.map((name, at) => {
    const label = labels.get(name);
    return label === undefined ? undefined : index.dictionaries[at]?.id(label);
  });
  if (ids.includes(-1)) return new Int32Array(0);
  let [from, to] = [0, index.rows];
  let leading = 0;
  for (const column of index.columns) {
    const id = ids[leading];
    if (id === undefined) break;
    leading++;
    from = firstRow(column, id, from, to);
    to = firstRow(column, id + 1, from, to);
  }
  const range = new Int32Array(to - from);
  for (let at = 0; at < range.length; at++) range[at] = from + at;
  let rows: Int32Array = range;
  for (const [at, column] of index.columns.entries()) {
    const id = ids[at];
    if (at > leading && id !== undefined) rows = rowsWithId(rows, column, id);
  }
  return rows;
}

/** Those of the rows that have an id: each is written down, and written over where it does not. */
function rowsWithId(rows: Int32Array, column: Int32Array, id: number): Int32Array {
  const found = new Int32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = intAt(rows, at);
    found[count] = row;
    count += +(column[row] === id);
  }
  return trimmed(found, count);
}
