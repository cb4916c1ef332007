import { atOnce, type Slices } from "../../../language/limits/slices.js";
import type { CellArray, CellType } from "../../../language/types/cell.js";
import { copyCells } from "../../../language/values/data/array-cells.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Access, Slot, Stride, TableBlock } from "../loop.js";
import { allocated, copied } from "../memory/allocation.js";
import type { Arena, Block } from "../memory/arena.js";
import type { Buffer, BufferAccess } from "../values/value.js";
import {
  blockOf,
  blockSlices,
  copySlices,
  isThere,
  mayStay,
  presentBlock,
  shouldStay,
  smallCells,
} from "./marshalling.js";
import type { InputCells } from "./replays/input-binder.js";

/** The memory of a buffer, for one run after another. */
export class PlanSlot implements Slot, InputCells {
  block: Block;
  /** The tensor whose cells it has in all runs, of those that the program has itself. */
  readonly constant: Tensor | undefined;
  /** The same until its cells are in a block. */
  unloaded: Tensor | undefined;
  /** The block that arrays of a caller are copied to; tensors bring their own. */
  own: Block | undefined;
  /** The tensor that the cells were copied of; they need not be copied again. */
  private copied: Tensor | undefined;
  /** Whether some result still reads a block of this slot where it lies. */
  isRead = false;
  /** Whether the block left with a result, so that the next run needs another. */
  isTransferred = false;

  constructor(
    private readonly arena: Arena,
    readonly cellType: CellType,
    readonly length: number,
    /** Whether its cells are the same in all runs. */
    readonly isFixed: boolean,
    /** Whether its cells are those of a tensor from outside, so that no step writes to it. */
    readonly isOutside: boolean,
    /** Of what is the same in all runs. */
    tensor?: Tensor,
    /** The name of the input that it is of. */
    readonly input?: string,
    /** What its memory is taken for, where some of its cells last from run to run. */
    private readonly owner?: object,
  ) {
    this.constant = input === undefined ? tensor?.origin : undefined;
    if (this.constant !== undefined && length > smallCells && !isThere(arena, this.constant)) {
      this.unloaded = this.constant;
      this.block = new UnloadedBlock(cellType, length, () => this.load().block);
    } else if (tensor !== undefined) this.block = this.loadedBlock(tensor);
    else {
      this.block = allocated(arena, cellType, length, owner);
      if (isOutside && length > smallCells) this.own = this.block;
    }
  }

  /** Has its cells in a block from now on. */
  load(): this {
    if (this.unloaded === undefined) return this;
    this.block = this.loadedBlock(this.unloaded);
    this.unloaded = undefined;
    return this;
  }

  /** A block with the cells of a tensor, which is read as long as the plan is run. */
  private loadedBlock(tensor: Tensor): Block {
    const { arena } = this;
    if (this.length <= smallCells || !mayStay(arena, tensor)) return copied(arena, tensor);
    const block = blockOf(arena, tensor);
    arena.retain(block);
    return block;
  }

  /** Whether the block is another's, or the same in all runs: nothing writes to it any more. */
  get isBorrowed(): boolean {
    return this.isOutside || this.isFixed;
  }

  /** Holds the cells of a tensor from now on: the tensor's own block if it is large. */
  bind(tensor: Tensor): void {
    if (this.length > smallCells) {
      if (!this.isBoundInside(tensor)) atOnce(this.copyIn(tensor));
      return;
    }
    if (this.isCopyOf(tensor)) return;
    copyCells(tensor.data, this.block.cells);
    // Of a number it would be as much work to forget the tensor as to copy it.
    if (this.length > 1) this.copied = tensor;
  }

  /** The same of a large tensor, in slices of cells that are copied; nobody else may use the slot meanwhile. */
  *bindSlices(tensor: Tensor): Slices<void> {
    if (!this.isBoundInside(tensor)) yield* this.copyIn(tensor);
  }

  /** Holds a copy of the cells of a large tensor, which stays in the arena where the tensor comes again. */
  private *copyIn(tensor: Tensor): Slices<void> {
    if (shouldStay(this.arena, tensor)) {
      this.block = yield* blockSlices(this.arena, tensor);
      this.releaseOwn();
      return;
    }
    this.block = this.allocateOwn();
    yield* copySlices(tensor, this.block);
  }

