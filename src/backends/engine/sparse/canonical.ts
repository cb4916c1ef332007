import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { orderBy } from "../../../language/values/labels/order.js";
import { columnPositions, type Factor, isCanonical, pick, type RowMap, sortedNames, take } from "./factor.js";
import { Memo } from "./memo.js";

/** A factor whose rows were put in another order: its row `r` was row `order[r]`. */
export interface Ordered {
  readonly factor: Factor;
  readonly order: RowMap;
}

/** The factor with its columns in canonical order, and its rows sorted accordingly. */
export function canonical(factor: Factor): Ordered {
  if (isCanonical(factor.names)) return { factor, order: undefined };
  const names = sortedNames(factor.names);
  const { index, order } = reordered(factor.index, columnPositions(factor, names));
  return { factor: { names, index }, order };
}

interface Reordered {
  readonly index: LabelIndex;
  readonly order: RowMap;
}

const memo = new Memo<Reordered>();

/** The index with its columns in another order. */
function reordered(index: LabelIndex, positions: readonly number[]): Reordered {
  return memo.for(index, positions.join(), () => {
    const order = orderOf(index, positions);
    const columns = pick(index.columns, positions).map((column) => take(column, order));
    return { index: new LabelIndex(pick(index.dictionaries, positions), columns, index.rows), order };
  });
}

/** The order of the rows of an index by some of its columns; rows that agree in them stay in order. */
export function orderOf(index: LabelIndex, positions: readonly number[]): RowMap {
  const sorted = sortedFrom(positions, index.columns.length);
  if (sorted === 0) return undefined;
  const leading = positions.slice(0, sorted);
  const sizes = pick(index.dictionaries, leading).map(({ size }) => size);
  return orderBy(pick(index.columns, leading), sizes, index.rows);
}

/**
 * How many of the columns have to be sorted by. Rows that agree in those are in the order of all other columns as they
 * stand, so the rest needs no sorting if it is the first of these.
 */
function sortedFrom(positions: readonly number[], width: number): number {
  for (let from = 0; from < positions.length; from++) {
    const leading = positions.slice(0, from);
    const others = Array.from({ length: width }, (_, at) => at).filter((at) => !leading.includes(at));
    if (positions.slice(from).every((position, at) => position === others[at])) return from;
  }
  return positions.length;
}
