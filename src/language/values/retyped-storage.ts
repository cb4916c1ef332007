import type { CellArray } from "../types/cell.js";
import type { TensorDescription } from "./description.js";
import type { Labels, TensorStorage } from "./tensor-storage.js";

/** A tensor whose cells are those of another type, too. */
interface Original {
  readonly rows: number;
  readonly blockCells: number;
  readonly labels: Labels;
  readonly data: CellArray;
  readonly description: TensorDescription;
  copyTo(array: CellArray): void;
  hold(): () => void;
}

/** The labels and cells of a tensor of another type, which lie where those do, and are given back with them. */
export class RetypedStorage<Tensor extends Original> implements TensorStorage {
  constructor(readonly original: Tensor) {}

  get rows(): number {
    return this.original.rows;
  }

  get cells(): number {
    return this.rows * this.original.blockCells;
  }

  labels(): Labels {
    return this.original.labels;
  }

  data(into?: CellArray): CellArray {
    if (into === undefined) return this.original.data;
    this.original.copyTo(into);
    return into;
  }

  description(): TensorDescription {
    return this.original.description;
  }

  hold(): () => void {
    return this.original.hold();
  }
}
