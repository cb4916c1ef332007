import { keysOf } from "../../../language/source/lists.js";
import { element, intAt } from "../../../language/values/element.js";
import { type Access, type Loop, type LoopAxis, offsetAlong, type Stride } from "../loop.js";
import type { Role, Side } from "./descriptor.js";
import type { Terms } from "./recognise.js";

/**
 * The axes of a contraction, sorted by the part they play and made one of each: whatever a loop's axes are, this is
 * a batch of matrix products. An axis is of the batch if both operands and the target move along it; a row if only the
 * left operand and the target do; a column if only the right one does; summed if the target stays. Axes of one role that
 * follow each other in memory become one axis with a stride, others one with a table.
 */
export interface Shape {
  readonly sizes: Readonly<Record<Role, number>>;
  readonly strides: Readonly<Record<Side, Readonly<Record<Role, RoleStride>>>>;
}

/** How a side moves along a role, in cells: by a stride, a table of the loop, or one computed here. */
export type RoleStride =
  | number
  | { readonly table: Int32Array; readonly tableBlock?: Exclude<Stride, number> };

/** How far each index along a role is from the first, in cells. */
export const offsetsOf = (stride: RoleStride, size: number): Int32Array =>
  typeof stride === "number" ? Int32Array.from({ length: size }, (_, at) => at * stride) : stride.table;

interface RoleAxis {
  readonly size: number;
  readonly strides: Readonly<Record<Side, Stride>>;
}

/** Longer tables are not worth their making. */
const longestTable = 2 ** 22;

/** Nothing where cells of the target may coincide, or where tables would be too long. */
export function shapeOf({ axes }: Pick<Loop, "axes">, { left, right, target }: Terms): Shape | undefined {
  if (!isInjective(axes, target)) return undefined;
  const byRole: Record<Role, RoleAxis[]> = { batch: [], rows: [], columns: [], sum: [] };
  for (const [at, { size }] of axes.entries()) {
    if (size === 1) continue;
    const strides = { left: strideOf(left, at), right: strideOf(right, at), target: strideOf(target, at) };
    byRole[roleOf(strides)].push({ size, strides });
  }
  const sizes = { batch: 1, rows: 1, columns: 1, sum: 1 };
  const strides = { left: zeroStrides(), right: zeroStrides(), target: zeroStrides() };
  for (const role of keysOf(byRole)) {
    const merged = merge(byRole[role]);
    const size = merged.reduce((product, each) => product * each.size, 1);
    sizes[role] = size;
    for (const side of ["left", "right", "target"] as const) {
      const roleStride = roleStrideOf(merged, side, size);
      if (roleStride === undefined) return undefined;
      strides[side][role] = roleStride;
    }
  }
  return { sizes, strides };
}

/** How far apart the cells of an access are along each role, in cells; nothing for a role along which that is not even. */
export function evenStrides(
  axes: Loop["axes"],
  { left, right, target }: Terms,
  access: Access,
): Readonly<Record<Role, number | undefined>> {
  const strideAlong = (role: Role): number | undefined => {
    const own = [...axes.keys()].filter((at) => {
      const strides = { left: strideOf(left, at), right: strideOf(right, at), target: strideOf(target, at) };
      return axes[at]?.size !== 1 && roleOf(strides) === role;
    });
    // In the order of the merged axis, the innermost first.
    own.sort((one, other) => distanceAlong(target, one) - distanceAlong(target, other));
    const [first, ...outer] = own;
    const stride = first === undefined ? 0 : strideOf(access, first);
    if (first === undefined || typeof stride !== "number") return first === undefined ? 0 : undefined;
    let next = stride * element(axes, first).size;
    for (const at of outer) {
      if (strideOf(access, at) !== next) return undefined;
      next *= element(axes, at).size;
    }
    return stride;
  };
  return {
    ...{ batch: strideAlong("batch"), rows: strideAlong("rows") },
    ...{ columns: strideAlong("columns"), sum: strideAlong("sum") },
  };
}

/** How far the cells of an access are apart along an axis, whichever way; those of a target with a table are all over it. */
function distanceAlong(access: Access, axis: number): number {
  const stride = strideOf(access, axis);
  return typeof stride === "number" ? Math.abs(stride) : Number.POSITIVE_INFINITY;
}

const zeroStrides = (): Record<Role, RoleStride> => ({ batch: 0, rows: 0, columns: 0, sum: 0 });
const strideOf = (access: Access, axis: number): Stride => element(access.strides, axis);

