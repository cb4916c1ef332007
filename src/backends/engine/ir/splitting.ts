import { element, numberAt } from "../../../language/values/element.js";
import type { Instruction } from "../loop.js";
import { evenRows } from "../values/rows.js";
import type { BufferAccess, BufferStride } from "../values/value.js";
import type { Body } from "./body.js";
import { numbersOf } from "./index-numbers.js";
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

/** A select of a loop's body whose condition is the same in all runs for each index of one axis, and its parts. */
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

function splitOf(loop: BufferLoop): Split | undefined {
  for (const [select, instruction] of loop.body.entries()) {
    const condition = instruction.op === "select" ? conditionOf(loop, instruction.condition) : undefined;
    if (condition === undefined || typeof loop.target.strides[condition.axis] !== "number") continue;
    const parts = partsOf(condition.body, element(loop.axes, condition.axis).size);
    if (parts !== undefined) return { select, axis: condition.axis, parts };
  }
  return undefined;
}

/** What an instruction computes along the one axis that decides it; nothing where cells of a run do, several axes, or none. */
function conditionOf(
  loop: BufferLoop,
  at: number,
): { readonly axis: number; readonly body: Body } | undefined {
  const { sources, instructions } = partialBody(loop, at);
  const axes = new Set<number>();
  for (const each of instructions) if (each.op === "index") axes.add(each.axis);
  for (const { slot, strides } of sources) {
    if (slot.origin.kind !== "cells") return undefined;
    for (const [axis, stride] of strides.entries()) if (stride !== 0) axes.add(axis);
  }
  const [axis] = axes;
  if (axis === undefined || axes.size > 1) return undefined;
  const along = sources.map((source) => ({ ...source, strides: [element(source.strides, axis)] }));
  const alone = instructions.map((each): Instruction => (each.op === "index" ? { ...each, axis: 0 } : each));
  return { axis, body: { sources: along, instructions: alone } };
}

/** Where a condition is 0, and where not; nothing where that changes too often. */
function partsOf(condition: Body, size: number): readonly Part[] | undefined {
  // What changes often does so soon, mostly: then all the others need not be known.
  const first = runsOf(numbersOf(condition, Math.min(size, fewestCells)));
  return first === undefined || size <= fewestCells ? first : runsOf(numbersOf(condition, size));
}

function runsOf(numbers: Float64Array): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let from = 0; from < numbers.length; ) {
    if (parts.length === mostParts) return undefined;
    const isTrue = numberAt(numbers, from) !== 0;
    let to = from + 1;
    while (to < numbers.length && (numberAt(numbers, to) !== 0) === isTrue) to++;
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
  const { sources, instructions } = partialBody(loop, loop.body.length - 1, { select, isTrue, axis, from });
  return {
    ...loop,
    axes: loop.axes.with(axis, { ...element(loop.axes, axis), size: to - from }),
    sources: sources.map(access),
    body: instructions,
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

/** What is decided in a part of an axis: the select, and with which index the axis begins. */
interface Decided {
  readonly select: number;
  readonly isTrue: boolean;
  readonly axis: number;
  readonly from: number;
}

/** An instruction of a loop's body with no more than it needs, where something may be decided. */
function partialBody({ sources, body }: BufferLoop, root: number, decided?: Decided): Body {
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
        return add(instruction);
      case "index": {
        const index = add(instruction);
        if (decided === undefined || instruction.axis !== decided.axis || decided.from === 0) return index;
        const from = add({ op: "constant", value: decided.from });
        return add({ op: "apply", function: "add", arguments: [index, from] });
      }
      case "apply":
        return add({ ...instruction, arguments: instruction.arguments.map(move) });
      case "store":
        return add({ ...instruction, value: move(instruction.value) });
      case "select": {
        if (at === decided?.select) return move(decided.isTrue ? instruction.yes : instruction.no);
        const [yes, no] = [move(instruction.yes), move(instruction.no)];
        return yes === no ? yes : add({ op: "select", condition: move(instruction.condition), yes, no });
      }
    }
  };
  move(root);
  return { sources: neededSources, instructions };
}
