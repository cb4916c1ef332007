import { contractions } from "../../src/backends/engine/contractions/lowering.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { machines } from "../../src/backends/engine/machine/machines.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { onMachine } from "./on-machine.js";

/** The memory of the engine, made to show what reads cells that nobody wrote. */

/** Bytes that no program writes by chance: as a double 2.6e130, as a float 1.5e16, as an index out of all bounds. */
const unwritten = 0x5a;
const disposed = 0xa5;

/** Thrown where a program asks for more blocks than one of the hunt's size has any use for. */
export class Endless extends Error {
  constructor() {
    super("it does not end, or not soon");
  }
}

let blocksLeft = Number.POSITIVE_INFINITY;

/** From now on so many blocks are enough. */
export function allowBlocks(count: number): void {
  blocksLeft = count;
}

/**
 * Fills blocks with a pattern when they are handed out, and with another when they are taken back, unless their owner has noted that
 * some of their cells last.
 */
export function poison(): void {
  const { allocate, dispose } = Arena.prototype;
  Arena.prototype.allocate = function (this: Arena, cellType, length, owner) {
    if (blocksLeft-- <= 0) throw new Endless();
    const block = allocate.call(this, cellType, length, owner);
    if (block?.notes.size === 0) fill(this, block, unwritten);
    return block;
  };
  Arena.prototype.dispose = function (this: Arena, block) {
    if (block.notes.size === 0) fill(this, block, disposed);
    dispose.call(this, block);
  };
}

function fill({ memory }: Arena, { cellType, length, address, cells }: Block, pattern: number): void {
  const bytes = length * cellTypes[cellType].width;
  // With room for a vector beyond the last cell, which kernels may read.
  if (memory === undefined) new Uint8Array(cells.buffer, cells.byteOffset, bytes).fill(pattern);
  else new Uint8Array(memory.buffer, address, bytes + 64).fill(pattern);
}

const leastBytes = 16 * 65_536;

/** Blocks that fill a memory, from large ones to small ones. */
const fillings = [leastBytes / 2, leastBytes / 8, leastBytes / 64, 2048, 256];

/** Runs with a memory that cannot grow, and has room for fewer bytes than the last filling has that is used. */
export function nearlyFull<T>(levels: number, run: () => T): T {
  const arena = new Arena({ maximumBytes: leastBytes });
  const filling: Block[] = [];
  for (const bytes of fillings.slice(0, levels))
    for (
      let block = arena.allocate("int8", bytes);
      block !== undefined;
      block = arena.allocate("int8", bytes)
    )
      filling.push(block);
  const products = contractions(arena, { wide: machines.isWide });
  const emptied = (): void => {
    for (const block of filling) arena.dispose(block);
  };
  return onMachine({ arena, compiled: [products, fusedLoops(arena)] }, run, emptied);
}
