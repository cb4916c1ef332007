import fc from "fast-check";
import { expect, test } from "vitest";
import { showPlan } from "../../src/inspect/plan-report/show-plan.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { compileExpression } from "../../src/program/compile.js";
import { inputTypes, parseTensor } from "../../src/program/inputs/inputs.js";
import { disagreements, ways } from "../agreement.js";
import { holds } from "../chance.js";
import { evaluate } from "../engine-evaluate.js";

/** Sums of products of several tensors, taken apart: far fewer products, and still what the reference gives. */

type Inputs = Readonly<Record<string, Tensor>>;

/** A tensor of these sizes, whose cells are drawn one by one. */
function tensor(type: string, draw: (at: number) => number): Tensor {
  const sizes = [...type.matchAll(/\[(\d+)\]/g)].map(([, size]) => Number(size));
  const count = sizes.reduce((product, size) => product * size, 1);
  const written = (at: number): string => {
    const value = draw(at);
    return Number.isFinite(value) ? `${value}` : `${value}`.replace("Infinity", "Infinity");
  };
  const nested = (from: number, depth: number, cells: number): string => {
    const size = sizes[depth];
    if (size === undefined) return written(from);
    const step = cells / size;
    return `[${Array.from({ length: size }, (_, at) => nested(from + at * step, depth + 1, step)).join()}]`;
  };
  return parseTensor(`${type}:${nested(0, 0, count)}`);
}

const isApart = (text: string, inputs: Inputs): boolean => {
  const { types, values } = inputTypes(inputs, {});
  const { steps } = compileExpression(text, { inputs: types }).plan(values);
  return steps.some(({ description: says }) => says.startsWith("whether "));
};

const counted = (at: number): number => ((at * 7) % 11) - 5;
const square = (left: string, right: string, size = 16): Tensor =>
  tensor(
    `tensor(${[left, right]
      .sort()
      .map((name) => `${name}[${size}]`)
      .join(",")})`,
    counted,
  );

const chain = { a: square("w", "x"), b: square("x", "y"), c: square("y", "z") };

