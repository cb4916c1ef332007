import type { JsonValue } from "../../../formats/json/value.js";
import type { Position } from "../neighbours/great-circle.js";

/** How positions are written in documents and queries. */

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

/** The bits of both coordinates in millionths of degrees, those of the latitude before those of the longitude, one by one. */
export function zCurve({ latitude, longitude }: Position): number {
  const [x, y] = [Math.round(longitude * 1e6), Math.round(latitude * 1e6)];
  let bits = 0n;
  for (let at = 31; at >= 0; at--) bits = (bits << 2n) | BigInt((((y >>> at) & 1) << 1) | ((x >>> at) & 1));
  return Number(BigInt.asIntN(64, bits));
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
