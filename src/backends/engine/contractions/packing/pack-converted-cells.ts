import { readCell } from "../../kernels/cells.js";
import { Groups } from "../../kernels/groups.js";
import type { PackWriter } from "./pack-writer.js";

/** Packs a panel cell by cell, line by line: cells are of another type than the numbers of the panel. */
export function packConvertedCells(writer: PackWriter): void {
  const { code, scope, packing, lane, at, to } = writer;
  const { cellType, precision, width } = packing;
  const groups = new Groups(scope, false);
  for (let offset = 0; offset < width; offset++) {
    writer.lineAddress(offset).set(at);
    writer.writeFrom(offset * lane.width);
    writer.eachIndex(() => {
      const address = scope.value(() => {
        code.get(at);
        writer.sumOffset().do("i32.add");
      });
      for (const number of groups.as(precision, readCell(groups, cellType, address, 0, precision)).parts)
        scope.store(`${lane.number}.store`, scope.local(to), 0, number);
      code.advance(to, writer.stride);
    });
  }
}
