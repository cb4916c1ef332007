import type { ScalarName } from "../../../language/scalar/functions.js";
import { element } from "../../../language/values/element.js";
import { stored } from "../kernels/cells.js";
import { type Group, type Groups, partOf } from "../kernels/groups.js";
import type { StackValue } from "../kernels/scope.js";
import type { Instruction } from "../loop.js";
import { inlineFunctions } from "./functions.js";
import type { Kind } from "./kinds.js";

/** Calls a function of JavaScript on doubles. */
export type Call = (name: ScalarName, values: readonly StackValue[]) => StackValue;

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
    case "store":
      return stored(groups, instruction.cellType, first);
    case "select": {
      const mask = groups.asMask(number, first);
      const [yes, no] = [groups.as(number, second), groups.as(number, third)];
      const parts = mask.parts.map((part, at) =>
        numbers.choose(part, element(yes.parts, at), element(no.parts, at)),
      );
      return { isLanes, number, isMask: false, parts };
    }
    case "apply": {
      const definition = inlineFunctions[instruction.function];
      if (definition === undefined) return callPerLane(groups, instruction.function, operands, call);
      if (isLanes && definition.writeLanes !== undefined) return definition.writeLanes(groups, first, second);
      const converted = operands.map((each) =>
        definition.takesMasks ? groups.asMask(number, each) : groups.as(number, each),
      );
      const parts = element(converted, 0).parts.map((x, at) =>
        definition.write(numbers, x, converted[1]?.parts[at] ?? x),
      );
      return { isLanes, number, isMask: definition.isMask === true, parts };
    }
  }
}

/** One number after the other, through JavaScript. */
function callPerLane(groups: Groups, name: ScalarName, operands: readonly Group[], call: Call): Group {
  const doubles = operands.map((each) => groups.as("double", each));
  const { isLanes } = element(operands, 0);
  const one = (lane: number): StackValue =>
    call(
      name,
      doubles.map((each) => partOf(groups.lane(each, lane))),
    );
  if (!isLanes) return { isLanes, number: "double", isMask: false, parts: [one(0)] };
  for (const [at, each] of doubles.entries()) doubles[at] = groups.bind(each);
  return groups.ofLanes("double", [0, 1, 2, 3].map(one));
}
