import type { Lambda, Node, NodeOf } from "../../../language/core/operations.js";
import type { ScalarName } from "../../../language/scalar/functions.js";

/**
 * Sums of cells that are picked where an index is a number, `sum(if(i == label, cell, 0))`. Over the index there is at most one such cell
 * for each label: the cells are gathered. Over what the labels are for, each cell is added at its label: the cells are scattered. As
 * written, either takes time for all indexes and all labels. Derivatives of slices at computed indexes are such sums.
 */
export interface PickedSum {
  /** The cells, or the number that all of them are. */
  readonly cells: Node | number;
  readonly label: Node;
  /** The dimension of the index. */
  readonly dimension: string;
  readonly size: number;
  readonly over: readonly string[];
}

/** As many comparisons with an index take less time than a cell that is moved. */
const fewIndexes = 8;

/** What a node is a sum of, if it is such a sum. */
export function pickedSum(node: Node): PickedSum | undefined {
  if (node.op !== "reduce" || node.aggregator !== "sum") return undefined;
  const { cells, indicator } = pickedIn(node.tensor);
  if (indicator?.op !== "join" || !isEquality(indicator.lambda)) return undefined;
  const index = [indicator.left, indicator.right].find(isIndex);
  const label = index === indicator.left ? indicator.right : indicator.left;
  const [{ name, size = 0 } = { name: "" }] = index?.type.dimensions ?? [];
  if (size < fewIndexes || !label.type.isDense || label.type.dimension(name) !== undefined) return undefined;
  const over = node.over.length === 0 ? node.tensor.type.names : node.over;
  const sum = { cells, label, dimension: name, size, over };
  if (typeof cells === "number") return over.includes(name) ? undefined : sum;
  const own = cells.type.dimension(name);
  const isPlain = own === undefined ? !over.includes(name) : own.size === size && over.join() === name;
  return isPlain && cells.type.isDense ? sum : undefined;
}

/** Cells and what picks them; an indicator itself is a sum of ones. */
function pickedIn(tensor: Node): { readonly cells: Node | number; readonly indicator?: Node } {
  if (tensor.op === "map") {
    const number = pickedNumber(tensor.lambda);
    return number === undefined ? { cells: 0 } : { cells: number, indicator: tensor.tensor };
  }
  const isPicked = tensor.op === "join" && isParameter(pickedBy(tensor.lambda, 1), 0);
  return isPicked ? { cells: tensor.left, indicator: tensor.right } : { cells: 1, indicator: tensor };
}

/** Whether a node is 0, 1, 2 … along its only dimension. */
const isIndex = (node: Node): node is NodeOf<"generate"> =>
  node.op === "generate" &&
  node.type.dimensions.length === 1 &&
  node.body.op === "parameter" &&
  node.body.level === node.level;

/** The `x` of a lambda `if(y == 0, 0, x)`, of whose parameters `y` is the one at a position. */
function pickedBy({ body }: Lambda, position: number): Node | undefined {
  if (body.op !== "select" || !isApplied(body.condition, "equal") || !isZero(body.yes)) return undefined;
  const [indicator, zero] = body.condition.arguments;
  return isParameter(indicator, position) && isZero(zero) ? body.no : undefined;
}

/** The number that a lambda picks. */
function pickedNumber(lambda: Lambda): number | undefined {
  const cell = pickedBy(lambda, 0);
  return cell?.op === "constant" ? cell.value.at(0) : undefined;
}

function isEquality({ body }: Lambda): boolean {
  if (!isApplied(body, "equal")) return false;
  const [x, y] = body.arguments;
  return x?.op === "parameter" && y?.op === "parameter" && x.position !== y.position;
}

const isApplied = (node: Node, name: ScalarName): node is NodeOf<"apply"> =>
  node.op === "apply" && node.function === name;

const isParameter = (node: Node | undefined, position: number): boolean =>
  node?.op === "parameter" && node.position === position;

const isZero = (node: Node | undefined): boolean => node?.op === "constant" && node.value.at(0) === 0;
