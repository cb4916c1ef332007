import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/language/source/problem.js";
import { check, compileExpression } from "../../src/program/compile.js";
import { holds } from "../chance.js";
import { advised, given, mends } from "./foreign-mends.js";
import { whole } from "./foreign-whole.js";

/** What people write who come from other languages. */
const problemsOf = (text: string): readonly Problem[] => check(given + text).filter((each) => each.isError);

test.each(["1; 2", "1;2", "(a); c"])("the semicolon of %s is no comma of a number or a list", (text) => {
  const inputs = { a: "tensor(x[3])", c: "tensor()" };
  const refused = (): unknown => compileExpression(text, { inputs });
  expect(refused).toThrow("`;` cannot stand here");
  expect(refused).not.toThrow("write");
});

test("an expression behind the = of a spreadsheet stands by itself", () => {
  expect(check("=1 + 2").map(({ description }) => description.replacement)).toEqual(["1 + 2"]);
});

const replaced = (text: string, { span, description: { replacement = "" } }: Problem): string =>
  text.slice(0, span.start - given.length) + replacement + text.slice(span.end - given.length);

describe("what is written instead stands in the message, complete", () => {
  test.each(mends)("%s", (foreign, ours) => {
    let text = foreign;
    for (let more = 4; more > 0 && text !== ours; more--) {
      const [first] = problemsOf(text).filter(({ description }) => description.replacement !== undefined);
      if (first === undefined) break;
      text = replaced(text, first);
    }
    expect(text).toBe(ours);
    expect(problemsOf(text).map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });
});

describe("what is written instead is all that has to be written", () => {
  test.each(whole)("%s", (foreign, ours) => {
    const [first] = problemsOf(foreign);
    const text = first === undefined ? foreign : replaced(foreign, first);
    expect(text).toBe(ours);
    expect(problemsOf(text).map(({ message }) => message)).toEqual([]);
  });
});

test.each(["|c|c|c|", "|c|(c)", "|c||c|", "c |c|"])("%s is no absolute value of a part", (foreign) => {
  const written = problemsOf(foreign).map(({ description }) => description.replacement ?? "");
  expect(written.filter((each) => each.includes("abs"))).toEqual([]);
});

test("a mistake in a case is told where it is", () => {
  const [first] = problemsOf("switch (c) { case 1: .5, default: 3 }");
  expect(first?.description.replacement).toBe("0.5");
});

test.each(advised)("%s has a hint", (foreign, hint) => {
  const [first, ...others] = problemsOf(foreign);
  expect(others).toEqual([]);
  expect(first?.description.hint).toMatch(hint);
});

test("one mistake is one problem", () => {
  const several = [...mends, ...whole, ...advised].filter(([foreign]) => problemsOf(foreign).length !== 1);
  const twofold = ['rename(a, "x", "y")'];
  expect(several.map(([foreign]) => foreign)).toEqual(twofold);
});

/** What must hold of every problem. */
function lawsOf(text: string, problem: Problem): void {
  const { found, expected, replacement, hint } = problem.description;
  const { code, span } = problem;
  expect(span.start).toBeLessThanOrEqual(span.end);
  expect(span.end).toBeLessThanOrEqual(span.source.text.length);
  if (found?.startsWith("`") === true)
    expect(expected?.split(/, | or /) ?? [], `${code} in ${text}`).not.toContain(found);
  if (replacement === undefined || span.source.name !== "program") return;
  const before = span.source.text.slice(span.start, span.end);
  expect(replacement, `${code} in ${text}`).not.toBe(before);
  const after = check(span.source.text.slice(0, span.start) + replacement + span.source.text.slice(span.end));
  const same = after.filter(
    (each) => each.code === code && each.span.start === span.start && each.message === problem.message,
  );
  expect(
    same.map(({ message }) => message),
    `${text}: ${hint ?? replacement}`,
  ).toEqual([]);
}

const examples = new URL("../../examples/", import.meta.url);
const texts = [
  ...[...mends, ...whole].map(([foreign]) => given + foreign),
  ...advised.map(([foreign]) => given + foreign),
  ...readdirSync(examples)
    .filter((name) => name.endsWith(".sphex"))
    .map((name) => readFileSync(new URL(name, examples), "utf8")),
];

test("the laws of messages hold of all forms", () => {
  for (const text of texts) for (const each of check(text)) lawsOf(text, each);
});

const signs = "()[]{}:,;.=+-*/<>!&|\"'`$@?0 \nx";
const mutation = fc.record({
  text: fc.constantFrom(...texts),
  at: fc.nat(),
  kind: fc.constantFrom("drop", "double", "swap", "put"),
  sign: fc.constantFrom(...signs),
});

test("the laws of messages hold of programs with a slip", () => {
  const law = fc.property(mutation, ({ text, at, kind, sign }) => {
    const place = at % text.length;
    const [one = "", two = ""] = text.slice(place, place + 2);
    const between =
      { drop: two, double: one + one + two, swap: two + one, put: sign + one + two }[kind] ?? "";
    const mutated = text.slice(0, place) + between + text.slice(place + 2);
    for (const each of check(mutated)) lawsOf(mutated, each);
  });
  holds(law, 300);
});

test("after an unclosed bracket the rest is read", () => {
  const text = "u = sum(a, x\nv = missing + 1\nw(t) = t * (2\n\nsum(b, nosuch)";
  expect(problemsOf(text).map(({ code }) => code)).toEqual([
    "syntax/unclosed",
    "name/unknown",
    "syntax/unclosed",
    "type/unknown-dimension",
  ]);
});

test("a character without a meaning hides nothing of the other statements", () => {
  const codes = problemsOf("u = a § b\nv = missing").map(({ code }) => code);
  expect(codes).toEqual(["syntax/character", "name/unknown"]);
});
