import type { Span } from "../../../language/source/span.js";
import { type CellType, cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { broadcast, combined } from "../values/arithmetic.js";
import { imagesAmong, indexedAxis } from "../values/axes.js";
import { composed, computed, viewed } from "../values/source.js";
import { loopAxes, type Storage, type StoredValue, storageOf, wholeBuffer } from "../values/storage.js";
import {
  type Axis,
  type AxisImage,
  type Buffer,
  type BufferAccess,
  cellsIn,
  constant,
  type LoopDraft,
  type Producer,
  type Source,
  type Value,
} from "../values/value.js";
import { type Order, orderOf } from "./contraction-order.js";
import { type Draft, rewritten } from "./draft.js";

/**
 * Sums of products of three factors and more: `sum(a * b * c, y, z)` is `sum(sum(a * b, y) * c, z)` where a and b alone
 * have y, which takes as many products as pairs have instead of as many as all have together.
 *
 * That is the same number only while nothing becomes infinite or vanishes on the way, in whichever order it is
 * multiplied. So a run looks at the factors first: if each cell is 0 or of a middling size, no product of them leaves
 * the range of its type. Otherwise the sum is computed as it is written.
 */

const [fewest, most] = [3, 6];

/** So few products are not worth three steps more. */
const minimumProducts = 20_000;
/** Axes are the bits of a number. */
const mostAxes = 30;

/** Takes sums of products of many factors apart, where that is worth it. */
export function factorise(draft: Draft): Draft {
  return rewritten(draft, (producer, buffer) => {
    if (producer.kind !== "loops" || buffer.origin.kind !== "computed") return producer;
    const [loop] = producer.loops;
    if (loop === undefined || producer.loops.length > 1) return producer;
    return pairwise(loop, buffer, draft.storage, buffer.origin.span) ?? producer;
  });
}

/** The choice between a sum in pairs and the sum as it is written; absent where that is not worth it. */
function pairwise(loop: LoopDraft, target: Buffer, storage: Storage, span: Span): Producer | undefined {
  const cells = cellsIn(loop.axes);
  if (loop.aggregator !== "sum" || cells < minimumProducts || loop.axes.length > mostAxes) return undefined;
  if (target.cellType !== "double" && target.cellType !== "float") return undefined;
  const axes = loop.axes.map(({ size }, at) => indexedAxis(`${at}`.padStart(2, "0"), size));
  const values = factorsOf(loop.source, axes, target.cellType);
  if (values === undefined) return undefined;
  const retained = axes.filter((_, at) => loop.axes[at]?.isReduced === false);
  if (loop.strides.some((step) => typeof step !== "number")) return undefined;
  const order = orderOf(values, axes, retained);
  const checks = values.reduce((sum, value) => sum + cellsToCheck(value), 0);
  if ((order.cost + checks) * 4 > cells) return undefined;

  const factors = values.map((value) => storage.store(value, checkableType(value, target.cellType), span));
  const sum = pairwiseSum(storage, factors, order, axes, span);
  // Along an axis that no factor has all terms are equal.
  const repeated = axes.filter(
    (axis) => !retained.includes(axis) && !values.some((each) => each.axes.includes(axis)),
  );
  const total = combined({ op: "apply", function: "multiply" }, [sum, constant(cellsIn(repeated))]);
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
  const condition = rangeCheck(storage, factors, target.cellType, span);
  return {
    kind: "branch",
    condition,
    yes: { ...pairwiseLoop, refusals: [] },
    no: { ...loop, refusals: [] },
  };
}

/** What is multiplied, from the left to the right, each on those of the axes that it has; absent where it does not fit. */
function factorsOf(root: Source, axes: readonly Axis[], cellType: CellType): readonly Value[] | undefined {
  const factors: Value[] = [];
  const open: { source: Source; images: readonly AxisImage[] | undefined }[] = [
    { source: root, images: undefined },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { source, images } = next;
    const inner = source.kind === "computed" ? factorsWithin(source, cellType) : undefined;
    if (inner !== undefined) {
      for (const operand of [...inner].reverse())
        open.push({ source: operand.source, images: composed(operand.images, images) });
      continue;
    }
    const value = onOwnAxes(source, images, axes);
    if (value === undefined || factors.push(value) > most) return undefined;
  }
  return factors.length >= fewest ? factors : undefined;
}

/** The operands that a product, a rounding of one, or a view is made of; absent for other sources. */
function factorsWithin(
  { operation, operands }: Extract<Source, { kind: "computed" }>,
  cellType: CellType,
): readonly { readonly source: Source; readonly images: readonly AxisImage[] | undefined }[] | undefined {
  if (operation.op === "view") return operands;
  if (operation.op === "apply" && operation.function === "multiply") return operands;
  const [operand] = operands;
  const isRounding = operation.op === "store" && operation.cellType === cellType;
  return isRounding && operand !== undefined && isMultiplying(operand.source) ? operands : undefined;
}

const isMultiplying = (source: Source): boolean =>
  source.kind === "computed" && source.operation.op === "apply" && source.operation.function === "multiply";

/** A source on the axes along which it differs; absent where it is seen through rows. */
function onOwnAxes(
  source: Source,
  images: readonly AxisImage[] | undefined,
  all: readonly Axis[],
): Value | undefined {
  const allImages = images ?? all.map((_, axis): AxisImage => ({ axis }));
  if (source.kind === "constant") return { axes: [], source };
  const own = new Set<number>();
  for (const [at, image] of allImages.entries()) {
    if ("at" in image) continue;
    if (image.rows !== undefined) return undefined;
    const stride = source.kind === "stored" ? source.access.strides[at] : 1;
    if (typeof stride !== "number") return undefined;
    if (stride !== 0) own.add(image.axis);
  }
  const axes = all.filter((_, at) => own.has(at));
  const remapped = allImages.map((image): AxisImage => {
    if ("at" in image) return image;
    const axis = all[image.axis];
    const to = axis === undefined ? -1 : axes.indexOf(axis);
    return to < 0 ? { at: 0 } : { axis: to };
  });
  return viewed(axes, source, remapped);
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
    const only = values[31 - Math.clz32(order.factors)];
    if (only === undefined) throw new Error("an order is of factors that are there");
    return summed(only);
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

/** A cell that says whether all products of the factors stay within the range of their type: 1 if they do, otherwise 0. */
function rangeCheck(
  storage: Storage,
  factors: readonly StoredValue[],
  cellType: CellType,
  span: Span,
): BufferAccess {
  const limit = 2 ** Math.floor((cellType === "double" ? 900 : 110) / factors.length);
  const buffers = [...new Set(factors.map(({ source }) => source.access.slot))];
  const slot = storage.buffer("double", 1, { kind: "range", buffers, limit }, span);
  return { slot, cellType: "double", offset: 0, strides: [] };
}
