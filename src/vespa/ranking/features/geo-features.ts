import type { NearestPosition } from "./positions.js";

/** The outputs of `distance(p)` and `great_circle_distance(p)`. */
// biome-ignore format: a table
export const distanceOutputs: Readonly<Record<string, (nearest: NearestPosition) => number>> = {
  "":        ({ microdegrees }) => microdegrees,
  km:        ({ kilometres }) => kilometres,
  index:     ({ index }) => index,
  latitude:  ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
};

/** Distances in millionths of degrees: some 250 km, and some 5 km. */
const usualDistance = 9_013_305;
const usualScale = 5 * 9013.305;

/**
 * `closeness(p)` falls evenly from 1 to 0 at the greatest distance, and its output `logscale` fast at first: 0.5 at the
 * distance `halfResponse`. What a rank property does not say is NaN.
 */
export function closenessTo(
  output: string | undefined,
  setting: (key: string) => number,
): ((nearest: NearestPosition) => number) | undefined {
  const distance = setting("maxDistance");
  const greatest = Number.isNaN(distance) ? usualDistance : Math.max(1, distance);
  if (output === undefined) return ({ microdegrees }) => Math.max(0, 1 - microdegrees / greatest);
  if (output !== "logscale") return undefined;
  const requested = Math.max(1, setting("halfResponse"));
  const half = requested >= greatest / 2 ? greatest / 2 - 1 : requested;
  const scale = Number.isNaN(half) ? usualScale : (half * half) / (greatest - 2 * half);
  const depth = (microdegrees: number): number => Math.log(microdegrees + scale);
  return ({ microdegrees }) =>
    microdegrees > greatest ? 0 : (depth(greatest) - depth(microdegrees)) / (depth(greatest) - depth(0));
}
