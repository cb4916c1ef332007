import type { Tensor } from "../../src/language/values/tensor.js";
import { boundType } from "../../src/program/sized-types.js";
import type { Input } from "./builder.js";
import type { Program } from "./program.js";

/**
 * Some programs can be planned only for the sizes of the inputs of a run. They are compared as what they become for those of the first
 * run, and a way of its own runs them as they were written.
 */

/** The program for inputs of the sizes of the first run, which are then those of all runs. */
export const withSizes = (program: Program): Program => ({ ...program, inputs: program.inputs.map(sized) });

function sized(input: Input): Input {
  if (input.type.isBound) return input;
  const [first, other, third] = input.values;
  const type = boundType(first);
  const alike = (value: Tensor): Tensor => (`${value.sizes}` === `${first.sizes}` ? value : first).as(type);
  return { ...input, type, values: [alike(first), alike(other), alike(third)] };
}
