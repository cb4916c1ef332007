import { describe, expect, test } from "vitest";
import { parseTensor, type Tensor } from "../../src/index.js";
import type { OperationName } from "../../src/language/core/operations.js";
import { aggregatorDerivatives } from "../../src/language/differentiate/aggregator-derivatives.js";
import { derivatives } from "../../src/language/differentiate/derivatives.js";
import { pullBack } from "../../src/language/differentiate/pull-back.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { isNear } from "../../src/language/values/near.js";
import { compared } from "./differences.js";
import { differentiableTensors } from "./gradient-expressions.js";

/** Each row of the tables of derivatives is needed: where it is another one, differences find another gradient. */

const tensors: Record<string, Tensor> = Object.fromEntries(
  Object.entries(differentiableTensors).map(([name, text]) => [name, parseTensor(text)]),
);

// What is moved by powers of two is exact in floats.
tensors.whole = parseTensor("tensor(x[3]):[1,2,3]");

/** Whether differences find the gradient of y in x, in all cells where they can be believed. */
function isFound(
  y: string,
  x: string,
  inputs = tensors,
  dialect: "formalism" | "vespa" = "formalism",
): boolean {
  const comparison = compared({ y, inputs, x }, { backend: "reference", dialect });
  const cells = comparison?.cells.filter(({ differences }) => differences !== undefined) ?? [];
  if (comparison === undefined || cells.length === 0) return false;
  return (
    comparison.addresses.length === 0 &&
    cells.every(({ gradient, differences = 0 }) =>
      isNear(gradient, differences, 1e-6 * (1 + Math.abs(differences))),
    )
  );
}

/** Does something while a row of a table is another one. */
function withRow<Table extends object, Key extends keyof Table>(
  table: Table,
  key: Key,
  row: Table[Key],
  act: () => void,
): void {
  const own = table[key];
  table[key] = row;
  try {
    act();
  } finally {
    table[key] = own;
  }
}

describe("scalar functions", () => {
  type Name = keyof typeof derivatives;
  const spellings: Partial<Record<Name, string>> = {
    ...{ add: "p + q", subtract: "p - q", multiply: "p * q", divide: "p / q", negate: "-p", not: "!p" },
    ...{ equal: "p == q", notEqual: "p != q", less: "p < q", lessOrEqual: "p <= q", greater: "p > q" },
    // None of the points is above 1.
    ...{ acosh: "acosh(p + 1)" },
    ...{ greaterOrEqual: "p >= q", approximately: "p ~= q", and: "p && q", or: "p || q" },
  };
  // Of the dialect of Vespa, which has no gradients.
  const rows = Object.entries(derivatives).filter(([name]) => !name.startsWith("vespa")) as [
    Name,
    readonly string[],
  ][];
  const positions = rows.flatMap(([name, texts]) => texts.map((text, at) => ({ name, at, text })));

  test.each(positions)("$name, parameter $at", ({ name, at, text }) => {
    const { parameters } = scalarFunctions[name];
    const call = spellings[name] ?? `${name}(${["p", "q"].slice(0, parameters.length).join(", ")})`;
    const points = [
      { p: 0.37, q: 1.61 },
      { p: 0.83, q: 0.29 },
      { p: 0.37, q: 0.37 },
    ].map((point) =>
      Object.fromEntries(Object.entries(point).map(([key, value]) => [key, parseTensor(`${value}`)])),
    );
    const x = at === 0 ? "p" : "q";
    const find = () => points.filter((point) => isFound(`2 * ${call}`, x, point)).length;
    const before = find();
    expect(before).toBeGreaterThan(0);
    const changed = derivatives[name].map((each, other) => (other === at ? `(${text}) + 0.01` : each));
    const table: Record<string, readonly string[]> = derivatives;
    withRow(table, name, changed, () => expect(find()).toBeLessThan(before));
  });
});

describe("aggregators", () => {
  const names = (Object.keys(aggregatorDerivatives) as (keyof typeof aggregatorDerivatives)[]).filter(
    (name) => !name.startsWith("vespa"),
  );

  test.each(names)("%s", (name) => {
    const y = `reduce(m * b * s, ${name}, x)`;
    expect(isFound(y, "b")).toBe(true);
    const table = aggregatorDerivatives as Record<string, (typeof aggregatorDerivatives)["sum"]>;
    const own = aggregatorDerivatives[name];
    const wrong: typeof own = (reduced) =>
      own(reduced) === undefined
        ? reduced.calculus.spread(reduced.adjoint, reduced.tensor)
        : reduced.calculus.each(own(reduced) ?? reduced.adjoint, "x * 1.01");
    withRow(table, name, wrong, () => expect(isFound(y, "b")).toBe(name === "count"));
  });
});

describe("operations", () => {
  // Of each operation an expression through which alone the variable is felt.
  const expressions: Partial<Record<OperationName, readonly [y: string, x: string]>> = {
    apply: ["sin(s) * s", "s"],
    select: ["if(s > 0.5, s * s, s)", "s"],
    map: ["sum(map(a, f(p)(p * p)))", "a"],
    reduce: ["sum(a)", "a"],
    join: ["sum(a * b)", "a"],
    merge: ["sum(merge(k, k * k, f(p,q)(p * q)))", "k"],
    rename: ["sum(rename(a, x, z) * tensor(z[3])(z))", "a"],
    concat: ["sum(concat(a, a, x) * tensor(x[6])(x))", "a"],
    slice: ["a{x:1}", "a"],
    literal: ["sum(tensor(z[2]):[s, 2 * s])", "s"],
    cast: ["sum(cell_cast(whole, float))", "whole"],
    filterSubspaces: ["sum(filter_subspaces(m, f(p)(sum(p) > 0)))", "m"],
  };

  test.each(Object.entries(expressions) as [string, [string, string]][])("%s", (operation, [y, x]) => {
    expect(isFound(y, x)).toBe(true);
    const table: Record<string, unknown> = pullBack;
    withRow(
      table,
      operation,
      () => [],
      () => expect(isFound(y, x)).toBe(false),
    );
  });

  test("those without a row that is needed say so", () => {
    const others = Object.keys(pullBack).filter((name) => !(name in expressions));
    // Nothing with a derivative is below these, or they are taken apart before; functions of the host have none.
    expect(others.sort()).toEqual([
      "constant",
      "generate",
      "host",
      "input",
      "mapSubspaces",
      "order",
      "parameter",
      "random",
    ]);
  });
});
