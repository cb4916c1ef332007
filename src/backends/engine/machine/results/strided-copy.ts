import type { CellArray } from "../../../../language/types/cell.js";

/** Cells that lie evenly along lines of one length, and so do their copies. */
export interface Lines {
  /** Where each line begins, best in an order in which neighbours in memory follow each other; and where its copy does. */
  readonly starts: Float64Array;
  readonly targets: Float64Array;
  readonly length: number;
  readonly stride: number;
  readonly targetStride: number;
}

/** Lines of at least so many cells are copied as a whole where their cells are neighbours. */
const longLine = 32;
/** So many cells of as many lines are copied at once: neighbouring lines, as of a transposed matrix, share lines of the cache. */
export const tileSize = 16;

/** Copies all cells of the lines to an array of the same kind. */
export function copyLines(lines: Lines, from: CellArray, into: CellArray): void {
  const { length, stride, targetStride } = lines;
  const isLong = length >= longLine && targetStride === 1;
  if (isLong && stride === 1) copyRuns(lines, from, into);
  else if (isLong && stride === 0) fillRuns(lines, from, into);
  else copyBits(lines, bitsOf(from) as Int32Array, bitsOf(into) as Int32Array); // all kinds are read and written alike
}

function copyRuns({ starts, targets, length }: Lines, from: CellArray, into: CellArray): void {
  for (let line = 0; line < starts.length; line++) {
    const [start, target] = [starts[line] as number, targets[line] as number]; // within the lists
    const run = from.subarray(start, start + length);
    (into as Float64Array).set(run as Float64Array, target); // both of one kind
  }
}

function fillRuns({ starts, targets, length }: Lines, from: CellArray, into: CellArray): void {
  for (let line = 0; line < starts.length; line++) {
    const [start, target] = [starts[line] as number, targets[line] as number]; // within the lists
    (into as Float64Array).fill((from as Float64Array)[start] as number, target, target + length); // both of one kind
  }
}

function copyBits(lines: Lines, from: Int32Array, into: Int32Array): void {
  const { starts, targets, length, stride, targetStride } = lines;
  for (let firstLine = 0; firstLine < starts.length; firstLine += tileSize) {
    const endLine = Math.min(firstLine + tileSize, starts.length);
    for (let first = 0; first < length; first += tileSize) {
      const cells = Math.min(tileSize, length - first);
      for (let line = firstLine; line < endLine; line++) {
        let source = (starts[line] as number) + first * stride; // within the lists, here and below
        let target = (targets[line] as number) + first * targetStride;
        for (let at = 0; at < cells; at++) {
          into[target] = from[source] as number; // the plan's verifier saw that the cell is there
          source += stride;
          target += targetStride;
        }
      }
    }
  }
}

/** The same memory as whole numbers of its width, so that there are few kinds of arrays, and any bits stay what they are. */
function bitsOf(cells: CellArray): CellArray {
  const { buffer, byteOffset, length } = cells;
  switch (cells.BYTES_PER_ELEMENT) {
    case 2:
      return new Int16Array(buffer, byteOffset, length);
    case 4:
      return new Int32Array(buffer, byteOffset, length);
    default:
      return cells;
  }
}
