import { LabelIndex } from "../../../language/values/labels/label-index.js";
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
  const ordered = factors.map((factor, at) => ({ ...canonical(factor), at })).sort(byFirstName);
  const rowMaps: Int32Array[] = [];
  let inner = rows;
  for (const { factor, at } of ordered) {
    inner = rows === 0 ? 0 : inner / factor.index.rows;
    rowMaps[at] = odometer(rows, factor.index.rows, inner);
  }
  const index = new LabelIndex(
    ordered.flatMap(({ factor }) => factor.index.dictionaries),
    ordered.flatMap(({ factor, at }) => factor.index.columns.map((column) => take(column, rowMaps[at]))),
    rows,
  );
  const { factor, order } = canonical({ names: ordered.flatMap((each) => each.factor.names), index });
  const orders = new Map(ordered.map((each) => [each.at, each.order]));
  return { factor, rowsOf: rowMaps.map((rowMap, at) => compose(orders.get(at), compose(rowMap, order))) };
}

function byFirstName(left: { readonly factor: Factor }, right: { readonly factor: Factor }): number {
  return firstName(left.factor) < firstName(right.factor) ? -1 : 1;
}

/** A factor without dimensions, which has one row or none, comes before all others. */
const firstName = ({ names: [first = ""] }: Factor): string => first;

/** For each row the position of one wheel, which has `size` positions of `inner` rows each. */
function odometer(rows: number, size: number, inner: number): Int32Array {
  const positions = new Int32Array(rows);
  for (let row = 0, position = 0; row < rows; position = position + 1 === size ? 0 : position + 1)
    for (const end = row + inner; row < end; row++) positions[row] = position;
  return positions;
}
