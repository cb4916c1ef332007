import { sumOf } from "../../text/sum.js";
import type { Document } from "../document/document.js";
import { farthest, metricNamed, metrics } from "../neighbours/metrics.js";
import type { SearchTarget } from "../neighbours/nearest-neighbour.js";
import {
  closest,
  closestType,
  type Neighbour,
  nearest,
  nearestIn,
  queryVector,
} from "../neighbours/nearest-vector.js";
import type { FeatureCall } from "./feature-call.js";
import { external, ofDocument, type QueryContext, type Source } from "./feature-source.js";

/** A neighbour, and how close it is by the field's metric. */
export interface NeighbourMatch extends Neighbour {
  readonly closeness: number;
}

/** `distance(…)` or `closeness(…)`: of several operators that of the nearest. */
export const nearestFeature = (
  target: SearchTarget,
  context: QueryContext,
  result: (found: NeighbourMatch) => number,
): Source =>
  compared(target, context, ({ field, matches }) =>
    ofDocument(field, (document) => result(nearest(matches(document)) ?? noMatch)),
  );

/** `rawScore(f)` or `itemRawScore(l)`: the closeness to each operator, added up. */
export const neighbourScores = (target: SearchTarget, context: QueryContext): Source =>
  compared(target, context, ({ field, matches }) =>
    ofDocument(field, (document) => sumOf(matches(document), ({ closeness }) => closeness)),
  );

/** `closest(f)` or `closest(f,l)`: of a label that is one of another field, nothing. */
export function closestVector({ arguments: [name = "", label] }: FeatureCall, context: QueryContext): Source {
  const type = context.field(name)?.tensorType;
  if (type === undefined) return external("no tensor field");
  return compared(label === undefined ? { field: name } : { label }, context, (comparison) => {
    const find = comparison.field === name ? comparison.closest : () => noMatch;
    return ofDocument(name, (document) => closest(type, find(document)), closestType(type));
  });
}

interface Comparison {
  readonly field: string;
  /** The neighbour that each operator finds; none where the query has no operator. */
  readonly matches: (document: Document) => readonly NeighbourMatch[];
  readonly closest: (document: Document) => Neighbour;
}

const noMatch: NeighbourMatch = { distance: farthest, closeness: 0 };

function compared(
  target: SearchTarget,
  context: QueryContext,
  result: (comparison: Comparison) => Source,
): Source {
  const found = context.searchesFor(target);
  if (found.kind === "unknown") return external(found.reason);
  const [first] = found.kind === "none" ? [] : found.searches;
  if (found.kind === "none" || first === undefined) {
    const field = "field" in target ? target.field : "";
    return result({ field, matches: () => [], closest: () => noMatch });
  }
  const field = context.field(first.field);
  const type = field?.tensorType;
  if (field === undefined || type === undefined)
    return external({ kind: "not a tensor", field: first.field });
  const { distanceMetric = "euclidean" } = field;
  const metric = metricNamed(distanceMetric);
  if (metric === undefined) return external({ kind: "unknown metric", metric: distanceMetric });
  // Vespa computes degrees as doubles, and all else of cells as the field has them.
  const cells = metric === metrics.geodegrees ? "double" : type.cellType;
  const queries = found.searches.map(({ query }) => queryVector(context.query(query), cells));
  const none = metric === metrics.dotproduct ? { ...noMatch, closeness: -farthest } : noMatch;
  const matches = (document: Document): NeighbourMatch[] =>
    queries.map((query) => {
      const match = nearestIn(document.tensor(field, type), query, metric.distance);
      return match.labels === undefined ? none : { ...match, closeness: metric.closeness(match.distance) };
    });
  const order = metric.order ?? metric.distance;
  const closestIn = (document: Document): Neighbour =>
    nearest(queries.map((query) => nearestIn(document.tensor(field, type), query, order))) ?? noMatch;
  return result({ field: field.name.text, matches, closest: closestIn });
}
