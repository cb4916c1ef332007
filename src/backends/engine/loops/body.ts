import type { ScalarName } from "../../../language/scalar/functions.js";
import type { Instruction } from "../loop.js";
import { type KnownCellType, stored } from "./cells.js";
import { written } from "./functions.js";
import type { Group, Groups } from "./groups.js";
import type { Kind } from "./kinds.js";
import { storedLanes } from "./lane-cells.js";
import type { Value } from "./scope.js";

/** Calls a function of JavaScript on doubles. */
export type Call = (name: ScalarName, values: readonly Value[]) => Value;

/**
 * Writes one instruction of a body, given its operands: all of them numbers, or all in lanes. What it computes may not
 * be bound.
 */
export function computed(
  groups: Groups,
  instruction: Exclude<Instruction, { op: "read" | "constant" | "index" }>,
  kind: Kind,
  operands: readonly Group[],
  call: Call,
): Group {
  const [first, second, third] = operands as [Group, Group, Group];
  const { number } = kind;
  const { isLanes } = first;
  const numbers = groups.numbers(number, isLanes);
  switch (instruction.op) {
    case "store": {
      const cellType = instruction.cellType as KnownCellType; // halves were declined
      return isLanes ? storedLanes(groups, cellType, first) : stored(groups, cellType, first);
    }
    case "select": {
      const mask = groups.asMask(number, first);
      const [yes, no] = [groups.as(number, second), groups.as(number, third)];
      const parts = mask.parts.map((part, at) =>
        numbers.choose(part, yes.parts[at] as Value, no.parts[at] as Value),
      );
      return { isLanes, number, isMask: false, parts };
    }
    case "apply": {
      const row = written[instruction.function];
      if (row === undefined) return called(groups, instruction.function, operands, call);
      const same = operands.map((each) =>
        row.takesMasks ? groups.asMask(number, each) : groups.as(number, each),
      );
      const parts = (same[0] as Group).parts.map((x, at) => row.write(numbers, x, same[1]?.parts[at] ?? x));
      return { isLanes, number, isMask: row.isMask === true, parts };
    }
  }
}

/** One number after the other, through JavaScript. */
function called(groups: Groups, name: ScalarName, operands: readonly Group[], call: Call): Group {
  const doubles = operands.map((each) => groups.as("double", each));
  const { isLanes } = operands[0] as Group;
  const one = (lane: number): Value =>
    call(
      name,
      doubles.map((each) => groups.lane(each, lane).parts[0] as Value),
    );
  if (!isLanes) return { isLanes, number: "double", isMask: false, parts: [one(0)] };
  for (const [at, each] of doubles.entries()) doubles[at] = groups.keep(each);
  return groups.ofLanes("double", [0, 1, 2, 3].map(one));
}
