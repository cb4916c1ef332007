import { type CellArray, type CellType, readCell, writeCell } from "../../../language/types/cell.js";
import { element, intAt } from "../../../language/values/element.js";
import { type Access, type Instruction, type Loop, offsetAlong, type Step, type Stride } from "../loop.js";
import { Accumulators } from "./folding.js";
import { type Compute, computeOf, type Register } from "./instructions.js";
import { scalarStep } from "./scalar-step.js";
import { forEachTile, innerOffsets, type Tiling, tileCells, tileStart, tilingOf } from "./tile.js";

/** A step that interprets a loop, tile by tile. It covers every loop. */
export function interpretedStep(loop: Loop): Step {
  if (loop.axes.length === 0 && loop.aggregator === undefined) return scalarStep(loop);
  const total = loop.axes.reduce((product, { size }) => product * size, 1);
  const tiledLoop = new TiledLoop(loop, total);
  return {
    extent: extentOf(loop),
    work: total * loop.body.length,
    run: (from, to) => tiledLoop.run(from, to),
    description: `closures over ${loop.axes.map(({ size }) => size).join("×") || "one cell"}: ${loop.body.length} instructions`,
  };
}

/** How many parts a loop has: its outermost axis; one where it has none. */
const extentOf = ({ axes: [first] }: Loop): number => (first === undefined ? 1 : first.size);

/** Registers are shared by all loops, for one runs at a time and nothing is left in them. */
const pool: Register[] = [];
const registerAt = (at: number): Register => {
  pool[at] ??= new Float64Array(tileCells);
  return pool[at];
};

/** Where the cells of an access lie within a tile. */
interface Offsets {
  readonly access: Access;
  /** Of the axes behind the one that is split. */
  readonly inner: Int32Array;
  /** Of the whole tile. Known from the start, unless the split axis has a table. */
  readonly all: Int32Array;
}

class TiledLoop {
  private readonly tiling: Tiling;
  private readonly computes: readonly (Compute | undefined)[];
  private readonly registers: readonly Register[];
  private readonly sources: readonly Offsets[];
  private readonly target: Offsets;
  private readonly folding: Accumulators | undefined;
  private readonly isEmpty: boolean;

  constructor(
    private readonly loop: Loop,
    total: number,
  ) {
    this.tiling = tilingOf(loop);
    this.isEmpty = total === 0;
    this.computes = loop.body.map(computeOf);
    this.registers = loop.body.map((_, at) => registerAt(at));
    this.sources = loop.sources.map((access) => this.offsetsOf(access));
    this.target = this.offsetsOf(loop.target);
    if (loop.aggregator !== undefined)
      this.folding = new Accumulators(loop.aggregator, loop.target.slot.block.length);
  }

  private offsetsOf(access: Access): Offsets {
    const { outer, split: cut, inner } = this.tiling;
    const offsets = {
      access,
      inner: innerOffsets(this.loop, access, outer + 1),
      all: new Int32Array(cut.length * inner),
    };
    fillOffsets(offsets, outer, 0, cut.length);
    return offsets;
  }

  run(from: number, to: number): void {
    const { loop, tiling, folding } = this;
    const { outer, split: cut } = tiling;
    if (from === 0) folding?.begin();
    const [first, end] = outer === 0 && loop.axes.length > 0 ? [from, to] : [0, cut.size];
    if (!this.isEmpty) {
      forEachTile(loop, outer, from, to, (indexes) => {
        for (let start = first; start < end; start += cut.length)
          this.tile(indexes, start, Math.min(cut.length, end - start));
      });
    }
    if (to >= extentOf(loop)) folding?.finish(loop.target);
  }

  /** A tile of this length along the axis that is split. */
  private tile(indexes: Int32Array, first: number, length: number): void {
    const count = length * this.tiling.inner;
    for (const [at, instruction] of this.loop.body.entries()) {
      const into = element(this.registers, at);
      const compute = this.computes[at];
      if (compute !== undefined) compute(into, count, this.registers);
      else this.fill(instruction, into, indexes, first, length);
    }
    const values = element(this.registers, this.loop.body.length - 1);
    const start = this.locate(this.target, indexes, first, length);
    const { access, all } = this.target;
    if (this.folding === undefined)
      write(access.cellType, access.slot.block.cells, start, all, values, count);
    else this.folding.add(values, count, start, all);
  }

  /** Where a tile's first cell is; sees to it that the distances of all others are known. */
  private locate(offsets: Offsets, indexes: Int32Array, first: number, length: number): number {
    const start = tileStart(offsets.access, indexes);
    const stride = splitStride(offsets.access, indexes.length);
    if (typeof stride === "number") return start + stride * first;
    fillOffsets(offsets, indexes.length, first, length);
    return start;
  }

  private fill(
    instruction: Instruction,
    into: Register,
    indexes: Int32Array,
    first: number,
    length: number,
  ): void {
    if (instruction.op === "read") {
      const offsets = element(this.sources, instruction.source);
      const start = this.locate(offsets, indexes, first, length);
      const { cellType, slot } = offsets.access;
      read(cellType, slot.block.cells, start, offsets.all, into, length * this.tiling.inner);
    } else if (instruction.op === "index") this.fillIndexes(instruction.axis, into, indexes, first, length);
  }

  /** The index along an axis, for each iteration of a tile. */
  private fillIndexes(
    axis: number,
    into: Register,
    indexes: Int32Array,
    first: number,
    length: number,
  ): void {
    const { outer, inner } = this.tiling;
    const count = length * inner;
    if (axis < outer) {
      into.fill(intAt(indexes, axis), 0, count);
      return;
    }
    let repeats = 1;
    for (let after = axis + 1; after < this.loop.axes.length; after++)
      repeats *= element(this.loop.axes, after).size;
    const { size } = element(this.loop.axes, axis);
    const base = axis === outer ? first : 0;
    for (let at = 0; at < count; at++) into[at] = base + (Math.floor(at / repeats) % size);
  }
}

/** The stride along the axis that is split; the one cell of a loop without axes stays where it is. */
const splitStride = ({ strides }: Access, axis: number): Stride =>
  strides.length === 0 ? 0 : element(strides, axis);

function fillOffsets({ access, inner, all }: Offsets, axis: number, first: number, length: number): void {
  const stride = splitStride(access, axis);
  let at = 0;
  for (let index = 0; index < length; index++) {
    // A stride is the same from any start; a table is not.
    const base = offsetAlong(stride, typeof stride === "object" ? first + index : index);
    for (const offset of inner) all[at++] = base + offset;
  }
}

function read(
  cellType: CellType,
  cells: CellArray,
  start: number,
  offsets: Int32Array,
  into: Register,
  count: number,
): void {
  // Every iteration of a tile has its offset, and every offset its cell.
  if (cells instanceof Float64Array) {
    for (let at = 0; at < count; at++) into[at] = cells[start + (offsets[at] as number)] as number;
  } else if (cells instanceof Float32Array) {
    for (let at = 0; at < count; at++) into[at] = cells[start + (offsets[at] as number)] as number;
  } else {
    for (let at = 0; at < count; at++) into[at] = readCell(cellType, cells, start + (offsets[at] as number));
  }
}

function write(
  cellType: CellType,
  cells: CellArray,
  start: number,
  offsets: Int32Array,
  values: Register,
  count: number,
): void {
  if (cells instanceof Float64Array || cells instanceof Float32Array) {
    for (let at = 0; at < count; at++) cells[start + (offsets[at] as number)] = values[at] as number;
  } else {
    for (let at = 0; at < count; at++)
      writeCell(cellType, cells, start + (offsets[at] as number), values[at] as number);
  }
}
