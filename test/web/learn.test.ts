import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseTensor, type Tensor } from "../../src/index.js";
import { Variables } from "../../src/vespa/compat/compat.js";
import { checkAnswer } from "../../src/web/learn/check-answer.js";
import { exampleDocument } from "../../src/web/learn/example-document.js";
import { examples } from "../../src/web/learn/examples.js";
import type { Answer, Exercise } from "../../src/web/learn/exercise.js";
import { firstExamples } from "../../src/web/learn/first-examples.js";
import { puzzleGroups } from "../../src/web/learn/puzzles.js";
import { tour } from "../../src/web/learn/tour.js";
import { verdictText } from "../../src/web/learn/verdict-text.js";

/** What learners are shown is run by the language. Goals were worked out by hand. */
const puzzles = puzzleGroups.flatMap((group) => group.puzzles);
const written = (expression: string, steps: Answer["steps"] = []): Answer => ({ expression, steps });
const exercises = [...tour.map(({ exercise }) => exercise), ...puzzles];

describe("exercises", () => {
  test("there are at least 25 puzzles, and each exercise has a name of its own", () => {
    expect(puzzles.length).toBeGreaterThanOrEqual(25);
    expect(new Set(exercises.map(({ id }) => id)).size).toBe(exercises.length);
  });

  test("the tour visits the sections of the paper in order", () => {
    const sections = tour.map(({ section }) => section.split(".").map(Number));
    const keys = sections.map((parts) => parts.reduce((sum, part, at) => sum + part / 100 ** at, 0));
    expect(keys).toEqual([...keys].sort((a, b) => a - b));
    for (let at = 1; at <= 9; at++) expect(tour.map(({ section }) => section)).toContain(`5.3.${at}`);
  });

  test.each(exercises)("the solution of $id reaches the goal", async (exercise) => {
    expect(verdictText(await checkAnswer(exercise, written(exercise.solution)))).toBe("Right.");
  });

  test.each(exercises)("the start of $id can be computed, and is not yet the answer", async (exercise) => {
    const verdict = await checkAnswer(exercise, written(exercise.start));
    expect(verdict.kind, verdictText(verdict)).not.toBe("right");
    expect(verdict.kind, verdictText(verdict)).not.toBe("problems");
  });

  // biome-ignore format: a table
  test.each([
    ["tour-network", "sigmoid(sum(hidden * finalWeights, h))"],
    ["tour-network", "sigmoid(sum(hidden * finalWeights, h) - finalBias)"],
    ["tour-reduce", "median(max(marks, exam))"],
    ["tour-reduce", "max(marks) - 1"],
    ["tour-regression", "sum(topics * interests / locations * learned)"],
    ["length", "max(a) + 1"],
    ["peak", "relu(a - max(a) + 1)"],
    ["centre", "a - 3"],
    ["normalise", "(m - avg(m, y)) / avg(abs(m - avg(m, y)), y)"],
    ["normalise", "(m - avg(m, y)) / max(m - avg(m, y), y)"],
    ["stable-softmax", "(scores == max(scores)) / sum(scores == max(scores))"],
    ["max-sim", "sum(max(max(q * d, x), dt), qt)"],
    ["attention", "sum(pow(2, scores) / sum(pow(2, scores), token) * values, token)"],
    ["table-look-up", "max(sentence * table, word)"],
  ])("%s is not answered by %s", async (name, answer) => {
    const exercise = exercises.find(({ id }) => id === name);
    if (exercise === undefined) throw new Error(`there is no exercise ${name}`);
    expect((await checkAnswer(exercise, written(answer))).kind).toBe("fixed");
  });

  test.each(exercises)("the goal of $id, written out, is no answer", async (exercise) => {
    const { kind } = await checkAnswer(exercise, written(exercise.goal.replaceAll("Infinity", "1/0")));
    expect(["fixed", "form"]).toContain(kind);
  });
});

describe("verdicts", () => {
  const exercise: Exercise = {
    id: "pair",
    title: "Pair",
    task: "Double `a`.",
    inputs: { a: "tensor(k{}):{p:1, q:2}" },
    others: { a: "tensor(k{}):{r:3}" },
    goal: "tensor(k{}):{p:2, q:4}",
    start: "a",
    solution: "2 * a",
    hint: "",
    without: ["map"],
  };

  // biome-ignore format: a table
  test.each([
    { answer: "a + a",                      says: "Right." },
    { answer: "a +\n a # twice",            says: "Right." },
    { answer: "a",                          says: "The cell {k:p} is 1, and should be 2. One other differs, too." },
    { answer: "a{p}",                       says: "This is a tensor(), and should be a tensor(k{})." },
    { answer: "tensor(k{}):{p:2}",          says: "The cell {k:q} is not there, and should be 4." },
    { answer: "merge(2 * a, tensor(k{}):{z:9}, f(x,y)(x))", says: "The cell {k:z} is 9, and should not be there." },
    { answer: "tensor(k{}):{p:2, q:4}",     says: "Right for these inputs, but not for others: try other numbers in `a`." },
    { answer: "map(a, f(x)(x + x))",        says: "Try it without `map`." },
    { answer: "a + 0 / 0 * a",              says: "The cell {k:p} is NaN, and should be 2. One other differs, too." },
    { answer: "a / 0",                      says: "The cell {k:p} is Infinity, and should be 2. One other differs, too." },
  ])("$answer", async ({ answer, says }) => {
    expect(verdictText(await checkAnswer(exercise, written(answer)))).toBe(says);
  });

  test("an answer in several cells is computed of those that it mentions", async () => {
    const steps = [
      { name: "half", expression: "nosuch" },
      { name: "once", expression: "a * 1" },
      { name: "twice", expression: "once + once" },
      { name: "broken", expression: "twice +" },
    ];
    expect(verdictText(await checkAnswer(exercise, written("twice", steps)))).toBe("Right.");
    const mapped = [{ name: "twice", expression: "map(a, f(x)(x + x))" }];
    expect(verdictText(await checkAnswer(exercise, written("twice", mapped)))).toBe("Try it without `map`.");
    expect(verdictText(await checkAnswer(exercise, written("2 * a", mapped)))).toBe("Right.");
  });

  test("a form that is left out is found where its argument is a shape", async () => {
    const identity = exercises.find(({ id }) => id === "identity") ?? exercise;
    const verdict = await checkAnswer(identity, written("diag(x[3],y[3])"));
    expect(verdictText(verdict)).toBe("Try it without `diag`.");
  });

  test("an answer that is no expression is told why", async () => {
    const verdict = await checkAnswer(exercise, written("2 * (a"));
    expect(verdict.kind).toBe("problems");
    expect(verdictText(verdict)).toMatch(/^This cannot be computed: .+\.$/s);
  });

  test("an answer that would never end is stopped", async () => {
    const verdict = await checkAnswer(exercise, written("sum(tensor(i[30000],j[30000])(i * j)) * a"));
    expect(verdict.kind).toBe("problems");
  });
});

