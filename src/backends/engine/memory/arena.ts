import { type CellArray, type CellType, cellTypes } from "../../../language/types/cell.js";
import { type Memory, webAssembly } from "../assembler/webassembly.js";

/**
 * The memory in which the engine keeps cells: one WebAssembly memory, so that kernels reach all of it and nothing is
 * copied between them. Where there is no WebAssembly, each block is an array of its own, which closures reach as well.
 */

/** Cells of one type, back to back. They live as long as the block is referenced. */
export interface Block {
  readonly cellType: CellType;
  readonly length: number;
  /** In bytes from the start of memory; 64-byte aligned. */
  readonly address: number;
  /** The cells. Do not hold on to the array: where memory is not shared, growing invalidates it. */
  readonly cells: CellArray;
}

const pageBytes = 65_536;
/** Blocks do not begin on multiples of big powers of two alone: operands that far apart would share cache lines. */
const alignment = 64;
const stagger = [0, 320, 832, 1856];

/** Thrown where the memory cannot hold more cells. */
export class MemoryFull extends RangeError {
  constructor() {
    super("Array buffer allocation failed");
  }
}

export class Arena {
  readonly memory: Memory | undefined;
  readonly isShared: boolean;
  /** The greatest size of the memory, which modules that import it must name. */
  readonly maximumPages: number;
  /** Freed addresses by their size in bytes. */
  private readonly free = new Map<number, number[]>();
  private top = 1024;
  private count = 0;
  private used = 0;

  /** Blocks that are no longer referenced are released when the collector has found them. */
  private readonly registry = new FinalizationRegistry<{ address: number; bytes: number }>((each) =>
    this.release(each.address, each.bytes),
  );

  /** With no bytes at all every block is an array of its own, as where there is no WebAssembly. */
  constructor({ maximumBytes = 2 ** 32 }: { readonly maximumBytes?: number } = {}) {
    this.maximumPages = Math.min(65_536, Math.ceil(maximumBytes / pageBytes));
    this.isShared = typeof SharedArrayBuffer !== "undefined";
    this.memory =
      webAssembly === undefined || maximumBytes === 0
        ? undefined
        : new webAssembly.Memory({ initial: 16, maximum: this.maximumPages, shared: this.isShared });
  }

  /** Bytes of all blocks that are in use. */
  get bytesInUse(): number {
    return this.used;
  }

  /**
   * Memory for cells, not initialised. Nothing where memory is at its end.
   */
  allocate(cellType: CellType, length: number): Block | undefined {
    const { memory } = this;
    if (memory === undefined) {
      const cells = cellTypes[cellType].allocate(length);
      return { cellType, length, address: 0, cells };
    }
    // Kernels may read a vector beyond the last cell.
    const bytes = sizeClass(length * cellTypes[cellType].width + 64);
    const address = this.take(memory, bytes);
    if (address === undefined) return undefined;
    this.used += bytes;
    const block = new MemoryBlock(memory, cellType, length, address);
    this.registry.register(block, { address, bytes }, block);
    return block;
  }

  /** Releases a block at once; it must not be used any more. */
  dispose(block: Block): void {
    if (!(block instanceof MemoryBlock)) return;
    if (this.registry.unregister(block)) {
      this.release(block.address, sizeClass(block.length * cellTypes[block.cellType].width + 64));
    }
  }

  private take(memory: Memory, bytes: number): number | undefined {
    const freed = this.free.get(bytes)?.pop();
    if (freed !== undefined) return freed;
    const offset = bytes >= 4096 ? (stagger[this.count++ % stagger.length] ?? 0) : 0;
    const address = this.top + offset;
    const end = address + bytes;
    const missing = Math.ceil((end - memory.buffer.byteLength) / pageBytes);
    if (missing > 0) {
      const pages = memory.buffer.byteLength / pageBytes;
      if (pages + missing > this.maximumPages) return undefined;
      // Growing by a quarter keeps the number of growths small.
      const growth = Math.min(Math.max(missing, pages >> 2), this.maximumPages - pages);
      if (!tryGrow(memory, growth) && !tryGrow(memory, missing)) return undefined;
    }
    this.top = Math.ceil(end / alignment) * alignment;
    return address;
  }

  private release(address: number, bytes: number): void {
    this.used -= bytes;
    const addresses = this.free.get(bytes);
    if (addresses === undefined) this.free.set(bytes, [address]);
    else addresses.push(address);
  }
}

class MemoryBlock implements Block {
  private view: CellArray | undefined;

  constructor(
    private readonly memory: Memory,
    readonly cellType: CellType,
    readonly length: number,
    readonly address: number,
  ) {}

  get cells(): CellArray {
    // Growing an unshared memory leaves arrays of length 0 behind.
    if (this.view === undefined || this.view.length !== this.length)
      this.view = cellsAt(this.memory.buffer, this.cellType, this.address, this.length);
    return this.view;
  }
}

function cellsAt(buffer: ArrayBufferLike, cellType: CellType, address: number, length: number): CellArray {
  const Kind = cellTypes[cellType].allocate(0).constructor as new (
    buffer: ArrayBufferLike,
    address: number,
    length: number,
  ) => CellArray; // every typed array is made this way
  return new Kind(buffer, address, length);
}

function tryGrow(memory: Memory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

/** Sizes in steps of an eighth of their power of two, so that freed blocks fit again. */
function sizeClass(bytes: number): number {
  const step = Math.max(alignment, 2 ** (Math.floor(Math.log2(bytes)) - 3));
  return Math.ceil(bytes / step) * step;
}