function roleOf({ left, right, target }: RoleAxis["strides"]): Role {
  if (target === 0) return "sum";
  if (right === 0) return "rows";
  return left === 0 ? "columns" : "batch";
}

/** The same with its operands exchanged: rows become columns. */
export function withOperandsSwapped({ sizes, strides }: Shape): Shape {
  const swapped = (roleStrides: Readonly<Record<Role, RoleStride>>): Readonly<Record<Role, RoleStride>> => ({
    ...roleStrides,
    rows: roleStrides.columns,
    columns: roleStrides.rows,
  });
  return {
    sizes: { ...sizes, rows: sizes.columns, columns: sizes.rows },
    strides: { left: swapped(strides.right), right: swapped(strides.left), target: swapped(strides.target) },
  };
}

/** Whether no two indexes of the axes along which the target moves share a cell. */
function isInjective(axes: readonly LoopAxis[], target: Access): boolean {
  const strides: { stride: number; size: number }[] = [];
  for (const [at, { size, isReduced }] of axes.entries()) {
    if (size === 1) continue;
    const stride = strideOf(target, at);
    if (typeof stride !== "number" || (stride === 0) !== isReduced) return false;
    if (stride !== 0) strides.push({ stride: Math.abs(stride), size });
  }
  strides.sort((one, other) => one.stride - other.stride);
  let span = 1;
  for (const { stride, size } of strides) {
    if (stride < span) return false;
    span += stride * (size - 1);
  }
  return true;
}

/** One axis of two where, for all sides, the inner one ends where the outer one goes on. Longest strides first. */
function merge(axes: readonly RoleAxis[]): RoleAxis[] {
  const extent = ({ strides }: RoleAxis): number => {
    const moving = [strides.target, strides.right, strides.left].filter((each) => each !== 0);
    const [first = 0] = moving;
    return typeof first === "number" ? Math.abs(first) : Number.POSITIVE_INFINITY;
  };
  const merged: RoleAxis[] = [];
  for (const axis of axes.toSorted((one, other) => extent(other) - extent(one) || 0)) {
    const outer = merged.at(-1);
    const joined = outer === undefined ? undefined : joinedAxis(outer, axis);
    if (joined === undefined) merged.push(axis);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function joinedAxis(outer: RoleAxis, inner: RoleAxis): RoleAxis | undefined {
  const isContinued = (side: Side): boolean => {
    const [outerStride, innerStride] = [outer.strides[side], inner.strides[side]];
    return (
      typeof outerStride === "number" &&
      typeof innerStride === "number" &&
      outerStride === innerStride * inner.size
    );
  };
  if (!isContinued("left") || !isContinued("right") || !isContinued("target")) return undefined;
  return { size: outer.size * inner.size, strides: inner.strides };
}

function roleStrideOf(axes: readonly RoleAxis[], side: Side, size: number): RoleStride | undefined {
  const [first, ...more] = axes.map(({ strides }) => strides[side]);
  if (first === undefined || (first === 0 && more.every((each) => each === 0))) return 0;
  if (more.length === 0) {
    if (typeof first === "number") return first;
    // The block of a table is of cell type int.
    return { table: first.block.cells as Int32Array, tableBlock: first };
  }
  const last = axes.at(-1)?.strides[side];
  if (typeof last === "number" && isEven(axes, side)) return last;
  return size > longestTable ? undefined : { table: tableOf(axes, side, size) };
}

/** Whether a side goes along all axes as along one, though another side may not. */
function isEven(axes: readonly RoleAxis[], side: Side): boolean {
  return axes.every(({ size, strides }, at) => {
    const [stride, outer] = [strides[side], axes[at - 1]?.strides[side]];
    return typeof stride === "number" && (outer === undefined || outer === stride * size);
  });
}

/** The offsets of all positions along several axes, the last one fastest. */
function tableOf(axes: readonly RoleAxis[], side: Side, size: number): Int32Array {
  const table = new Int32Array(size);
  let inner = 1;
  for (const axis of axes.toReversed()) {
    const stride = axis.strides[side];
    for (let position = 0; position < size; position++) {
      const at = Math.floor(position / inner) % axis.size;
      table[position] = intAt(table, position) + offsetAlong(stride, at);
    }
    inner *= axis.size;
  }
  return table;
}
