import { groupSize } from "../kernels/groups.js";
import type { Access, Loop } from "../loop.js";

/**
 * The axis along which a kernel had best compute in lanes, if any, of a loop whose axes are marked as reduced where they
 * do not move the target. Costs are estimates of instructions for a group of lanes, and for as many single cells.
 */
export function lanesOf(loop: Loop, isAccumulating: boolean): number | undefined {
  const operations = loop.body.filter(({ op }) => op !== "read" && op !== "constant").length;
  const isDouble = [...loop.sources, loop.target].some(({ cellType }) => cellType === "double");
  let best: number | undefined;
  let leastCost = Number.POSITIVE_INFINITY;
  const ofSingleCells = groupSize * (loop.sources.length + operations + 2);
  for (const [axis, { size, isReduced }] of loop.axes.entries()) {
    if (!isPossible(loop, axis, isAccumulating)) continue;
    const loads = loop.sources.reduce((sum, source) => sum + costOf(source, axis), 0);
    const store = isReduced ? 0 : costOf(loop.target, axis);
    const waste = (Math.ceil(size / groupSize) * groupSize) / size;
    const each = (loads + store + operations * (isDouble ? 2 : 1) + 2) * waste;
    const cost = isReduced ? each + costAcrossLanes / (foldedCells(loop) / groupSize) : each;
    if (each <= ofSingleCells && cost <= leastCost) {
      leastCost = cost;
      best = axis;
    }
  }
  return best;
}

/** What it takes to fold the lanes of a result. */
const costAcrossLanes = 12;

/** How many values become one. */
const foldedCells = ({ axes }: Loop): number =>
  axes.reduce((cells, { size, isReduced }) => (isReduced ? cells * size : cells), 1);

function costOf({ cellType, strides }: Access, axis: number): number {
  const stride = strides[axis];
  if (stride === 2 && cellType === "float") return 3;
  return stride === 1 ? 1 : stride === 0 ? 0.5 : 8;
}

function isPossible(loop: Loop, axis: number, isAccumulating: boolean): boolean {
  const { axes, target, aggregator } = loop;
  const stride = target.strides[axis];
  if (axes[axis]?.isReduced !== true) return typeof stride === "number" && (stride === 1 || !isAccumulating);
  if (aggregator === "sum") return true;
  // What is folded in an order has to end with the lanes.
  const isLast = axes.findLastIndex(({ isReduced }) => isReduced) === axis;
  if (!isLast || aggregator === "prod") return false;
  return aggregator === "max" || aggregator === "min" || hasFirst(loop);
}

/** Whether the first of the values that are folded is read without tables. */
function hasFirst({ axes, sources }: Loop): boolean {
  return sources.every(({ strides }) =>
    strides.every((stride, at) => axes[at]?.isReduced !== true || typeof stride === "number"),
  );
}
