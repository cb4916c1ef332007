import type { ScalarName } from "../../../language/scalar/functions.js";
import { type CellType, cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import type { Instruction } from "../loop.js";
import { inlineFunctions } from "./functions.js";

/**
 * What is known of a number: that it is not below 0 nor -0 (though it may be NaN), that it is not -0, or nothing. What is not below 0
 * is not -0 either when it is rounded, as small negative numbers may be.
 */
type Sign = "never negative" | "never negative zero" | "any";

type Rule = (first: Sign, second: Sign) => Sign;

const never: Rule = () => "never negative";

const ofBoth: Rule = (first, second) =>
  first === "never negative" ? second : second === "any" ? "any" : first;

/** A sum is -0 of two such only, and a difference where -0 is what is subtracted from. */
const rules: Partial<Readonly<Record<ScalarName, Rule>>> = {
  abs: never,
  fabs: never,
  square: never,
  exp: never,
  sigmoid: never,
  cosh: never,
  hamming: never,
  bit: never,
  add: (first, second) => (first === "any" && second === "any" ? "any" : "never negative zero"),
  subtract: (first) => (first === "any" ? "any" : "never negative zero"),
  max: ofBoth,
  min: ofBoth,
  vespaMax: ofBoth,
  vespaMin: ofBoth,
};

/** Whether the value of a body is known never to be -0: then the order of zeros in a fold cannot be seen. */
export function isNeverNegativeZero(body: readonly Instruction[], sourceTypes: readonly CellType[]): boolean {
  const signs: Sign[] = [];
  for (const instruction of body) signs.push(signOf(instruction, signs, sourceTypes));
  return signs.length > 0 && signs.at(-1) !== "any";
}

function signOf(instruction: Instruction, signs: readonly Sign[], sourceTypes: readonly CellType[]): Sign {
  switch (instruction.op) {
    case "read":
      return cellTypes[element(sourceTypes, instruction.source)].whole ? "never negative zero" : "any";
    case "constant":
      if (instruction.value < 0) return "never negative zero";
      return Object.is(instruction.value, -0) ? "any" : "never negative";
    case "index":
      return "never negative";
    case "store": {
      const sign = element(signs, instruction.value);
      if (sign === "never negative") return sign;
      return cellTypes[instruction.cellType].whole ? "never negative zero" : "any";
    }
    case "select":
      return ofBoth(element(signs, instruction.yes), element(signs, instruction.no));
    case "apply": {
      if (inlineFunctions[instruction.function].isMask) return "never negative";
      const [first = "any", second = "any"] = instruction.arguments.map((at) => element(signs, at));
      return rules[instruction.function]?.(first, second) ?? "any";
    }
  }
}
