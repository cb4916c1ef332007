import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, compile, evaluate, parseTensor } from "../../src/index.js";
import { holds } from "../chance.js";
import { expectPlaced, inTime, options, outcome } from "../outcome.js";
import { accidents, misreadings, noise } from "./accidents.js";
import { expressions, fragments, programs, tensorTexts } from "./fuzz-texts.js";

/**
 * No text is too bad: ten thousand that chance has made. Each either means something or is refused, with problems that
 * point into it and can be shown; nothing else is ever thrown, and nothing takes long.
 */

/** Gives a text to every reader. */
function read(text: string): void {
  const found = inTime(() => check(text, options));
  expectPlaced(found, text);
  expectPlaced(inTime(() => outcome(() => evaluate(text, {}, options))).problems ?? [], text);
  expectPlaced(inTime(() => outcome(() => parseTensor(text))).problems ?? [], text);
  if (found.some((each) => each.isError)) return;
  // What passed the check may still ask for too much, and for nothing else.
  const run = inTime(() => outcome(() => allOf(text)));
  expectPlaced(run.problems ?? [], text);
  expect((run.problems ?? []).filter(({ code }) => !/^(?:limit|input|program)\//.test(code))).toEqual([]);
}

/** All results of a program as texts, and all of its named values. */
function allOf(text: string): string[] {
  const program = compile(text, options);
  const { results, value } = program.runAll();
  return [...results, ...[...program.values.keys()].map(value)].map(String);
}

describe("bad texts", () => {
  const donors = [...fragments, ...expressions];

  // biome-ignore format: a table
  test.each([
    { what: "expressions after accidents",    texts: accidents(expressions),           count: 2500 },
    { what: "programs after accidents",       texts: accidents(programs),              count: 800 },
    { what: "tensors' texts after accidents", texts: accidents(tensorTexts),           count: 1200 },
    { what: "expressions misread",            texts: misreadings(expressions, donors), count: 3500 },
    { what: "programs misread",               texts: misreadings(programs, donors),    count: 1000 },
    { what: "runs of noise",                  texts: noise,                            count: 1000 },
  ])("$count $what are understood or refused", ({ texts, count }) => {
    holds(fc.property(texts, read), count);
  });

  test("before any accident they are all understood", () => {
    for (const text of expressions)
      expect(outcome(() => evaluate(text, {}, options)).problems ?? [], text).toEqual([]);
    for (const text of tensorTexts) expect(outcome(() => parseTensor(text)).problems ?? [], text).toEqual([]);
    // `file` needs a host that reads files.
    for (const text of programs) {
      const codes = check(text, options)
        .filter((each) => each.isError)
        .map(({ code }) => code);
      expect(
        codes.filter((code) => code !== "file/no-reader"),
        text,
      ).toEqual([]);
    }
  });
});
