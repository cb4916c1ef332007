import type { Node } from "../../../../language/core/operations.js";
import { type IndicatorSum, indicatorSum } from "../../../indicator-sum.js";

/** As many comparisons with an index take less time than a cell that is moved. */
const fewIndexes = 8;

/** What a node is a sum of, if it is one of cells that an index picks, all of them dense. */
export function pickedSum(node: Node): IndicatorSum | undefined {
  const sum = indicatorSum(node);
  if (sum === undefined || sum.size < fewIndexes || !sum.label.type.isDense) return undefined;
  return typeof sum.cells === "number" || sum.cells.type.isDense ? sum : undefined;
}
