import { scalarFunctions } from "../../../language/scalar/functions.js";
import { cellTypes, readCell, writeCell } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { wholeLabel } from "../../../language/values/text.js";
import { type Body, bodyOf, maximumDepth } from "../ir/body.js";
import type { Instruction } from "../loop.js";
import { depthOf } from "../values/source.js";
import { offsetAlong, type Tables } from "../values/tables.js";
import { type Axis, type BufferAccess, stored, type Value } from "../values/value.js";
import { isUnsupported, type Unsupported, unsupported } from "./planned.js";

/** The labels of a slice: one for all, or one for each index of an axis. */
export type SliceLabel = { readonly kind: "uniform"; readonly text: string } | VaryingLabels;

export interface VaryingLabels {
  readonly kind: "varying";
  readonly axis: Axis;
  /** The numbers that the labels are made of, one for each index. */
  readonly numbers: Float64Array;
  /** Whether each index is its own label. */
  readonly isIndex: boolean;
}

/** The row of each index, and where some have none, a value that tells which have. */
export interface RowLookup {
  readonly rows: Int32Array | undefined;
  readonly condition: Value | undefined;
}

/**
 * Labels that are computed from the indexes along one axis alone: they are found while planning. Labels that depend on
 * cells, or on several axes at once, are not.
 */
export function varyingLabels(value: Value, tables: Tables): VaryingLabels | Unsupported {
  const [axis] = value.axes;
  if (axis === undefined || value.axes.length > 1) return unsupported("a label that several axes decide");
  const numbers = labelNumbers(value, axis, tables);
  if (isUnsupported(numbers)) return numbers;
  return { kind: "varying", axis, numbers, isIndex: value.source.kind === "index" };
}

/** Labels that are indexes below a size. */
export function lookUpIndexes(labels: VaryingLabels, size: number, tables: Tables): RowLookup | Unsupported {
  if (labels.isIndex && labels.axis.size <= size) return { rows: undefined, condition: undefined };
  return lookUpRows(labels, Int32Array.from(labels.numbers, wholeIndex), size, tables);
}

/** Labels that are names of rows: `rowOf` finds them, and says −1 for those that are not there. */
export function lookUpNames(
  labels: VaryingLabels,
  size: number,
  rowOf: (label: string) => number,
  tables: Tables,
): RowLookup | Unsupported {
  return lookUpRows(
    labels,
    Int32Array.from(labels.numbers, (number) => rowOf(wholeLabel(number))),
    size,
    tables,
  );
}

/** The index that a number means; −1 where it is none that fits. */
function wholeIndex(number: number): number {
  const whole = Math.trunc(number);
  return whole >= 0 && whole < 2 ** 31 ? whole : -1;
}

function lookUpRows(
  { axis }: VaryingLabels,
  candidates: Int32Array,
  size: number,
  tables: Tables,
): RowLookup | Unsupported {
  const isPresent = candidates.map((row) => (row >= 0 && row < size ? 1 : 0));
  const rows = candidates.map((row, at) => (isPresent[at] === 1 ? row : 0));
  if (isPresent.every((each) => each === 1)) return { rows, condition: undefined };
  if (size === 0) return unsupported("labels of a tensor without cells");
  return { rows, condition: { axes: [axis], source: stored(tables.cells(isPresent)) } };
}

/** The numbers that a value is along its axis, if no cell that a run must tell is needed for them. */
function labelNumbers({ source }: Value, { size }: Axis, tables: Tables): Float64Array | Unsupported {
  if (depthOf(source) > maximumDepth) return unsupported("a label of a long computation");
  const body = bodyOf(source, 1, tables);
  if (body.sources.some(({ slot }) => slot.origin.kind !== "cells"))
    return unsupported("a label that cells decide");
  return Float64Array.from({ length: size }, (_, index) => evaluate(body, index));
}

/** The value of a body at an index of its one axis. */
function evaluate({ sources, instructions }: Body, index: number): number {
  const registers: number[] = [];
  const at = (register: number): number => element(registers, register);
  const cell = ({ slot: { origin }, cellType, offset, strides }: BufferAccess): number => {
    if (origin.kind !== "cells") throw new Error("only cells of the plan itself are read while planning");
    return readCell(cellType, origin.cells, offset + offsetAlong(element(strides, 0), index));
  };
  const compute = (instruction: Instruction): number => {
    switch (instruction.op) {
      case "read":
        return cell(element(sources, instruction.source));
      case "constant":
        return instruction.value;
      case "index":
        return index;
      case "apply": {
        const numbers = instruction.arguments.map(at);
        const [, y = 0] = numbers; // a function of one argument takes no notice of another
        return scalarFunctions[instruction.function].compute(element(numbers, 0), y);
      }
      case "select":
        return at(instruction.condition) !== 0 ? at(instruction.yes) : at(instruction.no);
      case "store": {
        const cells = cellTypes[instruction.cellType].allocate(1);
        writeCell(instruction.cellType, cells, 0, at(instruction.value));
        return readCell(instruction.cellType, cells, 0);
      }
    }
  };
  for (const instruction of instructions) registers.push(compute(instruction));
  return at(instructions.length - 1);
}
