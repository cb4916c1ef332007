import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/language/source/problem.js";
import { check, compileExpression } from "../../src/program/compile.js";
import { holds } from "../chance.js";

/**
 * What people write who come from other languages, and what they have to write here, complete: the first problem's replacement,
 * and then the next one's, until nothing is replaced. All texts are written by hand.
 */
const given = `
input a: tensor(x[3])
input b: tensor(x[3])
input c: tensor()
input m: tensor(x[2],y[3])
input k: tensor(k{})
`;

const mends: readonly (readonly [foreign: string, ours: string])[] = [
  ["softmax([1,2,3], x)", "softmax(tensor(x[3]):[1,2,3], x)"],
  ["softmax([1,2,3], i)", "softmax(tensor(i[3]):[1,2,3], i)"],
  ["sum([[1,2],[3,4]])", "sum(tensor(x[2],y[2]):[[1,2],[3,4]])"],
  ["v = [1, c]", "v = tensor(x[2]):[1, c]"],
  [".5 + c", "0.5 + c"],
  ["c * .25", "c * 0.25"],
  ["v: tensor(x[2]):[1,2]", "v = tensor(x[2]):[1,2]"],
  ["query(v) tensor<float>(x[2])", "input query(v): tensor<float>(x[2])"],
  ["input v: tensor(j{}) = {p:1}", "input v: tensor(j{}) = tensor(j{}):{p:1}"],
  [
    "variable v: tensor<float>(x[2]) = [1, 2]",
    "variable v: tensor<float>(x[2]) = tensor<float>(x[2]):[1, 2]",
  ],
  ["v: c + 1", "v = c + 1"],
  ["tensor(x):[1,2,3]", "tensor(x[3]):[1,2,3]"],
  ["tensor<float>(x):[1,2,3]", "tensor<float>(x[3]):[1,2,3]"],
  ["tensor(x,y):[[1,2,3],[4,5,6]]", "tensor(x[2],y[3]):[[1,2,3],[4,5,6]]"],
  ["tensor(x):{p:1,q:2}", "tensor(x{}):{p:1,q:2}"],
  ["tensor(a{},b{},c[2]):{{a:x,b:y}:[1,2]}", "tensor(a{},b{},c[2]):{x:{y:[1,2]}}"],
  ["tensor(a{},c[2]):{{a:x}:[1,2], {a:z}:[3,4]}", "tensor(a{},c[2]):{x:[1,2], z:[3,4]}"],
  ["[1 2 3]", "tensor(x[3]):[1, 2, 3]"],
  ["1:10", "tensor(x[10])(x + 1)"],
  ["sum(0:2)", "sum(tensor(x[3])(x))"],
  ["v <- 3", "v = 3"],
  ["v <- c(1, 2.5, -3)", "v = tensor(x[3]):[1, 2.5, -3]"],
  ["v = c(1,2)", "v = tensor(x[2]):[1, 2]"],
  ["a'", "a"],
  ["a' * b", "a * b"],
  ["a' * b'", "a * b"],
  ["(a * b)'", "(a * b)"],
  ["|c|", "abs(c)"],
  ["c + |c - 1| * 2", "c + abs(c - 1) * 2"],
  ["||a||", "sqrt(sum(a ^ 2))"],
  ["a.size", "count(a)"],
  ["SUMPRODUCT(a, b)", "sum(a * b)"],
  ["\\sum_x a", "sum(a, x)"],
  ["\\sum_{x} a * b", "sum(a * b, x)"],
  ["\\sum_{x=1}^n a", "sum(a, x)"],
  ["\\sum_{x=1}^{3} a", "sum(a, x)"],
  ["\\prod_x a", "prod(a, x)"],
  ["\\sqrt{c}", "sqrt(c)"],
  ["\\exp(a)", "exp(a)"],
  ["c \\cdot c", "c * c"],
  ["c \\leq 2", "c <= 2"],
  ["map(a, sqrt)", "map(a, f(x)(sqrt(x)))"],
  ["map(a, x * x + c)", "map(a, f(x)(x * x + c))"],
  ["map(a, if(x > c, c, x))", "map(a, f(x)(if(x > c, c, x)))"],
  ["join(a, b, max)", "join(a, b, f(x,y)(max(x, y)))"],
  ["join(a, b, u * 2 - pow(v, 2))", "join(a, b, f(u,v)(u * 2 - pow(v, 2)))"],
  ["map(a, function(v) v + 1)", "map(a, f(v)(v + 1))"],
  ["map(a, function(v) { return v + 1 })", "map(a, f(v)(v + 1))"],
  ["map(a, \\(v) v + 1)", "map(a, f(v)(v + 1))"],
  ["join(a, b, function(v, w) v * w)", "join(a, b, f(v,w)(v * w))"],
  ["variable w: tensor() = 1; minimise(w)", "variable w: tensor() = 1; minimise w"],
  ["variable w: tensor() = 1; minimize w", "variable w: tensor() = 1; minimise w"],
  ["a .* b", "a * b"],
  ["c .^ 2", "c ^ 2"],
  ["c^{2}", "c^ (2)"],
  ["\\frac{c}{2}", "c / 2"],
  ["map(v -> v + 1, a)", "map(a, f(v)(v + 1))"],
  ["SELECT SUM(x) FROM a", "sum(a, x)"],
  ["select Avg(y) from m", "avg(m, y)"],
  ["a[-1]", "a[2]"],
  ["a[-3]", "a[0]"],
  ["m[1,2]", "m{x:1, y:2}"],
  ["a[0:2]", "tensor(i[2])(a[i])"],
  ["a[1:3]", "tensor(i[2])(a[i + 1])"],
  ["a[x:1]", "a{x:1}"],
  ["Tensor(x[2]):[1,2]", "tensor(x[2]):[1,2]"],
  ["tensr(x[2]):[1,2]", "tensor(x[2]):[1,2]"],
  ["tensor(x[2]) = [1,2]", "tensor(x[2]):[1,2]"],
  ["tensor(x[2])[1,2]", "tensor(x[2]):[1,2]"],
  ["tensor(x[2]):(1,2)", "tensor(x[2]):[1,2]"],
  ["tensor(x[2]):{1,2}", "tensor(x[2]):[1,2]"],
  ["tensor(x[2]):1,2", "tensor(x[2]):[1,2]"],
  ["tensor(x[2]):[1;2]", "tensor(x[2]):[1,2]"],
  ["tensor(x[2]:[1,2])", "tensor(x[2]):[1,2]"],
  ["tensor(x[2):[1,2]", "tensor(x[2]):[1,2]"],
  ["tensor<float>[1,2]", "tensor<float>(x[2]):[1,2]"],
  ["tensor(float)(x[2]):[1,2]", "tensor<float>(x[2]):[1,2]"],
  ["tensor([1,2])", "tensor(x[2]):[1,2]"],
  ["tensor(1,2)", "tensor(x[2]):[1,2]"],
  ["tensor<float32>(x[2]):[1,2]", "tensor<float>(x[2]):[1,2]"],
  ["tensor<int32>(x[2]):[1,2]", "tensor<int>(x[2]):[1,2]"],
  ["tensor<float64>(x[2]):[1,2]", "tensor<double>(x[2]):[1,2]"],
  ["tensor(x{}):{p=1}", "tensor(x{}):{p:1}"],
  ["tensor(x{}):{{x:p}=1}", "tensor(x{}):{{x:p}:1}"],
  ["tensor(x{}):{my label:1}", 'tensor(x{}):{"my label":1}'],
  ["tensor(x{}):{p:2, new-york:1}", 'tensor(x{}):{p:2, "new-york":1}'],
  ["k{new york}", 'k{"new york"}'],
  ["k{k:new york}", 'k{k:"new york"}'],
  ["{p:1, q:2}", "tensor(x{}):{p:1, q:2}"],
  ["map(a, v => v + 1)", "map(a, f(v)(v + 1))"],
  ["map(a, (v) => v + 1)", "map(a, f(v)(v + 1))"],
  ["map(a, v -> v + 1)", "map(a, f(v)(v + 1))"],
  ["map(a, lambda v: v ** 2)", "map(a, f(v)(v ^ 2))"],
  ["join(a, b, lambda v, w: v + w)", "join(a, b, f(v,w)(v + w))"],
  ["join(a, b, (v, w) => v + w)", "join(a, b, f(v,w)(v + w))"],
  ["g = lambda v: v + 1", "g(v) = v + 1"],
  ["def g(v): return v + 1", "g(v) = v + 1"],
  ["function g(v) { return v + 1 }", "g(v) = v + 1"],
  ["function g(v) { expression: v + 1 }", "g(v) = v + 1"],
  ["fn g(v) = v", "g(v) = v"],
  ["let v = 1", "v = 1"],
  ["const v = 1", "v = 1"],
  ["var v = 1", "v = 1"],
  ["v := 1", "v = 1"],
  ["g(v) := v", "g(v) = v"],
  ["c += 1", "new_c = c + 1"],
  ["c++", "new_c = c + 1"],
  ["return c", "c"],
  ["print(c)", "c"],
  ["c ** 2", "c ^ 2"],
  ["c²", "c ^ 2"],
  ["√4", "sqrt(4)"],
  ["√4 + 5", "sqrt(4) + 5"],
  ["√2.5e-1 * c", "sqrt(2.5e-1) * c"],
  ["√(4) + √a{x:1}", "sqrt(4) + sqrt(a{x:1})"],
  ["√√-c", "sqrt(sqrt(-c))"],
  ["-c²", "-(c ^ 2)"],
  ["2 / (c + 1)²", "2 / (c + 1) ^ 2"],
  ["2 ^ c²", "2 ^ (c ^ 2)"],
  ["-c ** 2", "-(c ^ 2)"],
  ["1 - c ** 2", "1 - c ^ 2"],
  ["-c^{2}", "-(c ^ 2)"],
  ["1/log2(8)", "1/(log(8) / log(2))"],
  ["10 - subtract(5,1)", "10 - (5 - 1)"],
  ["add(1,2)*3", "(1 + 2)*3"],
  ["1 + multiply(2, c + 1)", "1 + 2 * (c + 1)"],
  ["2 / inf", "2 / (1/0)"],
  ["multiply(a, b){x:1}", "(a * b){x:1}"],
  ["3 * transpose(m + 1)", "3 * (m + 1)"],
  ["log1p(c > 1)", "log(1 + (c > 1))"],
  ["3 / \\frac{1}{2}", "3 / (1 / 2)"],
  ["\\frac{c + 1}{2}", "(c + 1) / 2"],
  ["\\sum_x a + 1", "sum(a, x) + 1"],
  ["\\sum_x -a * 2", "sum(-a * 2, x)"],
  ["1/2c", "1/(2 * c)"],
  ["6 / 2(c)", "6 / (2 * (c))"],
  ["c > 1 && c not in [1]", "c > 1 && !(c in [1])"],
  ["np.std(a)", "sqrt(avg((a - avg(a)) ^ 2))"],
  ["1 / np.log2(c)", "1 / (log(c) / log(2))"],
  ["c × 2", "c * 2"],
  ["c ÷ 2", "c / 2"],
  ["c − 2", "c - 2"],
  ["c ≤ 2", "c <= 2"],
  ["c ≥ 2", "c >= 2"],
  ["c ≠ 2", "c != 2"],
  ["c => 2", "c >= 2"],
  ["c =< 2", "c <= 2"],
  ["c <> 2", "c != 2"],
  ["c === 2", "c == 2"],
  ["c !== 2", "c != 2"],
  ["if(c = 2, 1, 0)", "if(c == 2, 1, 0)"],
  ["c > 1 and c < 2", "c > 1 && c < 2"],
  ["c > 1 or c < 2", "c > 1 || c < 2"],
  ["c > 1 & c < 2", "c > 1 && c < 2"],
  ["c > 1 | c < 2", "c > 1 || c < 2"],
  ["not c", "!(c)"],
  ["not (c > 1)", "!(c > 1)"],
  ["not c and c > 1", "!(c) && c > 1"],
  ["c not in [1]", "!(c in [1])"],
  ["c in (1, 2)", "c in [1, 2]"],
  ["1 if c > 2 else 3", "if(c > 2, 1, 3)"],
  ["if c > 2 then 1 else 3", "if(c > 2, 1, 3)"],
  ["if (c > 2) 1 else 3", "if(c > 2, 1, 3)"],
  ["if (c > 2) { 1 } else { 3 }", "if(c > 2, 1, 3)"],
  ["c > 2 ? 1 : 3", "if(c > 2, 1, 3)"],
  ["v = 2 * (c > 2 ? 1 : 3)", "v = 2 * (if(c > 2, 1, 3))"],
  ["SELECT sum(x) FROM a", "sum(a, x)"],
  ["1_000", "1000"],
  ["1,5 + c", "1.5 + c"],
  ["2c", "2 * c"],
  ["2(c)", "2 * (c)"],
  ["(c)(c)", "(c) * (c)"],
  ["“p” == 'p'", "\"p\" == 'p'"],
  ["‘p’ == 'p'", "\"p\" == 'p'"],
  ["rename(a, x -> y)", "rename(a, x, y)"],
  ['rename(a, "x", "y")', "rename(a, x, y)"],
  ["sum(a, axis=x)", "sum(a, x)"],
  ['sum(a, dim="x")', "sum(a, x)"],
  ['sum(a, "x")', "sum(a, x)"],
  ["sum(x, a)", "sum(a, x)"],
  ["softmax(x, a)", "softmax(a, x)"],
  ["reduce(a, x, sum)", "reduce(a, sum, x)"],
  ["reduce(a, mean, x)", "reduce(a, avg, x)"],
  ['reduce(a, "sum", x)', "reduce(a, sum, x)"],
  ["softmax(a)", "softmax(a, x)"],
  ["matmul(a, m)", "matmul(a, m, x)"],
  ["concat(a, b)", "concat(a, b, x)"],
  ["mean(a)", "avg(a)"],
  ["mean(a, x)", "avg(a, x)"],
  ["std(a)", "sqrt(avg((a - avg(a)) ^ 2))"],
  ["std(a, x)", "sqrt(avg((a - avg(a, x)) ^ 2, x))"],
  ["transpose(m)", "m"],
  ["m.T", "m"],
  ["dot(a, b)", "sum(a * b)"],
  ['einsum("x,x->", a, b)', "sum(a * b, x)"],
  ['einsum("xy,x->y", m, b)', "sum(m * b, x)"],
  ["a.sum()", "sum(a)"],
  ["a.sum(x)", "sum(a, x)"],
  ["a.mean()", "avg(a)"],
  ["np.sum(a)", "sum(a)"],
  ["np.mean(a, axis=x)", "avg(a, x)"],
  ["np.array([1, 2])", "tensor(x[2]):[1, 2]"],
  ["np.array([1, 2], dtype=f)", "tensor(x[2]):[1, 2]"],
  ["torch.tensor([1, 2])", "tensor(x[2]):[1, 2]"],
  ["np.zeros(3)", "tensor(x[3])(0)"],
  ["zeros(3)", "tensor(x[3])(0)"],
  ["np.exp(a)", "exp(a)"],
  ["math.sqrt(c)", "sqrt(c)"],
  ["clip(c, 0, 1)", "max(0, min(c, 1))"],
  ["ln(c)", "log(c)"],
  ["True", "true"],
  ["c == NaN", "c == 0/0"],
  ["Infinity", "1/0"],
  ["math.pi", "3.141592653589793"],
  ["3f", "3"],
  ["0x1F", "31"],
  ["summ(a)", "sum(a)"],
  ["sum(aa)", "sum(a)"],
  ["switch (c) { case 1: 2; default: 3 }", "switch (c) { case 1: 2, default: 3 }"],
  ["switch (c) { case 1: 2, default 3 }", "switch (c) { case 1: 2, default: 3 }"],
];

