import { type Access, type Loop, offsetAlong, type Step } from "../loop.js";

/** A loop without turns: sums of nothing, which are 0, or no sums at all. */
export function emptyStep({ axes, target }: Loop): Step | undefined {
  const kept = axes.flatMap(({ size, isReduced }, at) => (isReduced ? [] : [{ size, at }]));
  const cells = kept.reduce((product, { size }) => product * size, 1);
  const run = (): void => {
    for (let place = 0; place < cells; place++) zero(target, distanceOf(place));
  };
  const distanceOf = (place: number): number => {
    let [rest, distance] = [place, 0];
    for (const { size, at } of kept.toReversed()) {
      distance += offsetAlong(target.strides[at] ?? 0, rest % size);
      rest = Math.floor(rest / size);
    }
    return distance;
  };
  return { extent: 1, work: cells, description: "sums of no cells", run };
}

function zero({ slot, offset }: Access, distance: number): void {
  const cells = slot.block.cells as Float64Array | Float32Array; // sums are of no other cell type
  cells[offset + distance] = 0;
}
