import { readCell } from "../../../language/types/cell.js";
import type { RankingStep } from "../ir/step.js";
import type { Step } from "../loop.js";
import { linesOf } from "../ranking/lines.js";
import { medianOf } from "../ranking/median.js";
import { type RankArray, writeRanks } from "../ranking/ranks.js";
import type { NumberArray } from "../sparse/product-sums.js";
import { describeRanking, product } from "../values/ranking.js";
import type { CompiledStep, StepContext } from "./steps.js";

/** How many additions it takes to look at a cell, and to compare one with others in an order. */
const workPerCell = { median: 4, ranks: 20 } as const;

/** A step that finds medians or ranks, a line in each of its parts. */
export function compiledRanking(
  { ranking, cells, lastRank, writes, span, isOnce }: RankingStep,
  { slotOf }: StepContext,
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
  const { finds } = ranking;
  const step: Step = {
    extent: lines.count,
    work: product(ranking.outer) * product(ranking.line) * workPerCell[finds.kind],
    description: describeRanking(ranking),
    run: (first, end) => {
      const input = from.block.cells as NumberArray; // a ranking reads no bits of numbers
      const output = target.block.cells as RankArray; // and writes floats or doubles
      if (finds.kind === "median") {
        for (let line = first; line < end; line++)
          output[line] = medianOf(lines.read(line, input), () => lines.reread(line, input));
        return;
      }
      const last = lastNow();
      for (let line = first; line < end; line++) {
        const lineCells = lines.read(line, input);
        const { length } = lineCells;
        const ranks = output.subarray(line * length, (line + 1) * length);
        writeRanks(lineCells, finds.isDescending, last, ranks);
      }
    },
  };
  return { step, span, isOnce };
}
