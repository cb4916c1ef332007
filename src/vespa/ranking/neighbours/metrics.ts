import { kilometresBetween, type Position } from "./great-circle.js";

/**
 * The metrics of nearest neighbour search: how far a document's vector lies from the query's, and how close that is.
 * Closeness falls from 1 towards 0 as the distance grows, except for `dotproduct`, where it is the product itself.
 * Both vectors have the same number of cells, in the same order.
 */
export const metricNames = [
  "euclidean",
  "angular",
  "dotproduct",
  "prenormalized-angular",
  "geodegrees",
  "hamming",
] as const;
export type MetricName = (typeof metricNames)[number];

/** A vector as its numbers; `isBits` where each of them is a byte of eight bits. */
export interface Vector {
  readonly cells: Float64Array;
  readonly isBits: boolean;
}

export type Distance = (query: Vector, document: Vector) => number;

export interface Metric {
  readonly distance: Distance;
  /** What `closest` compares where it is not the distance. */
  readonly order?: Distance;
  readonly closeness: (distance: number) => number;
}

/** What there is where a document has no vector, or the query asks for none: nothing is near. */
export const farthest = Number.MAX_VALUE;

const inverse = (distance: number): number => 1 / (1 + distance);

// biome-ignore format: a table
export const metrics: Readonly<Record<MetricName, Metric>> = {
  euclidean:               { distance: euclidean,                              closeness: inverse },
  angular:                 { distance: angle,                                  closeness: inverse },
  dotproduct:              { distance: (query, document) => -dot(query, document), closeness: (distance) => -distance },
  "prenormalized-angular": { distance: cosineDistance, order: productDistance, closeness: inverse },
  geodegrees:              { distance: kilometres,                             closeness: inverse },
  hamming:                 { distance: differences,                            closeness: inverse },
};

/** The metric of a name as schemas write it, in any case and with `_` for `-`; `innerproduct` is an old name. */
export function metricNamed(name: string): Metric | undefined {
  const plain = name.toLowerCase().replaceAll("_", "-");
  const canonical =
    plain === "innerproduct" ? "prenormalized-angular" : metricNames.find((each) => each === plain);
  return canonical && metrics[canonical];
}

function sum(query: Vector, document: Vector, term: (a: number, b: number) => number): number {
  let total = 0;
  // Both have as many cells: reads that say what is absent take a seventh longer.
  for (let at = 0; at < query.cells.length; at++)
    total += term(query.cells[at] ?? 0, document.cells[at] ?? 0);
  return total;
}

const dot = (query: Vector, document: Vector): number => sum(query, document, (a, b) => a * b);

function euclidean(query: Vector, document: Vector): number {
  return Math.sqrt(sum(query, document, (a, b) => (a - b) * (a - b)));
}

/** The angle between them in radians, 0 to π. */
function angle(query: Vector, document: Vector): number {
  const squares = dot(query, query) * dot(document, document);
  return Math.acos(within(dot(query, document) / (squares > 0 ? Math.sqrt(squares) : 1)));
}

/** By how much the product with the query's vector is less than that of this vector with itself. */
function productDistance(query: Vector, document: Vector): number {
  return squareOf(query) - dot(query, document);
}

/** Of a vector of zeros it is 1, as it divides. */
const squareOf = (query: Vector): number => dot(query, query) || 1;

/** One less the cosine, 0 to 2, for vectors that all have the query's length. */
function cosineDistance(query: Vector, document: Vector): number {
  return 1 - within(dot(query, document) / squareOf(query));
}

/** Rounding may lead a cosine out of its range. */
const within = (cosine: number): number => Math.max(-1, Math.min(1, cosine));

/** The way over the surface of the Earth between two latitudes and longitudes in degrees, in kilometres. */
function kilometres(query: Vector, document: Vector): number {
  return kilometresBetween(positionOf(query), positionOf(document));
}

const positionOf = ({ cells: [latitude = 0, longitude = 0] }: Vector): Position => ({ latitude, longitude });

/** How many bits differ; of cells that are no bytes, how many cells. */
function differences(query: Vector, document: Vector): number {
  const isBits = query.isBits && document.isBits;
  return sum(query, document, (a, b) => (isBits ? ones((a ^ b) & 0xff) : a === b ? 0 : 1));
}

function ones(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}
