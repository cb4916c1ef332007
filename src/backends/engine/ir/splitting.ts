import { readCell } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import type { Instruction } from "../loop.js";
import { evenRows } from "../values/rows.js";
import type { BufferAccess, BufferStride } from "../values/value.js";
import type { BufferLoop } from "./step.js";

/** Of fewer cells each is computed with its conditions. */
const fewestCells = 4096;
/** An axis is cut into so many parts at most: what is before a border, within it and behind. */
const mostParts = 3;

/** Indexes of an axis, at all of which a condition is the same. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly isTrue: boolean;
}

/** A select of a loop's body whose condition is known for each index of one axis, and its parts. */
interface Split {
  readonly select: number;
  readonly axis: number;
  readonly parts: readonly Part[];
}

/**
 * The loops that a loop is made of where it chooses by conditions that are the same at all runs, and the same for long stretches of an
 * axis: what lies within a border, read in lines and without a condition, and the borders, which are often a constant.
 */
export function splitLoops(loop: BufferLoop): readonly BufferLoop[] {
  const cells = loop.axes.reduce((product, { size }) => product * size, 1);
  return loop.aggregator !== undefined || cells < fewestCells ? [loop] : split(loop);
}

function split(loop: BufferLoop): readonly BufferLoop[] {
  const found = splitOf(loop);
  if (found === undefined) return [loop];
  return found.parts.flatMap((part) => split(restricted(loop, found, part)));
}

function splitOf({ axes, sources, body, target }: BufferLoop): Split | undefined {
  for (const [select, instruction] of body.entries()) {
    const condition = instruction.op === "select" ? body[instruction.condition] : undefined;
    if (condition?.op !== "read") continue;
    const source = element(sources, condition.source);
    const axis = source.strides.findIndex((stride) => stride !== 0);
    const isOfOneAxis = axis >= 0 && source.strides.every((stride, at) => stride === 0 || at === axis);
    if (!isOfOneAxis || typeof target.strides[axis] !== "number" || indexes(body, axis)) continue;
    const parts = partsOf(source, axis, element(axes, axis).size);
    if (parts !== undefined) return { select, axis, parts };
  }
  return undefined;
}

const indexes = (body: readonly Instruction[], axis: number): boolean =>
  body.some((each) => each.op === "index" && each.axis === axis);

/** Where cells that the plan itself has are 0, and where not; nothing where that changes too often. */
function partsOf(
  { slot, cellType, offset, strides }: BufferAccess,
  axis: number,
  size: number,
): Part[] | undefined {
  const stride = strides[axis];
  if (slot.origin.kind !== "cells" || typeof stride !== "number") return undefined;
  const { cells } = slot.origin;
  const isTrueAt = (index: number): boolean => readCell(cellType, cells, offset + stride * index) !== 0;
  const parts: Part[] = [];
  for (let from = 0; from < size; ) {
    if (parts.length === mostParts) return undefined;
    const isTrue = isTrueAt(from);
    let to = from + 1;
    while (to < size && isTrueAt(to) === isTrue) to++;
    parts.push({ from, to, isTrue });
    from = to;
  }
  return parts;
}

/** The loop for a part of an axis, where the select is one of its operands. */
function restricted(loop: BufferLoop, { select, axis }: Split, { from, to, isTrue }: Part): BufferLoop {
  const access = ({ offset, strides, ...rest }: BufferAccess): BufferAccess => {
    const [first, stride] = restrictedStride(element(strides, axis), from, to);
    return { ...rest, offset: offset + first, strides: strides.with(axis, stride) };
  };
  const { sources, body } = chosen(loop, select, isTrue);
  return {
    ...loop,
    axes: loop.axes.with(axis, { ...element(loop.axes, axis), size: to - from }),
    sources: sources.map(access),
    body,
    target: access(loop.target),
  };
}

/** How far the first cell of a part is, and how those behind it go on from there: often evenly, though all of the axis does not. */
function restrictedStride(stride: BufferStride, from: number, to: number): readonly [number, BufferStride] {
  if (typeof stride === "number") return [stride * from, stride];
  const table = stride.slice(from, to);
  const even = evenRows(table);
  return even === undefined ? [0, table] : [even.first, even.step];
}

/** The body in which a select is one of its operands, with no more than that needs. */
function chosen(
  { sources, body }: BufferLoop,
  select: number,
  isTrue: boolean,
): Pick<BufferLoop, "sources" | "body"> {
  const neededSources: BufferAccess[] = [];
  const instructions: Instruction[] = [];
  const moved = new Map<number, number>();
  const add = (instruction: Instruction): number => instructions.push(instruction) - 1;
  const move = (at: number): number => {
    const before = moved.get(at);
    if (before !== undefined) return before;
    const number = moveNew(element(body, at), at);
    moved.set(at, number);
    return number;
  };
  const moveNew = (instruction: Instruction, at: number): number => {
    switch (instruction.op) {
      case "read":
        return add({ op: "read", source: neededSources.push(element(sources, instruction.source)) - 1 });
      case "constant":
      case "index":
        return add(instruction);
      case "apply":
        return add({ ...instruction, arguments: instruction.arguments.map(move) });
      case "store":
        return add({ ...instruction, value: move(instruction.value) });
      case "select": {
        if (at === select) return move(isTrue ? instruction.yes : instruction.no);
        const [yes, no] = [move(instruction.yes), move(instruction.no)];
        return yes === no ? yes : add({ op: "select", condition: move(instruction.condition), yes, no });
      }
    }
  };
  move(body.length - 1);
  return { sources: neededSources, body: instructions };
}
