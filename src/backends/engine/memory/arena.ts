import { type CellArray, type CellType, cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import type { Steps } from "../../meter.js";
import { hasFinalization, type Memory, webAssembly } from "../assembler/webassembly.js";

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
  /** What its owner has noted of its cells: by numbers of the owner's, which memory that comes back to it still has. */
  readonly notes: Set<number>;
}

/** Memory, and what was the last to own it. */
interface Owned {
  readonly address: number;
  readonly owner: object | undefined;
  readonly notes: Set<number>;
}

/** Memory that is in no use. */
interface Freed extends Owned {
  /** The block that it was, where nobody else refers to that. */
  readonly block: MemoryBlock | undefined;
}

/** The memory of a block, which outlives it. */
interface Extent extends Owned {
  readonly bytes: number;
  isLent: boolean;
  /** How many others read it than the tensor whose cells these are. */
  readers: number;
  isReleased: boolean;
}

const pageBytes = 65_536;
/** Blocks do not begin on multiples of big powers of two alone: operands that far apart would share cache lines. */
const alignment = 64;
const stagger = [0, 320, 832, 1856];

/**
 * How many bytes are lent at the most; for blocks of few bytes, which are copied quickly, it is less. A loop that never pauses
 * is not told what the collector has found: all that it is lent is new memory, which costs more than a copy.
 */
