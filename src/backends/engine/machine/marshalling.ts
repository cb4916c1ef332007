import { atOnce, type Slices } from "../../../language/limits/slices.js";
import type { CellArray } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { ResultStorage } from "../layouts/result-storage.js";
import { allocated } from "../memory/allocation.js";
import type { Arena, Block } from "../memory/arena.js";

/** How the cells of tensors get into the arena. */

/** A tensor of more cells than these stays in the arena once it is there; a smaller one is copied each time. */
export const smallCells = 512;

/** Beyond so many bytes in use, results are copied out of the arena, and inputs do not stay there. */
export const mostBytesLent = 2 ** 29;

interface Stay {
  readonly arena: Arena;
  readonly block: Block;
}

const blocks = new WeakMap<Tensor, Stay>();

/** The block of the arena that the cells of a tensor are in, if they are. */
export function presentBlock(arena: Arena, { origin }: Tensor): Block | undefined {
  const { storage } = origin;
  const ofResult = storage instanceof ResultStorage ? storage.blockIn(arena) : undefined;
  if (ofResult !== undefined) return ofResult;
  const stay = blocks.get(origin);
  return stay?.arena === arena ? stay.block : undefined;
}

/** Whether the cells of a tensor are in the arena. */
export const isThere = (arena: Arena, tensor: Tensor): boolean => presentBlock(arena, tensor) !== undefined;

/** Whether a tensor's cells may stay in the arena: only the collector gives their memory back, some time. */
export const mayStay = (arena: Arena, tensor: Tensor): boolean =>
  arena.bytesInUse <= mostBytesLent || isThere(arena, tensor);

/** Tensors that have been an input once. */
const former = new WeakSet<Tensor>();

/**
 * Whether the cells of an input, which are not in the arena, should stay there: most tensors that come once, as those that are made
 * for a run, do not come again.
 */
export function shouldStay(arena: Arena, { origin }: Tensor): boolean {
  const comesAgain = former.has(origin);
  former.add(origin);
  return comesAgain && arena.bytesInUse <= mostBytesLent;
}

/** The cells of a tensor in the arena, where they stay as long as the tensor does, or until a result is disposed of. */
export const blockOf = (arena: Arena, tensor: Tensor): Block => atOnce(blockSlices(arena, tensor));

/** The same, in slices of cells that are copied. */
export function* blockSlices(arena: Arena, { origin }: Tensor): Slices<Block> {
  const present = presentBlock(arena, origin);
  if (present !== undefined) return present;
  const block = allocated(arena, origin.type.cellType, origin.rows * origin.blockCells);
  yield* copySlices(origin, block);
  const meanwhile = presentBlock(arena, origin); // another run may have copied the cells between two slices
  if (meanwhile === undefined) blocks.set(origin, { arena, block });
  else arena.dispose(block);
  return meanwhile ?? block;
}

/** So many cells are copied between pauses: 4 MB of doubles, a millisecond, or several where the memory is new. */
const cellsAtOnce = 2 ** 19;

/** Copies the cells of a tensor into a block, wherever the block's memory is by the time of each slice. */
export function* copySlices(tensor: Tensor, block: Block): Slices<void> {
  if (block.length <= cellsAtOnce) return tensor.copyTo(block.cells);
  for (let from = 0; from < block.length; from += cellsAtOnce) {
    if (from > 0) yield;
    tensor.copyPartTo(block.cells.subarray(from, from + cellsAtOnce), from);
  }
}

/** An array of its own with the same cells. V8 makes it of shared memory in two thirds of the time that `slice` takes. */
export function copyOf(cells: CellArray): CellArray {
  const Kind = cells.constructor as new (cells: CellArray) => CellArray; // every typed array is made this way
  return new Kind(cells);
}
