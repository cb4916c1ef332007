import { describe, expect, test } from "vitest";
import {
  backendNames,
  compile,
  type InputValues,
  type Options,
  type Program,
  SphexError,
  type Tensor,
  uniform,
} from "../../src/index.js";
import { seeds } from "../chance.js";
import { randomProgram } from "./random-programs.js";

/**
 * Every backend draws the random numbers of a program, and calls functions that are not pure, when the reference does: whatever stands in
 * a branch, a body or a value that is read twice. Cells of other numbers than the reference's are seen at once.
 */
const [defaultBackend] = backendNames;

/** As close as sums in another order are. */
const digits = 9;

type Shown = readonly string[];

const showCells = (tensor: Tensor): string =>
  [...tensor.cells()]
    .map(({ address, value }) => `${JSON.stringify(address)}:${value.toPrecision(digits)}`)
    .join(" ");

/** The results of runs one after another, or what is wrong with the program. */
function outcomes(text: string, runs: readonly InputValues[], options: Options): Shown {
  let calls = 0;
  const call = (x: unknown): number => ((calls++ * 7) % 5) + Number(x);
  const functions = { h: { parameters: ["tensor()"], returns: "tensor()", pure: false, call } };
  const evaluated = (program: Pick<Program, "runAll">): Shown =>
    runs.map((inputs) => {
      calls = 0;
      return problemsOr(() => program.runAll(inputs).results.map(showCells).join("\n"));
    });
  let shown: Shown = [];
  const problems = problemsOr(() => {
    const program = compile(text, { ...options, functions });
    shown = evaluated(program);
    return "";
  });
  return [problems, ...shown];
}

function problemsOr(show: () => string): string {
  try {
    return show();
  } catch (error) {
    return error instanceof SphexError
      ? error.problems.map(({ code }) => code).join()
      : `no problem of the language: ${error}`;
  }
}

/** Inputs that take other branches, in one of the runs without the default. */
function inputsOf(seed: number): readonly InputValues[] {
  const next = uniform(seed + 1e9);
  const one = (...values: readonly number[]): number => values[Math.floor(next() * values.length)] ?? 0;
  const some = (): InputValues => ({ t: one(-1, 0, 0.5, 1, 5), u: [one(-1, 0, 2), one(0, 0.5, 2)] });
  return [some(), { ...some(), q: one(0, 1) }, some()];
}

describe.each(backendNames.filter((name) => name !== "reference"))("%s", (backend) => {
  test("draws what the reference draws", () => {
    let programs = 0;
    for (const seed of seeds(backend === defaultBackend ? 1000 : 300)) {
      const [text, inputs] = [randomProgram(seed), inputsOf(seed)];
      const expected = outcomes(text, inputs, { backend: "reference" });
      if (expected[0] === "") programs++;
      for (const optimise of [true, false])
        expect(outcomes(text, inputs, { backend, optimise }), text).toEqual(expected);
    }
    expect(programs).toBeGreaterThan(200);
  });
});
