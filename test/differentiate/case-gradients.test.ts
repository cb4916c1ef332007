import { describe, expect, test } from "vitest";
import { parseTensor, Tensor } from "../../src/index.js";
import type { InputValue } from "../../src/program/inputs/inputs.js";
import { numbersByChance } from "../chance.js";
import { type Case, casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { unlessRefused } from "../problem-codes.js";
import { compared, type Differentiated, withCells, wrongCells } from "./differences.js";
import { meets, numbersOf } from "./not-finite.js";

/**
 * Gradients over the expressions of Vespa's engines, wherever they are smooth at their inputs, are what differences find. A sample;
 * `npm run gradients` tries all.
 */

/** Of the cases of a suite, so many are tried: all of them take many minutes. */
const share = 0.02 * Number(process.env.TIMES ?? 1);

/** Of a gradient with more cells that of a sum is compared. */
const mostCells = 2000;

/** What is rounded is no function that differences can tell anything of: numbers are doubles here, whatever they are in the case. */
const inDoubles = (expression: string): string =>
  expression.replace(/tensor<[a-z0-9]+>/g, "tensor").replace(/, *(float|bfloat16|int8)\)/g, ",double)");

/** Inputs of a case as doubles, which can be moved by a little; nothing where one is no tensor. */
function doublesOf({ vars }: Case): Record<string, Tensor> | undefined {
  return unlessRefused(() =>
    Object.fromEntries(Object.entries(inputsOf(vars)).map(([name, value]) => [name, asDoubles(value)])),
  );
}

function asDoubles(value: InputValue): Tensor {
  const tensor = value instanceof Tensor ? value : parseTensor(`${value}`, undefined, "vespa");
  return withCells(tensor, (at) => tensor.at(at));
}

/**
 * What differences cannot judge. A remainder by a number beside which each step is large; a middle of cells that are alike, which
 * does not move with any one of them; a cell that is left out as long as it is 0.
 */
function isBlind(y: string, inputs: Readonly<Record<string, Tensor>>): boolean {
  const cells = Object.values(inputs).flatMap((tensor) => numbersOf(tensor));
  return (
    y.includes("median") ||
    (/%|fmod/.test(y) && cells.some((cell) => cell !== 0 && Math.abs(cell) < 1e-9)) ||
    (y.includes("filter_subspaces") && cells.includes(0))
  );
}

/**
 * Whether something in y may have no finite derivative, as a root of 0 has none, or a power of a negative number in its exponent: 0
 * times that is NaN.
 */
const isSingular = ({ y, x, inputs }: Differentiated): boolean =>
  /\^|pow/.test(y) ||
  meets((number) => !Number.isFinite(number), y, inputs) ||
  meets((number) => Math.abs(number) === Number.POSITIVE_INFINITY, `gradient(${y}, ${x})`, inputs);

const cellCount = (tensor: Tensor | undefined): number => tensor?.data.length ?? 0;

/** How many cells were compared, and those that are wrong. */
function judged(differentiated: Differentiated): { count: number; wrong: readonly unknown[] } {
  const comparison = compared(differentiated, { backend: "engine" }, 6);
  if (comparison === undefined) return { count: 0, wrong: [] };
  const { y, x } = differentiated;
  const wrong = wrongCells(comparison, 1e-9).filter(
    ({ gradient }) => !Number.isNaN(gradient) || !isSingular(differentiated),
  );
  const addresses = comparison.addresses.slice(0, 3);
  return {
    count: comparison.cells.filter(({ differences }) => differences !== undefined).length,
    wrong: [...addresses, ...wrong.slice(0, 3)].map((cell) => ({ y, x, cell })),
  };
}

describe("the gradients of the cases of Vespa's engines are what differences find", () => {
  for (const suite of ["engine", "scalar", "random", "java-eval", "docs"])
    test.skipIf(!hasCases(suite))(suite, () => {
      const chance = numbersByChance();
      const wrong: unknown[] = [];
      let [tried, count] = [0, 0];
      for (const given of casesOf(suite)) {
        if (chance() >= share) continue;
        const inputs = doublesOf(given);
        if (inputs === undefined) continue;
        const y = inDoubles(given.expr);
        if (isBlind(y, inputs)) continue;
        for (const x of Object.keys(inputs)) {
          const cells = Object.values(inputs).reduce((product, each) => product * cellCount(each), 1);
          const isLarge = cells * cellCount(inputs[x]) > mostCells;
          const result = judged({ y: isLarge ? `sum(map(${y}, f(v)(sin(v))))` : y, x, inputs });
          wrong.push(...result.wrong);
          tried++;
          count += result.count;
        }
      }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThanOrEqual(tried / 4);
    });
});
