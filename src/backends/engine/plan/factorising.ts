import type { Span } from "../../../language/source/span.js";
import type { CellType } from "../../../language/types/cell.js";
import { imagesAmong, indexedAxis } from "../values/axes.js";
import { composed, computed, viewed } from "../values/source.js";
import {
  type Axis,
  type AxisImage,
  type Buffer,
  type BufferAccess,
  cellsIn,
  constant,
  type LoopDraft,
  type Source,
  type Value,
} from "../values/value.js";
import { type Order, orderOf } from "./contraction-order.js";
import { combined, spread } from "./elementwise.js";
import type { PlanState } from "./plan-state.js";
import { loopAxes, type StoredValue, storageOf, wholeOf } from "./storage.js";

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
const worthwhile = 20_000;
/** Axes are the bits of a number. */
const mostAxes = 30;

/** The buffer of a sum, computed in pairs where that is worth it and sound; otherwise absent. */
export function factorised(loop: LoopDraft, whole: Buffer, state: PlanState, span: Span): Buffer | undefined {
  const cells = cellsIn(loop.axes);
  if (loop.aggregator !== "sum" || cells < worthwhile || loop.axes.length > mostAxes) return undefined;
  if (whole.cellType !== "double" && whole.cellType !== "float") return undefined;
  const axes = loop.axes.map(({ size }, at) => indexedAxis(`${at}`.padStart(2, "0"), size));
  const values = factorsOf(loop.source, axes, whole.cellType);
  if (values === undefined) return undefined;
  const kept = axes.filter((_, at) => loop.axes[at]?.isReduced === false);
  if (loop.strides.some((step) => typeof step !== "number")) return undefined;
  const order = orderOf(values, axes, kept);
  const looks = values.reduce((sum, value) => sum + cellsBehind(value), 0);
  if ((order.cost + looks) * 4 > cells) return undefined;

  const { storage } = state;
  const factors = values.map((value) => storage.store(value, readable(value, whole.cellType), span));
  const sum = inPairs(state, factors, order, axes, span);
  // A sum is never -0, which a product may be.
  const apart = combined({ op: "apply", function: "add" }, [sum, constant(0)]);
  const strides = loop.strides.filter((_, at) => loop.axes[at]?.isReduced === false);
  const pairs: LoopDraft = {
    kind: "loop",
    axes: loopAxes(kept),
    source: spread(apart, kept).source,
    offset: loop.offset,
    strides,
  };
  const condition = inRange(state, factors, whole.cellType, span);
  const producer = { kind: "branch", condition, yes: pairs, no: loop } as const;
  return storage.buffer(whole.cellType, whole.length, producer, span);
}

/** What is multiplied, from the left to the right, each on those of the axes that it has; absent where it does not fit. */
function factorsOf(root: Source, axes: readonly Axis[], cellType: CellType): readonly Value[] | undefined {
  const found: Value[] = [];
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
    if (value === undefined || found.push(value) > most) return undefined;
  }
  return found.length >= fewest ? found : undefined;
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
  const whole = images ?? all.map((_, axis): AxisImage => ({ axis }));
  if (source.kind === "constant") return { axes: [], source };
  const own = new Set<number>();
  for (const [at, image] of whole.entries()) {
    if ("at" in image) continue;
    if (image.rows !== undefined) return undefined;
    const stride = source.kind === "stored" ? source.access.strides[at] : 1;
    if (typeof stride !== "number") return undefined;
    if (stride !== 0) own.add(image.axis);
  }
  const axes = all.filter((_, at) => own.has(at));
  const moved = whole.map((image): AxisImage => {
    if ("at" in image) return image;
    const axis = all[image.axis];
    const to = axis === undefined ? -1 : axes.indexOf(axis);
    return to < 0 ? { at: 0 } : { axis: to };
  });
  return viewed(axes, source, moved);
}

/** Products of two, each summed over all that nothing else has. */
function inPairs(
  state: PlanState,
  values: readonly StoredValue[],
  order: Order,
  axes: readonly Axis[],
  span: Span,
): Value {
  const isLeft = (axis: Axis): boolean => ((order.axes >> axes.indexOf(axis)) & 1) === 1;
  const summed = (value: Value): Value =>
    value.axes.every(isLeft) ? value : summedTo(state, value, isLeft, span);
  if (order.parts === undefined) {
    const only = values[31 - Math.clz32(order.factors)];
    if (only === undefined) throw new Error("an order is of factors that are there");
    return summed(only);
  }
  const [left, right] = order.parts.map((part) => inPairs(state, values, part, axes, span));
  if (left === undefined || right === undefined) throw new Error("a product has two sides");
  const among = axes.filter((axis) => left.axes.includes(axis) || right.axes.includes(axis));
  const product = productOf(among, left, right);
  return state.storage.store(summed(product), "double", span);
}

/** The sum over all axes but some, in doubles. */
function summedTo(state: PlanState, value: Value, isLeft: (axis: Axis) => boolean, span: Span): Value {
  const kept = value.axes.filter(isLeft);
  const all = [...kept, ...value.axes.filter((axis) => !isLeft(axis))];
  const { sortedStrides } = storageOf(kept);
  const loop: LoopDraft = {
    kind: "loop",
    axes: all.map((axis) => ({ size: axis.size, isReduced: !isLeft(axis) })),
    source: spread(value, all).source,
    offset: 0,
    strides: all.map((axis) => (isLeft(axis) ? (sortedStrides[kept.indexOf(axis)] ?? 1) : 0)),
    aggregator: "sum",
  };
  return wholeOf(state.storage.buffer("double", cellsIn(kept), { kind: "loops", loops: [loop] }, span), kept);
}

function productOf(axes: readonly Axis[], left: Value, right: Value): Value {
  const operands = [left, right].map(({ axes: own, source }) => ({ source, images: imagesAmong(own, axes) }));
  return computed(axes, { op: "apply", function: "multiply" }, operands);
}

/** The type in which cells can be looked at one by one, and are multiplied. */
function readable({ source }: Value, cellType: CellType): CellType {
  if (source.kind !== "stored") return cellType;
  const own = source.access.cellType;
  return own === "bfloat16" || own === "half" || own === "long" ? "double" : own;
}

/** How many cells there are to look at: of a view those of all that it is a view of. */
const cellsBehind = ({ axes, source }: Value): number =>
  source.kind === "stored" ? source.access.slot.length : cellsIn(axes);

/** A cell that says whether all products of the factors stay within the range of their type: 1 if they do, otherwise 0. */
function inRange(
  { storage }: PlanState,
  factors: readonly StoredValue[],
  cellType: CellType,
  span: Span,
): BufferAccess {
  const limit = 2 ** Math.floor((cellType === "double" ? 900 : 110) / factors.length);
  const buffers = [...new Set(factors.map(({ source }) => source.access.slot))];
  const slot = storage.buffer("double", 1, { kind: "range", buffers, limit }, span);
  return { slot, cellType: "double", offset: 0, strides: [] };
}