async function valuesOf(cells: (typeof examples)[number]["cells"]): Promise<Map<string, Tensor>> {
  const variables = new Variables(() => ({ dialect: "vespa" }));
  const values = new Map<string, Tensor>();
  for (const cell of cells) {
    if (cell.kind === "remark") continue;
    const value = await variables.evaluate(cell.expression, { name: cell.name });
    if (cell.name !== "") variables.set(cell.name, value);
    values.set(cell.name, value);
  }
  return values;
}

describe("examples", () => {
  test("there are the playground's seven, and more", () => {
    expect(firstExamples).toHaveLength(7);
    expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length);
    expect(examples.length).toBeGreaterThan(7);
  });

  test.each(examples)("$id can be computed", async ({ cells }) => {
    expect((await valuesOf(cells)).size).toBeGreaterThan(1);
  });

  // biome-ignore format: a table
  test.each([
    { id: "dense-dot-product",      last: "1" },
    { id: "sparse-dot-product",     last: "4" },
    { id: "vector-times-matrix",    last: "tensor(y[2]):[4, 5]" },
    { id: "matrix-product",         last: "tensor(x[2],z[2]):[[7, 8], [16, 17]]" },
    { id: "generate-rename-concat", last: "tensor(x[4],y[3]):[[1, 2, 3], [2, 4, 6], [3, 6, 9], [0, 10, 20]]" },
    { id: "jaccard",                last: "0.4" },
  ])("the last value of $id was worked out by hand", async ({ id, last }) => {
    const { cells = [] } = examples.find((each) => each.id === id) ?? {};
    expect([...(await valuesOf(cells)).values()].at(-1)?.equals(parseTensor(last))).toBe(true);
  });

  // biome-ignore format: a table
  test.each([
    { id: "max-sim",           file: "maxsim",             result: 0 },
    { id: "packed-bits",       file: "maxsim-packed-bits", result: 1 },
    { id: "sparse-regression", file: "sparse-regression",  result: 0 },
    { id: "attention",         file: "attention",          result: 1 },
    { id: "top-documents",     file: "cosine",             result: 1 },
  ])("$id has the value that $file.sphex is recorded with", async ({ id, file, result }) => {
    const { cells = [] } = examples.find((each) => each.id === id) ?? {};
    const text = readFileSync(new URL(`../../examples/${file}.sphex`, import.meta.url), "utf8");
    const recorded = parseTensor([...text.matchAll(/^#> (.*)$/gm)][result]?.[1] ?? "");
    const value = [...(await valuesOf(cells)).values()].at(-1);
    expect(`${value?.type}`).toBe(`${recorded.type}`);
    const expected = [...recorded.cells()];
    for (const [at, cell] of [...(value?.cells() ?? [])].entries()) {
      expect(cell.address).toEqual(expected[at]?.address);
      expect(cell.value).toBeCloseTo(expected[at]?.value ?? Number.NaN, 9);
    }
  });

  test("the pictures of an example are of cells that it has", () => {
    for (const example of examples) {
      const names = example.cells.flatMap((each) => (each.kind === "formula" ? [each.name] : []));
      expect(names, example.id).toEqual(expect.arrayContaining(Object.keys(example.pictures ?? {})));
      const drawn = exampleDocument(example).cells.filter(
        (each) => each.kind === "expression" && each.views[""] !== undefined,
      );
      expect(drawn.length, example.id).toBeGreaterThanOrEqual(Object.keys(example.pictures ?? {}).length);
    }
  });

  test("exclusive or is 1 where one of two inputs is", async () => {
    const { cells = [] } = examples.find(({ id }) => id === "neural-network") ?? {};
    const value = (await valuesOf(cells)).get("");
    const rounded = Array.from(value?.cells() ?? [], ({ address, value }) => [
      address.case,
      Math.round(value),
    ]);
    expect(Object.fromEntries(rounded)).toEqual({ none: 0, first: 1, second: 1, both: 0 });
  });
});
