import { element } from "../../../language/values/element.js";
import { stored } from "../kernels/cells.js";
import type { Group, Groups } from "../kernels/groups.js";
import type { Instruction } from "../loop.js";
import { inlineFunctions } from "./functions.js";
import type { Kind } from "./kinds.js";

/**
 * Writes one instruction of a body, given its operands: all of them numbers, or all in lanes. What it computes may not
 * be bound.
 */
export function computed(
  groups: Groups,
  instruction: Exclude<Instruction, { op: "read" | "constant" | "index" }>,
  kind: Kind,
  operands: readonly Group[],
): Group {
  const [first, second, third] = operands as [Group, Group, Group]; // as many as the operation has
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
