import { expect, test } from "vitest";
import { compile } from "../../src/program/compile.js";
import { disagreements, ways } from "../agreement.js";
import { seeds } from "../chance.js";
import { Choice } from "../hunt/choice.js";

/** Generators that read tensors at computed indexes, several along one axis, of which others read again: each a table of strides at last. */

const square = "tensor(v[3],x[3]):[[1,2,3],[4,5,6],[7,8,9]]";

test.each([
  // The table of t - 1 has three entries, and is read along v, which has two.
  [
    "tensor(v[2])(tensor(D[2],t[3])(a{B:(t - 1), D:(D)}){D:(v), t:(v)})",
    { a: "tensor(B[2],D[2]):[[6,-2],[4,3]]" },
  ],
  ["tensor(i[2])(tensor(x[3],y[3])(a{v:(2 - x), x:(y)}){x:(i), y:(1 - i)})", { a: square }],
  // The join cuts x to two.
  ["(tensor(x[4],y[3])(a{v:(x % 2), x:(y)}) * w){y:f(x)(1 - x)}", { a: square, w: "tensor(x[2]):[1,1]" }],
])("%s", (text, inputs) => {
  expect(disagreements(ways, text, inputs)).toEqual([]);
});

const names = ["x", "y", "z", "w"];

/** An index that is mostly within a size, of some dimensions. */
function index(choice: Choice, dimensions: readonly string[], size: number): string {
  const [one, other] = [choice.oneOf(dimensions), choice.oneOf(dimensions)];
  if (choice.percent(40)) return one;
  const number = choice.between(0, 3);
  return choice.oneOf([
    `${one} + ${number}`,
    `${one} - ${number}`,
    `${size - 1} - ${one}`,
    `${one} * ${number}`,
    `${one} % ${number + 1}`,
    `floor(${one} / ${number + 1})`,
    `${one} + ${other}`,
    `${one} - ${other}`,
    `${one} * 2 - ${other}`,
    `if(${one} == ${other}, ${number}, ${one})`,
    `(${one} + ${number}) % ${size}`,
  ]);
}

interface Sized {
  readonly text: string;
  readonly sizes: readonly (readonly [name: string, size: number])[];
}

/** A tensor that reads another one, which may do so itself, at indexes of its own dimensions. */
function generated(choice: Choice, depth: number): Sized {
  const sizes = choice
    .shuffled(names)
    .slice(0, choice.between(1, 2))
    .map((name) => [name, choice.between(1, 4)] as const);
  const shape = sizes.map(([name, size]) => `${name}[${size}]`).join(",");
  // Cells that are all different, as far as they matter.
  if (depth === 0)
    return {
      text: `tensor(${shape})(${sizes.map(([name], at) => `${name} * ${7 ** at}`).join(" + ")} - 5)`,
      sizes,
    };
  const inner = generated(choice, depth - 1);
  const dimensions = sizes.map(([name]) => name);
  const at = inner.sizes.map(([name, size]) => `${name}:(${index(choice, dimensions, size)})`).join(", ");
  const read = `(${inner.text}){${at}}`;
  const body = choice.percent(30) ? `${read} + ${choice.oneOf(dimensions)}` : read;
  const text = `tensor(${shape})(${body})`;
  if (!choice.percent(30)) return { text, sizes };
  // An axis that the join cuts.
  const [[name, size] = ["x", 1] as const, ...others] = sizes;
  const least = choice.between(1, size);
  return { text: `(${text} * tensor(${name}[${least}])(1))`, sizes: [[name, least], ...others] };
}

test("index maps upon index maps, by chance", () => {
  let compared = 0;
  for (const seed of seeds(400)) {
    const choice = new Choice(seed);
    const { text } = generated(choice, choice.between(2, 4));
    // The innermost tensor is an input, so that nothing of it is known before.
    const found = /tensor\([^()]*\)\([^()]* - 5\)/.exec(text)?.[0] ?? "";
    const value = compile(found, { backend: "reference" }).run();
    const expression = text.replace(found, "a");
    expect({ seed, expression, found: disagreements(ways, expression, { a: value }) }).toEqual({
      seed,
      expression,
      found: [],
    });
    compared += compile(text, { backend: "reference" })
      .run()
      .data.some((cell) => cell !== 0)
      ? 1
      : 0;
  }
  expect(compared).toBeGreaterThan(200);
});
