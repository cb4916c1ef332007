import { cellsOf } from "../../../language/values/shape.js";
import type { RunningAggregator, Scan } from "./value.js";

/** How many lines a scan has, one for each index of the outer axes. */
export const linesOf = ({ sizes }: Scan): number => cellsOf(sizes.slice(0, -1));

const folds: Readonly<Record<RunningAggregator, string>> = {
  sum: "sums",
  prod: "products",
  max: "maxima",
  min: "minima",
};

/** In a few words, for a person. */
export function describeScan(scan: Scan): string {
  const { results, isDescending, isExclusive } = scan;
  const order = isDescending ? "from the last on" : "from the first on";
  return `scan of ${cellsOf(scan.sizes)} cells: ${linesOf(scan)} times ${results} running ${folds[scan.aggregator]} ${order}${isExclusive ? ", without their own cell" : ""}`;
}
