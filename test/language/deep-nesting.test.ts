import { expect, test } from "vitest";
import { compile, expand, format, type InputValue, SphexError, showPlan } from "../../src/index.js";

/** A thousand levels of brackets, and of functions that call each other, are no matter of the stack, whatever is asked. */

const levels = 1000;
const { repeat } = String.prototype;
const times = (text: string, count = levels): string => repeat.call(text, count);

const inputs = { q: "tensor()", t: "tensor(x[2])" };
const values = { q: 0.5, t: [1, 2] };
const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0);

/** Functions that call each other; the first one is the innermost. */
const chain = (body: (inner: string, at: number) => string, argument: string): string =>
  [
    "f0(a) = a + 1",
    ...Array.from({ length: levels - 1 }, (_, at) => `f${at + 1}(a) = ${body(`f${at}`, at + 1)}`),
    `f${levels - 1}(${argument})`,
  ].join("\n");

// biome-ignore format: a table
const shapes: readonly { name: string; text: string; cells: readonly number[] }[] = [
  { name: "sums on the right",      text: `${times("(1+")}q${times(")")}`,                                  cells: [1000.5] },
  { name: "signs",                  text: `${times("-(")}q${times(")")}`,                                   cells: [0.5] },
  { name: "calls",                  text: `${times("abs(")}q${times(")")}`,                                 cells: [0.5] },
  { name: "functions of the prelude", text: `${times("relu(")}t${times(")")}`,                              cells: [1, 2] },
  { name: "ifs",                    text: `${times("if(q<1,")}q${times(",2)")}`,                            cells: [0.5] },
  { name: "lambdas of joins",       text: `${times("join(", 999)}t${times(",q,f(a,b)(a+b))", 999)}`,        cells: [500.5, 501.5] },
  { name: "a lambda's body",        text: `map(t,f(a)(${times("(1+", 998)}a${times(")", 998)}))`,           cells: [999, 1000] },
  { name: "a generator's body",     text: `tensor(x[2])(${times("(1+", 999)}x${times(")", 999)})`,          cells: [999, 1000] },
  // Beyond the end a cell is 0, so that the values are 1, 2, 0, and 1 again.
  { name: "slices",                 text: `${times("t{x:(", 500)}0${times(")}", 500)}`,                     cells: [2] },
  { name: "literals",               text: `${times("tensor(x[1]):[", 999)}q${times("]{x:0}", 999)}`.replace(/\{x:0\}$/, ""), cells: [0.5] },
  { name: "a chain of functions",   text: chain((inner) => `${inner}(a) + 1`, "q"),                         cells: [1000.5] },
  { name: "a chain with arguments", text: chain((inner) => `${inner}(a + 1)`, "q"),                         cells: [1000.5] },
  { name: "a chain on tensors",     text: chain((inner) => `abs(${inner}(a))`, "t"),                        cells: [2, 3] },
  { name: "a chain of choices",     text: chain((inner, at) => `if(a < ${at}, ${inner}(a), a)`, "q"),       cells: [1.5] },
];

test.each(shapes)("$name", ({ text, cells }) => {
  const isUsed = (name: string): boolean => new RegExp(String.raw`\b${name}\b`).test(text);
  const used = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(name)));
  const options = { inputs: used(inputs) };
  const program = compile(text, options);
  expect([...program.run(used<InputValue>(values)).data]).toEqual(cells);
  const plain = compile(text, { ...options, backend: "reference", optimise: false });
  expect([...plain.run(used<InputValue>(values)).data]).toEqual(cells);
  expect(program.primitive()).not.toBe("");
  expect(format({ name: "program", text }).text).toBeTypeOf("string");
}, 60_000);

test("a plan, an explanation and provenance look at all levels", () => {
  const program = compile(`${times("abs(")}t${times(")")}`, { inputs: { t: "tensor(x[2])" } });
  expect(showPlan(program.plan({ t: [1, 2] }))).not.toBe("");
  expect(program.explain({ t: [1, 2] }).results).toHaveLength(1);
  expect(program.why({ x: 1 }, { t: [1, 2] }).steps.length).toBeGreaterThan(levels);
});

const codesOf = (run: () => unknown): readonly string[] => {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
};

test("one more level is a problem of its own", () => {
  expect(codesOf(() => compile(`${times("(", 1001)}q${times(")", 1001)}`, { inputs }))).toEqual([
    "limit/nesting",
  ]);
  const deeper = chain((inner) => `${inner}(a)`, "q").replace(/f999\(q\)$/, "f1000(a) = f999(a)\nf1000(q)");
  expect(codesOf(() => compile(deeper, { inputs }))).toEqual(["limit/expansion-depth"]);
});

test("a mistake in the middle is what is reported, and no full stack", () => {
  const text = `${times("(1+")}q q${times(")")}`;
  expect(codesOf(() => compile(text, { inputs }))).toEqual(["syntax/unexpected"]);
  expect(codesOf(() => compile(`${times("abs(")}nobody${times(")")}`, { inputs }))).toEqual(["name/unknown"]);
  expect(codesOf(() => expand(`${times("(")}"\\q"${times(")")}`))).toEqual(["syntax/escape"]);
});

test("random numbers far down are drawn once for each place, and are the same for all of the place", () => {
  const deep = `${times("abs(", 900)}random(1)${times(")", 900)}`;
  const program = compile(`a = ${deep}\nb = ${deep}\na - a\na - b`);
  const results = program.runAll().results.map((each) => each.at(0));
  expect(results[0]).toBe(0);
  expect(results[1]).not.toBe(0);
  expect(sum(results)).not.toBe(0);
});
