import { expect, test } from "vitest";
import { check, compile } from "../../src/program/compile.js";

/** What is right as it is, and may not be what was meant: told by check, and by nothing that runs a program. */

const told = (text: string) =>
  check(text)
    .filter((each) => each.severity === "hint")
    .map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);

test.each([
  ["a = 1; b = 2; a", ["hint/unused-name b"]],
  ["input q: tensor(x[2]); 1", ["hint/unused-name q"]],
  ["input query(q): tensor(x[2]); $q", []],
  ["input query(q): tensor(x[2]); 1 + 1", ["hint/unused-name query(q)"]],
  ["g(t, d) = t; g(1, x)", ["hint/unused-parameter d"]],
  ["g(t, _d) = t; g(1, x)", []],
  ["g(t) = t; 1", ["hint/unused-name g"]],
  ["constant n = 3; tensor(x[n])(x)", []],
  ["a = 1; b = a", []],
  ["if(true, 1, 2)", ["hint/dead-branch 2"]],
  ["if(0, 1, 2)", ["hint/dead-branch 1"]],
  ["2 * if(1 < 2, 1, 2)", []],
  ["q: tensor(x[2]); sum(q)", ["hint/declaration q"]],
  ["input q: tensor(x[2]); sum(q)", []],
  ["1e400", ["hint/infinite 1e400"]],
])("%s", (program, hints) => {
  expect(told(program)).toEqual(hints);
});

test("a mistake may be why something is unused", () => {
  expect(told("a = 1; missing")).toEqual([]);
});

test("a hint is no warning, and fails nothing", () => {
  expect(compile("a = 1; b = 2; a").warnings).toEqual([]);
});

test.each([
  ["5 // 2", ["statement/comment"]],
  ["half = 5 // 2\nhalf * 2", ["statement/comment"]],
  ["5 // two of them", []],
  ["5 // 2 of them", []],
])("a comment that other languages compute is a warning of whatever runs the program: %s", (text, codes) => {
  expect(compile(text).warnings.map(({ code }) => code)).toEqual(codes);
});

test.each([
  ["1 < a < 3", ["comparison/chain"], "1 < a && a < 3"],
  ["3 >= t > 1", ["comparison/chain"], "3 >= t && t > 1"],
  ["a == 2 == 2", ["comparison/chain"], "a == 2 && 2 == 2"],
  ["1 < a < 3 < 4", ["comparison/chain"], undefined],
  ["(1 < a) < 3", [], undefined],
  ["1 < (a == 1)", [], undefined],
  ["1 < a && a < 3", [], undefined],
])("a comparison of a comparison is a warning: %s", (text, codes, replacement) => {
  const { warnings } = compile(text, { inputs: { a: "tensor()", t: "tensor(x[2])" } });
  expect(warnings.map(({ code }) => code)).toEqual(codes);
  expect(warnings[0]?.description.replacement).toBe(replacement);
});
