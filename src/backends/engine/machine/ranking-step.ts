import { atOnce, type Slices } from "../../../language/limits/slices.js";
import { readCell } from "../../../language/types/cell.js";
import type { Steps } from "../../meter.js";
import type { RankingStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import type { Arena } from "../memory/arena.js";
import { countingIn } from "../ranking/counting.js";
import { linesOf } from "../ranking/lines.js";
import { medianOf } from "../ranking/median.js";
import { isCounted, mostShared } from "../ranking/positions.js";
import { type RankArray, type RankKernels, rankSlices } from "../ranking/ranks.js";
import { seekingIn } from "../ranking/seeking.js";
import type { NumberArray } from "../sparse/product-sums.js";
import { describeRanking, product } from "../values/ranking.js";
import { type CompiledStep, numbersIn, runSlices, type StepContext } from "./steps.js";

/** How many additions it takes to look at a cell, and to compare one with others in an order. */
const workPerCell = { median: 4, ranks: 20 } as const;

/** A step that finds medians or ranks, a line in each of its parts. */
export function compiledRanking(
  { ranking, cells, lastRank, writes, span, isOnce }: RankingStep,
  { slotOf, current, arena, emitsCode }: StepContext,
): CompiledStep {
  const [from, target] = [slotOf(cells.slot), slotOf(writes)];
  const lines = linesOf(ranking, cells);
  const lastSlot = typeof lastRank === "object" ? slotOf(lastRank.slot) : undefined;
  const lastNow = (): number => {
    const last =
      typeof lastRank === "object" && lastSlot !== undefined
        ? readCell(lastRank.cellType, lastSlot.block.cells, lastRank.offset)
        : lastRank;
    // Ranks beyond that are rounded as floats.
    return typeof last === "number" && !(last >= 2 ** 23) ? last : Number.POSITIVE_INFINITY;
  };
  const inputNow = (): NumberArray => numbersIn(from);
  const outputNow = (): RankArray => target.block.cells as RankArray; // and writes floats or doubles
  const { finds } = ranking;
  const step: Step = {
    extent: lines.count,
    work: product(ranking.outer) * product(ranking.line) * workPerCell[finds.kind],
    description: describeRanking(ranking),
    run: (first, end) => {
      if (finds.kind === "ranks") return atOnce(ranked(first, end));
      const [input, output] = [inputNow(), outputNow()];
      for (let line = first; line < end; line++)
        output[line] = medianOf(lines.read(line, input), () => lines.reread(line, input));
    },
  };
  const kernels = kernelsFor(arena, emitsCode, product(ranking.line));
  /** The ranks of some lines, in slices where a line is long. */
  function* ranked(first: number, end: number): Slices<void> {
    if (finds.kind !== "ranks") return;
    const last = lastNow();
    for (let line = first; line < end; line++) {
      const view = lines.view(line, inputNow());
      const lineCells = view ?? lines.read(line, inputNow());
      const { length } = lineCells;
      const ranksNow = (): RankArray => outputNow().subarray(line * length, (line + 1) * length);
      yield* rankSlices(lineCells, finds.isDescending, last, ranksNow, view && kernels);
    }
  }
  const runInSlices = (): Steps<void> =>
    runSlices(ranked(0, lines.count), step, workPerCell.ranks * mostShared, current().meter, span);
  const isLong = finds.kind === "ranks" && product(ranking.line) > mostShared;
  return { step, span, isOnce, ...(isLong ? { runInSlices } : {}) };
}

/** Kernels that look at lines of so many cells. */
function kernelsFor(arena: Arena, emitsCode: boolean, cells: number): RankKernels | undefined {
  const [seeking, counting] = [seekingIn(arena, emitsCode), countingIn(arena, emitsCode)];
  if (seeking === undefined || counting === undefined) return undefined;
  if (isCounted(cells)) counting.reserve(cells);
  return { seeking, counting };
}
