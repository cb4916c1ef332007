import type { Axis, Grid } from "./grid.js";

/**
 * Where numbers stand in a picture: a scale takes the least finite one to 0 and the largest to 1. Colours need a middle,
 * so that a scale of both signs reaches equally far to both sides of 0; bars begin at 0; a line needs neither. All that
 * is computed here stays in the range of numbers, however large or small they are.
 */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Whether 0 lies inside and is the middle. */
  readonly isDiverging: boolean;
  /** From 0 to 1 for a number of the scale; the middle where all numbers are the same. */
  readonly position: (value: number) => number;
}

type Reach = (low: number, high: number) => readonly [number, number];

const reaches = {
  ramp: (low, high) => {
    const most = Math.max(-low, high);
    return low < 0 && high > 0 ? [-most, most] : [low, high];
  },
  bars: (low, high) => (low === 0 && high === 0 ? [0, 1] : [Math.min(low, 0), Math.max(high, 0)]),
  line: (low, high) => [low, high],
} as const satisfies Record<string, Reach>;

/** The scale of the finite numbers of a grid; nothing where it has none. */
export function scaleOf({ cells }: Grid, purpose: keyof typeof reaches): Scale | undefined {
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of cells.flat()) {
    if (value === undefined || !Number.isFinite(value)) continue;
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return least > largest ? undefined : between(...reaches[purpose](least, largest));
}

export function between(low: number, high: number): Scale {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Divided by the size first: the distance of two numbers may be larger than any number.
  const position = (value: number): number =>
    low === high ? 0.5 : (value / size - low / size) / (high / size - low / size);
  return { low, high, isDiverging: low < 0 && low === -high, position };
}

/** A round step that goes about so many times between two numbers; no usable one where they are at the edge of the range. */
function roundStep({ low, high }: Scale, most: number): number {
  const rough = (high - low) / Math.max(1, most - 1);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  return steps.map((each) => each * magnitude).find((each) => each >= rough * (1 - 1e-9)) ?? magnitude;
}

/** The scale from a round number to a round number around one, where there are such. */
export function roundedOut(scale: Scale, most: number): Scale {
  const step = roundStep(scale, most);
  const [low, high] = [Math.floor(scale.low / step) * step, Math.ceil(scale.high / step) * step];
  const isFine =
    scale.low < scale.high && Number.isFinite(high - low) && low <= scale.low && high >= scale.high;
  return isFine ? between(low, high) : scale;
}

/** Round numbers of a scale, about so many at most; its two ends where there are none. */
export function ticksOf(scale: Scale, most: number): number[] {
  const { low, high } = scale;
  if (low === high) return [low];
  const step = roundStep(scale, most);
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  if (!(last - first < 1000) || Math.abs(first) > 1e15) return [low, high];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  const inside = ticks.map((each) => Math.min(Math.max(each, low), high));
  return inside.length < 2 ? [low, high] : inside;
}

const steps = [1, 2, 5, 10];

/** How far apart labels of an axis are that cannot all be shown: of indexes by 1, 2, 5, 10, 20 … */
export function stepOf({ isIndexed, each }: Axis, least: number): number {
  if (!isIndexed || each > 1) return Math.max(1, Math.ceil(least));
  for (let magnitude = 1; ; magnitude *= 10) {
    const step = [1, 2, 5].map((each) => each * magnitude).find((each) => each >= least);
    if (step !== undefined) return step;
  }
}

/** How numbers are written beside a picture: about four digits, and more where two would otherwise look the same. */
export function writer(one: number, other: number): (value: number) => string {
  let digits = 4;
  while (digits < 17 && one !== other && shortText(one, digits) === shortText(other, digits)) digits++;
  return (value) => shortText(value, digits);
}

/** How the numbers of a scale are written; where there is none, no number is finite. */
export const writerOf = (scale: Scale | undefined): ((value: number) => string) =>
  writer(scale?.low ?? 0, scale?.high ?? 0);

function shortText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
  const size = Math.abs(value);
  const whole = size >= 1 && size < 1e6 ? Math.floor(Math.log10(size)) + 1 : 1;
  const rounded = Number(value.toPrecision(Math.max(digits, whole)));
  if (rounded === 0) return "0";
  return size >= 1e6 || size < 1e-4 ? rounded.toExponential().replace("e+", "e") : `${rounded}`;
}
