import type { Program } from "../program.js";
import type { Tensor } from "../values/tensor.js";

/** A program ready to run many times: takes the values of its inputs by name, and gives its results. */
export type Run = (value: (name: string) => Tensor) => readonly Tensor[];

/** The one place that decides how rank profiles are run. */
export function prepare(program: Program, inputs: readonly string[]): Run {
  return (value) => program.runAll(Object.fromEntries(inputs.map((name) => [name, value(name)]))).results;
}