const mostBytesOnLoan = { few: 2 ** 22, many: 2 ** 28 };
const fewBytes = 2 ** 15;

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
  /** Freed memory by its size in bytes. */
  private readonly freed = new Map<number, Freed[]>();
  private top = 1024;
  private count = 0;
  /** How often arrays of its cells have become invalid. */
  generation = 0;
  private used = 0;
  private lent = 0;

  /** Blocks that are no longer referenced are released when the collector has found them. */
  private readonly registry = hasFinalization
    ? new FinalizationRegistry<Extent>((extent) => this.free(extent))
    : undefined;

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
   * Memory for cells, not initialised. Nothing where memory is at its end. An owner gets memory that was its own before, where
   * there is any: it is untouched since, and comes with its notes.
   */
  allocate(cellType: CellType, length: number, owner?: object): Block | undefined {
    const { memory } = this;
    if (memory === undefined) {
      const cells = cellTypes[cellType].allocate(length);
      return { cellType, length, address: 0, cells, notes: new Set() };
    }
    // Kernels may read a vector beyond the last cell.
    const bytes = sizeClass(length * cellTypes[cellType].width + 64);
    const freed = this.takeFreed(bytes, owner);
    const former = freed?.block;
    if (former?.isOf(cellType, length, owner) === true) return this.revived(former);
    const address = freed?.address ?? this.takeNew(memory, bytes);
    if (address === undefined) return undefined;
    this.used += bytes;
    const isOwn = owner !== undefined && freed?.owner === owner;
    const notes = isOwn ? freed.notes : new Set<number>();
    const extent = { address, bytes, owner, notes, isLent: false, readers: 0, isReleased: false };
    const block = new MemoryBlock(this, memory, cellType, length, extent);
    this.registry?.register(block, extent);
    return block;
  }

  /** A block as it was before it was disposed of, with the array of its cells; the collector knows of it already. */
  private revived(block: MemoryBlock): Block {
    const { extent } = block;
    extent.isReleased = false;
    extent.isLent = false;
    if (extent.owner === undefined) extent.notes.clear();
    this.used += extent.bytes;
    return block;
  }

  /**
   * Whether a block may leave with those who read it, and whom only the collector can tell to be gone; it is lent then.
   * If not, its cells should be copied for them.
   */
  lend(block: Block): boolean {
    if (!(block instanceof MemoryBlock)) return true;
    const { extent } = block;
    if (extent.isLent) return true;
    const most = extent.bytes <= fewBytes ? mostBytesOnLoan.few : mostBytesOnLoan.many;
    if (this.lent + extent.bytes > most) return false;
    extent.isLent = true;
    this.lent += extent.bytes;
    return true;
  }

  /** Releases a block at once; it must not be used any more. */
  dispose(block: Block): void {
    if (block instanceof MemoryBlock) this.free(block.extent);
  }

  /** Notes that one reads a block beside the tensor whose cells it has, which may be disposed of meanwhile. */
  retain(block: Block): void {
    if (block instanceof MemoryBlock) block.extent.readers++;
  }

  /** Notes that one of those who read a block does so no more. */
  release(block: Block): void {
    if (block instanceof MemoryBlock) block.extent.readers--;
  }

  /** Does something with pauses, or in which a host may do anything, while it reads blocks. */
  *reading<Result>(blocks: readonly Block[], steps: Steps<Result>): Steps<Result> {
    for (const block of blocks) this.retain(block);
    try {
      return yield* steps;
    } finally {
      for (const block of blocks) this.release(block);
    }
  }

  /**
   * Disposes of the block of a tensor, which nobody else refers to; where others read it, only the collector gives its memory
   * back. A result of the next run of the same plan may be the very block again.
   */
  disposeUnlessRead(block: Block): void {
    if (block instanceof MemoryBlock && block.extent.readers === 0) this.free(block.extent, block);
  }

  private takeFreed(bytes: number, owner: object | undefined): Freed | undefined {
    const freed = this.freed.get(bytes);
    if (freed === undefined || owner === undefined) return freed?.pop();
    const own = freed.findLastIndex((each) => each.owner === owner);
    return own < 0 ? freed.pop() : freed.splice(own, 1)[0];
  }

  private takeNew(memory: Memory, bytes: number): number | undefined {
    const offset = bytes >= 4096 ? element(stagger, this.count++ % stagger.length) : 0;
    const address = this.top + offset;
    const end = address + bytes;
    const missing = Math.ceil((end - memory.buffer.byteLength) / pageBytes);
    if (missing > 0) {
      const pages = memory.buffer.byteLength / pageBytes;
      if (pages + missing > this.maximumPages) return undefined;
      // Growing by a quarter keeps the number of growths small.
      const growth = Math.min(Math.max(missing, pages >> 2), this.maximumPages - pages);
      if (!tryGrow(memory, growth) && !tryGrow(memory, missing)) return undefined;
      // Growing an unshared memory leaves arrays of length 0 behind.
      if (!this.isShared) this.generation++;
    }
    this.top = Math.ceil(end / alignment) * alignment;
    return address;
  }

  /** Does nothing for what was released before: a block that was disposed of is found by the collector, too. */
  private free(extent: Extent, block?: MemoryBlock): void {
    if (extent.isReleased) return;
    const { address, bytes, owner, notes, isLent } = extent;
    extent.isReleased = true;
    this.used -= bytes;
    if (isLent) this.lent -= bytes;
    const owned = { address, owner, notes, block };
    const freed = this.freed.get(bytes);
    if (freed === undefined) this.freed.set(bytes, [owned]);
    else freed.push(owned);
  }
}

class MemoryBlock implements Block {
  readonly address: number;
  private view: CellArray | undefined;
  private generation = 0;

  constructor(
    private readonly arena: Arena,
    private readonly memory: Memory,
    readonly cellType: CellType,
    readonly length: number,
    readonly extent: Extent,
  ) {
    this.address = extent.address;
  }

  get notes(): Set<number> {
    return this.extent.notes;
  }

  isOf(cellType: CellType, length: number, owner: object | undefined): boolean {
    return this.cellType === cellType && this.length === length && this.extent.owner === owner;
  }

  get cells(): CellArray {
    if (this.view === undefined || this.generation !== this.arena.generation) {
      this.view = cellsAt(this.memory.buffer, this.cellType, this.address, this.length);
      this.generation = this.arena.generation;
    }
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
  // Powers and logarithms are calls; shifts are not, but of 32 bits alone.
  const eighth =
    bytes < 2 ** 31 ? 1 << Math.max(28 - Math.clz32(bytes), 0) : 2 ** (Math.floor(Math.log2(bytes)) - 3);
  const step = Math.max(alignment, eighth);
  return Math.ceil(bytes / step) * step;
}