  /** Holds the cells of a large tensor where they are in the arena. Whether they are. */
  private isBoundInside(tensor: Tensor): boolean {
    const present = presentBlock(this.arena, tensor);
    if (present === undefined) return false;
    this.block = present;
    this.releaseOwn();
    return true;
  }

  /** Whether the cells are those of a tensor already, which has the layout of the slot then. */
  isCopyOf(value: unknown): boolean {
    return value === this.copied && value !== undefined;
  }

  /** Holds a number, where it is of one double. */
  bindNumber(value: number): void {
    (this.block.cells as Float64Array)[0] = value; // of cell type double
  }

  /** Holds a copy of the cells of an array, if that is of their kind and of as many. Whether it is. */
  copies(array: ArrayBufferView): boolean {
    if (array.constructor !== this.block.cells.constructor) return false;
    const cells = array as CellArray; // of the same kind as the cells
    if (cells.length !== this.length) return false;
    this.copied = undefined;
    if (this.length > smallCells) this.block = this.allocateOwn();
    copyCells(cells, this.block.cells);
    return true;
  }

  private allocateOwn(): Block {
    this.own ??= allocated(this.arena, this.cellType, this.length);
    return this.own;
  }

  private releaseOwn(): void {
    if (this.own !== undefined && !this.isRead) this.arena.dispose(this.own);
    this.own = undefined;
  }

  /** A new block where the old one left with a result. */
  refill(): void {
    this.block = allocated(this.arena, this.cellType, this.length, this.owner);
    this.isTransferred = false;
  }

  /** Gives memory back that no result reads; the slot is not used again. */
  release(): void {
    const { arena, block } = this;
    if (this.unloaded !== undefined) return;
    const isOwn = this.own === block;
    this.releaseOwn();
    if (isOwn) return;
    const isTensors = this.isOutside && this.length > smallCells;
    if (!isTensors && !this.isTransferred && !(this.isRead && this.isFixed)) arena.dispose(block);
  }
}

/** Stands for a block until its address or its cells are asked for. */
class UnloadedBlock implements Block {
  constructor(
    readonly cellType: CellType,
    readonly length: number,
    private readonly load: () => Block,
  ) {}

  get address(): number {
    return this.load().address;
  }

  get cells(): CellArray {
    return this.load().cells;
  }

  get notes(): Set<number> {
    return this.load().notes;
  }
}

/** Tables in the memory of the machine: one for each array of strides. */
export class TableBlocks {
  private readonly blocks = new Map<Int32Array, TableBlock>();

  constructor(private readonly arena: Arena) {}

  /** The access with slots for its buffer, and blocks for its tables. */
  access({ cellType, offset, strides }: BufferAccess, slot: Slot): Access {
    return { slot, cellType, offset, strides: strides.map((stride) => this.stride(stride)) };
  }

  private stride(stride: Stride<Int32Array>): Stride {
    if (typeof stride === "number") return stride;
    const table = this.blocks.get(stride) ?? { block: allocated(this.arena, "int", stride.length) };
    if (!this.blocks.has(stride)) copyCells(stride, table.block.cells);
    this.blocks.set(stride, table);
    return table;
  }

  release(): void {
    for (const { block } of this.blocks.values()) this.arena.dispose(block);
    this.blocks.clear();
  }
}

/** The slots of a plan's buffers, by their numbers: plans for other outcomes share those of the stages that they share. */
export class Frame {
  constructor(
    private readonly numbers: ReadonlyMap<Buffer, number>,
    /** For buffers without memory of their own, the one in whose memory they lie. */
    private readonly shared: ReadonlyMap<Buffer, Buffer>,
    /** Those of earlier stages come first. */
    private readonly slots: (PlanSlot | undefined)[],
    private readonly create: (buffer: Buffer) => PlanSlot,
  ) {}

  slotOf(each: Buffer): PlanSlot {
    const buffer = this.shared.get(each) ?? each;
    const number = this.numbers.get(buffer);
    if (number === undefined) throw new Error("a buffer of a plan has a number");
    const slot = this.slots[number] ?? this.create(buffer);
    if (slot.length !== buffer.length || slot.cellType !== buffer.cellType)
      throw new Error("a plan begins with the stages of the one before");
    this.slots[number] = slot;
    return slot;
  }
}
