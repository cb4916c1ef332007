import type { CellArray } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { type Arena, type Block, MemoryFull } from "../memory/arena.js";

/** How the cells of tensors get into the arena. */

/** A tensor of more cells than these stays in the arena once it is there; a smaller one is copied each time. */
export const smallCells = 512;

/** Beyond so many bytes in use, results are copied out of the arena, and inputs do not stay there. */
export const mostBytesLent = 2 ** 29;

const blocks = new WeakMap<Tensor, { readonly arena: Arena; readonly block: Block }>();

/** Whether a tensor's cells may stay in the arena: only the collector gives their memory back, some time. */
export const mayStay = (arena: Arena, tensor: Tensor): boolean =>
  arena.bytesInUse <= mostBytesLent || blocks.get(tensor)?.arena === arena;

/** The cells of a tensor in the arena, where they stay as long as the tensor does. */
export function blockOf(arena: Arena, tensor: Tensor): Block {
  const cached = blocks.get(tensor);
  if (cached?.arena === arena) return cached.block;
  const { data, type } = tensor;
  const block = arena.allocate(type.cellType, data.length);
  if (block === undefined) throw new MemoryFull();
  copyCells(data, block.cells);
  blocks.set(tensor, { arena, block });
  return block;
}

export function copyCells(from: CellArray, to: CellArray): void {
  // Both are arrays of the same kind, since both are of one cell type.
  (to as Float64Array).set(from as Float64Array);
}
