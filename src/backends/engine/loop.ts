import type { AggregatorName } from "../../language/scalar/aggregators.js";
import type { ScalarName } from "../../language/scalar/functions.js";
import type { CellType } from "../../language/types/cell.js";
import { absent } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Block } from "./memory/arena.js";
import type { Division } from "./threads/division.js";

/**
 * A loop nest: what all fused operations become. It walks over its axes, the last one fastest, computes the body from
 * one cell of each source, and writes the value to its cell of the target, or, with an aggregator, folds it
 * into what is there.
 *
 * Nothing here knows of dimensions or labels: an axis is an indexed dimension, or the rows of mapped labels, and a sparse
 * join has become tables of offsets.
 *
 * A plan has the same loops over other things: buffers, which are data, for the slots, and arrays for the tables.
 */
export interface Loop<Cells = Slot, Table = TableBlock> {
  readonly axes: readonly LoopAxis[];
  readonly sources: readonly Access<Cells, Table>[];
  /** In an order in which each instruction uses earlier ones only; the last is the value. */
  readonly body: readonly Instruction[];
  readonly target: Access<Cells, Table>;
  /**
   * How the values of one cell of the target are folded. Each cell gets at least one value. Sums may be
   * reassociated (D16), the others not where it could be seen. A target that has tables, or that keeps an axis inside
   * of a reduced one, is of doubles.
   */
  readonly aggregator?: LoopAggregator | undefined;
  /**
   * What is computed of what was folded, before it is stored: a body that goes on from its instruction 0, which is not
   * in this list: what was folded, rounded to the target's cells. The cells that it reads do not move along reduced axes, and each
   * cell of the target has one index of the others.
   */
  readonly finish?: readonly Instruction[] | undefined;
}

/** The aggregators that a loop folds with; the others are made of these. */
export type LoopAggregator = Exclude<AggregatorName, "avg" | "count" | "median">;

export interface LoopAxis {
  readonly size: number;
  /** Whether the target has one cell for all of the axis. */
  readonly isReduced: boolean;
}

/** Where cells are read or written: the first one, and how to go on along each axis. */
export interface Access<Cells = Slot, Table = TableBlock> {
  readonly slot: Cells;
  readonly cellType: CellType;
  /** The first cell, counted in cells from the start of the slot's block. */
  readonly offset: number;
  /** For each axis. */
  readonly strides: readonly Stride<Table>[];
}

/**
 * How far the next cell along an axis is, in cells: 0 where all of the axis sees the same one. Or a table of how far the
 * cell at each index along the axis is from the first.
 */
export type Stride<Table = TableBlock> = number | Table;

/** Offsets in cells, one for each index along an axis. */
export interface TableBlock {
  /** A block of cell type int. */
  readonly block: Block;
}

/** How far the cell at an index along an axis is from the first, in cells. */
export const offsetAlong = (stride: Stride, index: number): number =>
  typeof stride === "number" ? stride * index : entryAt(stride.block, index);

function entryAt({ cells }: Block, index: number): number {
  const offset = cells[index];
  return offset === undefined ? absent(index, cells.length) : Number(offset);
}

/** What holds a block for one run after another: an input, a temporary value or a result. */
export interface Slot {
  /** Set before a loop that uses the slot runs; of the cell type that its accesses have. */
  block: Block;
  /** The tensor whose cells it has in all runs. */
  readonly constant?: Tensor | undefined;
  /** The same, as long as its cells are in no block: they are copied to one when those of `block`, or its address, are first asked for. */
  readonly unloaded?: Tensor | undefined;
}

/** One operation on doubles; numbers name earlier instructions. */
export type Instruction =
  | { readonly op: "read"; readonly source: number }
  | { readonly op: "constant"; readonly value: number }
  /** The index along an axis, from 0. */
  | { readonly op: "index"; readonly axis: number }
  | { readonly op: "apply"; readonly function: ScalarName; readonly arguments: readonly number[] }
  | { readonly op: "select"; readonly condition: number; readonly yes: number; readonly no: number }
  /** The number that a cell of this type holds after the value was stored in it. */
  | { readonly op: "store"; readonly cellType: CellType; readonly value: number };

/** Something that can be run, and run again when its slots hold other blocks. */
export interface Step {
  /** How many parts it has, along its outermost axis; 1 where it cannot be divided. */
  readonly extent: number;
  /** About how many scalar operations all of it takes. */
  readonly work: number;
  /**
   * Runs the parts from `from` to `to`. Each part is run once, in rising order of `from`; the first call (from 0)
   * prepares the target where an aggregator needs it.
   */
  readonly run: (from: number, to: number) => void;
  /** How several threads can do it at once, if they can. */
  readonly division?: Division;
  /** How many threads share a call of `run`: it should get at least as many parts. */
  readonly threads?: number;
  /** A slot whose cells it has in a form of its own, so that its block need not be there. */
  readonly packed?: Slot | undefined;
  /** What it computes, where that is a number of numbers. */
  readonly numbers?: NumberProgram | undefined;
  /** In a few words, for a person: "matrix product 128×64×32, float", "fused loop over 1000×1000: 3 operations". */
  readonly description: string;
}

/** A step that computes one double of a few doubles, wherever these lie. */
export interface NumberProgram {
  readonly sources: readonly Access[];
  readonly target: Access;
  /** The same computation on the numbers of a list: of its positions of the sources, in their order. Absent where no code can be made. */
  readonly on: (positions: readonly number[]) => NumberCall | undefined;
}

/** A number of numbers in a list. */
export type NumberCall = (numbers: ArrayLike<number>) => number;

/** A step whose parts may run on several threads at once. */
export interface DivisibleStep extends Step {
  readonly division: Division;
}

/** Makes a step of a loop, or nothing where it does not cover the loop. */
export type Lowering = (loop: Loop) => Step | undefined;

/**
 * Makes one step of two loops: sums over segments, some neighbouring indexes each, and the loop that alone reads them, each at an index of its
 * outermost axis. The sums need not be stored. Nothing where it does not cover them.
 */
export type SegmentLowering = (summing: Loop, reading: Loop) => Step | undefined;
