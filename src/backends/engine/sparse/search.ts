import { intAt } from "../../../language/values/element.js";
/** The first row from `from` to `to` whose id is not below `id`; the ids there rise. */
export function firstRow(column: Int32Array, id: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (intAt(column, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
