import type { CellArray } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { copied } from "../memory/allocation.js";
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

/** Gives the block of a result to a run that reads it as an input; nothing where it was disposed of. */
type Share = () => Block | undefined;

const results = new WeakMap<Tensor, { readonly arena: Arena; readonly share: Share }>();

/** Notes that the cells of a result lie in a block of the arena in canonical order: as an input they need not be copied. */
export function offer(arena: Arena, tensor: Tensor, share: Share): void {
  results.set(tensor, { arena, share });
}

/** Whether the cells of a tensor are in the arena. */
export const isThere = (arena: Arena, { origin }: Tensor): boolean =>
  blocks.get(origin)?.arena === arena || results.get(origin)?.arena === arena;

/** Whether a tensor's cells may stay in the arena: only the collector gives their memory back, some time. */
export const mayStay = (arena: Arena, tensor: Tensor): boolean =>
  arena.bytesInUse <= mostBytesLent || isThere(arena, tensor);

/** Tensors that have been an input once. */
const former = new WeakSet<Tensor>();

/** Whether the cells of an input should stay: most tensors that come once, as those that are made for a run, do not come again. */
export function shouldStay(arena: Arena, tensor: Tensor): boolean {
  if (isThere(arena, tensor)) return true;
  const { origin } = tensor;
  const comesAgain = former.has(origin);
  former.add(origin);
  return comesAgain && arena.bytesInUse <= mostBytesLent;
}

/** The cells of a tensor in the arena, where they stay as long as the tensor does, or until a result is disposed of. */
export function blockOf(arena: Arena, { origin }: Tensor): Block {
  const cached = blocks.get(origin);
  if (cached?.arena === arena) return cached.block;
  const result = results.get(origin);
  const shared = result?.arena === arena ? result.share() : undefined;
  if (shared !== undefined) return shared;
  const block = copied(arena, origin);
  blocks.set(origin, { arena, block });
  return block;
}

/** An array of its own with the same cells. V8 makes it of shared memory in two thirds of the time that `slice` takes. */
export function copyOf(cells: CellArray): CellArray {
  const Kind = cells.constructor as new (cells: CellArray) => CellArray; // every typed array is made this way
  return new Kind(cells);
}
