import { readCell } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { cellsOf, stridesOf } from "../../../language/values/shape.js";
import { compiledWalk } from "../forest/compiled-walk.js";
import { programWalk } from "../forest/program-walk.js";
import { interpretedWalk } from "../forest/walk.js";
import type { ForestStep } from "../ir/step.js";
import type { Slot } from "../loop.js";
import type { BufferStride, ForestNumber } from "../values/value.js";
import { PartOffsets } from "./part-offsets.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** Arrays are packed once more, for made code, when they have been walked so often. */
const runsBeforeCompiling = 3;

/** About how many additions a tree takes, of which a walk comes to one decision on each level. */
const workOfTree = 32;

/** A step that walks through a forest for each index of its axes. */
export function compiledForest(
  { packed, sizes, numbers, writes, span, isOnce }: ForestStep,
  { arena, emitsCode, slotOf }: StepContext,
): CompiledStep {
  const target = slotOf(writes);
  const readers = numbers.map((number) => new NumberReader(number, sizes, slotOf(number.access.slot)));
  const extent = cellsOf(sizes);
  let walk = packed.kind === "program" ? programWalk(packed) : interpretedWalk(packed);
  let walks = 0;
  const run = (from: number, to: number): void => {
    walks += to - from;
    if (packed.kind === "thresholds" && emitsCode && walks > runsBeforeCompiling) {
      walk = compiledWalk(packed, arena) ?? walk;
      walks = Number.NEGATIVE_INFINITY;
    }
    const { features, leaves, most } = walk;
    const results = target.block.cells as Float64Array; // of cell type double
    for (let part = from; part < to; part += most) {
      const cells = Math.min(most, to - part);
      for (const reader of readers)
        reader.read(part, cells, reader.number.isLeaf ? leaves : features, packed.features.length);
      walk.run(cells, results, part);
    }
  };
  const { decisions, roots } = packed;
  const times = extent > 1 ? `, ${extent} times` : "";
  const description = `forest: ${roots.length} terms, ${decisions} decisions${times}`;
  const work = extent > 1 ? extent * roots.length * workOfTree : decisions;
  return { step: { extent, work, description, run }, span, isOnce };
}

/** Reads a number of a forest for some cells behind each other. */
class NumberReader {
  private readonly offsets: PartOffsets;
  private readonly stride: number | undefined;

  constructor(
    readonly number: ForestNumber,
    sizes: readonly number[],
    private readonly slot: Slot,
  ) {
    this.offsets = new PartOffsets(sizes);
    this.stride = evenStride(sizes, number.access.strides);
  }

  /** Writes the numbers of so many cells from a part on, each to the place of this number in its row. */
  read(part: number, cells: number, into: Float64Array, width: number): void {
    const { at, isNegated, access } = this.number;
    const { cells: source } = this.slot.block;
    const sign = isNegated ? -1 : 1;
    if (this.stride === undefined || !(source instanceof Float64Array)) {
      for (let cell = 0; cell < cells; cell++) {
        this.offsets.moveTo(part + cell);
        const offset = access.offset + this.offsets.along(access.strides);
        into[at + cell * width] = sign * readCell(access.cellType, source, offset);
      }
      return;
    }
    let offset = access.offset + part * this.stride;
    for (let cell = 0; cell < cells; cell++) {
      into[at + cell * width] = sign * (source[offset] as number); // the plan's verifier saw that it is there
      offset += this.stride;
    }
  }
}

/** How far cells are from part to part, where that is the same for all. */
function evenStride(sizes: readonly number[], strides: readonly BufferStride[]): number | undefined {
  const [last = 0] = strides.slice(-1);
  if (typeof last !== "number") return undefined;
  const parts = stridesOf(sizes);
  return strides.every((stride, axis) => sizes[axis] === 1 || stride === element(parts, axis) * last)
    ? last
    : undefined;
}
