import { scalarFunctions } from "../../../language/scalar/functions.js";
import { readCell, storeCells } from "../../../language/types/cell.js";
import { element, numberAt } from "../../../language/values/element.js";
import type { Instruction } from "../loop.js";
import { type Progression, rowAt } from "../values/rows.js";
import { offsetAlong } from "../values/tables.js";
import type { BufferAccess } from "../values/value.js";
import type { Body } from "./body.js";

/** What a body over one axis is at each index, found while planning: the plan itself has the cells that it reads. */

/** So many indexes are gone through before the next instruction. */
const chunkLength = 1024;

/** The values of a body at all indexes. */
export function numbersOf(body: Body, size: number): Float64Array {
  const numbers = new Float64Array(size);
  const columns = new IndexColumns(body, Math.min(size, chunkLength));
  for (let start = 0; start < size; start += chunkLength) {
    const values = columns.from(start);
    numbers.set(size - start < values.length ? values.subarray(0, size - start) : values, start);
  }
  return numbers;
}

/** The values of each instruction, at as many indexes as a column has. */
class IndexColumns {
  private readonly columns: readonly Float64Array[];

  constructor(
    private readonly body: Body,
    length: number,
  ) {
    this.columns = body.instructions.map(() => new Float64Array(length));
  }

  /** The values of the body, which is its last instruction, from an index on. */
  from(start: number): Float64Array {
    for (const [at, instruction] of this.body.instructions.entries())
      this.fill(this.at(at), instruction, start);
    return this.at(this.columns.length - 1);
  }

  private at = (instruction: number): Float64Array => element(this.columns, instruction);

  private fill(column: Float64Array, instruction: Instruction, start: number): void {
    switch (instruction.op) {
      case "read":
        return fillRead(column, element(this.body.sources, instruction.source), start);
      case "constant":
        column.fill(instruction.value);
        return;
      case "index":
        for (let at = 0; at < column.length; at++) column[at] = start + at;
        return;
      case "apply": {
        const [xs, ys] = instruction.arguments.map(this.at);
        if (xs === undefined) throw new Error("a function has an argument");
        return fillApplied(column, scalarFunctions[instruction.function].compute, xs, ys ?? xs);
      }
      case "select":
        return fillSelected(
          column,
          this.at(instruction.condition),
          this.at(instruction.yes),
          this.at(instruction.no),
        );
      case "store": {
        const { cellType } = instruction;
        const cells = storeCells(cellType, this.at(instruction.value));
        for (let at = 0; at < column.length; at++) column[at] = readCell(cellType, cells, at);
        return;
      }
    }
  }
}

/** Indexes beyond the last of the axis may have no cell. */
function fillRead(
  column: Float64Array,
  { slot, cellType, offset, strides }: BufferAccess,
  start: number,
): void {
  if (slot.origin.kind !== "cells") throw new Error("only cells of the plan itself are read while planning");
  const { cells } = slot.origin;
  const stride = element(strides, 0);
  const length = typeof stride === "number" ? column.length : Math.min(column.length, stride.length - start);
  for (let at = 0; at < length; at++)
    column[at] = readCell(cellType, cells, offset + offsetAlong(stride, start + at));
}

/** A function of one argument takes no notice of the second. */
function fillApplied(
  column: Float64Array,
  compute: (x: number, y: number) => number,
  xs: Float64Array,
  ys: Float64Array,
): void {
  for (let at = 0; at < column.length; at++) column[at] = compute(numberAt(xs, at), numberAt(ys, at));
}

function fillSelected(
  column: Float64Array,
  condition: Float64Array,
  yes: Float64Array,
  no: Float64Array,
): void {
  for (let at = 0; at < column.length; at++)
    column[at] = numberAt(numberAt(condition, at) !== 0 ? yes : no, at);
}

/** A number for each index that grows by a step, however many there are. */
type EvenNumbers = Omit<Progression, "length">;

/** The values of a body at all indexes, where they are evenly spaced whole numbers below 2^30. */
export function evenNumbers({ instructions }: Body, size: number): Progression | undefined {
  if (size === 0) return undefined;
  const lines: (EvenNumbers | undefined)[] = [];
  for (const instruction of instructions) {
    const line = lineOf(instruction, lines);
    lines.push(line !== undefined && areIndexLike({ ...line, length: size }) ? line : undefined);
  }
  const last = lines.at(-1);
  return last === undefined ? undefined : { ...last, length: size };
}

/** Whole and so small that sums and multiples of a few are exact. */
export const isIndexLike = (number: number): boolean =>
  Number.isInteger(number) && Math.abs(number) < 2 ** 30;

/** The same of all numbers that are evenly spaced. */
export const areIndexLike = (numbers: Progression): boolean =>
  [numbers.first, numbers.step, rowAt(numbers, numbers.length - 1)].every(isIndexLike);

function lineOf(
  instruction: Instruction,
  lines: readonly (EvenNumbers | undefined)[],
): EvenNumbers | undefined {
  if (instruction.op === "constant") return { first: instruction.value, step: 0 };
  if (instruction.op === "index") return { first: 0, step: 1 };
  if (instruction.op !== "apply") return undefined;
  const [left, right] = instruction.arguments.map((each) => lines[each]);
  if (left === undefined || right === undefined) return undefined;
  switch (instruction.function) {
    case "add":
      return { first: left.first + right.first, step: left.step + right.step };
    case "subtract":
      return { first: left.first - right.first, step: left.step - right.step };
    case "multiply":
      if (left.step !== 0 && right.step !== 0) return undefined;
      return { first: left.first * right.first, step: left.step * right.first + right.step * left.first };
    default:
      return undefined;
  }
}
