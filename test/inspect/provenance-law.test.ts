import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finish, Meter } from "../../src/backends/meter.js";
import { Evaluation, unboxed } from "../../src/backends/reference/evaluation.js";
import { parseTensor, type Tensor } from "../../src/index.js";
import { notFinite } from "../../src/inspect/provenance/not-finite.js";
import { type Cell, Scope } from "../../src/inspect/provenance/scope.js";
import { Trace } from "../../src/inspect/provenance/trace.js";
import { stepsOf } from "../../src/inspect/provenance/why.js";
import { preludeNames } from "../../src/language/check/prelude-names.js";
import { checkProgram } from "../../src/language/check/statements/program.js";
import type { Node, OperationName } from "../../src/language/core/operations.js";
import { parseExpression } from "../../src/language/syntax/parse.js";
import { uniform } from "../../src/program/random.js";
import { tensorsOf, types } from "../arbitraries.js";
import { holds } from "../chance.js";
import { expressionsOn, tensorsByName } from "../expressions.js";
import { agrees } from "./recompute.js";

/**
 * Why tells the truth: what a step says its cell is made of makes that cell again, exactly; and the innermost operation
 * that is blamed for NaN or an infinity is one.
 */

type Inputs = Readonly<Record<string, Tensor>>;

interface Seen {
  readonly node: Node;
  readonly scope: Scope;
  readonly trace: Trace;
}

/** An expression that was run; nothing where it is ill typed. */
function run(text: string, inputs: Inputs): Seen | undefined {
  const { tree } = parseExpression({ name: "law", text });
  if (tree === undefined) throw new Error(`cannot be read: ${text}`);
  const { problems, results } = checkProgram(
    { statements: [{ kind: "result", span: tree.span, expression: tree }] },
    {
      dialect: "formalism",
      cells: 100_000,
      expansions: 10_000,
      inputs: new Map(Object.entries(inputs).map(([name, { type }]) => [name, type])),
    },
  );
  const node = results[0]?.node;
  if (node === undefined || problems.some((each) => each.isError)) return undefined;
  const trace = new Trace();
  const evaluation = new Evaluation({
    meter: new Meter({ cells: 100_000 }),
    random: uniform(1),
    watch: trace,
    // biome-ignore lint/correctness/useYield: an input takes no time
    *input(name) {
      const tensor = inputs[name];
      if (tensor === undefined) throw new Error(`no input ${name}`);
      return unboxed(tensor);
    },
  });
  finish(evaluation.value(node));
  return { node, scope: new Scope(evaluation), trace };
}

/** All cells of the value, and one beside each: with another label in one dimension. */
function cellsOf({ node, scope }: Seen): Cell[] {
  const there = [...scope.tensor(node).cells()].slice(0, 30).map(({ address }) => address);
  const [name] = node.type.names;
  const beside = name === undefined ? [] : there.map((address) => ({ ...address, [name]: "77" }));
  return [...there, ...beside].map((address) => ({ scope, node, address }));
}

const met = new Map<OperationName, number>();

function checkLaw(text: string, inputs: Inputs): void {
  const traced = run(text, inputs);
  if (traced === undefined) return;
  for (const cell of cellsOf(traced)) {
    for (const { cell: made, step } of stepsOf(cell, { steps: 300 })) {
      met.set(step.operation, (met.get(step.operation) ?? 0) + 1);
      if (!agrees(made.node, step)) throw new Error(`${text}\n${JSON.stringify(step, plain, 1)}`);
    }
  }
}

const plain = (key: string, value: unknown): unknown =>
  key === "span" || key === "type" ? undefined : typeof value === "number" ? `${value}` : value;

const expression = expressionsOn(Object.keys(tensorsByName));
const fixed = Object.fromEntries(
  Object.entries(tensorsByName).map(([name, text]) => [name, parseTensor(text)]),
);

