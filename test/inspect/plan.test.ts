import { describe, expect, test } from "vitest";
import { backendNames, type Plan, showPlan } from "../../src/index.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { compile, compileExpression } from "../../src/program/compile.js";
import { inputTypes } from "../../src/program/inputs/inputs.js";
import type { Options } from "../../src/program/options.js";
import { patient } from "../patience.js";

/** What plans are made of: which loops there are, and what is stored at all. */

function planOf(
  text: string,
  inputs: Readonly<Record<string, string | Tensor>>,
  options: Options = {},
): Plan {
  const { types, values } = inputTypes(inputs, options);
  return compileExpression(text, { ...options, inputs: types }).plan(values, {
    run: options.clock !== undefined,
  });
}

/** What is said of the value of an expression. */
const valueWithText = ({ values }: Plan, text: string) =>
  values.filter((value) => value.text === text).at(-1);

const vector = (name: string, size: number): string =>
  `tensor(${name}[${size}]):[${Array.from({ length: size }, (_, at) => at)}]`;
const matrix = "tensor(x[2],y[3]):[[1,2,3],[4,5,6]]";

describe("what is stored", () => {
  test.each(["sum((x - y)^2)", "sum((x - y) * (x - y))"])("%s: one loop, one cell", (text) => {
    const plan = planOf(text, { x: vector("i", 1000), y: vector("i", 1000) });
    expect(plan.steps).toMatchObject([{ cells: 1, bytes: 8, cellType: "double", isOnce: false }]);
    expect(valueWithText(plan, "x - y")).toMatchObject({ storage: "on demand", cells: 1000, bytes: 0 });
    expect(valueWithText(plan, text)).toMatchObject({ storage: "stored", step: 0, cells: 1, bytes: 8 });
  });

  test("both factors of a square are computed as one, in the loop that adds them up", () => {
    const plan = planOf("sum(exp(x) * exp(x))", { x: vector("i", 1000) });
    expect(plan.steps).toMatchObject([{ cells: 1 }]);
    expect(valueWithText(plan, "exp(x)")).toMatchObject({ storage: "on demand" });
    // Two loops would compute it twice.
    expect(valueWithText(planOf("concat(exp(x), exp(x), i)", { x: vector("i", 9) }), "exp(x)")).toMatchObject(
      {
        storage: "stored",
      },
    );
  });

  test("a literal has a copy of its constants, if it has any", () => {
    const steps = (text: string): number => planOf(text, { s: "tensor():{2}" }).steps.length;
    expect(steps("tensor(x[3]):[s, s + 1, 2 * s]")).toBe(3);
    expect(steps("tensor(x[3]):[s, 1, 2 * s]")).toBe(3);
    expect(steps("tensor(x[3]):{{x:0}:s,{x:1}:2 * s}")).toBe(3);
  });

  test("softmax: exp is computed once, then its sum, then the quotients", () => {
    const plan = planOf("softmax(t, y)", { t: matrix });
    expect(plan.values.filter(({ description }) => description === "map exp")).toMatchObject([
      { storage: "stored", step: 0 },
    ]);
    expect(plan.steps.map(({ cells }) => cells)).toEqual([6, 2, 6]);
  });

  test("cells have the width of their type", () => {
    const plan = planOf("cell_cast(t, int8)", { t: matrix });
    expect(plan.steps).toMatchObject([{ cells: 6, bytes: 6, cellType: "int8" }]);
    expect(valueWithText(planOf("t * t", { t: "tensor<float>(x[3]):[1,2,3]" }), "t")).toMatchObject({
      bytes: 12,
    });
  });

  test("a constant of a million equal cells is one cell", () => {
    const plan = planOf("tensor(x[1000],y[1000])(7)", {});
    expect(plan.steps).toMatchObject([{ cells: 1, bytes: 8, isOnce: true }]);
    expect(plan.values.at(-1)).toMatchObject({
      ...{ cells: 1_000_000, bytes: 8 },
      strides: [
        { dimensions: ["x"], cells: 0 },
        { dimensions: ["y"], cells: 0 },
      ],
    });
  });

  test("what depends on constants alone is computed once", () => {
    const plan = planOf("sum(tensor(x[3])(x * 2)) * exp(a)", { a: "tensor():{1}" });
    expect(plan.steps.filter(({ isOnce }) => isOnce)).toHaveLength(1);
    expect(plan.steps.filter(({ isOnce }) => !isOnce)).toHaveLength(1);
  });
});

