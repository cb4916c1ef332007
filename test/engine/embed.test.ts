import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { holds } from "../chance.js";
import { planFor } from "./plans.js";

/** What is only copied to a part of another buffer is computed there: which steps are left, and that the cells are the same. */

/** How many loops there are to each buffer, of a program as it is planned with and without the pass. */
function loopsOf(
  text: string,
  inputs: Readonly<Record<string, string>>,
): Record<"embedded" | "copied", number> {
  const count = (omitted: readonly "embed"[]): number => {
    const { stages } = planFor(text, inputs, undefined, { omitted });
    return stages.flatMap(({ steps }) => steps).filter(({ kind }) => kind === "loop").length;
  };
  return { embedded: count([]), copied: count(["embed"]) };
}

const line = "tensor(x[2]):[1,2]";
const plane = "tensor(x[2],y[2]):[[1,2],[3,4]]";

// biome-ignore format: a table
test.each([
  { name: "a concatenation of two",               text: "input a: tensor(x[]); concat(a, a * 2, x)",                              a: line,  embedded: 2, copied: 2 },
  { name: "of three, the first two together",     text: "input a: tensor(x[]); concat(concat(a, a * 2, x), a * 3, x)",            a: line,  embedded: 3, copied: 4 },
  { name: "of four, in halves",                   text: "input a: tensor(x[]); concat(concat(a, a * 2, x), concat(a * 3, a * 4, x), x)", a: line, embedded: 4, copied: 6 },
  { name: "along the outer dimension",            text: "input a: tensor(x[],y[]); concat(concat(a, a * 2, x), a * 3, x)",        a: plane, embedded: 3, copied: 4 },
  { name: "along the inner one",                  text: "input a: tensor(x[],y[]); concat(concat(a, a * 2, y), a * 3, y)",        a: plane, embedded: 3, copied: 4 },
  { name: "along one after the other",            text: "input a: tensor(x[],y[]); concat(concat(a, a * 2, y), concat(a, a, y), x)", a: plane, embedded: 4, copied: 6 },
  { name: "of which a part is a result, too",     text: "input a: tensor(x[]); b = concat(a, a * 2, x); b; concat(b, a * 3, x)",  a: line,  embedded: 4, copied: 4 },
  { name: "of which a part is summed, too",        text: "input a: tensor(x[]); b = concat(a, a * 2, x); concat(b, sum(b), x)",    a: line,  embedded: 4, copied: 5 },
  { name: "of which a part is copied twice",      text: "input a: tensor(x[]); b = concat(a, a * 2, x); concat(b, b, x)",         a: line,  embedded: 4, copied: 4 },
  { name: "of which a part is a slice",           text: "input a: tensor(x[]); b = concat(a, a * 2, x); concat(tensor(x[3])(b{x:(x)}), a, x)", a: line, embedded: 4, copied: 4 },
])("$name", ({ text, a, embedded, copied }) => {
  expect(loopsOf(text, { a })).toEqual({ embedded, copied });
});

const dimensions = ["x", "y", "z"] as const;

/** A concatenation of concatenations, whose sizes fit: along a dimension at each level. */
const nested: fc.Arbitrary<{ readonly text: string; readonly sizes: Readonly<Record<string, number>> }> = fc
  .array(fc.tuple(fc.constantFrom(...dimensions), fc.boolean(), fc.constantFrom("", " * 2", " + 1")), {
    minLength: 1,
    maxLength: 5,
  })
  .map((levels) => {
    let text = "a";
    const sizes: Record<string, number> = { x: 2, y: 3, z: 2 };
    for (const [along, isLeft, change] of levels) {
      // A part of the size that the rest has, but for the dimension along which it is added: cells of the input again and again.
      const own = dimensions.map((name) => `${name}[${name === along ? 1 : sizes[name]}]`).join(",");
      const part = `tensor<float>(${own})(a{x:(x % 2), y:(y % 3), z:(z % 2)}${change})`;
      text = isLeft ? `concat(${part}, ${text}, ${along})` : `concat(${text}, ${part}, ${along})`;
      sizes[along] = (sizes[along] ?? 0) + 1;
    }
    return { text, sizes };
  });

test("whatever is put together, its cells are those of the reference", () => {
  const a = Float32Array.from({ length: 12 }, (_, at) => at + 0.5);
  holds(
    fc.property(nested, ({ text, sizes }) => {
      const program = `input a: tensor<float>(x[2],y[3],z[2])\n${text}`;
      const [engine, reference] = (["engine", "reference"] as const).map((backend) =>
        compile(program, { backend }).run({ a }),
      );
      expect(engine?.sizes).toEqual(dimensions.map((name) => sizes[name]));
      expect(engine?.data).toEqual(reference?.data);
    }),
    150,
  );
});

test("a row that a merge puts between others stays where it is put", () => {
  const program = compile(`input t1: tensor(a[],k[])
input t2: tensor(a[],b[2],x{},y{})
merge(tensor(b[2],x{},y{}):{a:{a:[1,2]},b:{b:[3,4]}}, sum(t1 - t2, a, k), f(p,q)(1))`);
  // By hand: 4 - 2 and 4 - 5 at a label between those of the literal.
  const inputs = { t1: "tensor(a[1],k[1]):[[4]]", t2: "tensor(a[1],b[2],x{},y{}):{b:{a:[[2,5]]}}" };
  expect(program.run(inputs).toNested()).toEqual({ a: { a: [1, 2] }, b: { a: [2, -1], b: [3, 4] } });
});
