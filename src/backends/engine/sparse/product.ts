import { LabelIndex } from "../../../language/values/label-index.js";
import { canonical } from "./canonical.js";
import { type Allow, allowAll, compose, type Factor, type RowMap, take } from "./factor.js";

/** Each row of each factor with each of all others. */
export interface Product {
  readonly factor: Factor;
  /** For each factor, the row of it that each row has. */
  readonly rowsOf: readonly RowMap[];
}

/** The product of factors that have no dimension in common, as one canonical factor. */
export function productOf(factors: readonly Factor[], allow: Allow = allowAll): Product {
  const [only] = factors;
  if (factors.length === 1 && only !== undefined) {
    const { factor, order } = canonical(only);
    return { factor, rowsOf: [order] };
  }
  const rows = factors.reduce((count, { index }) => count * index.rows, 1);
  allow(rows);
  // Turning in the order of their first names they mostly come out as they should.
  const inTurn = factors.map((factor, at) => ({ ...canonical(factor), at })).sort(byFirstName);
  const walks: Int32Array[] = [];
  let inner = rows;
  for (const { factor, at } of inTurn) {
    inner = rows === 0 ? 0 : inner / factor.index.rows;
    walks[at] = odometer(rows, factor.index.rows, inner);
  }
  const index = new LabelIndex(
    inTurn.flatMap(({ factor }) => factor.index.dictionaries),
    inTurn.flatMap(({ factor, at }) => factor.index.columns.map((column) => take(column, walks[at]))),
    rows,
  );
  const { factor, order } = canonical({ names: inTurn.flatMap((each) => each.factor.names), index });
  const own = new Map(inTurn.map((each) => [each.at, each.order]));
  return { factor, rowsOf: walks.map((walk, at) => compose(own.get(at), compose(walk, order))) };
}

function byFirstName(left: { readonly factor: Factor }, right: { readonly factor: Factor }): number {
  return (left.factor.names[0] ?? "") < (right.factor.names[0] ?? "") ? -1 : 1;
}

/** The place on one wheel, of `size` places each `inner` rows long, for each row. */
function odometer(rows: number, size: number, inner: number): Int32Array {
  const places = new Int32Array(rows);
  for (let row = 0, place = 0; row < rows; place = place + 1 === size ? 0 : place + 1)
    for (const end = row + inner; row < end; row++) places[row] = place;
  return places;
}
