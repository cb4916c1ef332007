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
  readonly ways: Readonly<Record<Side, Readonly<Record<Role, Way>>>>;
}

/** How a side goes along all places of a role, in cells: by a stride, a given table, or one made here. */
export type Way = number | { readonly table: Int32Array; readonly along?: Exclude<Stride, number> };

interface RoleAxis {
  readonly size: number;
  readonly along: Readonly<Record<Side, Stride>>;
}

/** Longer tables are not worth their making. */
const longestTable = 2 ** 22;

/** Nothing where places of the target may coincide, or where tables would be too long. */
export function shapeOf({ axes }: Pick<Loop, "axes">, { left, right, target }: Terms): Shape | undefined {
  if (!isInjective(axes, target)) return undefined;
  const byRole: Record<Role, RoleAxis[]> = { batch: [], rows: [], columns: [], sum: [] };
  for (const [at, { size }] of axes.entries()) {
    if (size === 1) continue;
    const along = { left: stepOf(left, at), right: stepOf(right, at), target: stepOf(target, at) };
    byRole[roleOf(along)].push({ size, along });
  }
  const sizes = { batch: 1, rows: 1, columns: 1, sum: 1 };
  const ways = { left: noWays(), right: noWays(), target: noWays() };
  for (const role of Object.keys(byRole) as Role[]) {
    const merged = merge(byRole[role]);
    const size = merged.reduce((product, each) => product * each.size, 1);
    sizes[role] = size;
    for (const side of ["left", "right", "target"] as const) {
      const way = wayOf(merged, side, size);
      if (way === undefined) return undefined;
      ways[side][role] = way;
    }
  }
  return { sizes, ways };
}

const noWays = (): Record<Role, Way> => ({ batch: 0, rows: 0, columns: 0, sum: 0 });
const stepOf = (access: Access, axis: number): Stride => access.strides[axis] ?? 0;

function roleOf({ left, right, target }: RoleAxis["along"]): Role {
  if (target === 0) return "sum";
  if (right === 0) return "rows";
  return left === 0 ? "columns" : "batch";
}

/** The same with its operands exchanged: rows become columns. */
export function exchanged({ sizes, ways }: Shape): Shape {
  const turned = (way: Readonly<Record<Role, Way>>): Readonly<Record<Role, Way>> => ({
    ...way,
    rows: way.columns,
    columns: way.rows,
  });
  return {
    sizes: { ...sizes, rows: sizes.columns, columns: sizes.rows },
    ways: { left: turned(ways.right), right: turned(ways.left), target: turned(ways.target) },
  };
}

/** Whether each cell of the target has one place on the axes it moves along. */
function isInjective(axes: readonly LoopAxis[], target: Access): boolean {
  const steps: { step: number; size: number }[] = [];
  for (const [at, { size, isReduced }] of axes.entries()) {
    if (size === 1) continue;
    const step = stepOf(target, at);
    if (typeof step !== "number" || (step === 0) !== isReduced) return false;
    if (step !== 0) steps.push({ step: Math.abs(step), size });
  }
  steps.sort((one, other) => one.step - other.step);
  let span = 1;
  for (const { step, size } of steps) {
    if (step < span) return false;
    span += step * (size - 1);
  }
  return true;
}

/** One axis of two where, for all sides, the inner one ends where the outer one goes on. Longest strides first. */
function merge(axes: readonly RoleAxis[]): RoleAxis[] {
  const reach = ({ along }: RoleAxis): number => {
    const steps = [along.target, along.right, along.left].filter((each) => each !== 0);
    const [first = 0] = steps;
    return typeof first === "number" ? Math.abs(first) : Number.POSITIVE_INFINITY;
  };
  const merged: RoleAxis[] = [];
  for (const axis of axes.toSorted((one, other) => reach(other) - reach(one) || 0)) {
    const outer = merged.at(-1);
    const joined = outer === undefined ? undefined : joinedAxis(outer, axis);
    if (joined === undefined) merged.push(axis);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function joinedAxis(outer: RoleAxis, inner: RoleAxis): RoleAxis | undefined {
  const goesOn = (side: Side): boolean => {
    const [from, by] = [outer.along[side], inner.along[side]];
    return typeof from === "number" && typeof by === "number" && from === by * inner.size;
  };
  if (!goesOn("left") || !goesOn("right") || !goesOn("target")) return undefined;
  return { size: outer.size * inner.size, along: inner.along };
}

function wayOf(axes: readonly RoleAxis[], side: Side, size: number): Way | undefined {
  const [first, ...more] = axes.map(({ along }) => along[side]);
  if (first === undefined || (first === 0 && more.every((each) => each === 0))) return 0;
  if (more.length === 0) {
    if (typeof first === "number") return first;
    // The block of a table is of cell type int.
    return { table: first.block.cells as Int32Array, along: first };
  }
  return size > longestTable ? undefined : { table: tableOf(axes, side, size) };
}

/** The distances of all places along several axes, the last one fastest. */
function tableOf(axes: readonly RoleAxis[], side: Side, size: number): Int32Array {
  const table = new Int32Array(size);
  let inner = 1;
  for (const axis of axes.toReversed()) {
    const along = axis.along[side];
    for (let place = 0; place < size; place++) {
      const at = Math.floor(place / inner) % axis.size;
      table[place] = (table[place] ?? 0) + offsetAlong(along, at);
    }
    inner *= axis.size;
  }
  return table;
}
