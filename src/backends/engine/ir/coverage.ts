import { element, intAt } from "../../../language/values/element.js";
import { extremesOf } from "../values/rows.js";
import type { BufferAccess, BufferStride } from "../values/value.js";
import type { BufferLoop } from "./step.js";

/** Which cells of a buffer some loops write, or an access reads: derived from sizes and strides, without running anything. */

/** The first and the last cell that an access comes to; absent where an axis has no index. */
export function rangeOf(
  { offset, strides }: BufferAccess,
  sizes: readonly number[],
): { readonly first: number; readonly last: number } | undefined {
  let [first, last] = [offset, offset];
  for (const [axis, size] of sizes.entries()) {
    if (size === 0) return undefined;
    const [low, high] = extremesAlong(element(strides, axis), size);
    first += low;
    last += high;
  }
  return { first, last };
}

/** By table, of as much of it as an axis of a size reads. */
const extremes = new WeakMap<Int32Array, Map<number, readonly [number, number]>>();

function extremesAlong(stride: BufferStride, size: number): readonly [number, number] {
  if (typeof stride === "number") return stride < 0 ? [stride * (size - 1), 0] : [0, stride * (size - 1)];
  const bySize = extremes.get(stride) ?? new Map<number, readonly [number, number]>();
  extremes.set(stride, bySize);
  const cached = bySize.get(size);
  if (cached !== undefined) return cached;
  const found = extremesOf(stride.subarray(0, size));
  bySize.set(size, found);
  return found;
}

/** Beyond so many units of cells, loops that write as many units as there are count as writing all of them. */
const mostUnits = 2 ** 22;

/** Whether loops that write to the same buffer write all of its cells. */
export function coversAll(loops: readonly BufferLoop[], length: number): boolean {
  if (length === 0) return true;
  if (loops.some((loop) => writesWholeBuffer(loop, length))) return true;
  const traversals = loops.flatMap((loop) => traversalOf(loop) ?? []);
  const unit = traversals.reduce((common, traversal) => commonUnit(traversal, common), length);
  const units = length / unit;
  if (units > mostUnits) return traversals.reduce((sum, traversal) => sum + cellsOf(traversal), 0) >= length;
  const isWritten = new Uint8Array(units);
  for (const traversal of traversals) mark(traversal, unit, isWritten);
  return !isWritten.includes(0);
}

/** The axes along which the target moves. */
interface Traversal {
  readonly offset: number;
  readonly axes: readonly { readonly size: number; readonly stride: BufferStride }[];
}

function traversalOf({ axes, target }: BufferLoop): Traversal | undefined {
  if (axes.some(({ size }) => size === 0)) return undefined;
  const moving = axes.map(({ size }, axis) => ({ size, stride: element(target.strides, axis) }));
  return {
    offset: target.offset,
    axes: moving.filter(({ size, stride }) => size > 1 || typeof stride !== "number"),
  };
}

/** Whether the target is the whole buffer, cell after cell. */
function writesWholeBuffer(loop: BufferLoop, length: number): boolean {
  const traversal = traversalOf(loop);
  return traversal !== undefined && traversal.offset === 0 && blockOf(traversal) === length;
}

/** How many cells from the first on are written without a gap, by axes whose strides build on each other. */
function blockOf({ axes }: Traversal): number {
  const numeric = axes.flatMap(({ size, stride }) =>
    typeof stride === "number" && stride > 0 ? [{ size, stride }] : [],
  );
  numeric.sort((a, b) => a.stride - b.stride);
  let block = 1;
  for (const { size, stride } of numeric) {
    if (stride > block) break;
    block = Math.max(block, stride * (size - 1) + block);
  }
  return block;
}

/** The largest number of cells that blocks, offsets and strides are multiples of. */
function commonUnit(traversal: Traversal, before: number): number {
  const block = blockOf(traversal);
  let unit = greatestCommon(greatestCommon(before, block), traversal.offset);
  for (const { stride } of traversal.axes) {
    if (unit === 1) return 1;
    if (typeof stride !== "number") {
      // Mostly a multiple of what the ones before are.
      for (let at = 0; at < stride.length && unit > 1; at++)
        if (intAt(stride, at) % unit !== 0) unit = greatestCommon(unit, intAt(stride, at));
    } else if (stride >= block) unit = greatestCommon(unit, stride);
  }
  return unit;
}

function greatestCommon(left: number, right: number): number {
  let [a, b] = [Math.abs(left), Math.abs(right)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

const cellsOf = ({ axes }: Traversal): number =>
  axes.reduce((cells, { size, stride }) => (stride === 0 ? cells : cells * size), 1);

/** Marks each unit that a walk comes to. */
function mark(traversal: Traversal, unit: number, isWritten: Uint8Array): void {
  const block = blockOf(traversal);
  const blockUnits = block / unit;
  // The axes within the block are walked as one.
  const outer = traversal.axes.filter(({ stride }) => typeof stride !== "number" || stride >= block);
  const markBlock = (first: number): void => {
    if (blockUnits === 1) isWritten[first] = 1;
    else isWritten.fill(1, first, first + blockUnits);
  };
  const visit = (depth: number, at: number): void => {
    const axis = outer[depth];
    if (axis === undefined) return markBlock(at / unit);
    const { size, stride } = axis;
    const isInnermost = depth === outer.length - 1; // of as many steps as there are rows
    for (let index = 0; index < size; index++) {
      const next = at + (typeof stride === "number" ? stride * index : intAt(stride, index));
      if (isInnermost) markBlock(next / unit);
      else visit(depth + 1, next);
    }
  };
  visit(0, traversal.offset);
}
