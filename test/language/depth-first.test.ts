import { describe, expect, test } from "vitest";
import { cyclesIn, depthFirst, postOrder } from "../../src/language/source/depth-first.js";

/** Of each node, by its letter, those that it leads to. */
type Graph = Readonly<Record<string, string>>;

const steps = (graph: Graph, roots: string): readonly string[] =>
  Array.from(
    depthFirst(roots, (node) => graph[node] ?? ""),
    (step) => (step.kind === "finished" ? step.node : `(${step.nodes.join("")})`),
  );

describe("a walk depth first", () => {
  // biome-ignore format: a table
  test.each<[string, Graph, string, string]>([
    ["nothing",                 {},                                "",    ""],
    ["a chain",                 { a: "b", b: "c" },                "a",   "c b a"],
    ["what is reached twice",   { a: "bc", b: "d", c: "d" },       "a",   "d b c a"],
    ["several roots",           { a: "b", c: "b" },                "abc", "b a c"],
    ["a node that needs itself", { a: "a" },                       "a",   "(a) a"],
    ["a cycle behind its root", { a: "b", b: "c", c: "b" },        "a",   "(bc) c b a"],
    ["two cycles of one node",  { a: "bc", b: "a", c: "a" },       "a",   "(ab) b (ac) c a"],
  ])("%s", (_, graph, roots, expected) => {
    expect(steps(graph, roots).join(" ")).toBe(expected);
    const order = postOrder(roots, (node) => graph[node] ?? "");
    expect(order.join(" ")).toBe(expected.replaceAll(/\(\w+\) ?/g, "").trim());
  });

  test("has no depth at which it ends", () => {
    const count = 100_000;
    const [cycle, ...others] = cyclesIn([0], (node) => [(node + 1) % count]);
    expect(cycle).toHaveLength(count);
    expect(others).toEqual([]);
  });

  test("asks for what a node leads to when it is entered, and for no more than is wanted", () => {
    const asked: number[] = [];
    const [first] = cyclesIn([0, 9], (node) => {
      asked.push(node);
      return node === 2 ? [0] : [node + 1];
    });
    expect(first).toEqual([0, 1, 2]);
    expect(asked).toEqual([0, 1, 2]);
  });
});
