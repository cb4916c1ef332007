import { readCell } from "../../../language/types/cell.js";
import { cellsOf } from "../../../language/values/shape.js";
import { compiledWalk } from "../forest/compiled-walk.js";
import { programWalk } from "../forest/program-walk.js";
import { type ForestWalk, interpretedWalk } from "../forest/walk.js";
import type { ForestStep } from "../ir/step.js";
import type { Slot } from "../loop.js";
import type { ForestNumber } from "../values/value.js";
import { PartOffsets } from "./part-offsets.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** Arrays are packed once more, for made code, when they have been walked so often. */
const runsBeforeCompiling = 3;

/** About how many additions a decision takes, of which a walk comes to one on each level. */
const workOfTree = 32;

/** A step that walks through a forest for each index of its axes. */
export function compiledForest(
  { packed, sizes, numbers, writes, span, isOnce }: ForestStep,
  { arena, emitsCode, slotOf }: StepContext,
): CompiledStep {
  const target = slotOf(writes);
  const gathered = numbers.map((each) => ({ ...each, slot: slotOf(each.access.slot) }));
  const offsets = new PartOffsets(sizes);
  const extent = cellsOf(sizes);
  let walk = packed.kind === "program" ? programWalk(packed) : interpretedWalk(packed);
  let walks = 0;
  const run = (from: number, to: number): void => {
    walks += to - from;
    if (packed.kind === "thresholds" && emitsCode && walks > runsBeforeCompiling) {
      walk = compiledWalk(packed, arena) ?? walk;
      walks = Number.NEGATIVE_INFINITY;
    }
    const results = target.block.cells as Float64Array; // of cell type double
    for (let part = from; part < to; part++) {
      offsets.moveTo(part);
      fetch(gathered, offsets, walk);
      results[part] = walk.run();
    }
  };
  const { decisions, roots } = packed;
  const times = extent > 1 ? `, ${extent} times` : "";
  const description = `forest: ${roots.length} terms, ${decisions} decisions${times}`;
  const work = extent > 1 ? extent * roots.length * workOfTree : decisions;
  return { step: { extent, work, description, run }, span, isOnce };
}

function fetch(
  numbers: readonly (ForestNumber & { readonly slot: Slot })[],
  offsets: PartOffsets,
  { features, leaves }: ForestWalk,
): void {
  for (const { slot, access, isLeaf, isNegated, at } of numbers) {
    const { cells } = slot.block;
    const offset = access.offset + offsets.along(access.strides);
    const number =
      cells instanceof Float64Array
        ? (cells[offset] as number) // the plan's verifier saw that it is there
        : readCell(access.cellType, cells, offset);
    (isLeaf ? leaves : features)[at] = isNegated ? -number : number;
  }
}
