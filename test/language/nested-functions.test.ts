import { describe, expect, it } from "vitest";
import { backendNames, check, compile } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** Functions each of which calls the one before, as the body says, down to `f0(x) = x`. */
const nested = (depth: number, body: (previous: string) => string, first = "x"): string =>
  [
    "input q: tensor(i[3])",
    `f0(x) = ${first}`,
    ...Array.from({ length: depth }, (_, at) => `f${at + 1}(x) = ${body(`f${at}`)}`),
    `f${depth}(q)`,
  ].join("\n");

/** 2 to the power of 40 calls, if each were expanded by itself. */
const deep = 40;

describe("A function on the same arguments is expanded once", () => {
  const q = [1, 2, 3];

  it.each<[string, (previous: string) => string, readonly number[]]>([
    ["the same parameter twice", (f) => `${f}(x) + ${f}(x)`, q.map((each) => each * 2 ** deep)],
    ["a function of itself", (f) => `${f}(${f}(x))`, q],
    ["equal expressions", (f) => `max(${f}(x + 0), ${f}(x + 0))`, q],
    ["beside functions of the parameter", (f) => `min(x, ${f}(x + 0)) + max(x, ${f}(x + 0)) - x`, q],
    ["within a join", (f) => `join(${f}(x), ${f}(x), f(a,b)(max(a, b)))`, q],
    ["beside a lambda", (f) => `${f}(x) + map(x, f(a)(a)) - ${f}(x)`, q],
  ])("%s", (_, body, expected) => {
    expect(compile(nested(deep, body)).run({ q }).toNested()).toEqual(expected);
  });

  it("in a lambda", () => {
    const program = nested(deep, (f) => `${f}(x) * ${f}(x)`).replace("f40(q)", "map(q, f(a)(f40(a)))");
    expect(
      compile(program)
        .run({ q: [1, 0, 1] })
        .toNested(),
    ).toEqual([1, 0, 1]);
  });

  it("with a mistake, which is one problem", () => {
    const problems = check(nested(deep, (f) => `${f}(x) + ${f}(x)`, "x + nosuch"));
    expect(problems.map(({ code }) => code)).toEqual(["name/unknown"]);
  });

  it("but a function that draws random numbers draws in each call", () => {
    const [one, other] = compile(
      "f(t) = t * random(3)\ng(t) = f(t) - f(t)\nsum(abs(g(1))) > 0\nf(1) - f(1)",
    ).runAll().results;
    expect(one?.asNumber()).toBe(1);
    expect(other?.data.some((each) => each !== 0)).toBe(true);
  });

  it("and words are what they mean where they are written", () => {
    const text =
      "input t: tensor(x[2],y[3])\nover(u, d) = sum(u, d)\nboth(u) = over(u, x) * over(over(u, y), x)\nboth(t)";
    const t = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    expect(compile(text).run({ t }).toNested()).toEqual([5 * 21, 7 * 21, 9 * 21]);
  });

  it("and an argument that a lambda reads as it is written is checked as it is written", () => {
    const text =
      "input k: tensor()\nadd(n) = map(tensor(x[2]):[1,2], f(a)(a + n))\nuse(m) = add(3) + add((k)) * m\nuse(1)";
    expect(codesOf(() => compile(text.replace("tensor()", "tensor(z[2])")))).toEqual(["name/captured"]);
    expect(compile(text).run({ k: 4 }).toNested()).toEqual([9, 11]);
    expect(compile(text.replace("(k)", "(3)")).run().toNested()).toEqual([8, 10]);
  });

  it("within the levels of generators", () => {
    const text =
      "twice(n) = n + n\nrow(n) = tensor(y[2])(twice(n) + twice(y))\ntensor(x[2])(reduce(row(x) * row(x), sum))";
    const row = (x: number): number => [0, 1].reduce((sum, y) => sum + (2 * x + 2 * y) ** 2, 0);
    expect(compile(text).run().toNested()).toEqual([row(0), row(1)]);
  });
});

/** A generator that depends on nothing, within another: in between, indexes are as they were. */
describe.each(backendNames)("A generator as an argument of a function that generates, by %s", (backend) => {
  const sums = (name: string, size: number): string =>
    `tensor(${name}[${size}])(reduce(tensor(y[2])(y + ${name}), sum))`;

  it.each([
    [`g(q) = tensor(i[3])(i + q{B:(i)}); g(${sums("B", 3)})`, [1, 4, 7]],
    [`g(q) = tensor(i[3])(tensor(j[2])(q{B:(i)} + j * 10 + i){j:(i - 1)}); g(${sums("B", 3)})`, [0, 4, 17]],
    [`g(q, d) = tensor(B[1],d[2])(q{B:(d)} + d); g(${sums("B", 2)}, y)`, [[1, 4]]],
  ])("%s", (text, expected) => {
    expect(compile(text, { backend }).run().toNested()).toEqual(expected);
    expect(compile(text, { backend, optimise: false }).run().toNested()).toEqual(expected);
  });
});

describe("Compiling is within the limits, too", () => {
  /** 2 to the power of 15 calls, all of them different. */
  const different = nested(15, (f) => `${f}(x + 1) * ${f}(x - 1)`);

  it("of steps", () => {
    expect(codesOf(() => compile(different, { limits: { steps: 10_000 } }))).toEqual(["limit/steps"]);
  });

  it("of time", () => {
    let now = 0;
    // Each look at the clock is a second later than the one before.
    const options = { limits: { time: 3000 }, clock: () => 1000 * now++ };
    const problems = check(different, options);
    expect(problems.map(({ code }) => code)).toEqual(["limit/time"]);
    expect(problems[0]?.position.line).toBe(18);
    expect(now).toBe(5);
  });

  it.each(
    backendNames.filter((name) => name !== "reference"),
  )("of time, while it is optimised for %s", (backend) => {
    // The clock stands still until the program is compiled; then each look at it is a second later than the one before.
    let [now, step] = [0, 0];
    const shorter = nested(12, (f) => `${f}(x + 1) * ${f}(x - 1)`);
    const program = compile(shorter, { limits: { time: 3000 }, clock: () => (now += step), backend });
    step = 1000;
    expect(codesOf(() => program.run({ q: [0, 0, 0] }))).toEqual(["limit/time"]);
    // Two looks are at the reading of the inputs, where the time begins and stands still; five are 10,000 nodes, fewer than a
    // pass looks at.
    expect(now).toBe(6000);
  });

  it("of calls", () => {
    expect(codesOf(() => compile(different, { limits: { expansions: 10_000 } }))).toEqual([
      "limit/expansions",
    ]);
  });
});
