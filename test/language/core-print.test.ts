import { expect, test } from "vitest";
import { Graph } from "../../src/language/core/graph.js";
import type { Node } from "../../src/language/core/operations.js";
import { coreText } from "../../src/language/core/print.js";
import { indexed, mapped, TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { complaints } from "../../src/optimise/verify.js";
import { parseType } from "../../src/program/options.js";
import { checkedExpression } from "../core.js";

/** The text of core graphs of extreme shapes; `cases/core.md` shows what it looks like. */

const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
const scalar = TensorType.scalar;
const vector = TensorType.of("double", [indexed("x", 2)]);

const linesOf = (...roots: Node[]): readonly string[] => coreText(roots).split("\n");

test("a chain of 200,000 operations has as many lines", () => {
  const graph = new Graph();
  let node = graph.input("a", scalar, span);
  for (let at = 0; at < 200_000; at++) node = graph.apply("exp", [node], span);
  const lines = linesOf(node);
  expect(lines.length).toBe(200_002);
  expect(lines.slice(-2)).toEqual(["%200000 = apply exp(%199999) : tensor()", "return %200000"]);
});

test("what is used twice, by what is used twice, is written once", () => {
  const graph = new Graph();
  let node = graph.input("a", scalar, span);
  for (let at = 0; at < 200; at++) node = graph.apply("add", [node, node], span);
  expect(linesOf(node).length).toBe(202);
});

test("lambdas in lambdas, each used twice, are functions once", () => {
  const graph = new Graph();
  const parameter = graph.parameter(1, 0, vector, span);
  let body = graph.reduce(parameter, "sum", [], span);
  for (let at = 0; at < 100; at++) {
    const lambda = { parameters: [vector], body };
    const other = graph.order(parameter, true, span);
    const [one, two] = [graph.mapSubspaces(parameter, lambda, span), graph.mapSubspaces(other, lambda, span)];
    body = graph.reduce(graph.join(one, two, sum(graph), span), "sum", [], span);
  }
  const lines = linesOf(
    graph.mapSubspaces(graph.input("t", vector, span), { parameters: [vector], body }, span),
  );
  expect(lines.filter((line) => line.startsWith("@")).length).toBe(101);
  expect(lines.length).toBeLessThan(101 * 10);
});

const sum = (graph: Graph) => {
  const [a, b] = [graph.parameter(1, 0, scalar, span), graph.parameter(1, 1, scalar, span)];
  return { parameters: [scalar, scalar], body: graph.apply("add", [a, b], span) };
};

test("10,000 lambdas in one another are no recursion", () => {
  const graph = new Graph();
  const parameter = graph.parameter(1, 0, vector, span);
  let body = graph.reduce(parameter, "sum", [], span);
  for (let at = 0; at < 10_000; at++)
    body = graph.reduce(graph.mapSubspaces(parameter, { parameters: [vector], body }, span), "max", [], span);
  const node = graph.mapSubspaces(graph.input("t", vector, span), { parameters: [vector], body }, span);
  expect(linesOf(node).filter((line) => line.startsWith("@")).length).toBe(10_001);
});

test("generators in generators, each body used twice, are lines once", () => {
  const graph = new Graph();
  const sizes = [2, 3].map((size) => TensorType.of("double", [indexed("x", size)]));
  let body: Node = graph.reduce(
    graph.generate(vector, 200, graph.parameter(200, 0, scalar, span), span),
    "sum",
    [],
    span,
  );
  for (let level = 199; level > 0; level--) {
    const inner = graph.apply("add", [body, graph.parameter(level, 0, scalar, span)], span);
    const [one, two] = sizes.map((type) =>
      graph.reduce(graph.generate(type, level, inner, span), "sum", [], span),
    );
    if (one !== undefined && two !== undefined) body = graph.apply("add", [one, two], span);
  }
  const text = coreText([body]);
  expect(text.split("\n").length).toBeLessThan(200 * 7);
  expect(text.length).toBeLessThan(200 * 7 * 80);
});

test("a body of many operations has lines of its own", () => {
  const sums = (count: number): string => `map(t, f(a)(${"a + ".repeat(count)}1))`;
  const types = new Map([["t", vector]]);
  const textOf = (text: string): string =>
    coreText(checkedExpression(text, types).results.map(({ node }) => node));
  expect(textOf(sums(12))).not.toContain("@");
  expect(textOf(sums(13))).toContain("map %0 @0");
});

test("names and labels that could be read as something else are quoted, each line is one", () => {
  const graph = new Graph();
  const type = TensorType.of("double", [mapped("k")]);
  const input = graph.input('odd("\n")', type, span);
  const labels = ["a b", "it's", "}\n%9 = input b"].sort();
  const constant = Tensor.from(type, Object.fromEntries(labels.map((label) => [label, 1])));
  const [first = ""] = labels;
  const slice = graph.slice(
    graph.merge(input, graph.constant(constant, span), sum(graph), span),
    [{ dimension: "k", label: first }],
    span,
  );
  const literal = graph.literal(type, [{ labels: ["a,b"], offset: 0, value: slice }], span);
  expect(linesOf(literal)).toEqual([
    `%0 = input 'odd("\\n")' : tensor(k{})`,
    `%1 = constant {'a b':1.0, "it's":1.0, '}\\n%9 = input b':1.0} : tensor(k{})`,
    "%2 = merge %0, %1 (a, b) -> a + b : tensor(k{})",
    "%3 = slice %2{k:'a b'} : tensor()",
    "%4 = literal {k:'a,b'}:%3 : tensor(k{})",
    "return %4",
  ]);
});

test("what is wrong with a graph is said with the text of the node", () => {
  const [root] = checkedExpression("sum(t * 2)", new Map([["t", parseType("tensor(x[2])")]])).results;
  if (root === undefined) throw new Error("no result");
  expect(complaints([root.node])).toEqual([]);
  const [found] = complaints([{ ...root.node, type: vector }]);
  expect(found).toMatch(/^%\d+ = reduce %\d+ sum : tensor\(x\[2\]\) should be of type tensor\(\)$/);
});
