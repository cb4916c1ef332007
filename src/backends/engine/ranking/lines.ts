import { element, intAt } from "../../../language/values/element.js";
import { stridesOf } from "../../../language/values/shape.js";
import { offsetsOfAll } from "../offsets.js";
import type { Segments } from "../sparse/group.js";
import type { NumberArray } from "../sparse/product-sums.js";
import { product, type Ranking } from "../values/ranking.js";
import { offsetAlong } from "../values/tables.js";
import type { BufferAccess, BufferStride } from "../values/value.js";

/** The lines of a ranking: where their cells are. */
export interface RankedLines {
  readonly count: number;
  /** The cells of a line, as doubles, which may be moved, until the next one is read. RankedLines are read in their order. */
  readonly read: (line: number, from: NumberArray) => Float64Array;
  /** The same where they are, if they lie one behind the other as doubles; they must not be moved. */
  readonly view: (line: number, from: NumberArray) => Float64Array | undefined;
  /** The same cells once more, of the line that was read last. */
  readonly reread: (line: number, from: NumberArray) => Float64Array;
}

export function linesOf(
  { outer, line, groups }: Omit<Ranking, "finds">,
  { strides, offset }: BufferAccess,
): RankedLines {
  const starts = offsetsOf(outer, strides.slice(0, outer.length), offset);
  const ofLine = strides.slice(outer.length);
  return groups === undefined
    ? wholeLines(starts, line, ofLine)
    : groupedLines(starts, line.slice(1), ofLine, groups);
}

function wholeLines(
  starts: Int32Array,
  sizes: readonly number[],
  strides: readonly BufferStride[],
): RankedLines {
  const cells = new Float64Array(product(sizes));
  const { length } = cells;
  if (isContiguous(sizes, strides)) {
    const read = (line: number, from: NumberArray): Float64Array => {
      const start = intAt(starts, line);
      cells.set(from.subarray(start, start + length));
      return cells;
    };
    const view = (line: number, from: NumberArray): Float64Array | undefined => {
      const start = intAt(starts, line);
      return from instanceof Float64Array ? from.subarray(start, start + length) : undefined;
    };
    return { count: starts.length, read, view, reread: read };
  }
  return batchedLines(starts, offsetsOf(sizes, strides, 0));
}

const nowhere: RankedLines["view"] = () => undefined;

/** Neighbouring lines often lie side by side: so many are read at once, so that each cell is fetched from memory once. */
const linesAtOnce = 8;
/** So many cells of a line are read at once, so that those beside them are still in the first cache when the other lines are read. */
const cellsAtOnce = 128;

function batchedLines(starts: Int32Array, offsets: Int32Array): RankedLines {
  const { length } = offsets;
  const batch = Array.from({ length: Math.min(linesAtOnce, starts.length) }, () => new Float64Array(length));
  const read = (line: number, from: NumberArray): Float64Array => {
    const at = line % linesAtOnce;
    if (at === 0) readBatch(from, starts.subarray(line, line + linesAtOnce), offsets, batch);
    return element(batch, at);
  };
  const reread = (line: number, from: NumberArray): Float64Array => {
    const cells = element(batch, line % linesAtOnce);
    readBatch(from, starts.subarray(line, line + 1), offsets, [cells]);
    return cells;
  };
  return { count: starts.length, read, view: nowhere, reread };
}

function readBatch(
  from: NumberArray,
  starts: Int32Array,
  offsets: Int32Array,
  to: readonly Float64Array[],
): void {
  for (let first = 0; first < offsets.length; first += cellsAtOnce) {
    const end = Math.min(first + cellsAtOnce, offsets.length);
    for (let line = 0; line < starts.length; line++) {
      const cells = element(to, line);
      const start = intAt(starts, line);
      // The plan's verifier saw that the cells are there.
      for (let at = first; at < end; at++) cells[at] = from[start + intAt(offsets, at)] as number;
    }
  }
}

/** RankedLines of the rows of each group, which are those of the first axis. */
function groupedLines(
  starts: Int32Array,
  sizes: readonly number[],
  [rowStride = 0, ...strides]: readonly BufferStride[],
  groups: Segments,
): RankedLines {
  const offsets = offsetsOf(sizes, strides, 0);
  const count = groups.starts.length - 1;
  const read = (line: number, from: NumberArray): Float64Array => {
    const start = intAt(starts, Math.floor(line / count));
    const first = intAt(groups.starts, line % count);
    const end = intAt(groups.starts, (line % count) + 1);
    const cells = new Float64Array((end - first) * offsets.length);
    let next = 0;
    for (let position = first; position < end; position++) {
      const row = groups.rows === undefined ? position : intAt(groups.rows, position);
      const rowStart = start + offsetAlong(rowStride, row);
      for (let at = 0; at < offsets.length; at++)
        cells[next++] = from[rowStart + intAt(offsets, at)] as number; // as above
    }
    return cells;
  };
  return { count: starts.length * count, read, view: nowhere, reread: read };
}

/** Whether cells lie one behind the other. */
const isContiguous = (sizes: readonly number[], strides: readonly BufferStride[]): boolean =>
  stridesOf(sizes).every((stride, axis) => element(sizes, axis) === 1 || strides[axis] === stride);

/** The offsets of the cells at all indexes of some axes, the last axis fastest. */
const offsetsOf = (sizes: readonly number[], strides: readonly BufferStride[], first: number): Int32Array =>
  offsetsOfAll(
    sizes.map((size, axis) => ({ size, stride: element(strides, axis) })),
    offsetAlong,
    first,
  );
