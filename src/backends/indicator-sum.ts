import type { Node, NodeOf } from "../language/core/operations.js";
import { isChoice, isNumber, isOfBoth, isParameter, isZero, numberOf } from "../language/core/patterns.js";
import { cellTypes } from "../language/types/cell.js";

/**
 * Sums of cells that are picked where an index is a number, `sum(where(i == label, cell, 0))`. Over the index there is at most one such cell
 * for each label: the cells are gathered. Over what the labels are for, each cell is added at its label: the cells are scattered. As
 * written, either takes time for all indexes and all labels. Derivatives of slices at computed indexes are such sums, and so are
 * histograms.
 */
export interface IndicatorSum {
  /** The cells, or the number that all of them are. */
  readonly cells: Node | number;
  readonly label: Node;
  /** The dimension of the index. */
  readonly dimension: string;
  readonly size: number;
  readonly over: readonly string[];
}

/** What a node is a sum of, if it is such a sum. */
export function indicatorSum(node: Node): IndicatorSum | undefined {
  if (node.op !== "reduce" || node.aggregator !== "sum") return undefined;
  const { cells, indicator } = pickedIn(node.tensor);
  if (indicator.op !== "join" || !isOfBoth(indicator.lambda, "equal")) return undefined;
  const index = [indicator.left, indicator.right].find(isIndex);
  const label = index === indicator.left ? indicator.right : indicator.left;
  const [{ name, size } = { name: "" }] = index?.type.dimensions ?? [];
  if (size === undefined || label.type.dimension(name) !== undefined) return undefined;
  const over = node.over.length === 0 ? node.tensor.type.names : node.over;
  const sum = { cells, label, dimension: name, size, over };
  if (typeof cells === "number") return over.includes(name) ? undefined : sum;
  const own = cells.type.dimension(name);
  const isPlain = own === undefined ? !over.includes(name) : own.size === size && over.join() === name;
  return isPlain ? sum : undefined;
}

/** Cells, or the number that all of them are, and what picks them. */
interface PickedCells {
  readonly cells: Node | number;
  readonly indicator: Node;
}

/** What picks cells and which; an indicator itself is a sum of ones. */
function pickedIn(tensor: Node): PickedCells {
  return pickedBy(tensor, chosenBranch) ?? pickedByWhere(tensor) ?? { cells: 1, indicator: tensor };
}

/** The branch of a choice by an indicator that is the cell; nothing of another body. */
type PickedBranch = (body: Node, indicator: number) => Node | undefined;

/** Of a choice whose other branch is 0. */
const chosenBranch: PickedBranch = (body, indicator) => {
  if (isChoice(body, "equal", indicator) && isZero(body.yes)) return body.no;
  return isChoice(body, "notEqual", indicator) && isZero(body.no) ? body.yes : undefined;
};

/** The cells of a map of an indicator, or of its join with them, in either order. */
function pickedBy(tensor: Node, branch: PickedBranch): PickedCells | undefined {
  if (tensor.op === "map") {
    const number = numberOf(branch(tensor.lambda.body, 0));
    if (number === undefined) return undefined;
    // As its cells hold it.
    const cells = cellTypes[tensor.type.cellType].store(number);
    return { cells, indicator: tensor.tensor };
  }
  if (tensor.op !== "join") return undefined;
  const { left, right, lambda } = tensor;
  if (isParameter(branch(lambda.body, 1), 0)) return { cells: left, indicator: right };
  return isParameter(branch(lambda.body, 0), 1) ? { cells: right, indicator: left } : undefined;
}

/** `where(indicator, cells, 0)`: the sum of the cells, and of zeros elsewhere, with -0 where the other one is. */
function pickedByWhere(tensor: Node): PickedCells | undefined {
  if (tensor.op !== "join" || !isOfBoth(tensor.lambda, "add")) return undefined;
  const { left, right } = tensor;
  const found = pickedBy(left, (body, indicator) =>
    isChoice(body, "notEqual", indicator) && isNumber(body.no, -0) ? body.yes : undefined,
  );
  if (found === undefined || right.op !== "map" || right.tensor !== found.indicator) return undefined;
  const { body } = right.lambda;
  const isElsewhere = isChoice(body, "notEqual", 0) && isNumber(body.yes, -0) && isZero(body.no);
  return isElsewhere ? found : undefined;
}

/** Whether a node is 0, 1, 2 … along its only dimension. */
const isIndex = (node: Node): node is NodeOf<"generate"> =>
  node.op === "generate" &&
  node.type.dimensions.length === 1 &&
  node.body.op === "parameter" &&
  node.body.level === node.level;