// biome-ignore format: a table
test.each([
  ["sum(a * b * c, x, y)",     chain,                                                            true],
  ["sum(a * (b * c), x, y)",   chain,                                                            true],
  ["sum(a * b * c)",           chain,                                                            true],
  ["sum(exp(a) * b * c, y)",   chain,                                                            true],
  ["sum(sum(a * b, x) * c, y)", { a: square("w", "x", 40), b: square("x", "y", 40), c: tensor("tensor(y[40],z[2])", counted) }, true],
  ["sum(a * sum(b * c, y), x)", { a: square("x", "y", 2), b: square("x", "y"), c: square("y", "z") }, false],
  ["sum(a * b * c)",           { a: square("w", "x", 4), b: square("x", "y", 4), c: square("y", "z", 4) }, false],
  ["sum(a * b, x)",            chain,                                                            false],
  ["sum(a * a * a, x)",        chain,                                                            false],
  ["max(a * b * c, x)",        chain,                                                            false],
  ["sum(a * b + c, x)",        chain,                                                            false],
] as const)("%s: taken apart or not (%#)", (text, inputs, expected) => {
  const used = Object.fromEntries(Object.entries(inputs).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(isApart(text, used)).toBe(expected);
});

test("the order that takes the fewest products is found", () => {
  // (a * b) over x takes 2·50·50 products and leaves 100 cells; then c takes 2·50·40 and leaves 80. The other way
  // round it would be 50·50·40 to begin with. What only d has is summed over first: 50·3 additions, 50 cells.
  const sizes = {
    a: "tensor(w[2],x[50])",
    b: "tensor(x[50],y[50])",
    c: "tensor(y[50],z[40])",
    d: "tensor(v[3],y[50])",
  };
  const inputs = Object.fromEntries(
    Object.entries(sizes).map(([name, type]) => [name, tensor(type, counted)]),
  );
  const { types, values } = inputTypes(inputs, {});
  const cellsOf = (text: string): readonly number[] =>
    compileExpression(text, { inputs: types })
      .plan(values)
      .steps.map(({ cells }) => cells);
  expect(cellsOf("sum(a * (b * c), x, y)").slice(0, 3)).toEqual([1, 100, 80]);
  expect(cellsOf("sum(b * c * d, x, y, v)")).toContain(50);
});

test("a chain of four matrices, by hand", () => {
  // Ones all over: each cell of the result counts the paths between its two ends.
  const ones = (left: string, right: string): Tensor => tensor(`tensor(${left}[8],${right}[8])`, () => 1);
  const inputs = { a: ones("u", "v"), b: ones("v", "w"), c: ones("w", "x"), d: ones("x", "y") };
  const value = evaluate("sum(a * b * c * d, v, w, x)", inputs);
  expect(`${value.type}`).toBe("tensor(u[8],y[8])");
  expect([...value.data]).toEqual(new Array(64).fill(512));
});

test.each([
  1, 2, 3,
])("a dimension of size %i that no factor has counts the products that are alike", (size) => {
  const ones = (left: string, right: string): Tensor => tensor(`tensor(${left}[16],${right}[16])`, () => 1);
  const inputs = { a: ones("w", "x"), b: ones("x", "y"), c: ones("y", "z") };
  const text = `sum(a * b * c * tensor(v[${size}])(1), v, x, y)`;
  expect(isApart(text, inputs)).toBe(true);
  expect([...evaluate(text, inputs).data]).toEqual(new Array(256).fill(256 * size));
});

const texts = fc.constantFrom(
  "sum(a * b * c, x, y)",
  "sum(a * b * c, y)",
  "sum(a * b * c)",
  "sum(c * (a * b), x, y, z)",
  "sum((a * a) * (b * c), w, x)",
  "sum(a * b * c, w, y, z)",
  "sum(a * b * c * 2 * c, y)",
  "sum(rename(a, w, v) * b * c, x)",
  "sum(a{w:1} * b * c * tensor(v[16])(v), x, y)",
  "sum(a * sum(b * c, y), x)",
  "sum(sum(a * b, x) * c, y)",
  "sum(sum(sum(a, w) * b, x) * c, y)",
  "sum(a * sum(b * c, y){z:1}, x)",
  "sum(a * sum(b * c, y){z:0}, x)",
  "sum(a * rename(sum(b * c, y), z, v), v, x)",
  "sum(sum(a * b, x) * sum(a * b, x) * c, y)",
  "sum(rename(sum(a * b, x), (w,y), (y,w)) * c, w, y)",
  "sum(sum(a * b, x) * c, y) + sum(a * b, w, x)",
  "tensor(v[3])(sum(sum(a * b * v, x) * c, w, y))",
  "max(sum(sum(a * b, x) * c, y), z)",
);

const special = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e308,
  -1e200,
  1e-200,
  5e-324,
  -0,
];
const cellTypes = fc.constantFrom("", "<float>", "<int8>", "<bfloat16>");

/** Three matrices of random cells, with a few special ones in half of the cases; some reach less far than others. */
const matrices = fc
  .record({
    cells: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 40, maxLength: 60 }),
    odd: fc.option(fc.record({ at: fc.nat(255), value: fc.constantFrom(...special), of: fc.nat(2) })),
    types: fc.tuple(cellTypes, cellTypes, cellTypes),
    size: fc.constantFrom(15, 16, 18),
  })
  .map(({ cells, odd, types, size }): Inputs => {
    const draw = (of: number) => (at: number) =>
      odd?.of === of && odd.at === at ? odd.value : (cells[(at * (of + 1) + of) % cells.length] ?? 0);
    return {
      a: tensor(`tensor${types[0]}(w[16],x[16])`, draw(0)),
      b: tensor(`tensor${types[1]}(x[${size}],y[16])`, draw(1)),
      c: tensor(`tensor${types[2]}(y[16],z[16])`, draw(2)),
    };
  });

