import type { Tensor } from "../../language/values/tensor.js";
import type { Program } from "../../program/program.js";

/** A program that may run many times: takes the values of its inputs by name, and gives its results. */
export type Run = (value: (name: string) => Tensor) => readonly Tensor[];

/**
 * The one place that decides how rank profiles are run. Fixed inputs are the same in all runs. To make a program ready
 * is worth it only for one that runs again.
 */
export function prepare(
  program: Program,
  inputs: readonly string[],
  fixed: ReadonlyMap<string, Tensor>,
): Run {
  const changing = inputs.filter((name) => !fixed.has(name));
  let again: Run | undefined;
  let isFirst = true;
  return (value) => {
    if (isFirst) {
      isFirst = false;
      return program.runAll(Object.fromEntries(inputs.map((name) => [name, value(name)]))).results;
    }
    again ??= readied(program, changing, fixed);
    return again(value);
  };
}

/** What computes the one result of a program from inputs that change, which are written to one object again and again. */
export interface NumberRun {
  readonly inputs: Record<string, Tensor>;
  readonly run: () => number;
}

export function prepareNumber(program: Program, fixed: ReadonlyMap<string, Tensor>): NumberRun {
  const ready = program.prepare(Object.fromEntries(fixed));
  const inputs: Record<string, Tensor> = {};
  return { inputs, run: () => ready.run(inputs).asNumber() };
}

function readied(program: Program, changing: readonly string[], fixed: ReadonlyMap<string, Tensor>): Run {
  const ready = program.prepare(Object.fromEntries(fixed));
  return (value) => ready.runAll(Object.fromEntries(changing.map((name) => [name, value(name)])));
}
