import { numberAt } from "../../../language/values/element.js";

/** Cells of a rank, found without an order of the others. */

/** So few cells are put in order. */
const fewCells = 24;
/** So many steps make a small part of any cells, but of those that were chosen against them. */
const defaultSteps = 40;

/**
 * The cell that has a rank among cells of which none is NaN, in rising order. The cells are moved: then none before the rank
 * is larger, and none behind it is smaller. After `mostSteps` the part where it lies is sorted.
 */
export function selectRank(cells: Float64Array, rank: number, mostSteps = defaultSteps): number {
  let [from, to] = [0, cells.length];
  for (let steps = 0; to - from > fewCells; steps++) {
    if (steps === mostSteps) {
      cells.subarray(from, to).sort();
      return numberAt(cells, rank);
    }
    const pivot = pivotFor(cells, from, to, rank);
    const middle = partitionBelow(cells, from, to, pivot);
    if (rank < middle) {
      to = middle;
      continue;
    }
    // Cells that are equal to the pivot are of no other part.
    const end = partitionUpTo(cells, middle, to, pivot);
    if (rank < end) return pivot;
    from = end;
  }
  insertionSort(cells, from, to);
  return numberAt(cells, rank);
}

/** So many cells, or fewer, tell where a rank may be. */
const mostSamples = 255;
const sampled = new Float64Array(mostSamples);

/** A cell that is likely to lie near the rank, on its farther side: then the next part is small. */
function pivotFor(cells: Float64Array, from: number, to: number, rank: number): number {
  const count = to - from;
  const samples = Math.min(mostSamples, Math.max(5, Math.floor(Math.sqrt(count) / 2)));
  const step = count / samples;
  for (let at = 0; at < samples; at++) sampled[at] = numberAt(cells, from + Math.floor((at + 0.5) * step));
  insertionSort(sampled, 0, samples);
  const position = ((rank - from) / count) * samples;
  const margin = Math.sqrt(samples) / 2;
  const pivot = Math.floor(position < samples / 2 ? position + margin : position - margin);
  return numberAt(sampled, Math.min(samples - 1, Math.max(0, pivot)));
}

/** Moves cells below a pivot to the front; where the others begin. No branch depends on a cell. */
function partitionBelow(cells: Float64Array, from: number, to: number, pivot: number): number {
  let end = from;
  for (let at = from; at < to; at++) {
    const cell = cells[at] as number; // within the array
    cells[at] = cells[end] as number;
    cells[end] = cell;
    end += +(cell < pivot);
  }
  return end;
}

function partitionUpTo(cells: Float64Array, from: number, to: number, pivot: number): number {
  let end = from;
  for (let at = from; at < to; at++) {
    const cell = cells[at] as number; // within the array
    cells[at] = cells[end] as number;
    cells[end] = cell;
    end += +(cell <= pivot);
  }
  return end;
}

function insertionSort(cells: Float64Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    const cell = numberAt(cells, at);
    let hole = at;
    for (; hole > from && numberAt(cells, hole - 1) > cell; hole--) cells[hole] = numberAt(cells, hole - 1);
    cells[hole] = cell;
  }
}
