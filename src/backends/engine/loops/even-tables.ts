import { element, intAt } from "../../../language/values/element.js";
import { groupSize } from "../kernels/groups.js";
import type { Access, Loop, Stride, TableBlock } from "../loop.js";

/**
 * The same loop without tables that go on evenly: an axis along which some do is split in two, and they become strides. So
 * `t{x:(x / 8)}` reads a cell for each eight indexes, where a table would say eight times where it is.
 */
export function withoutEvenTables(loop: Loop): Loop {
  for (const at of loop.axes.keys()) {
    const period = periodAlong(loop, at);
    if (period !== undefined) return withoutEvenTables(split(loop, at, period));
  }
  return loop;
}

/**
 * How many indexes of an axis lie evenly, in all tables alike, before there is another step in one of them; as many as whole
 * groups of lanes take, and fewer than all.
 */
function periodAlong({ axes, sources, body, target }: Loop, at: number): number | undefined {
  const { size } = element(axes, at);
  const isIndex = body.some((each) => each.op === "index" && each.axis === at);
  if (isIndex || size < 2 * groupSize || typeof target.strides[at] !== "number") return undefined;
  const tables = sources.flatMap(({ strides }) => tableOf(element(strides, at)) ?? []);
  const period = tables.reduce((least, table) => Math.min(least, firstPeriod(table, size)), size);
  if (period === size || period % groupSize !== 0 || size % period !== 0) return undefined;
  return tables.every((table) => isEven(table, size, period)) ? period : undefined;
}

const tableOf = (stride: Stride): Int32Array | undefined =>
  typeof stride === "number" ? undefined : cellsOf(stride);

const cellsOf = ({ block }: TableBlock): Int32Array => block.cells as Int32Array; // of cell type int

/** After how many entries the step to the next one changes for the first time. */
function firstPeriod(table: Int32Array, size: number): number {
  const step = intAt(table, 1) - intAt(table, 0);
  for (let at = 2; at < size; at++) if (intAt(table, at) - intAt(table, at - 1) !== step) return at;
  return size;
}

/** Whether each period has the steps of the first, and begins as far from the one before as the second does. */
function isEven(table: Int32Array, size: number, period: number): boolean {
  const [outer, inner] = stridesOf(table, period);
  for (let at = 0; at < size; at++)
    if (intAt(table, at) !== Math.floor(at / period) * outer + (at % period) * inner) return false;
  return true;
}

const stridesOf = (table: Int32Array, period: number): readonly [number, number] => [
  intAt(table, period),
  intAt(table, 1),
];

function split(loop: Loop, at: number, period: number): Loop {
  const { size, isReduced } = element(loop.axes, at);
  const access = (from: Access): Access => {
    const stride = element(from.strides, at);
    const table = tableOf(stride);
    const [outer, inner] =
      table === undefined ? [Number(stride) * period, Number(stride)] : stridesOf(table, period);
    return { ...from, strides: from.strides.toSpliced(at, 1, outer, inner) };
  };
  return {
    ...loop,
    axes: loop.axes.toSpliced(at, 1, { size: size / period, isReduced }, { size: period, isReduced }),
    sources: loop.sources.map(access),
    body: loop.body.map((each) =>
      each.op === "index" && each.axis > at ? { ...each, axis: each.axis + 1 } : each,
    ),
    target: access(loop.target),
  };
}

/** Cells along an axis, each at least once: the first, how many, and how far apart they are. */
interface AxisSpan {
  readonly first: number;
  readonly size: number;
  readonly stride: Stride;
}

/** The cells that are seen along an axis, without a table where they lie evenly, however often and in whatever order each is. */
export function spanOf(stride: Stride, size: number): AxisSpan {
  const table = tableOf(stride);
  const whole = { first: 0, size, stride };
  if (table === undefined || size === 0) return whole;
  let [first, last] = [intAt(table, 0), intAt(table, 0)];
  for (let at = 1; at < size; at++) {
    first = Math.min(first, intAt(table, at));
    last = Math.max(last, intAt(table, at));
  }
  let step = 0;
  for (let at = 0; at < size; at++) step = commonDivisor(intAt(table, at) - first, step);
  if (step === 0) return { first, size: 1, stride: 0 };
  const count = (last - first) / step + 1;
  if (count > size) return whole;
  const isSeen = new Uint8Array(count);
  for (let at = 0; at < size; at++) isSeen[(intAt(table, at) - first) / step] = 1;
  return isSeen.includes(0) ? whole : { first, size: count, stride: step };
}

/** The largest number that both are multiples of; 0 of 0 and 0. */
const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
