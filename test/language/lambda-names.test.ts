import { describe, expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { outcome } from "../outcome.js";

/** Names of a program inside lambdas: numbers that are known without the run, as the Paper's Table 1 has them. */

const valueFrom = (text: string, backend: "engine" | "reference" = "engine"): string =>
  `${compile(text, { backend }).run()}`;

const codesOf = (attempt: () => unknown): readonly string[] =>
  (outcome(attempt).problems ?? []).map(({ code }) => code);

const t = "tensor(x[3]):[1,2,4]";

describe.each(["engine", "reference"] as const)("a number of the program in a lambda, by %s", (backend) => {
  test.each([
    [`c = 2; map(${t}, f(x)(pow(x, c)))`, "tensor(x[3]):[1.0, 4.0, 16.0]"],
    [`constant c = 2; map(${t}, f(x)(x * constant(c)))`, "tensor(x[3]):[2.0, 4.0, 8.0]"],
    [`c = 1 + d; d = 2 * 3; join(${t}, ${t}, f(a,b)(a * b + c))`, "tensor(x[3]):[8.0, 11.0, 23.0]"],
    [`c = sum(tensor(i[4])(i)); map(${t}, f(x)(x + c))`, "tensor(x[3]):[7.0, 8.0, 10.0]"],
    [
      `c = sum(tensor(i[4])(i)); d = c * 2; map(${t}, f(x)(sum(tensor(i[2])(i * d)) + x))`,
      "tensor(x[3]):[13.0, 14.0, 16.0]",
    ],
    [
      `c = sum(tensor(i[4])(i)); map(${t}, f(x)(sum(map(tensor(j[2])(x), f(y)(y * c)))))`,
      "tensor(x[3]):[12.0, 24.0, 48.0]",
    ],
    [`c = 10; g(t) = map(t, f(x)(x + c)); g(${t})`, "tensor(x[3]):[11.0, 12.0, 14.0]"],
    [`c = 10; map_subspaces(tensor(k{},x[2]):{a:[1,2]}, f(s)(s * c))`, "tensor(k{},x[2]):{a:[10.0, 20.0]}"],
  ])("%s", (text, value) => expect(valueFrom(text, backend)).toBe(value));
});

test("is that of a parameter where one has its name", () => {
  expect(valueFrom(`x = 100; map(${t}, f(x)(x))`)).toBe("tensor(x[3]):[1.0, 2.0, 4.0]");
});

test("is a scalar, and no tensor", () => {
  expect(codesOf(() => compile(`c = tensor(y[1]):[1]; map(${t}, f(x)(x * sum(c)))`))).toEqual([
    "name/captured",
  ]);
});

test("is refused in dialect vespa, where each name is told once", () => {
  const text = `c = sum(tensor(i[2])(i)) + d; d = 1; map(${t}, f(x)(x * c))`;
  expect(codesOf(() => compile(text, { dialect: "vespa" }))).toEqual(["portability/captured"]);
});

test("is elaborated once in each lambda, however often it is named", () => {
  const chain = Array.from({ length: 60 }, (_, at) => `c${at + 1} = c${at} + c${at}`).join("; ");
  const text = `c0 = sum(tensor(i[1])(1)); ${chain}; map(tensor(x[1]):[0], f(x)(x + c60))`;
  expect(valueFrom(text)).toBe("tensor(x[1]):[1.152921504606847E18]");
});
