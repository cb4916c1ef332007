import type { Node } from "../core/operations.js";
import { type Dimension, TensorType } from "../types/type.js";
import { type Calculus, hasAllCells } from "./calculus.js";

/**
 * The values of a body for all indexes of its generator, or all blocks of its tensor, have those as further dimensions: here they get
 * the cells that each of them has by itself.
 */

/** Two operands of types of their own, with the further dimensions that the other has got. */
export function aligned(
  [left, right]: readonly [Node, Node],
  [ofLeft, ofRight]: readonly [TensorType, TensorType],
  calculus: Calculus,
): [Node, Node] {
  return [widened(left, right, ofRight, calculus), widened(right, left, ofLeft, calculus)];
}

/** A tensor with the dimensions that another has got besides its own. */
function widened(tensor: Node, other: Node, own: TensorType, calculus: Calculus): Node {
  const missing = other.type.names.filter(
    (name) => tensor.type.dimension(name) === undefined && own.dimension(name) === undefined,
  );
  return missing.length === 0 ? tensor : repeatedAlong(tensor, other, missing, calculus);
}

/** A tensor repeated along some dimensions of another, for each address that the other has in them. */
export function repeatedAlong(tensor: Node, other: Node, names: readonly string[], calculus: Calculus): Node {
  const rest = other.type.names.filter((name) => !names.includes(name));
  return calculus.spread(tensor, calculus.reduced(other, "max", rest));
}

/** A tensor of ones. */
export const ones = (dimensions: readonly Dimension[], calculus: Calculus): Node =>
  calculus.generated(TensorType.of("double", dimensions), () => calculus.number(1));

/**
 * A value of some type in each block, with all cells that it has there: in a block a sum of no cells is 0, and so is a cell that is not
 * found. Where blocks have labels, a tensor of all blocks has neither.
 */
export function inEachBlock(value: Node, type: TensorType, blocks: Node, calculus: Calculus): Node {
  if (!hasAllCells(type) || hasAllCells(value.type)) return value;
  const further = value.type.dimensions.filter(({ name }) => type.dimension(name) === undefined);
  const isOfBlocks = ({ name }: Dimension): boolean =>
    type.dimension(name) === undefined && blocks.type.dimension(name) !== undefined;
  const names = further.filter(isOfBlocks).map(({ name }) => name);
  const sized = value.type.dimensions.filter((each) => !isOfBlocks(each));
  const rest = blocks.type.names.filter((name) => !names.includes(name));
  const zeros = calculus.filled(calculus.reduced(blocks, "max", rest), 0);
  const all = sized.length === 0 ? zeros : calculus.both(zeros, ones(sized, calculus), "x");
  const cells = calculus.graph.cast(all, all.type.withCells(value.type.cellType), calculus.span);
  return calculus.graph.merge(cells, value, calculus.lambda("y"), calculus.span);
}
