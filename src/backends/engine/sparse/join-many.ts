import { element } from "../../../language/values/element.js";
import { type Allow, compose, type Factor, type RowMap } from "./factor.js";
import { groupBy } from "./group.js";
import { joinFactors } from "./join.js";
import { productOf } from "./product.js";

/** Rows that come from a row of each of several factors. */
export interface JoinedMany {
  readonly factor: Factor;
  /** For each factor, the row of it that each row has. */
  readonly rowsOf: readonly RowMap[];
}

/**
 * The rows of several factors that agree in all dimensions which any two of them have; canonical. They are the same in
 * whichever order factors are joined, but those in between are not: of a star of sparse tensors, the rows of its rays alone
 * are a product. So the two are joined first of which the fewest rows are to be expected, and so on.
 */
export function joinMany(factors: readonly Factor[], allow: Allow): JoinedMany {
  const parts: JoinedPart[] = factors.map((factor, at) => ({ factor, members: [{ at, rows: undefined }] }));
  while (parts.length > 1) {
    const [first, second] = cheapestPair(parts);
    const [left, right] = [element(parts, first), element(parts, second)];
    parts.splice(second, 1);
    parts[first] = joinParts(left, right, allow);
  }
  const { factor, members } = element(parts, 0);
  const rowsOf = new Array<RowMap>(factors.length).fill(undefined);
  for (const { at, rows } of members) rowsOf[at] = rows;
  return { factor, rowsOf };
}

/** Some factors, joined: of each the row that each row has. */
interface JoinedPart {
  readonly factor: Factor;
  readonly members: readonly { readonly at: number; readonly rows: RowMap }[];
}

function joinParts(left: JoinedPart, right: JoinedPart, allow: Allow): JoinedPart {
  const isSharing = sharedNames(left.factor, right.factor).length > 0;
  if (!isSharing) {
    const { factor, rowsOf } = productOf([left.factor, right.factor], allow);
    return { factor, members: [...viewed(left, rowsOf[0]), ...viewed(right, rowsOf[1])] };
  }
  const { factor, leftRows, rightRows } = joinFactors(left.factor, right.factor, allow);
  return { factor, members: [...viewed(left, leftRows), ...viewed(right, rightRows)] };
}

const viewed = ({ members }: JoinedPart, map: RowMap): JoinedPart["members"] =>
  members.map(({ at, rows }) => ({ at, rows: compose(rows, map) }));

const sharedNames = (left: Factor, right: Factor): string[] =>
  left.names.filter((name) => right.names.includes(name));

/** The positions of two parts, rising: those with the fewest rows to be expected. */
function cheapestPair(parts: readonly JoinedPart[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 1];
  let fewest = Number.POSITIVE_INFINITY;
  for (let first = 0; first < parts.length; first++)
    for (let second = first + 1; second < parts.length; second++) {
      const rows = expectedRows(element(parts, first).factor, element(parts, second).factor);
      if (rows >= fewest) continue;
      fewest = rows;
      best = [first, second];
    }
  return best;
}

/** About how many rows two factors have together, where labels are spread evenly. */
function expectedRows(left: Factor, right: Factor): number {
  const pairs = left.index.rows * right.index.rows;
  const shared = sharedNames(left, right);
  if (pairs === 0 || shared.length === 0) return pairs;
  return pairs / Math.max(groupsOf(left, shared), groupsOf(right, shared));
}

const groupsOf = (factor: Factor, names: readonly string[]): number =>
  names.length === factor.names.length ? factor.index.rows : groupBy(factor, names).counts.length;
