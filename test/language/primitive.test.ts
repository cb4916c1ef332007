import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compile,
  compileExpression,
  expand,
  type InputValues,
  type Options,
  parseTensor,
  preludeText,
  SphexError,
} from "../../src/index.js";
import { caseFiles, linesOf } from "../case-files.js";
import { holds } from "../chance.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { expressionsOn, tensorsByName } from "../expressions.js";
import { contents } from "../same.js";

/**
 * The primitive form of an expression has the value of the expression, and is written in functions of the core alone:
 * on every expression that is stored, and on random ones.
 */
const composites = [...preludeText.matchAll(/^(\w+)\(/gm)].map(([, name]) => name);
const others = ["argmax", "argmin", "unpack_bits", "switch"];
const called = new RegExp(`\\b(?:${[...composites, ...others].join("|")})\\(`);

/** What can be run, with the inputs that it is run on. */
interface Runnable {
  readonly text: string;
  readonly inputs: InputValues;
}

const tensor = (value: InputValues[string]) => (typeof value === "string" ? parseTensor(value) : value);

/** Whether the expression has a value; its primitive form then has the same, or the test fails. */
function isSame({ text, inputs }: Runnable, dialect: "formalism" | "vespa" = "formalism"): boolean {
  const options = (): Options => ({ dialect, limits: { cells: 100_000, steps: 1_000_000 } });
  try {
    const values = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, tensor(value)]));
    const types = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === "object" && "type" in value ? `${value.type}` : "tensor()",
      ]),
    );
    const program = compileExpression(text, { ...options(), inputs: types });
    const expected = program.run(values);
    const primitive = program.primitive();
    const again = compileExpression(primitive, { ...options(), inputs: types, name: "again" });
    const tell = (what: string) => `${text}\nis ${primitive}\n${what}`;
    if (called.test(primitive.replace(/"(?:\\.|[^"\\])*"/g, ""))) expect.fail(tell("which is not primitive"));
    if (/\brandom\b/.test(text)) return true;
    expect(contents(again.run(values)), tell("which differs")).toEqual(contents(expected));
    expect(again.primitive(), tell("which changes again")).toBe(primitive);
    return true;
  } catch (error) {
    if (error instanceof SphexError && error.problems.every(({ span }) => span.source.name !== "again"))
      return false;
    throw error;
  }
}

const count = (all: readonly Runnable[], dialect?: "vespa"): number =>
  all.filter((each) => isSame(each, dialect)).length;

/** The expressions of test/cases, with the inputs that they are given there. */
const casesIn = (file: string): Runnable[] =>
  linesOf(file).flatMap(({ expression, inputs, value }) =>
    value === undefined ? [] : [{ text: expression, inputs }],
  );

describe("the primitive form has the same value", () => {
  test.each(caseFiles)("in %s", (file) => {
    const cases = casesIn(file);
    expect(count(cases)).toBeGreaterThan(cases.length * 0.9);
    count(cases, "vespa");
  });

  for (const name of ["engine", "random", "docs", "playground", "java-eval", "scalar"])
    test.skipIf(!hasCases(name))(`in the cases of ${name}`, () => {
      // Of the many that are alike, a third.
      const all = casesOf(name).filter((_, at, { length }) => length < 1000 || at % 3 === 0);
      const cases = all.map(({ expr, vars }) => ({ text: expr, inputs: inputsOf(vars) }));
      expect(count(cases)).toBeGreaterThan(cases.length * 0.6);
    });

  test("in random expressions", () => {
    let found = 0;
    holds(
      fc.property(expressionsOn(Object.keys(tensorsByName)), (text) => {
        if (isSame({ text, inputs: tensorsByName })) found++;
      }),
      1000,
    );
    expect(found).toBeGreaterThan(200);
  });
});

const types = {
  t: "tensor(x[3])",
  m: "tensor<float>(x[3],y[2])",
  k: "tensor(k{})",
  b: "tensor<int8>(k{},x[2])",
  s: "tensor()",
  "query(q)": "tensor(x[3])",
};

