import type { TensorType } from "../../src/language/types/type.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { boundType } from "../../src/program/unsized/sized-types.js";
import type { Input } from "./builder.js";
import type { Program } from "./program.js";

/**
 * Some programs can be planned only for the sizes of the inputs of a run. They are compared as what they become for those of the first
 * run, and a way of its own runs them as they were written.
 */

/** The program with inputs of the sizes of the first run in all runs. */
export const withFirstSizes = (program: Program): Program => ({
  ...program,
  inputs: program.inputs.map(alike),
});

/** The same, whose inputs are declared with these sizes: so it is compiled where nothing else decides them. */
export const withSizes = (program: Program): Program => ({ ...program, inputs: program.inputs.map(sized) });

/** The types of inputs of open sizes, with those of the first run. */
export const runTypes = ({ inputs }: Program): ReadonlyMap<string, TensorType> =>
  new Map(
    inputs.flatMap(({ name, type, values: [first] }) => (type.isBound ? [] : [[name, boundType(first)]])),
  );

function alike(input: Input): Input {
  if (input.type.isBound) return input;
  const [first, other, third] = input.values;
  const same = (value: Tensor): Tensor => (`${value.sizes}` === `${first.sizes}` ? value : first);
  return { ...input, values: [first, same(other), same(third)] };
}

function sized(input: Input): Input {
  const { type, values } = alike(input);
  if (type.isBound) return input;
  const [first, other, third] = values;
  const own = boundType(first);
  return { ...input, type: own, values: [first.as(own), other.as(own), third.as(own)] };
}
