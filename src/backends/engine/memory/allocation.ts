import type { CellType } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { type Arena, type Block, MemoryFull } from "./arena.js";

/** Memory for cells, for those who cannot do without. @throws MemoryFull where there is none. */
export function allocated(arena: Arena, cellType: CellType, length: number, owner?: object): Block {
  const block = arena.allocate(cellType, length, owner);
  if (block === undefined) throw new MemoryFull();
  return block;
}

/** A block with the cells of a tensor. */
export function copied(arena: Arena, tensor: Tensor): Block {
  const block = allocated(arena, tensor.type.cellType, tensor.rows * tensor.blockCells);
  tensor.copyTo(block.cells);
  return block;
}
