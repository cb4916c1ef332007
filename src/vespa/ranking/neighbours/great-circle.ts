/** A place on the Earth, in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean radius of the Earth, in kilometres. */
export const earthRadius = 6371.0088;

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The way over the surface of the Earth, in kilometres, by the haversine formula. */
export function kilometresBetween(from: Position, to: Position): number {
  const [latitude, longitude] = [radians(from.latitude), radians(from.longitude)];
  const [toLatitude, toLongitude] = [radians(to.latitude), radians(to.longitude)];
  const across = haversine(longitude - toLongitude) * Math.cos(latitude) * Math.cos(toLatitude);
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, haversine(latitude - toLatitude) + across)));
}

const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;
