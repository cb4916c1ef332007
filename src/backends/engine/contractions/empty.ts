import { element } from "../../../language/values/element.js";
import { type Access, type Loop, offsetAlong, type Step } from "../loop.js";

/** A loop without turns: sums of nothing, which are 0, or no sums at all. */
export function emptyStep({ axes, target }: Loop): Step | undefined {
  const outer = axes.flatMap(({ size, isReduced }, at) => (isReduced ? [] : [{ size, at }]));
  const cells = outer.reduce((product, { size }) => product * size, 1);
  const run = (): void => {
    for (let position = 0; position < cells; position++) zero(target, offsetOf(position));
  };
  const offsetOf = (position: number): number => {
    let [remaining, offset] = [position, 0];
    for (const { size, at } of outer.toReversed()) {
      offset += offsetAlong(element(target.strides, at), remaining % size);
      remaining = Math.floor(remaining / size);
    }
    return offset;
  };
  return { extent: 1, work: cells, description: "sums of no cells", run };
}

function zero({ slot, offset }: Access, cell: number): void {
  const cells = slot.block.cells as Float64Array | Float32Array; // sums are of no other cell type
  cells[offset + cell] = 0;
}
