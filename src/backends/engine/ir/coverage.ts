import type { BufferAccess, BufferStride } from "../values/value.js";
import type { BufferLoop } from "./step.js";

/** Which cells of a buffer some loops write, or an access reads: found from sizes and strides, without running anything. */

/** The first and the last cell that an access comes to; absent where an axis has no index. */
export function rangeOf(
  { offset, steps }: BufferAccess,
  sizes: readonly number[],
): { readonly first: number; readonly last: number } | undefined {
  let [first, last] = [offset, offset];
  for (const [axis, size] of sizes.entries()) {
    if (size === 0) return undefined;
    const [low, high] = extremesAlong(strideAt(steps, axis), size);
    first += low;
    last += high;
  }
  return { first, last };
}

const extremesOf = new WeakMap<Int32Array, readonly [number, number]>();

function extremesAlong(stride: BufferStride, size: number): readonly [number, number] {
  if (typeof stride === "number") return stride < 0 ? [stride * (size - 1), 0] : [0, stride * (size - 1)];
  const cached = extremesOf.get(stride);
  if (cached !== undefined) return cached;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const distance of stride) {
    if (distance < low) low = distance;
    if (distance > high) high = distance;
  }
  extremesOf.set(stride, [low, high]);
  return [low, high];
}

function strideAt(steps: readonly BufferStride[], axis: number): BufferStride {
  const stride = steps[axis];
  if (stride === undefined) throw new Error(`axis ${axis} has no stride`);
  return stride;
}

/** Beyond so many units of cells, loops that write as many units as there are count as writing all of them. */
const mostUnits = 2 ** 22;

/** Whether loops that write to the same buffer write all of its cells. */
export function coversAll(loops: readonly BufferLoop[], length: number): boolean {
  if (length === 0) return true;
  if (loops.some((loop) => isWhole(loop, length))) return true;
  const walks = loops.flatMap((loop) => walkOf(loop) ?? []);
  const unit = walks.reduce((common, walk) => commonUnit(walk, common), length);
  const units = length / unit;
  if (units > mostUnits) return walks.reduce((sum, walk) => sum + cellsOf(walk), 0) >= length;
  const isWritten = new Uint8Array(units);
  for (const walk of walks) mark(walk, unit, isWritten);
  return isWritten.every((each) => each === 1);
}

/** The axes along which the target moves. */
interface Walk {
  readonly offset: number;
  readonly axes: readonly { readonly size: number; readonly stride: BufferStride }[];
}

function walkOf({ axes, target }: BufferLoop): Walk | undefined {
  if (axes.some(({ size }) => size === 0)) return undefined;
  const moving = axes.map(({ size }, axis) => ({ size, stride: strideAt(target.steps, axis) }));
  return {
    offset: target.offset,
    axes: moving.filter(({ size, stride }) => size > 1 || typeof stride !== "number"),
  };
}

/** Whether the target is the whole buffer, cell after cell. */
function isWhole(loop: BufferLoop, length: number): boolean {
  const walk = walkOf(loop);
  return walk !== undefined && walk.offset === 0 && blockOf(walk) === length;
}

/** How many cells from the first on are written without a gap, by axes whose strides build on each other. */
function blockOf({ axes }: Walk): number {
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
function commonUnit(walk: Walk, before: number): number {
  const block = blockOf(walk);
  let unit = greatestCommon(greatestCommon(before, block), walk.offset);
  for (const { stride } of walk.axes) {
    if (unit === 1) return 1;
    if (typeof stride !== "number") for (const distance of stride) unit = greatestCommon(unit, distance);
    else if (stride >= block) unit = greatestCommon(unit, stride);
  }
  return unit;
}

function greatestCommon(left: number, right: number): number {
  let [a, b] = [Math.abs(left), Math.abs(right)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

const cellsOf = ({ axes }: Walk): number =>
  axes.reduce((cells, { size, stride }) => (stride === 0 ? cells : cells * size), 1);

/** Marks each unit that a walk comes to. */
function mark(walk: Walk, unit: number, isWritten: Uint8Array): void {
  const block = blockOf(walk);
  const blockUnits = block / unit;
  // The axes within the block are walked as one.
  const outer = walk.axes.filter(({ stride }) => typeof stride !== "number" || stride >= block);
  const visit = (depth: number, at: number): void => {
    const axis = outer[depth];
    if (axis === undefined) {
      isWritten.fill(1, at / unit, at / unit + blockUnits);
      return;
    }
    const { size, stride } = axis;
    for (let index = 0; index < size; index++)
      visit(depth + 1, at + (typeof stride === "number" ? stride * index : (stride[index] ?? 0)));
  };
  visit(0, walk.offset);
}
