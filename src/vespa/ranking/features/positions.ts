import type { JsonValue } from "../../../formats/json/value.js";
import { earthRadius, kilometresBetween, type Position, radians } from "../neighbours/great-circle.js";

/** Positions of documents and queries, and which of them are nearest to each other. */

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

/** The positions of a field: `{"lat":…,"lng":…}`, `"N63.4;E10.4"`, or an array of such. */
export function positionsIn(value: JsonValue | undefined): Position[] {
  if (value === undefined || value.kind === "null") return [];
  if (value.kind === "array") return [...value.items()].flatMap((each) => positionsIn(each));
  if (value.string !== undefined) return positionOf(value.string) ?? [];
  const [latitude, longitude] = [
    value.member("lat") ?? value.member("latitude"),
    value.member("lng") ?? value.member("longitude"),
  ];
  if (latitude?.number !== undefined && longitude?.number !== undefined)
    return [{ latitude: latitude.number, longitude: longitude.number }];
  const [x, y] = [value.member("x")?.number, value.member("y")?.number];
  return x === undefined || y === undefined ? [] : [{ latitude: y / 1e6, longitude: x / 1e6 }];
}

/** `N63.4;E10.4`, in either order, or `63.4;10.4`; degrees may have minutes and seconds behind `°` or `o`. */
export function positionOf(text: string): Position[] | undefined {
  const [first = "", second = ""] = text.split(/[;,]/).map((each) => each.trim());
  const [one, other] = [coordinate(first, "NS"), coordinate(second, "EW")];
  if (one !== undefined && other !== undefined) return [{ latitude: one, longitude: other }];
  const [latitude, longitude] = [coordinate(second, "NS"), coordinate(first, "EW")];
  return latitude === undefined || longitude === undefined ? undefined : [{ latitude, longitude }];
}

function coordinate(text: string, [plus = "", minus = ""]: string): number | undefined {
  const [, sign, degrees, minutes = "0", seconds = "0"] =
    /^([NSEWnsew]?)\s*(-?\d+(?:\.\d+)?)(?:[°o](?:(\d+(?:\.\d+)?)['′](?:(\d+(?:\.\d+)?)["″])?)?)?$/.exec(
      text,
    ) ?? [];
  if (degrees === undefined) return undefined;
  const letter = sign?.toUpperCase() ?? "";
  if (letter !== "" && letter !== plus && letter !== minus) return undefined;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return letter === minus ? -value : value;
}
