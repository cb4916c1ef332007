import { element } from "../../language/values/element.js";
/** What may be expected of a mean where other queries of the same kind had been asked. */
export interface Interval {
  readonly least: number;
  readonly greatest: number;
}

/** How often queries are drawn anew, where nobody says otherwise, and with which seed. */
const draws = 2000;
const usualSeed = 20191208;

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, each) => sum + each, 0) / values.length;

/** The interval that holds 95 of 100 means of values that are drawn from these, each as often as chance has it. */
export function meanInterval(values: readonly number[], seed = usualSeed): Interval {
  const next = generator(seed);
  const means = Array.from({ length: draws }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at++) sum += element(values, Math.floor(next() * values.length));
    return sum / values.length;
  }).sort((one, other) => one - other);
  const at = (part: number): number => means[Math.floor(part * (draws - 1))] ?? Number.NaN;
  return { least: at(0.025), greatest: at(0.975) };
}

/** Numbers from 0 to below 1, the same for each seed: a counter whose bits are mixed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
