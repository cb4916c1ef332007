import type { Code } from "../../assembler/code.js";
import { packAdjacentLines } from "./pack-adjacent-lines.js";
import { packConvertedCells } from "./pack-converted-cells.js";
import { ScatteredLines } from "./pack-scattered-lines.js";
import { TransposedLines } from "./pack-transposed-lines.js";
import { type Packing, PackWriter } from "./pack-writer.js";

/**
 * `pack(descriptor, source, into, first, lines, from, depth)`: copies lines (rows of the left operand, columns of the
 * right) to panels of `width` lines each: for each index of the sum, the numbers of all its lines, back to back. A last
 * panel that lacks lines is filled with arbitrary numbers, whose products are ignored.
 */
export function packCode(name: string, packing: Packing): Code {
  const writer = new PackWriter(name, packing);
  const { code, scope, together } = writer;
  // The locals of both are in every kernel, numbered in this order.
  const scattered = new ScatteredLines(writer);
  const transposed = new TransposedLines(writer);
  writer.findLast();
  if (packing.cellType !== packing.precision) writer.eachPanel(() => packConvertedCells(writer));
  else
    writer.isContiguous(writer.lineRole).if(
      () => writer.eachPanel(() => packAdjacentLines(writer), together),
      () =>
        writer.isContiguous("sum").if(
          () => writer.eachPanel(() => transposed.pack()),
          () => writer.eachPanel(() => scattered.pack(), together),
        ),
    );
  scope.finish();
  return code;
}
