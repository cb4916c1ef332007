import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { disagreements, ways } from "../agreement.js";
import { holds } from "../chance.js";
import { evaluate } from "../engine-evaluate.js";

/** Sparse tensors that are joined in another order than the one in which they are written: the rows are the same. */

/** A sparse tensor of these dimensions, with a cell for each list of labels. */
const sparse = (dimensions: string, cells: readonly (readonly [string, number])[]): string => {
  const names = [...dimensions];
  const written = cells.map(
    ([labels, value]) => `{${names.map((name, at) => `${name}:${labels[at]}`)}}:${value}`,
  );
  return `tensor(${names.map((name) => `${name}{}`)}):{${written}}`;
};

const labels = "pqr";
const tensorOf = (dimensions: string): fc.Arbitrary<string> =>
  fc
    .uniqueArray(
      fc.tuple(
        fc
          .array(fc.constantFrom(...labels), { minLength: dimensions.length, maxLength: dimensions.length })
          .map((each) => each.join("")),
        fc.integer({ min: -4, max: 4 }),
      ),
      { selector: ([address]) => address, maxLength: 8 },
    )
    .map((cells) => sparse(dimensions, cells));

const inputs = fc.record({
  a: tensorOf("a"),
  b: tensorOf("b"),
  c: tensorOf("c"),
  ad: tensorOf("ad"),
  f: tensorOf("abc"),
  g: tensorOf("bcd"),
});

// biome-ignore format: a table
const texts = [
  "a * b * c * f", "sum(a * b * c * f)", "sum(b * a * (c * f), a)", "sum(a * b * c * f, b, c)", "max(c * b * a * f, c)", "a * b - c + f",
  "sum(ad * b * c * f * g)", "sum(a * g * f, a, d)", "sum(a * b * g)", "a * b * g", "sum((a * b) * (c * ad) * f * g, b)",
  "merge(a * b * c, f, f(x,y)(x - y))", "join(a * b * c, f * 2, f(x,y)(x < y))", "tensor(i[2])(sum(a * b * c * f * i))",
  "sum(a * b * c * f * tensor(x[2]):[1,2], a, b, c)", "sum(rename(a * b, (a,b), (b,a)) * c * f, b)", "reduce(a * b * c * f, count)",
];

test.each(texts)("%s: as the reference, by every way", (text) => {
  holds(
    fc.property(inputs, (all) => {
      const used = Object.entries(all).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
      const values = Object.fromEntries(used.map(([name, value]) => [name, parseTensor(value)]));
      expect(disagreements(ways, text, values)).toEqual([]);
    }),
    15,
  );
});

test("the rays of a star are not multiplied before they meet its center, wherever that is written", () => {
  const many = Array.from({ length: 100 }, (_, at) => at);
  const ray = (name: string) => parseTensor(`tensor(${name}{}):{${many.map((at) => `l${at}:${at}`)}}`);
  const written = many.map((at) => `{a:l${at},b:l${99 - at},c:l${(at * 7) % 100}}:1`);
  const values = {
    a: ray("a"),
    b: ray("b"),
    c: ray("c"),
    f: parseTensor(`tensor(a{},b{},c{}):{${written}}`),
  };
  // The rays together have a million rows.
  const options = { limits: { cells: 2000 } };
  const expected = many.reduce((sum, at) => sum + at * (99 - at) * ((at * 7) % 100), 0);
  for (const text of [
    "sum(a * b * c * f)",
    "sum(f * a * b * c)",
    "sum((a * b) * (c * f))",
    "sum(a * (b * (c * f)))",
  ])
    expect(evaluate(text, values, options).asNumber()).toBe(expected);
});
