import fc from "fast-check";
import { expect, test } from "vitest";
import { Tensor } from "../../src/language/values/tensor.js";
import { check } from "../../src/program/compile.js";
import { parseType } from "../../src/program/options.js";
import { disagreements, ways } from "../agreement.js";
import { holds } from "../chance.js";

/**
 * Tensors of several mapped dimensions with random labels: few enough that some tensors have all combinations, some none,
 * and some nothing in common. What is joined, merged, renamed, sliced and reduced of them is what the reference makes of it.
 */
const types = {
  a: "tensor(i{},j{})",
  b: "tensor(j{},k{})",
  c: "tensor<float>(k{},x[2])",
  d: "tensor<int8>(i{},j{},k{})",
  e: "tensor(i{})",
} as const;

const label = fc.constantFrom("p", "q", "r");
const cell = fc.constantFrom(-2, -1, 0, 0.5, 1, 3);

/** A tensor of a type: any rows, or all combinations of some labels. */
const tensorOf = (text: string): fc.Arbitrary<Tensor> => {
  const type = parseType(text);
  const names = type.mapped.map(({ name }) => name);
  const all = fc.array(fc.uniqueArray(label), { minLength: names.length, maxLength: names.length });
  const boxes = all.map((sets) =>
    sets.reduce<string[][]>((rows, set) => rows.flatMap((row) => set.map((each) => [...row, each])), [[]]),
  );
  const some = fc.uniqueArray(fc.array(label, { minLength: names.length, maxLength: names.length }), {
    selector: (row) => row.join(),
    maxLength: 8,
  });
  return fc.tuple(fc.oneof(some, boxes), fc.infiniteStream(cell)).map(([rows, cells]) => {
    const block = type.indexed.length === 0 ? [{}] : [{ x: 0 }, { x: 1 }];
    const made = rows.flatMap((row) => {
      const mapped = Object.fromEntries(row.map((each, at) => [names[at] ?? "", each]));
      return block.map((index) => ({ address: { ...mapped, ...index }, value: cells.next().value ?? 0 }));
    });
    return Tensor.from(type, made);
  });
};

const inputs = fc.record({
  a: tensorOf(types.a),
  b: tensorOf(types.b),
  c: tensorOf(types.c),
  d: tensorOf(types.d),
  e: tensorOf(types.e),
});

const dimension = fc.constantFrom("i", "j", "k", "x");

/** Expressions in which {t} is an expression again, and {d} a dimension. */
const forms = [
  "({t} * {t})",
  "({t} * {t})",
  "({t} - {t})",
  "max({t}, {t})",
  "sum({t}, {d})",
  "sum({t} * {t}, {d})",
  "sum({t} * {t}, {d}, {d})",
  "count({t}, {d})",
  "avg({t}, {d})",
  "max({t}, {d})",
  "median({t}, {d})",
  "rename({t}, {d}, {d})",
  "rename({t}, (i,j), (j,i))",
  "rename({t}, (i,j,k), (k,i,j))",
  "merge({t}, {t}, f(p,q)(p - q))",
  "concat({t}, {t}, x)",
  "map_subspaces({t}, f(p)(p + sum(p)))",
  "filter_subspaces({t}, f(p)(sum(p) > 0))",
  "filter_subspaces({t}, f(p)(p * tensor(l{}):{m:1,n:-2}))",
  "filter_subspaces({t}, f(p)(p * {t}))",
  "map_subspaces({t}, f(p)(p * sum({t})))",
  "({t}){{d}:p}",
];

const expressions = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(types)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...forms), fc.array(tie("expression"), { minLength: 2, maxLength: 2 }))
        .chain(([form, parts]) =>
          fc.array(dimension, { minLength: 2, maxLength: 2 }).map((dimensions) => {
            const [texts, names] = [[...parts], [...dimensions]];
            return form
              .replaceAll("{d}", () => names.shift() ?? "i")
              .replaceAll("{t}", () => texts.shift() ?? "a");
          }),
        ),
    },
  ),
})).expression;

const isSound = (text: string): boolean => check(text, { inputs: types }).every(({ isError }) => !isError);

test("every way as the reference, on random labels", () => {
  const sound = expressions.filter((text) => isSound(text));
  holds(
    fc.property(sound, inputs, (text, tensors) => {
      expect(disagreements(ways, text, tensors)).toEqual([]);
    }),
    600,
  );
});
