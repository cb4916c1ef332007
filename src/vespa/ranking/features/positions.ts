import { earthRadius, kilometresBetween, type Position, radians } from "../neighbours/great-circle.js";

/** Which positions of documents and queries are nearest to each other. */

/** What a document or a query says of a position: the nearest of its places to one of those that are searched. */
export interface NearestPosition {
  readonly kilometres: number;
  readonly microdegrees: number;
  /** Among the positions of the document; -1 where there is none. */
  readonly index: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** What there is where a document has no position, or the query asks for none. */
const noPosition: NearestPosition = {
  kilometres: 40_000,
  microdegrees: 6_400_000_000,
  index: -1,
  latitude: 90,
  longitude: -180,
};

/** As the engine counts small angles: millionths of the degrees of a great circle. */
const microdegreesOf = (kilometres: number): number => (kilometres / radians(earthRadius)) * 1e6;

export function nearestPosition(searched: readonly Position[], found: readonly Position[]): NearestPosition {
  let nearest = noPosition;
  let least = Number.POSITIVE_INFINITY;
  for (const from of searched)
    for (const [index, to] of found.entries()) {
      const kilometres = kilometresBetween(from, to);
      if (kilometres >= least) continue;
      least = kilometres;
      nearest = { kilometres, microdegrees: microdegreesOf(kilometres), index, ...to };
    }
  return nearest;
}
