import { element } from "../../../language/values/element.js";
import type { Access, Instruction, Loop, LoopAxis, Stride } from "../loop.js";
import { lanesOf } from "./lanes.js";
import { withPlainLimits } from "./limits.js";

/**
 * The order in which a kernel walks over a loop: contiguous axes are merged, and the others sorted, so that first
 * come those along which the target moves and then those that are folded. One of them may be walked
 * over in lanes; it is the last of its kind.
 */
export interface Nest {
  readonly axes: readonly NestAxis[];
  /** How many axes come first along which the target moves. */
  readonly outerAxes: number;
  /** The axis that is walked over in lanes. */
  readonly lanes: number | undefined;
  /** How many of the last axes have no loop: what is done for each of their indexes is written one after the other. */
  readonly unrolledAxes: number;
  readonly sources: readonly Access[];
  readonly body: readonly Instruction[];
  readonly target: Access;
  readonly aggregator: Loop["aggregator"];
  /** Whether values of one target cell may come apart from each other, so that the target holds what is folded so far. */
  readonly isAccumulating: boolean;
}

export interface NestAxis {
  readonly size: number;
  /** Whether the target moves along it. */
  readonly isOuter: boolean;
}

/** To its sources, and then to its target. */
export const accessesOf = ({ sources, target }: Pick<Loop, "sources" | "target">): readonly Access[] => [
  ...sources,
  target,
];

/** A loop without axes of size 0, in the order of a kernel; nothing where no order of a kernel is equivalent. */
export function nestOf(loop: Loop): Nest | undefined {
  const { aggregator } = loop;
  const isAccumulating =
    aggregator !== undefined && loop.target.strides.some((stride) => typeof stride !== "number");
  const simplified = mergeAxes(
    dropUnitAxes({
      ...loop,
      body: withPlainLimits(loop.body),
      axes: loop.axes.map((axis, at) => withReduction(loop, axis, at)),
    }),
  );
  if (isAccumulating && !isOrderly(simplified)) return undefined;
  const order = [...simplified.axes.keys()].sort(
    (one, other) => Number(isOuter(simplified, other)) - Number(isOuter(simplified, one)) || one - other,
  );
  const lanes = lanesOf(simplified, isAccumulating);
  if (lanes !== undefined) {
    const last = order.findLastIndex((at) => isOuter(simplified, at) === isOuter(simplified, lanes));
    order.splice(order.indexOf(lanes), 1);
    order.splice(last, 0, lanes);
  }
  const nest = reordered(simplified, order);
  const outerAxes = order.filter((at) => isOuter(simplified, at)).length;
  const isFoldedInLanes = lanes === undefined || order.indexOf(lanes) >= outerAxes;
  return {
    ...nest,
    axes: order.map((at) => ({ size: element(simplified.axes, at).size, isOuter: isOuter(simplified, at) })),
    outerAxes,
    lanes: lanes === undefined ? undefined : order.indexOf(lanes),
    unrolledAxes: isFoldedInLanes ? 0 : unrolledAxes(nest, outerAxes),
    aggregator,
    isAccumulating,
  };
}

/** As large as the windows of most convolutions; each index takes all the instructions of the body. */
const mostUnrolled = 32;
const mostUnrolledInstructions = 256;

/** How many of the last axes are so short that a loop would cost more than what is done in it. */
function unrolledAxes({ axes, sources, body, target }: Loop, outerAxes: number): number {
  const isEven = (at: number): boolean =>
    accessesOf({ sources, target }).every(
      ({ strides }) => typeof strides[at] === "number" && strides[at] >= 0,
    );
  let indexes = 1;
  for (let at = axes.length - 1; at >= outerAxes; at--) {
    indexes *= element(axes, at).size;
    const isShort = indexes <= mostUnrolled && indexes * body.length <= mostUnrolledInstructions;
    if (!isShort || !isEven(at)) return axes.length - 1 - at;
  }
  return axes.length - outerAxes;
}

/** Whether the target moves along an axis, of a loop after `withReduction`. */
function isOuter(loop: Loop, at: number): boolean {
  return loop.axes[at]?.isReduced === false;
}

/** An axis that is reduced into different cells of the target counts as not reduced. */
function withReduction({ aggregator, target }: Loop, { size }: LoopAxis, at: number): LoopAxis {
  return { size, isReduced: aggregator !== undefined && target.strides[at] === 0 };
}

/** Sums may be folded in any order; others only in that of the loop. */
function isOrderly({ axes, target, aggregator }: Loop): boolean {
  if (aggregator === "sum") return true;
  if (aggregator === "vespaMax" || aggregator === "vespaMin") return false;
  const firstFolded = axes.findIndex(({ isReduced }) => isReduced);
  if (firstFolded < 0) return true;
  const lastTable = target.strides.findLastIndex((stride) => typeof stride !== "number");
  return aggregator !== "prod" && firstFolded > lastTable;
}

/** Without the axes of size 1, except those with a table. */
function dropUnitAxes(loop: Loop): Loop {
  const accesses = accessesOf(loop);
  const isNeeded = (at: number): boolean =>
    loop.axes[at]?.size !== 1 || accesses.some(({ strides }) => typeof strides[at] !== "number");
  const retained = [...loop.axes.keys()].filter(isNeeded);
  return retained.length === loop.axes.length ? loop : reordered(loop, retained);
}

/** Neighbouring axes along which all cells lie as along one are made one. */
function mergeAxes(loop: Loop): Loop {
  const indexedAxes = new Set(loop.body.flatMap((each) => (each.op === "index" ? [each.axis] : [])));
  const accesses = accessesOf(loop);
  for (let at = loop.axes.length - 2; at >= 0; at--) {
    const [outer, inner] = [loop.axes[at], loop.axes[at + 1]];
    if (outer === undefined || inner === undefined || outer.isReduced !== inner.isReduced) continue;
    if (indexedAxes.has(at) || indexedAxes.has(at + 1)) continue;
    if (!accesses.every(({ strides }) => isContinued(strides[at], strides[at + 1], inner.size))) continue;
    const axis: LoopAxis = { size: outer.size * inner.size, isReduced: outer.isReduced };
    const retained = [...loop.axes.keys()].filter((each) => each !== at);
    const remaining = reordered(loop, retained);
    return mergeAxes({ ...remaining, axes: remaining.axes.with(at, axis) });
  }
  return loop;
}

function isContinued(outer: Stride | undefined, inner: Stride | undefined, size: number): boolean {
  return typeof outer === "number" && typeof inner === "number" && outer === inner * size;
}

/** The same loop over some of its axes in another order; the others have size 1. */
function reordered(loop: Loop, order: readonly number[]): Loop {
  const reorderAccess = (access: Access): Access => ({
    ...access,
    strides: order.map((at) => element(access.strides, at)),
  });
  return {
    ...loop,
    axes: order.map((at) => element(loop.axes, at)),
    sources: loop.sources.map(reorderAccess),
    target: reorderAccess(loop.target),
    body: loop.body.map((each): Instruction => {
      if (each.op !== "index") return each;
      const axis = order.indexOf(each.axis);
      return axis < 0 ? { op: "constant", value: 0 } : { ...each, axis };
    }),
  };
}
