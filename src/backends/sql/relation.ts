import type { TensorType } from "../../language/types/type.js";
import type { ScalarExpression } from "./expressions/scalar-expression.js";

/**
 * A tensor as a common table expression: a row for each cell, with a column for each dimension, and one for the value.
 *
 * I1. No two rows have the same address.
 * I2. Under each mapped address, all cells of the dense block have a row; a relation without mapped dimensions is one block.
 * I3. A value is never NULL. NaN is a value; no row means no cell.
 * I4. Indexes count from 0. A bound dimension has as many as its type says, an unbound one as many as there are.
 *
 * Within a lambda or a generator, a relation holds the tensors of all its calls at once: `keys` are the frames whose columns
 * tell them apart, and all of the above holds for each combination of keys.
 */
export interface Relation {
  /** Quoted. */
  readonly name: string;
  readonly type: TensorType;
  readonly keys: readonly KeyFrame[];
  /** How its values are told from the same rows of another relation; absent where they are not. */
  readonly derivation?: Derivation;
  /** What its rows are groups of; absent where they are none. */
  readonly grouped?: GroupedRows;
  /** Of pairs of rows, the relation that has a row for each, and the column of its values; absent where neither side has. */
  readonly matchedOnce?: { readonly name: string; readonly column: string };
}

/** Rows in groups: by all dimensions and keys that are left. */
export interface GroupedRows {
  readonly rows: Relation;
  /** What becomes of the values of a group, as an aggregate of the text for one of them. */
  readonly text: (value: string) => string;
}

/** Values as expressions of the rows of a relation, as `a`. */
export interface Derivation {
  readonly base: Relation;
  readonly value: ScalarExpression;
  /** Relations of one row, whose values the expression has, too. */
  readonly scalars: readonly Relation[];
  /** Whether the expression has windows over the rows. */
  readonly hasWindows: boolean;
}

/**
 * A tensor with a row for each mapped address, whose value is an array: the cells of the dense block, row-major in the order of
 * the type's dimensions. All sizes are bound. I1, I3 (of each cell) and I4 hold as they do for a relation of cells, and no array
 * is shorter than its block.
 */
export interface BlockRelation extends Relation {
  readonly hasBlocks: true;
}

/** The calls of a lambda or a generator: a relation with a row for each, whose columns identify it. */
export interface KeyFrame {
  /** In the order of their making. */
  readonly id: number;
  /** Quoted. */
  readonly columns: readonly string[];
  /** The frames around it whose calls make different calls of this one; also columns of the relation. */
  readonly outer: readonly KeyFrame[];
  /** The name of the relation, quoted. */
  readonly relation: () => string;
}

/** The frames of several relations, each once, the outer ones first. */
export function unionOfKeys(...all: readonly (readonly KeyFrame[])[]): readonly KeyFrame[] {
  const frames = new Set(all.flat().flatMap((frame) => [...frame.outer, frame]));
  return [...frames].sort((a, b) => a.id - b.id);
}

/** The columns of frames. */
export const keyColumns = (keys: readonly KeyFrame[]): readonly string[] =>
  keys.flatMap(({ columns }) => columns);
