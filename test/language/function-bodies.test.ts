import { describe, expect, test } from "vitest";
import { check } from "../../src/program/compile.js";

/** What is wrong in a function is told where it is defined, called or not, once, and the calls are notes. */

const told = (text: string) =>
  check(text)
    .filter((each) => each.isError)
    .map(({ code, span, related }) => {
      const words = related.map((each) => text.slice(each.span.start, each.span.end));
      return [code, text.slice(span.start, span.end), ...words].join(" | ");
    });

const header = "input a: tensor(x[3])\n";

describe("a function that nothing calls", () => {
  test.each([
    ["f(t) = t * missing", "name/unknown | missing"],
    ["f(t) = exp(missing)", "name/unknown | missing"],
    ["f(t) = nosuch(t) + 1", "name/unknown-function | nosuch"],
    ["f(t) = mean(t)", "name/foreign | mean(t)"],
    ["f(t) = exp(t, t)", "call/arity | exp(t, t)"],
    ["f(t) = softmax(t)", "call/arity | softmax(t)"],
    ["g(t) = t; f(t) = g(t, t)", "call/arity | g(t, t)"],
    ["f(t) = f(t) + 1", "name/cycle | f"],
    ["g(t) = f(t); f(t) = 2 * g(t)", "name/cycle | g"],
    ["f(t) = map(t, f(v)(v + w))", "name/unknown | w"],
    ["f(t) = tensor(i[3])(i + j)", "name/unknown | j"],
    ["f(t) = if(t > 1, t, other)", "name/unknown | other"],
    ["f(t) = t{x:(other)}", "name/unknown | (other)"],
    ["f(t) = switch (t) { case 1: other, default: 2 }", "name/unknown | other"],
    ["f(t) = tensor(x[2]):[other, 1]", "name/unknown | other"],
  ])("%s", (program, problem) => {
    expect(told(header + program)).toEqual([problem]);
  });

  // Whatever a function of the language takes a tensor for.
  test.each([
    "where(other, t, t)",
    "where(t, other, t)",
    "mod(other, 3)",
    "softmax(other, d)",
    "top(other, t)",
    "ndcg(other, t, d)",
    "auc(t, other, d)",
    "accuracy(t, other)",
    "discount(other, d)",
    "gradient(other, a)",
    "jvp(t, a, other)",
    "sgd(t, other, 1)",
    "adam(t, t, other, 1, 1)",
    "sum(other, d)",
    "atan2(t, other)",
  ])("f(t, d) = %s lacks a name", (call) => {
    expect(told(`${header}f(t, d) = ${call}`)).toEqual(["name/unknown | other"]);
  });

  test.each([
    "f(t, e) = jvp(t, a, t) + softmax(t, e) + ndcg(t, t, e) + expand(t, e) + matmul(t, t, e)",
    "f(n, k) = range(n) + diag(n, k) + random(n)",
    "f(t, d) = sum(t, d)",
    "f(t) = sum(t, x)",
    "f(t, u) = join(t, u, f(v,w)(v + w))",
    "f(t) = tensor(i[3])(t{x:(i)})",
    "f(t, n) = tensor(i[n])(i)",
    "f(t, c) = cell_cast(t, c)",
    "f(t) = t * a",
    "f(t) = bm25(t)",
    "f(t) = true && t",
    "g(t) = t; f(t) = g(g(t))",
    "f(t) = reduce(t, max, x)",
  ])("%s has nothing wrong", (program) => {
    expect(told(header + program)).toEqual([]);
  });
});

test("calls are notes of the one problem", () => {
  const program = `${header}f(t) = t * missing\nf(a); f(2) + f(3)`;
  expect(told(program)).toEqual(["name/unknown | missing | f(a) | f(2) | f(3)"]);
});

test("a function that needs itself is told once, however it is called", () => {
  expect(told("f(t) = f(t) + 1\nf(1); f(2)")).toEqual(["name/cycle | f | f(1) | f(2)"]);
});

test("what depends on the argument is told at the call", () => {
  expect(told(`${header}f(t) = sum(t, y)\nf(a)`)).toEqual(["type/unknown-dimension | f(a) | y"]);
});

describe("a default that needs its own input", () => {
  test.each([
    ["input s: tensor() = s + 1", "name/cycle | s"],
    ["input s: tensor() = u * 2; input u: tensor() = s + 1", "name/cycle | u"],
    ["input s: tensor() = t; t = s * 2", "name/cycle | s"],
    ["input s: tensor() = f(1); f(x) = x + s", "name/cycle | s"],
    ["input s: tensor() = sum(tensor(x[2])(x + s))", "name/cycle | s"],
  ])("%s", (program, problem) => {
    expect(told(program.replaceAll("; ", "\n"))).toEqual([problem]);
  });

  test("is none that needs others", () => {
    expect(told("input a: tensor() = 1\ninput b: tensor() = a + a\nc = b + a")).toEqual([]);
  });
});
