import type { PackWriter } from "./pack-writer.js";

/** Packs panels whose lines lie next to each other: for each index of the sum whole vectors are copied. */
export function packAdjacentLines(writer: PackWriter): void {
  const { code, lane, stride, wholeVectors, targets, at, offset: start } = writer;
  writer.panelAddress().set(at);
  writer.eachTarget(() => {
    code.get(at);
    writer.sumOffset().do("i32.add").set(start);
    for (const [panel, target] of targets.entries()) {
      const from = panel * stride;
      for (let v = 0; v < wholeVectors; v++) writer.copy("v128", [start, from + v * 16], [target, v * 16]);
      for (let bytes = wholeVectors * 16; bytes < stride; bytes += lane.width)
        writer.copy(lane.number, [start, from + bytes], [target, bytes]);
    }
  });
}
