import type { Span } from "../../../language/source/span.js";
import { type CellType, cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { broadcast, combined } from "../values/arithmetic.js";
import { imagesAmong } from "../values/axes.js";
import { rangeCheck } from "../values/range-check.js";
import { computed } from "../values/source.js";
import { loopAxes, type Storage, type StoredValue, storageOf, wholeBuffer } from "../values/storage.js";
import {
  type Axis,
  type Buffer,
  cellsIn,
  constant,
  type LoopDraft,
  type Producer,
  type Value,
} from "../values/value.js";
import { type Order, orderOf } from "./contraction-order.js";
import { type Draft, rewritten } from "./draft.js";
import { factorsOf } from "./product-factors.js";

/**
 * Sums of products of three factors and more: `sum(a * b * c, y, z)` is `sum(sum(a * b, y) * c, z)` where a and b alone
 * have y, which takes as many products as pairs have instead of as many as all have together. A factor that is a sum of products
 * itself is not taken as it is: `sum(a * sum(b * c, z), y)` is `sum(a * b * c, y, z)`, so that a chain of matrices is
 * multiplied in the best order, wherever its parentheses are.
 *
 * That is the same number only while nothing becomes infinite or vanishes on the way, in whichever order it is
 * multiplied. So a run looks at the factors first: if each cell is 0 or of a middling size, no product of them leaves
 * the range of its type. Otherwise the sum is computed as it is written.
 */

const fewestFactors = 3;

/** So few products are not worth three steps more. */
const minimumProducts = 20_000;

/** Takes sums of products of many factors apart, where that is worth it. */
export function factorise(draft: Draft): Draft {
  return rewritten(draft, (producer, buffer) => {
    if (producer.kind !== "loops" || buffer.origin.kind !== "computed") return producer;
    const [loop] = producer.loops;
    if (loop === undefined || producer.loops.length > 1) return producer;
    return pairwise(loop, buffer, draft, buffer.origin.span) ?? producer;
  });
}

/** The choice between a sum in pairs and the sum as it is written; absent where that is not worth it. */
function pairwise(
  loop: LoopDraft,
  target: Buffer,
  { storage, producers }: Draft,
  span: Span,
): Producer | undefined {
  if (loop.aggregator !== "sum" || loop.strides.some((step) => typeof step !== "number")) return undefined;
  if (target.cellType !== "double" && target.cellType !== "float") return undefined;
  const producerOf = (buffer: Buffer) => producers.get(buffer) ?? storage.producerOf(buffer);
  const product = factorsOf(loop, target.cellType, producerOf);
  if (product === undefined || product.products < minimumProducts) return undefined;
  const { axes, retained, values, products } = product;
  if (values.length < fewestFactors) return undefined;
  const order = orderOf(values, axes, retained);
  const checks = values.reduce((sum, value) => sum + cellsToCheck(value), 0);
  if ((order.cost + checks) * 4 > products) return undefined;

  const factors = values.map((value) => storage.store(value, checkableType(value, target.cellType), span));
  const sum = pairwiseSum(storage, factors, order, axes, span);
  // Along an axis that no factor has all terms are equal.
  const repeated = axes.filter(
    (axis) => !retained.includes(axis) && !values.some((each) => each.axes.includes(axis)),
  );
  const times = cellsIn(repeated);
  const total = times === 1 ? sum : combined({ op: "apply", function: "multiply" }, [sum, constant(times)]);
  // A sum is never -0, which a product may be.
  const withoutNegativeZero = combined({ op: "apply", function: "add" }, [total, constant(0)]);
  const strides = loop.strides.filter((_, at) => loop.axes[at]?.isReduced === false);
  const pairwiseLoop: LoopDraft = {
    kind: "loop",
    axes: loopAxes(retained),
    source: broadcast(withoutNegativeZero, retained).source,
    offset: loop.offset,
    strides,
  };
  const saved = { pairwise: order.cost, written: products };
  const limit = 2 ** Math.floor((target.cellType === "double" ? 900 : 110) / factors.length);
  const condition = rangeCheck(storage, factors, limit, saved, span);
  return {
    kind: "branch",
    condition,
    yes: { ...pairwiseLoop, required: [] },
    no: { ...loop, required: [] },
  };
}

/** Products of two, each summed over all that nothing else has. */
function pairwiseSum(
  storage: Storage,
  values: readonly StoredValue[],
  order: Order,
  axes: readonly Axis[],
  span: Span,
): Value {
  const isRemaining = (axis: Axis): boolean => ((order.axes >> axes.indexOf(axis)) & 1) === 1;
  const summed = (value: Value): Value =>
    value.axes.every(isRemaining) ? value : summedTo(storage, value, isRemaining, span);
  if (order.parts === undefined) {
    if (order.factor === undefined) throw new Error("an order is of a factor, or of two parts");
    return summed(element(values, order.factor));
  }
  const [left, right] = order.parts.map((part) => pairwiseSum(storage, values, part, axes, span));
  if (left === undefined || right === undefined) throw new Error("a product has two sides");
  const among = axes.filter((axis) => left.axes.includes(axis) || right.axes.includes(axis));
  const product = productOf(among, left, right);
  return storage.store(summed(product), "double", span);
}

/** The sum over all axes but some, in doubles. */
function summedTo(storage: Storage, value: Value, isRemaining: (axis: Axis) => boolean, span: Span): Value {
  const retained = value.axes.filter(isRemaining);
  const all = [...retained, ...value.axes.filter((axis) => !isRemaining(axis))];
  const { sortedStrides } = storageOf(retained);
  const loop: LoopDraft = {
    kind: "loop",
    axes: all.map((axis) => ({ size: axis.size, isReduced: !isRemaining(axis) })),
    source: broadcast(value, all).source,
    offset: 0,
    strides: all.map((axis) => (isRemaining(axis) ? element(sortedStrides, retained.indexOf(axis)) : 0)),
    aggregator: "sum",
  };
  return wholeBuffer(
    storage.buffer("double", cellsIn(retained), { kind: "loops", loops: [loop] }, span),
    retained,
  );
}

function productOf(axes: readonly Axis[], left: Value, right: Value): Value {
  const operands = [left, right].map(({ axes: own, source }) => ({ source, images: imagesAmong(own, axes) }));
  return computed(axes, { op: "apply", function: "multiply" }, operands);
}

/** The type in which cells can be checked one by one, and are multiplied. */
function checkableType({ source }: Value, cellType: CellType): CellType {
  if (source.kind !== "stored") return cellType;
  const own = source.access.cellType;
  return cellTypes[own].encoding === undefined ? own : "double";
}

/** How many cells there are to look at: of a view those of all that it is a view of. */
const cellsToCheck = ({ axes, source }: Value): number =>
  source.kind === "stored" ? source.access.slot.length : cellsIn(axes);
