import type { Node } from "../../../language/core/operations.js";
import type { ScalarName } from "../../../language/scalar/functions.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { CellArray, CellType } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Forest } from "../forest/forest.js";
import type { Access, LoopAggregator, LoopAxis, Stride } from "../loop.js";
import type { SparseContraction } from "../sparse/contraction.js";
import type { Factor } from "../sparse/factor.js";
import type { Ranking } from "./ranking.js";
import type { AxisRows } from "./rows.js";

/**
 * What a node of the core is while a plan is made: axes, and where its cells come from. Cells are read from a buffer, or
 * produced on demand by the loop that needs them. Making a value computes nothing and changes nothing. Sources never name
 * dimensions, so a rename is another list of axes over the same source.
 */
export interface Value {
  readonly axes: readonly Axis[];
  readonly source: Source;
}

/** An indexed dimension, or the rows of some mapped ones. */
export type Axis = IndexedAxis | FactorAxis;

export interface IndexedAxis {
  readonly name: string;
  readonly size: number;
  readonly factor?: undefined;
}

/** The mapped dimensions of a value are a product of factors: rows within one factor, every combination between them. */
export interface FactorAxis {
  readonly factor: Factor;
  readonly size: number;
  readonly name?: undefined;
}

export type Source =
  | Stored
  | { readonly kind: "constant"; readonly value: number }
  /** The index along an axis. */
  | { readonly kind: "index"; readonly axis: number }
  | Computed;

/** Where cells are read in a buffer, along the axes of a value. */
export type BufferAccess = Access<Buffer, Int32Array>;
export type BufferStride = Stride<Int32Array>;

/** Cells of a buffer; strides are those of the value's axes. */
export interface Stored {
  readonly kind: "stored";
  readonly access: BufferAccess;
}

/** A scalar operation on cells of other sources. */
export interface Computed {
  readonly kind: "computed";
  readonly operation: ScalarOperation;
  readonly operands: readonly Operand[];
  /** What the operands' images are among. */
  readonly axes: readonly Axis[];
  /** How much work a cell is, in additions. */
  readonly weight: number;
  /** How many instructions it takes if nothing is shared. */
  readonly size: number;
  /** The most instructions that depend on one another in a chain. */
  readonly depth: number;
}

export type ScalarOperation =
  | { readonly op: "apply"; readonly function: ScalarName }
  /** Of a condition, yes and no. */
  | { readonly op: "select" }
  | { readonly op: "store"; readonly cellType: CellType }
  /** The cell itself, viewed through other axes. */
  | { readonly op: "view" };

/** A source, and what each of its axes is among those of the value that uses it. */
export interface Operand {
  readonly source: Source;
  /** Absent where all axes are the same. */
  readonly images: readonly AxisImage[] | undefined;
}

/** An axis viewed from outside: an axis there, perhaps with a row of its own for each index of that one; or one index. */
export type AxisImage =
  | { readonly axis: number; readonly rows?: AxisRows | undefined }
  | { readonly at: number };

/**
 * Cells of one type, back to back. A buffer is data: it has no memory before a plan is compiled, and it is computed only
 * if a result needs it. What computes it is not part of it, since a pass may change that.
 */
export interface Buffer {
  readonly cellType: CellType;
  readonly length: number;
  readonly origin: Origin;
}

export type Origin =
  | { readonly kind: "input"; readonly name: string; readonly isFixed: boolean }
  | { readonly kind: "constant"; readonly tensor: Tensor }
  /** Cells that the plan itself has: a template of a literal, rows as numbers. */
  | { readonly kind: "cells"; readonly cells: CellArray }
  /** What the reference found for a node whose sizes and labels only its cells tell. */
  | { readonly kind: "outcome"; readonly node: Node }
  /** By a producer, which the storage of its plan has. */
  | { readonly kind: "computed"; readonly span: Span };

/** What computes all cells of a buffer. */
export type Producer =
  /** Loops that write cells of their own each, and together all. */
  | { readonly kind: "loops"; readonly loops: readonly LoopDraft[] }
  | {
      readonly kind: "contraction";
      readonly contraction: SparseContraction;
      readonly left: BufferAccess;
      readonly right: BufferAccess;
      readonly isFloat: boolean;
    }
  | {
      readonly kind: "forest";
      readonly packed: Forest;
      /** Of the axes along which it is walked for each index, in the order in which the buffer has them. */
      readonly sizes: readonly number[];
      readonly numbers: readonly ForestNumber[];
    }
  | {
      readonly kind: "ranking";
      readonly ranking: Ranking;
      /** The cells, along the outer axes and then those of a line; numbers, rather than bits of numbers. */
      readonly cells: BufferAccess;
      /** The last rank that is looked at, absent where all are: those behind it may be infinite. */
      readonly lastRank?: number | BufferAccess | undefined;
    }
  | { readonly kind: "gather"; readonly gather: Gather }
  | { readonly kind: "scatter"; readonly scatter: Scatter }
  | { readonly kind: "scan"; readonly scan: Scan }
  | { readonly kind: "thresholdSum"; readonly sum: ThresholdSum }
  /** One cell: 1 where each cell of the buffers is 0 or between the limit and its reciprocal, otherwise 0. */
  | {
      readonly kind: "range";
      readonly buffers: readonly Buffer[];
      readonly limit: number;
      readonly products: Products;
    }
  /** One of two, chosen by a condition at run time. */
  | { readonly kind: "branch"; readonly condition: BufferAccess; readonly yes: Branch; readonly no: Branch }
  | { readonly kind: "call"; readonly call: ReferenceCall };

