import type { CellArray } from "../types/cell.js";
import type { TensorDescription } from "./description.js";

/** The mapped labels of each row, sorted. */
export type Labels = readonly (readonly string[])[];

/** The labels and cells of a tensor, in any layout. */
export interface TensorStorage {
  readonly rows: number;
  /** Cells of all rows. */
  readonly cells: number;
  /** The labels of each row, sorted. */
  labels(): Labels;
  /** All cells in canonical order: in the array, which is of the cell type and as long, or in one of their own. */
  data(into?: CellArray): CellArray;
  /** The cells from one on, as many as the array has, where all cells need not be made into an array for that. */
  part?(first: number, into: CellArray): void;
  /** How they lie in memory, if not in one array in canonical order. */
  description?(): TensorDescription;
  /** Frees the memory of the cells; while somebody holds them, when they are let go. */
  dispose?(): void;
  /** Holds the cells, and returns what lets them go. */
  hold?(): () => void;
}

/** The one cell of a tensor of rank 0, which seldom needs an array. */
export class NumberStorage implements TensorStorage {
  constructor(readonly value: number) {}

  get rows(): number {
    return 1;
  }

  get cells(): number {
    return 1;
  }

  labels(): Labels {
    return oneRow;
  }

  data(into: CellArray = new Float64Array(1)): CellArray {
    into[0] = this.value;
    return into;
  }
}

/** The labels of a tensor without mapped dimensions. */
export const oneRow: Labels = [[]];