// biome-ignore format: a table
test.each([
  ["softmax(t, x)",              "join(map(t, f(a)(exp(a))), reduce(map(t, f(a)(exp(a))), sum, x), f(a,b)(a / b))"],
  ["matmul(t, m, x)",            "reduce(join(t, m, f(a,b)(a * b)), sum, x)"],
  ["expand(t, z)",               "join(tensor<int8>(z[1])(1), t, f(a,b)(a * b))"],
  ["argmax(t)",                  "join(t, reduce(t, max), f(a,b)(a == b))"],
  ["unpack_bits(b)",             "map_subspaces(b, f(a)(tensor<float>(x[16])(bit(a{x:(x / 8)}, 7 - x % 8))))"],
  ["$q * 2 - 1",                 "join(join(query(q), 2, f(a,b)(a * b)), 1, f(a,b)(a - b))"],
  ["s - 1 - (s + 2) * -0.5",     "s - 1 - (s + 2) * -0.5"],
  ["!s && -s ^ 2 > 1e30",        "!s && -s ^ 2 > 1e30"],
  ["0/0 + 1/0 + -(0)",           "0 / 0 + 1 / 0 + -0.0"],
  ["s in [1, 'no']",             's == 1 || s == "no"'],
  ["switch (s) {case 1: t[1], default: k{'a b'}}", 'if(s == 1, t{x:1}, k{k:"a b"})'],
  ["t[(5)] + t{x:(s)} + k{k:7}",     "t{x:(5)} + t{x:(s)} + k{k:\"7\"}"],
  ["t{x:(-1)} + t{x:floor(s)}",  "t{x:(-1)} + t{x:floor(s)}"],
  ["range(x[3]) + diag(x[3],y[2])", "join(tensor(x[3])(x), tensor(x[3],y[2])(1 && x == y), f(a,b)(a + b))"],
  ["if(s, t, cell_cast(t, float))", "if(s, t, cell_cast(t, float))"],
  ["if(s, cell_cast(t, float), cell_cast(t, float))", "if(s, cell_cast(t, float), cell_cast(t, float))"],
  ["if(s, cell_cast(t, int8), tensor<int8>(x[3])(x))", "if(s, cell_cast(t, int8), tensor<int8>(x[3])(x))"],
  ["tensor(k{},l{}):{{k:a,l:'b c'}:s}", 'tensor(k{},l{}):{{k:a,l:"b c"}:s}'],
  ["tensor(k{},x[2]):{a:[1,2],b:[3,4]}", "tensor(k{},x[2]):{a:[1, 2], b:[3, 4]}"],
])("of %s is %s", (text, primitive) => {
  expect(compileExpression(text, { inputs: types }).primitive()).toBe(primitive);
});

test("what a function takes from its caller is not caught by the dimensions of a generator", () => {
  const program = compile("f(n) = sum(tensor(x[3])(x * 10 + n)); tensor(x[2])(f(x))");
  const primitive = program.primitive();
  expect(primitive).toBe("tensor(x[2])(reduce(rename(tensor(x_1[3])(x_1 * 10 + x), x_1, x), sum))");
  // 0 + 10 + 20, and for x = 1 three more.
  expect(program.run().toString()).toBe("tensor(x[2]):[30.0, 33.0]");
  expect(compile(primitive).run().toString()).toBe("tensor(x[2]):[30.0, 33.0]");
  const input = compile("input x: tensor(); f(n) = tensor(x[2])(x + n); f(x)");
  expect(input.primitive()).toBe("rename(tensor(x_1[2])(x_1 + x), x_1, x)");
});

test("named values and constants are written out, each result by its place or name", () => {
  const program = compile(
    "constant w = tensor(x[2]):[1, 2]; input q: tensor(x[2]); p = q * w; sum(p); p + 1",
  );
  expect(program.primitive({ result: 0 })).toBe("reduce(join(q, tensor(x[2]):[1, 2], f(a,b)(a * b)), sum)");
  expect(program.primitive({ result: "p" })).toBe("join(q, tensor(x[2]):[1, 2], f(a,b)(a * b))");
  expect(expand("avg(q, x)", { inputs: { q: "tensor(x[2])" } })).toBe("reduce(q, avg, x)");
});

test.each([
  { type: "tensor(x[])", cells: "tensor(x[]):[1,2]", primitive: "tensor(x[2]):[1, 2]" },
  { type: "tensor(k{},x[])", cells: "tensor(k{},x[]):{}", primitive: "written/unbound" },
  { type: "tensor(k{},x[],y[2])", cells: "tensor(k{},x[],y[2]):{}", primitive: "written/unbound" },
])("a size that a constant has no cell for cannot be written: $cells", ({ type, cells, primitive }) => {
  const program = compile(`constant c: ${type} = file("c")\nc`, { readFile: () => cells });
  const written = (): string => program.primitive();
  if (primitive === "written/unbound") expect(written).toThrow(primitive);
  else expect(written()).toBe(primitive);
});

test.each([
  { type: "tensor(k{},l{},x[3])", primitive: "t{k:a, l:b}" },
  // Without a row for k there is no size of x that the outer slice could have.
  { type: "tensor(k{},l{},x[])", primitive: "(t{k:a}){l:b}" },
])("slices of slices of a $type are one where that has the same sizes", ({ type, primitive }) => {
  expect(expand("t{k:a}{l:b}", { inputs: { t: type } })).toBe(primitive);
  expect(
    isSame({
      text: "t{k:a}{l:b}",
      inputs: { t: `${type}:{{k:c,l:b,x:0}:1,{k:c,l:b,x:1}:2,{k:c,l:b,x:2}:3}` },
    }),
  ).toBe(true);
});

test("a chain of 30,000 operations is written as one", () => {
  const chain = `p + 2 - p * 3 / p${" + 1 - p".repeat(15_000)}`;
  expect(expand(chain, { inputs: { p: "tensor()" } })).toBe(chain);
});

test("a beginning of a chain that stands elsewhere too is written in both", () => {
  const text = "q = p + 1 + 2\nr = q + 3\n(q - 4) * (r + 5 + q)";
  expect(compile(text, { inputs: { p: "tensor()" } }).primitive()).toBe(
    "(p + 1 + 2 - 4) * (p + 1 + 2 + 3 + 5 + (p + 1 + 2))",
  );
});