/** Of a matrix with rows of three cells. */
// biome-ignore format: a table
const views = [
  { text: "rename(t, x, z)",                     strides: { y: 1, z: 3 },         offset: 0 },
  { text: "rename(t, (x,y), (y,x))",             strides: { x: 1, y: 3 },         offset: 0 },
  { text: "t{x:1}",                              strides: { y: 1 },               offset: 3 },
  { text: "t{y:2}",                              strides: { x: 3 },               offset: 2 },
  { text: "t{x:1,y:1}",                          strides: {},                     offset: 4 },
  { text: "tensor(y[3],z[9])(t{x:0,y:(y)})",     strides: { y: 1, z: 0 },         offset: 0 },
  { text: "tensor(i[2])(t{x:(i),y:(i)})",        strides: { i: 4 },               offset: 0 },
];

test.each(views)("$text copies nothing", ({ text, strides, offset }) => {
  const plan = planOf(text, { t: matrix });
  expect(plan.steps).toEqual([]);
  const result = plan.values.at(-1);
  expect(result).toMatchObject({ storage: "view", bytes: 0, offset });
  expect(plan.values[result?.of ?? -1]).toMatchObject({ text: "t", storage: "input", bytes: 48 });
  const found = result?.strides.map(({ dimensions, cells }) => [dimensions.join(), cells]) ?? [];
  expect(Object.fromEntries(found)).toEqual(strides);
});

describe("what else is told", () => {
  test("what the reference does, and that a plan depends on cells", () => {
    const plan = planOf("filter_subspaces(k, f(v)(v > 1))", { k: "tensor(k{}):{p:1,q:2}" });
    expect(plan.isReplayable).toBe(false);
    // The type promises a cell that the operands do not share.
    const padded = planOf("a + b", { a: "tensor(x[]):[1]", b: "tensor(x[2]):[5,6]" });
    expect(padded.isReplayable).toBe(true);
    expect(padded.values.at(-1)).toMatchObject({ byReference: true, storage: "stored", step: 0 });
  });

  test("what the optimiser did, and nothing where it is off", () => {
    const on = planOf("x ^ 2", { x: vector("i", 3) });
    expect(on.stages).toEqual([
      { name: "core", laws: [], results: ["join(x, 2, f(a,b)(a ^ b))"] },
      { name: "constants", laws: [expect.any(String)], results: ["map(x, f(a)(a ^ 2))"] },
      { name: "scalars", laws: ["x ^ 2 = square(x)"], results: ["map(x, f(a)(square(a)))"] },
    ]);
    expect(planOf("x ^ 2", { x: vector("i", 3) }, { optimise: false }).stages).toHaveLength(1);
  });

  test("the time of each step, where there is a clock", () => {
    let now = 0;
    const plan = planOf("sum(x) + max(x)", { x: vector("i", 3) }, { clock: () => now++ });
    expect(plan.steps.every(({ time }) => time !== undefined && time > 0)).toBe(true);
    expect(planOf("sum(x)", { x: vector("i", 3) }).steps).toMatchObject([{ time: undefined }]);
  });

  test("also where another backend runs the program", () => {
    for (const backend of backendNames)
      expect(planOf("sum(x)", { x: vector("i", 3) }, { backend }).steps).toHaveLength(1);
  });

  test("a core that is too long to be written is not", patient, () => {
    // Each function writes the one before it twice.
    const functions = Array.from({ length: 40 }, (_, at) => `f${at + 1}(a) = f${at}(a) + f${at}(a)`);
    const plan = compile(["input x: tensor()", "f0(a) = a", ...functions, "f40(x)"].join("\n")).plan({
      x: 1,
    });
    expect(plan.stages).toEqual([{ name: "core", laws: [], results: [undefined] }]);
    expect(showPlan(plan)).toContain("core\n  (not to be written in core functions)");
  });
});

test("as people read it", () => {
  const plan = planOf("sum(rename(t, x, z) * 2, y)", { t: matrix });
  const lines = showPlan(plan).split("\n");
  expect(lines.slice(0, 6)).toEqual([
    "core",
    "  reduce(join(rename(t, x, z), 2, f(a,b)(a * b)), sum, y)",
    "",
    "after constants",
    "  by join(t, 2, f(a,b)(…)) = map(t, f(a)(… of 2))",
    "  reduce(map(rename(t, x, z), f(a)(a * 2)), sum, y)",
  ]);
  expect(lines.slice(-5)).toEqual([
    "value                        operation          type               storage           cells  bytes  strides",
    "t                            input t            tensor(x[2],y[3])  input                 6     48  x:3 y:1",
    "rename(t, x, z)              rename x to z      tensor(y[3],z[2])  view of t             6         z:3 y:1",
    "rename(t, x, z) * 2          map                tensor(y[3],z[2])  on demand             6",
    "sum(rename(t, x, z) * 2, y)  reduce sum over y  tensor(z[2])       stored by step 1      2     16  z:1",
  ]);
  for (const width of [40, 60]) expect(showPlan(plan, { width }).split("\n").length).toBeGreaterThan(6);
});