/** Cells at labels that other cells are. Sizes are those of the axes of what is gathered, which are written in their order. */
export interface Gather {
  readonly sizes: readonly number[];
  /** Where the cells at labels 0 are read, along all axes. */
  readonly cells: BufferAccess;
  readonly labels: readonly GatherLabel[];
}

/**
 * Cells that are folded into those of a target at a label that only other cells tell, whose stride is that of the target. Where the label is
 * not there, nothing is done. Of the sizes those come first along which the label differs.
 */
export interface Scatter extends Gather {
  readonly aggregator: ScatterAggregator;
  readonly labels: readonly [GatherLabel];
  /** How far apart cells of the target at label 0 are along the axes; 0 along those that are folded. */
  readonly strides: readonly number[];
}

/** How cells are folded that come to one cell of a target, which is what the fold begins with before. */
export type ScatterAggregator = "sum" | "max" | "min";

/** A label for each index of some axes: a double, which is a whole number below the size, or is not there. */
export interface GatherLabel {
  readonly access: BufferAccess;
  /** How far the cells at a label are from those at 0. */
  readonly stride: BufferStride;
  readonly size: number;
}

/** Running folds along lines of cells: at each index the sum, say, of the cells up to there. Lines lie one behind the other, in doubles. */
export interface Scan {
  readonly aggregator: RunningAggregator;
  /** What the other cells of a line are, where it has more: the greatest and the least of all may be that. */
  readonly otherwise: number;
  /** Of the outer axes, and of the cells of a line. */
  readonly sizes: readonly number[];
  readonly cells: BufferAccess;
  /** How many results a line has, whether or not it has as many cells. */
  readonly results: number;
  /** Whether a result is of the cells from its index on, and not of those up to it. */
  readonly isDescending: boolean;
  /** Whether a result is without the cell at its own index. */
  readonly isExclusive: boolean;
}

/** How cells are folded whose fold is there at each of them. */
export type RunningAggregator = "sum" | "prod" | "max" | "min";

/**
 * For each threshold the sum of the cells whose keys are below it, or compare with it in another way. A line is keys and their cells along one
 * axis, compared with thresholds along others; there is one for each index of the outer axes. The sums lie in this order, in doubles.
 */
export interface ThresholdSum {
  readonly comparison: KeyComparison;
  /** Sizes of the outer axes, of the axis of the keys, and of the axes of the thresholds. */
  readonly outer: readonly number[];
  readonly line: number;
  readonly results: readonly number[];
  /** Along the outer axes and that of the keys. */
  readonly keys: BufferAccess;
  readonly cells: BufferAccess;
  /** Along the outer axes and those of the thresholds. */
  readonly thresholds: BufferAccess;
}

/** How a key whose cell is in a sum compares with the threshold. */
export type KeyComparison = "less" | "lessOrEqual" | "greater" | "greaterOrEqual" | "equal";

/** How many products a sum takes pair by pair, and as it is written. */
export interface Products {
  readonly pairwise: number;
  readonly written: number;
}

/** A branch that is taken computes the buffer, or ends the run with problems. */
export type Branch = BranchLoop | Refused;

export interface BranchLoop extends LoopDraft {
  /** What the branch computes first, though its loop may not read it: random numbers, and what may end the run. */
  readonly required: readonly Buffer[];
}

export interface Refused {
  readonly kind: "refused";
  readonly problems: readonly Problem[];
}

/** A loop before its source has become a body. The target is the buffer that it is a producer of. */
export interface LoopDraft {
  readonly kind: "loop";
  readonly axes: readonly LoopAxis[];
  /** Over the axes of the loop. */
  readonly source: Source;
  readonly offset: number;
  readonly strides: readonly BufferStride[];
  readonly aggregator?: LoopAggregator | undefined;
}

/** A number of a forest: where it is read, and which feature or leaf it is. */
export interface ForestNumber {
  readonly access: BufferAccess;
  readonly isLeaf: boolean;
  readonly at: number;
  readonly isNegated: boolean;
}

/**
 * A node that the reference computes, from stored cells of what it needs: once, or once for each index of axes that the
 * node does not see.
 */
export interface ReferenceCall {
  readonly node: Node;
  readonly operands: readonly CallOperand[];
  /** Sizes of the outer axes, in the order in which the buffer has them. */
  readonly outer: readonly number[];
  /** Whether it also reads inputs of the run, because an operand has no value: it is not the same in all runs then. */
  readonly readsInputs: boolean;
}

export interface CallOperand {
  readonly node: Node;
  /** Axes that the node sees. */
  readonly axes: readonly Axis[];
  /** Strides are those of the outer axes, and then those of the operand's own. */
  readonly access: BufferAccess;
}

export const stored = (access: BufferAccess): Stored => ({ kind: "stored", access });

export const constant = (value: number): Value => ({ axes: [], source: { kind: "constant", value } });

export const cellsIn = (axes: readonly { readonly size: number }[]): number =>
  axes.reduce((cells, { size }) => cells * size, 1);

/** The names of an axis: one, or those of a factor's columns. */
export const namesOf = (axis: Axis): readonly string[] =>
  axis.factor === undefined ? [axis.name] : axis.factor.names;
