import { type Grid, specialsIn } from "./grid.js";
import { colourAt, hexOf } from "./ramp.js";
import type { Scale } from "./scale.js";
import { type Drawing, element, label, legendMarks, widthOf } from "./svg.js";

/** The legend of a heat map: its colours from the least to the largest number, and the marks that it has. */
const strips = 48;

/** The ramp with its numbers, and the marks beside it. */
export function rampSvg(
  grid: Grid,
  scale: Scale | undefined,
  write: (value: number) => string,
  x: number,
  y: number,
): Drawing {
  const specials = specialsIn(grid);
  const marks = (from: number): string[] => legendMarks(specials, from, y + 10);
  const hasMarks = specials.some((each) => each !== "missing");
  if (scale === undefined) return { body: marks(x), height: hasMarks ? 20 : 0 };
  const isOne = scale.low === scale.high;
  const length = isOne ? 12 : 168;
  const bar = Array.from({ length: isOne ? 1 : strips }, (_, at, width = length / (isOne ? 1 : strips)) =>
    element("rect", {
      x: x + at * width,
      y,
      width: at === strips - 1 || isOne ? width : width + 0.6,
      height: 12,
      fill: hexOf(colourAt(scale, isOne ? 0.5 : at / (strips - 1))),
    }),
  );
  if (isOne) {
    const text = write(scale.low);
    return { body: [...bar, label(x + 18, y + 10, text), ...marks(x + 18 + widthOf(text) + 24)], height: 20 };
  }
  const middle = scale.isDiverging ? [label(x + length / 2, y + 26, "0", { "text-anchor": "middle" })] : [];
  const ends = [
    label(x, y + 26, write(scale.low)),
    ...middle,
    label(x + length, y + 26, write(scale.high), { "text-anchor": "end" }),
  ];
  return { body: [...bar, ...ends, ...marks(x + length + 24)], height: 34 };
}
