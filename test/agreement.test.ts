import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../src/program/compile.js";
import { type InputValue, parseTensor } from "../src/program/inputs.js";
import { disagreement, ways } from "./agreement.js";
import { caseFiles, linesOf } from "./case-files.js";
import { holds } from "./chance.js";
import { casesOf, hasCases, inputsOf } from "./conformance/cases.js";
import { expressionsOn, tensorsByName } from "./expressions.js";
import { specialTensors } from "./special-tensors.js";

/**
 * One oracle: whatever way an expression is run, the answer is that of the reference, to the last bit but for what
 * decision D16 allows. On all cases of other engines that are there, on our own, and on random expressions.
 */
const suites = ["engine", "scalar", "random", "java-eval", "docs", "playground"];

describe.each(Object.entries(ways))("%s", (_, way) => {
  for (const name of suites)
    test.skipIf(!hasCases(name))(`as the reference, on the cases of ${name}`, () => {
      const differing = casesOf(name).flatMap(({ expr, vars = {} }) => {
        const difference = disagreement(way, expr, inputsOf(vars), { dialect: "vespa" });
        return difference === undefined ? [] : [`${expr} on ${JSON.stringify(vars)}: ${difference}`];
      });
      expect(differing).toEqual([]);
    });

  test.each(caseFiles)("as the reference, on the cases in %s", (name) => {
    const expressions = linesOf(name).filter(({ value }) => value !== undefined);
    const differing = expressions.flatMap(({ expression: text, inputs }) =>
      (["formalism", "vespa"] as const).flatMap((dialect) => {
        const difference = disagreement(way, text, inputs, { dialect });
        return difference === undefined ? [] : [`${text} in ${dialect}: ${difference}`];
      }),
    );
    expect(differing).toEqual([]);
  });

  test("as the reference, on random expressions", () => {
    const inputs = tensors(tensorsByName);
    const texts = expressionsOn(Object.keys(inputs)).filter((text) => isSound(text, inputs));
    holds(
      fc.property(texts, (text) => {
        expect(disagreement(way, text, inputs, {})).toBe(undefined);
      }),
      2000,
    );
  });

  test("as the reference, on random expressions of NaN, infinities, zeros of both signs and the smallest numbers", () => {
    const inputs = tensors(specialTensors);
    const texts = expressionsOn(Object.keys(inputs)).filter((text) => isSound(text, inputs));
    holds(
      fc.property(texts, (text) => {
        expect(disagreement(way, text, inputs, {})).toBe(undefined);
      }),
      2000,
    );
  });
});

function tensors(texts: Readonly<Record<string, string>>): Record<string, InputValue> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseTensor(text)]));
}

function isSound(text: string, inputs: Readonly<Record<string, InputValue>>): boolean {
  const types = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, parseTensor(`${value}`).type]),
  );
  return check(text, { inputs: types }).every((problem) => !problem.isError);
}
