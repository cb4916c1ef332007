import type { Node, NodeOf } from "../../../language/core/operations.js";
import { cellTypes } from "../../../language/types/cell.js";
import { contract as contractFactors } from "../sparse/contraction.js";
import { factorAxis, isHidden } from "../values/axes.js";
import { wholeBuffer } from "../values/storage.js";
import { type Axis, type BufferAccess, constant, type FactorAxis, type Value } from "../values/value.js";
import type { PassState } from "./pass-state.js";

/** A sum over the product of two tensors, whose rows were not joined yet. */
export interface SumOfProduct {
  readonly node: NodeOf<"reduce">;
  readonly product: NodeOf<"join">;
  readonly left: Value;
  readonly right: Value;
}

/**
 * The sum over products of sparse tensors that share some of their dimensions and each have others, without the rows of their
 * join, of which there may be far more than of either tensor. Absent where the tensors are not such.
 */
export function contract(
  { node, product, left: leftValue, right: rightValue }: SumOfProduct,
  state: PassState,
): Value | undefined {
  if (node.over.length === 0) return undefined;
  const [left, right] = [rowsOf(leftValue), rowsOf(rightValue)];
  if (left === undefined || right === undefined) return undefined;
  const names = [left.factor.names, right.factor.names] as const;
  const shared = names[0].filter((name) => names[1].includes(name));
  // Where one has all dimensions of the other, the join has no more rows than it, and a loop over them is faster.
  const isPartial = shared.length > 0 && names.every((each) => each.length > shared.length);
  if (!isPartial) return undefined;
  const [ofLeft, ofRight] = [accessTo(state, product.left, left), accessTo(state, product.right, right)];
  if (ofLeft === undefined || ofRight === undefined) return undefined;
  const { span, type } = node;
  const retained = type.mapped.map(({ name }) => name);
  const contraction = contractFactors(
    left.factor,
    right.factor,
    retained,
    (rows) => state.allow(rows, span, rows),
    (products) => state.allowProduced(products, span),
  );
  const axes: Axis[] = retained.length === 0 ? [] : [factorAxis(contraction.factor)];
  const { rows } = contraction.factor.index;
  // Where nothing matches and no dimension is retained, there are no cells to add up (D6).
  if (rows === 0) return { axes, source: constant(0).source };
  const isFloat = product.type.cellType === "float";
  const producer = { kind: "contraction", contraction, left: ofLeft, right: ofRight, isFloat } as const;
  return wholeBuffer(state.storage.buffer(type.cellType, rows, producer, span), axes);
}

interface RowsValue extends FactorAxis {
  readonly value: Value;
}

/** A value of nothing but the rows of one factor. */
function rowsOf(value: Value): RowsValue | undefined {
  const [axis, other] = value.axes;
  if (axis?.factor === undefined || other !== undefined || isHidden(axis)) return undefined;
  return { ...axis, value };
}

/** The cells in a buffer, as numbers rather than as bits of numbers; absent where they do not lie evenly. */
function accessTo(
  { storage }: PassState,
  { type, span }: Node,
  { value }: RowsValue,
): BufferAccess | undefined {
  const { cellType } = type;
  const isEncoded = cellTypes[cellType].encoding !== undefined;
  const { access } = storage.store(value, isEncoded ? "double" : cellType, span).source;
  return access.strides.every((step) => typeof step === "number") ? access : undefined;
}
