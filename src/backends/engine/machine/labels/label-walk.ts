import { element, numberAt } from "../../../../language/values/element.js";
import type { Slot } from "../../loop.js";
import { offsetAlong } from "../../values/tables.js";
import type { BufferAccess, BufferStride, GatherLabel } from "../../values/value.js";
import { PartOffsets } from "../part-offsets.js";

/** How many additions it takes to look at a label. */
export const workOfLabel = 8;

/** A label, and where its numbers are. */
export interface SlottedLabel extends GatherLabel {
  readonly slot: Slot;
}

/** Where blocks begin at labels 0. */
type StartAccess = Pick<BufferAccess, "offset" | "strides">;

/** So many parts are looked up at once. */
const mostParts = 1024;

/** The labels, and where they lead. Parts that follow each other along the last axis are looked up together, a label of all at a time. */
export class LabelWalk {
  /** Where the blocks of parts begin; NaN where a label is not there. */
  readonly starts: Float64Array;
  /** How many parts follow each other along the last axis. */
  private readonly row: number;
  private readonly last: number;
  private readonly offsets: PartOffsets;

  constructor(
    sizes: readonly number[],
    private readonly cells: StartAccess,
    private readonly labels: readonly SlottedLabel[],
  ) {
    this.row = sizes.at(-1) ?? 1;
    this.offsets = new PartOffsets(sizes.slice(0, -1));
    this.last = sizes.length - 1;
    this.starts = new Float64Array(Math.min(this.row, mostParts));
  }

  /** Looks up the parts from one on, at most to before another; how many. */
  moveTo(part: number, end: number): number {
    const { starts, row, offsets, cells } = this;
    const from = offsets.moveToRow(part, row);
    const count = Math.min(end - part, row - from, mostParts);
    const first = cells.offset + offsets.along(cells.strides);
    const own = this.alongRow(cells);
    if (own === 0) starts.fill(first, 0, count);
    else for (let at = 0; at < count; at++) starts[at] = first + offsetAlong(own, from + at);
    for (const label of this.labels) this.addLabel(label, from, count);
    return count;
  }

  private addLabel({ access, slot, stride, size }: SlottedLabel, from: number, count: number): void {
    const { starts } = this;
    const numbers = slot.block.cells as Float64Array; // labels are stored as doubles
    const first = access.offset + this.offsets.along(access.strides);
    const own = this.alongRow(access);
    if (typeof own === "number" && typeof stride === "number") {
      addEvenLabels(starts, numbers, first + own * from, own, stride, size, count);
      return;
    }
    for (let at = 0; at < count; at++) {
      const index = Math.trunc(numberAt(numbers, first + offsetAlong(own, from + at)));
      if (index >= 0 && index < size) starts[at] = numberAt(starts, at) + offsetAlong(stride, index);
      else starts[at] = Number.NaN;
    }
  }

  private alongRow({ strides }: StartAccess): BufferStride {
    return this.last < 0 ? 0 : element(strides, this.last);
  }
}

/** Adds to starts what labels are, that lie a step from one another: most do, and a function of its own takes a third of the time. */
function addEvenLabels(
  starts: Float64Array,
  numbers: Float64Array,
  first: number,
  step: number,
  stride: number,
  size: number,
  count: number,
): void {
  for (let at = 0; at < count; at++) {
    const index = Math.trunc(numberAt(numbers, first + step * at));
    starts[at] = index >= 0 && index < size ? numberAt(starts, at) + stride * index : Number.NaN;
  }
}
