import { describe, expect, test } from "vitest";
import { backendNames } from "../../src/backends/backends.js";
import { compile, parseTensor } from "../../src/index.js";
import { SphexError } from "../../src/language/source/problem.js";

/** Which runs need an input that they lack: those that come to a node that reads it, whatever becomes of its cells. */

const rows = [
  // The branch is taken, though the product has no rows that would show it.
  {
    source:
      "input v: tensor<float>(b[5],j[3],k{}) = concat(if(c, tensor<int8>(j[2]):[1, 2], t), tensor<float>(b[1],k{}):{}, j); v",
    inputs: { c: "tensor()", t: "tensor<int8>(j[2])" },
    outcome: "input/missing",
  },
  // The branch is taken at no index.
  {
    source: "tensor(j[2],k[2])(switch (j) { case map(j, f(p)(p)): 1, default: t })",
    inputs: { t: "tensor()" },
    outcome: "tensor(j[2],k[2]):[[1.0, 1.0], [1.0, 1.0]]",
  },
  {
    source: "tensor(j[2])(if(j < 2, median(tensor(x[3])(j)), t))",
    inputs: { t: "tensor()" },
    outcome: "tensor(j[2]):[0.0, 1.0]",
  },
  {
    source: "if(c == 0, 1, if(c == 0, t, 2))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "tensor():{1.0}",
  },
  // So many choices that they are walked as a forest.
  {
    source:
      "if(c, if(c, 1, if(t, if(c, 1, 1), 1)), if(c, if(c, 1, if(c, 1, 2)), if(c, t, if(c, t, if(c, t, if(c, t, if(c, t, if(c, t, if(c, t, if(c, t, if(c, t, 7)))))))))))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "tensor():{7.0}",
  },
  // The condition has to be found before it shows that the branch is taken at no index.
  {
    source:
      "tensor(x[1])(reduce(if(map_subspaces(cell_order(r, max), f(b)(2)) == 1, t % x, tensor(z{}):{a:1, b:2}), sum))",
    inputs: { t: "tensor(z{})", r: "tensor(j[])" },
    outcome: "tensor(x[1]):[3.0]",
  },
  // The branch of the inner choice is taken, though it has no cells.
  {
    source: "switch (c) { case 1: t, case c: t, default: tensor<int8>(b[1],z{}):{} }",
    inputs: { c: "tensor()", t: "tensor<int8>(b[1],z{})" },
    outcome: "input/missing",
  },
  // No cell of the inner choice is read.
  {
    source: "if(c < 1, count(if(c < 2, t, s)), 0)",
    inputs: { c: "tensor()", t: "tensor(x[3])", s: "tensor(x[3])" },
    outcome: "input/missing",
  },
  {
    source: "if(c < 1, 5, count(if(c < 2, t, s)))",
    inputs: { c: "tensor()", t: "tensor(x[3])", s: "tensor(x[3])" },
    outcome: "tensor():{5.0}",
  },
  {
    source: "if(0 < 1, count(if(c < 2, t, s)), 0)",
    inputs: { c: "tensor()", t: "tensor(x[3])", s: "tensor(x[3])" },
    outcome: "input/missing",
  },
  // Neither choice refuses by itself, and no cell of them is read.
  {
    source: "map(if(c < 1, if(c < 2, t, 1), 1), f(x)(7))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "input/missing",
  },
  {
    source: "join(if(c < 1, if(c < 2, if(c < 3, t, 1) + 1, 1), 1), tensor(y[1]):[2], f(x,y)(7))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "input/missing",
  },
  {
    source: "map(if(c > 1, if(c < 2, t, 1), 1), f(x)(7))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "tensor():{7.0}",
  },
  // The labels of the outer choice are known when its condition is.
  {
    source: "count(if(c < 1, tensor(k{}):{a:if(c < 2, sum(t), 1)}, tensor(k{}):{b:1}))",
    inputs: { c: "tensor()", t: "tensor(x[3])" },
    outcome: "input/missing",
  },
  // What the inner choice refuses is needed at no index, or at one.
  {
    source: "tensor(i[2])(if(i > 5, if(c < 2, t, 1), 2))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "tensor(i[2]):[2.0, 2.0]",
  },
  {
    source: "count(tensor(i[2])(if(i > 0, if(c < 2, t, 1), 2)))",
    inputs: { c: "tensor()", t: "tensor()" },
    outcome: "input/missing",
  },
  // Random numbers in the body of the inner generator are the reference's to draw.
  {
    source: "tensor(i[2])(sum(tensor(k[1])(floor(sum(random(x[1]))))) + if(i > 5, sum(t), i))",
    inputs: { t: "tensor(x[3])" },
    outcome: "tensor(i[2]):[0.0, 1.0]",
  },
  {
    source: "tensor(i[2])(sum(tensor(k[1])(floor(sum(random(x[1]))))) + if(i > 0, sum(t), i))",
    inputs: { t: "tensor(x[3])" },
    outcome: "input/missing",
  },
] as const;

/** All inputs that there are, but for t. */
const values = { c: 0, s: [1, 2, 3], r: parseTensor("tensor(j[]):{{j:0}:4, {j:1}:-1}") };

const outcomeOf = (run: () => unknown): string => {
  try {
    return `${run()}`;
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code).join();
    throw error;
  }
};

describe.each(backendNames)("by %s", (backend) => {
  test.each(rows)("$source", ({ source, inputs, outcome }) => {
    for (const optimise of [true, false]) {
      const program = compile(source, { inputs, backend, optimise });
      const present = Object.entries(values).filter(([name]) => name in inputs);
      expect(outcomeOf(() => program.run(Object.fromEntries(present)))).toBe(outcome);
    }
  });
});