/** Four matrices, alternately wide and tall, of whose products the one in the middle is the largest. */
const wide = fc
  .record({
    cells: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 40, maxLength: 60 }),
    odd: fc.option(fc.record({ at: fc.nat(199), value: fc.constantFrom(...special), of: fc.nat(3) })),
    types: fc.tuple(cellTypes, cellTypes, cellTypes, cellTypes),
    overlap: fc.constantFrom(99, 100, 101),
  })
  .map(({ cells, odd, types, overlap }): Inputs => {
    const draw = (of: number) => (at: number) =>
      odd?.of === of && odd.at === at ? odd.value : (cells[(at * (of + 1) + of) % cells.length] ?? 0);
    return {
      a: tensor(`tensor${types[0]}(u[2],v[100])`, draw(0)),
      b: tensor(`tensor${types[1]}(v[100],w[2])`, draw(1)),
      c: tensor(`tensor${types[2]}(w[2],x[100])`, draw(2)),
      d: tensor(`tensor${types[3]}(x[${overlap}],y[2])`, draw(3)),
    };
  });

const nested = fc.constantFrom(
  "sum(a * sum(sum(b * c, w) * d, x), v)",
  "sum(sum(a * sum(b * c, w), v) * d, x)",
  "sum(d * sum(b * c, w), x)",
  "sum(a * sum(b * c, w){x:1}, v) + sum(a * sum(b * c, w), v)",
  "sum(a * sum(b * c, w){x:0} * sum(b, w), v)",
  "sum(rename(sum(b * c, w), (v,x), (x,v)) * rename(d, x, v), v)",
  "sum(a * sum(sum(b * c, w) * d, x) * 2, u, v, y)",
  "tensor(i[3])(sum(a * sum(sum(b * c * i, w) * d, x), v))",
  "sum(a * sum(b * c, w) * sum(b * c, w), v)",
);

test("sums within sums are one sum, and as the reference, by every way", () => {
  holds(
    fc.property(nested, wide, (text, inputs) => {
      expect(disagreements(ways, text, inputs)).toEqual([]);
    }),
    60,
  );
});

test("a chain of matrices is multiplied in one order, wherever its parentheses are", () => {
  const inputs = {
    a: tensor("tensor(u[2],v[100])", counted),
    b: tensor("tensor(v[100],w[2])", counted),
    c: tensor("tensor(w[2],x[100])", counted),
    d: tensor("tensor(x[100],y[2])", counted),
  };
  const { types, values } = inputTypes(inputs, {});
  // 2·100·2 products for each of the two pairs, 2·2·2 for what they make.
  for (const [text, written] of [
    ["sum(a * b * c * d, v, w, x)", 80_000],
    ["sum(a * sum(sum(b * c, w) * d, x), v)", 20_000 + 20_000 + 400],
    ["sum(sum(sum(a * b, v) * c, w) * d, x)", undefined],
  ] as const) {
    const shown = showPlan(compileExpression(text, { inputs: types }).plan(values));
    if (written === undefined) expect(shown).not.toContain("products for");
    else expect(shown).toContain(`808 products for ${written}`);
  }
});

test("as the reference, by every way", () => {
  holds(
    fc.property(texts, matrices, (text, inputs) => {
      expect(disagreements(ways, text, inputs)).toEqual([]);
    }),
    25,
  );
});

test("a plan serves for middling cells and for others in turn", () => {
  const { types } = inputTypes(chain, {});
  const prepared = compileExpression("sum(a * b * c, x, y)", { inputs: types }).prepare();
  const reference = compileExpression("sum(a * b * c, x, y)", { inputs: types, backend: "reference" });
  const odd = {
    ...chain,
    b: tensor("tensor(x[16],y[16])", (at) => (at === 40 ? Number.POSITIVE_INFINITY : counted(at))),
  };
  for (const inputs of [chain, odd, chain, odd]) {
    const [found, expected] = [prepared.run(inputs), reference.run(inputs)];
    expect([...found.data]).toEqual([...expected.data]);
  }
});
