import fc from "fast-check";
import { expect, test } from "vitest";
import { check } from "../../src/program/compile.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { disagreements, ways } from "../agreement.js";
import { caseFiles, linesOf } from "../case-files.js";
import { holds } from "../chance.js";
import { expressionsOn, tensorsByName } from "../expressions.js";
import { specialTensors } from "../special-tensors.js";

/**
 * One oracle: whatever way an expression is run, the answer is that of the reference, to the last bit but for what
 * decision D16 allows. On our own cases, and on random expressions; agreement-conformance.test.ts has other engines' cases.
 */

test.each(caseFiles)("every way as the reference, on the cases in %s", (name) => {
  const expressions = linesOf(name).filter(({ value }) => value !== undefined);
  const differing = expressions.flatMap(({ expression: text, inputs }) =>
    (["formalism", "vespa"] as const).flatMap((dialect) =>
      disagreements(ways, text, inputs, { dialect }).map((each) => `${text} in ${dialect}, ${each}`),
    ),
  );
  expect(differing).toEqual([]);
});

test.each([
  { what: "ordinary numbers", texts: tensorsByName },
  { what: "NaN, infinities, zeros of both signs and the smallest numbers", texts: specialTensors },
])("every way as the reference, on random expressions of $what", ({ texts }) => {
  const inputs = tensors(texts);
  const types = Object.fromEntries(Object.entries(inputs).map(([name, { type }]) => [name, type]));
  const isSound = (text: string): boolean => check(text, { inputs: types }).every(({ isError }) => !isError);
  const law = fc.property(expressionsOn(Object.keys(inputs)).filter(isSound), (text) => {
    expect(disagreements(ways, text, inputs)).toEqual([]);
  });
  holds(law, 2000);
});

const tensors = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseTensor(text)]));