/** Texts that nothing can be written for without knowing more, and what the hint is about. */
const advised: readonly (readonly [foreign: string, hint: RegExp])[] = [
  ["SELECT * FROM t WHERE x > 1", /sum\(t, x\)/],
  ["sum(a, axis=0)", /name of the dimension/],
  ["a @ b", /matmul\(a, b, x\)/],
  ["a %*% b", /matmul\(a, b, x\)/],
  ["lambda v: v + 1", /map\(t, f\(v\)\(v \+ 1\)\)/],
  ["help sum", /write \.help sum/],
  ["plot a", /write \.plot a/],
  ["v => v + 1", /map\(t, f\(v\)\(v \+ 1\)\).*NAME\(v\) = v \+ 1/],
  ["function(v) v + 1", /map\(t, f\(v\)\(v \+ 1\)\)/],
  ["a.shape", /count\(t\).*\.type t/],
  ["VLOOKUP(2, a, 1, 0)", /t\{x:a\}/],
  ["variable w: tensor() = 1; minimise (w - 1)^2", /loss = …, and then minimise loss/],
  ["variable w: tensor() = 1; minimise avg(w)", /loss = …, and then minimise loss/],
  ["variable w: tensor() = 1; minimise w ^ 2 + 1", /loss = …, and then minimise loss/],
  ["variable w: tensor() = 1; maximize w", /loss = -\(…\), and then minimise loss/],
  ["a.reshape(3, 1)", /a\{x:0\}/],
  ["torch.softmax(a, dim=0)", /softmax\(a, x\)/],
  ["m[:, 0]", /m\{x:0\}/],
  ["import numpy as np", /leave this statement out/],
  ["for i in range(3): i", /tensor\(x\[3\]\)\(x \+ 1\)/],
  ['{"cells": {"p": 1}}', /--set/],
  ["schema doc {\n  document doc { }\n}", /sphex check/],
  ["rank-profile default {\n  first-phase { expression: 1 }\n}", /sphex check/],
  ["if c > 2: 3", /if\(c > 2, 3, 0\)/],
  ["None", /leave the cell out/],
  ["transpose(m, 0, 1)", /rename/],
  ["outer(a, b)", /rename/],
  ["np.outer(a, b)", /rename/],
  ["1,234", /1234 if .* 1\.234 if/],
  ["np.argmax(a)", /name of the dimension/],
  ["torch.std(a)", /count\(t\) - 1/],
  ["concatenate(a, b)", /concat\(a, b, x\)/],
  ["argsort(a)", /rank of each cell/],
  ["np.argsort(a)", /rank of each cell/],
  ["tensor(x[3]):[1,2,3][0:2]", /name the tensor.*tensor\(i\[2\]\)\(t\[i\]\)/],
  ["1 / 2c ^ 2", /2 \* c/],
];

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

test.each(advised)("%s has a hint", (foreign, hint) => {
  const [first, ...others] = problemsOf(foreign);
  expect(others).toEqual([]);
  expect(first?.description.hint).toMatch(hint);
});

test("one mistake is one problem", () => {
  const several = [...mends, ...advised].filter(([foreign]) => problemsOf(foreign).length !== 1);
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
  ...mends.map(([foreign]) => given + foreign),
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
