import type { CellType } from "../../../language/types/cell.js";
import { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { Tensor } from "../../../language/values/tensor.js";
import { type Distance, farthest, type Vector } from "./metrics.js";

/**
 * The neighbour that nearest neighbour search finds in one document: a field may hold many vectors, one for each
 * address of its mapped dimensions, and the nearest of them counts.
 */
export interface Neighbour {
  readonly distance: number;
  /** The labels of its vector, in the order of the mapped dimensions; nothing where there is no vector. */
  readonly labels?: readonly string[];
}

/** The vector of a document that is nearest to the query's; of equals the first in canonical order. */
export function nearestIn(document: Tensor | undefined, query: Vector, distanceOf: Distance): Neighbour {
  let best: Neighbour = { distance: farthest };
  if (document === undefined) return best;
  for (const [row, labels] of document.labels.entries()) {
    const distance = distanceOf(query, vectorAt(document, row));
    if (distance < best.distance) best = { distance, labels };
  }
  return best;
}

/** The nearest of what several operators find; of equals the first. */
export function nearest<Found extends Neighbour>([first, ...others]: readonly Found[]): Found | undefined {
  return first && others.reduce((best, each) => (each.distance < best.distance ? each : best), first);
}

/** The vector that a tensor of a query is, with its numbers as such cells hold them. */
export const queryVector = (query: Tensor, cells: CellType): Vector =>
  vectorAt(query.as(query.type.withCells(cells)), 0);

/** The type of `closest(f)`: the mapped dimensions of the field. */
export const closestType = (field: TensorType): TensorType => TensorType.of(field.cellType, field.mapped);

/** `closest(f)`: 1 at the labels of the nearest vector. */
export function closest(field: TensorType, { labels }: Neighbour): Tensor {
  const type = closestType(field);
  if (labels === undefined) return Tensor.from(type, []);
  const address = Object.fromEntries(field.mapped.map(({ name }, at) => [name, element(labels, at)]));
  return Tensor.from(type, [{ address, value: 1 }]);
}

/** Whether a query's tensor can be compared with the vectors of a field: one vector with the same dimensions. */
export function isQueryFor(query: TensorType, field: TensorType): boolean {
  const vector = TensorType.of("double", field.indexed);
  return field.indexed.length === 1 && query.isDense && query.withCells("double").equals(vector);
}

function vectorAt(tensor: Tensor, row: number): Vector {
  const start = row * tensor.blockCells;
  const cells = Float64Array.from({ length: tensor.blockCells }, (_, at) => tensor.at(start + at));
  return { cells, isBits: tensor.type.cellType === "int8" };
}