describe("every step's cell is made of its contributions", () => {
  test("in random expressions", () => {
    holds(
      fc.property(expression, (text) => checkLaw(text, fixed)),
      1000,
    );
  });

  /** Each operation, on tensors of all types and kinds of dimensions, with all that numbers can be. */
  const forms = [
    "map(a, f(p)(if(p < 1, -p / 3, sqrt(p))))",
    ...["avg", "count", "max", "median", "min", "prod", "sum"].map((name) => `reduce(a, ${name})`),
    ...["avg", "median", "prod", "sum"].map((name) => `reduce(a, ${name}, x)`),
    ...["x", "y", "k"].map((name) => `sum(a * b, ${name})`),
    "a / b",
    "join(a, b, f(p,q)(p - 2 * q))",
    "merge(a, a2, f(p,q)(p / q))",
    "rename(a * 1, x, z)",
    "rename(a, (x,y), (y,x))",
    ...["x", "y", "k", "new"].map((name) => `concat(a, b, ${name})`),
    "concat(a, concat(b, a, x), x)",
    "a{x:0}",
    "a{k:b}",
    "a{x:(count(a) % 4)}",
    "if (sum(a) > 0, a, a2)",
    "switch (count(a) % 3) { case 0: a, case 1: a2, default: a * 2 }",
    ...["float", "int8", "bfloat16", "double", "half", "short", "int", "long"].map(
      (to) => `cell_cast(a, ${to})`,
    ),
    ...["max", "min"].map((way) => `cell_order(a, ${way})`),
    "map_subspaces(a, f(t)(sum(t)))",
    "map_subspaces(a, f(t)(tensor<float>(z[2])(z / sum(t))))",
    "map_subspaces(a, f(t)(t * 2 + count(t)))",
    "filter_subspaces(a, f(t)(t > 0))",
    "filter_subspaces(a, f(t)(map_subspaces(t, f(u)(u - 1))))",
    "tensor<float>(z[2],w[2])(z / 3 + sum(a) * w)",
    "tensor(z[2])(sum(tensor(w[2])(z + w * 10) * tensor(w[2])(sum(a) - w)))",
    "tensor(z[3])(if (z < 2, a{x:(z)}, z))",
    "tensor(z[2]):[sum(a), count(b)]",
    "tensor<int8>(z{},w[2]):{p:[sum(a), 1], q:[2, 300]}",
    "random(z[3]) * a",
    "tensor(z[3])(sum(random(w[2])) + z)",
    "softmax(a, x)",
    "top(2, a)",
    "argmax(a, k)",
    "argmin(a)",
    "l1_normalize(a, x)",
    "l2_normalize(a, y)",
    "euclidean_distance(a, a2, x)",
    "cosine_similarity(a, a2, y)",
    "matmul(a, b, x)",
    "xw_plus_b(a, b, a, y)",
    "expand(a, new)",
    "mod(a, 3)",
    "unpack_bits(cell_cast(a, int8))",
    "sgd(a, a2, 0.1)",
    "momentum(a, a2, 0.9)",
    "moving_average(a, a2, 0.9)",
    "scaled_step(a, a2, a2 * a2, 0.1)",
    "adam(a, a2, a2 * a2, 2, 0.1)",
    "accuracy(a, a2)",
    "descending_rank(a, x)",
    "auc(a, a2, x)",
    "rank_auc(a, a2, x)",
    "rank_gap(a, a2, x)",
    "portion(a, a2)",
    "discount(a, x)",
    "tied_mean(a, a2, x)",
    "tied_sum(a, a2, x)",
    "dcg(a, a2, x)",
    "ndcg(a, a2, x)",
    "range(z[3]) * a",
    "where(a > 1, a, a2)",
    "a * diag(2, 3)",
    "a in [0, 1, sum(b)]",
  ];

  const fixedForms = Object.fromEntries(
    Object.entries({ a: "b", a2: "b", b: "b" }).map(([name, from]) => [name, fixed[from] as Tensor]), // all are there
  );

  const inputs = types({ names: ["x", "y", "k"] }).chain((type) =>
    types({ names: ["x", "y", "k"] }).chain((other) =>
      fc.record({ a: tensorsOf(type), a2: tensorsOf(type), b: tensorsOf(other) }),
    ),
  );

  test.each(forms)("%s", (text) => {
    holds(
      fc.property(inputs, (given) => checkLaw(text, given)),
      60,
    );
  });

  test("with every function of the prelude among the forms", () => {
    const missing = preludeNames().all.filter((name) => !forms.some((form) => form.includes(`${name}(`)));
    expect(missing).toEqual([]);
  });

  test("and points to the call, where a step is one of a function's own", () => {
    for (const form of forms) {
      const traced = run(form, fixedForms);
      if (traced === undefined) continue;
      for (const cell of cellsOf(traced).slice(0, 3))
        for (const { step } of stepsOf(cell, { steps: 100 })) {
          expect(step.span.source.name, form).toBe("law");
          expect(form.slice(step.span.start, step.span.end), form).not.toBe("");
        }
    }
    const traced = run("1 + softmax(a, x)", fixedForms);
    const steps = traced === undefined ? [] : cellsOf(traced).flatMap((cell) => stepsOf(cell, { steps: 20 }));
    expect(steps.map(({ step }) => step.text)).toContain("softmax(a, x)");
  });

  test("which all operations were part of", () => {
    expect([...met.keys()].sort()).toEqual(
      [
        ...["apply", "cast", "concat", "constant", "filterSubspaces", "generate", "input", "join", "literal"],
        ...[
          "map",
          "mapSubspaces",
          "merge",
          "order",
          "parameter",
          "random",
          "reduce",
          "rename",
          "select",
          "slice",
        ],
      ].sort(),
    );
  });
});

test("what is blamed for a cell that is not finite is not finite, and made of what is", () => {
  const wrong = fc.constantFrom(
    ...["log(%)", "1 / (%)", "sqrt(%)", "sum(1 / (%))", "map(%, f(p)(p + log(p)))", "(%) / (%)"],
    ...["tensor(z[2])(log(sum(%) - z))", "map_subspaces(%, f(t)(1 / t))", "join(%, %, f(p,q)(1 / (p - q)))"],
  );
  let found = 0;
  holds(
    fc.property(expression, wrong, expression, (inner, form, other) => {
      const traced = run(`(${form.replaceAll("%", inner)}) * (${other})`, fixed);
      if (traced === undefined) return;
      const { arises, sources } = notFinite(traced.trace.order, traced.scope);
      expect(sources).toEqual([]);
      const isWrong = [...traced.scope.tensor(traced.node).cells()].some(
        ({ value }) => !Number.isFinite(value),
      );
      if (isWrong) expect(arises).toBeDefined();
      const [step] = arises?.why.steps ?? [];
      if (step === undefined) return;
      found++;
      expect(Number.isFinite(step.value)).toBe(false);
      for (const { value = 0 } of step.contributions) expect(Number.isFinite(value)).toBe(true);
    }),
    1500,
  );
  expect(found).toBeGreaterThan(50);
});
