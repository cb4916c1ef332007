import type { CellArray } from "../../../language/types/cell.js";
import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import type { Labels, TensorStorage } from "../../../language/values/tensor-storage.js";
import type { Arena, Block } from "../memory/arena.js";

/** The labels and cells of a result where they lie: a run that has the tensor as an input reads them there. */
export abstract class ResultStorage implements TensorStorage {
  abstract readonly rows: number;
  abstract readonly cells: number;
  /** The index of its rows, where it is at hand. */
  abstract readonly index: LabelIndex | undefined;

  /** The block of an arena that its cells are, in canonical order; nothing where there is none, or it was disposed of. */
  abstract blockIn(arena: Arena): Block | undefined;

  abstract labels(): Labels;
  abstract data(into?: CellArray): CellArray;
}
