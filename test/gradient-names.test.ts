import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, parseTensor, SphexError, type Tensor } from "../src/index.js";
import { holds } from "./chance.js";
import { differentiableExpressions, differentiableTensors, tensorNames } from "./gradient-expressions.js";

/** Derivatives in named values, and past them: by hand. */

const results = (text: string): string[] => compile(text).runAll().map(String);

const squares = "variable w: tensor(x[3]) = tensor(x[3]):[1, 2, 3]\nh = w * w\ny = sum(h * h)\n";

test.each([
  ["in a named value", "gradient(y, h)", ["tensor(x[3]):[2.0, 8.0, 18.0]"]],
  // 4 w^3
  [
    "past it",
    "gradient(y, h)\ngradient(y, w)",
    ["tensor(x[3]):[2.0, 8.0, 18.0]", "tensor(x[3]):[4.0, 32.0, 108.0]"],
  ],
  [
    "of what has it as its variable",
    "d = gradient(y, h)\ngradient(sum(d), w)",
    ["tensor(x[3]):[4.0, 8.0, 12.0]"],
  ],
  // 2 h dh, and dh is 2 w
  [
    "in a direction",
    "gradient(y, h)\njvp(y, w, tensor(x[3]):[1, 0, 0])\njvp(y, h, tensor(x[3]):[1, 0, 0])",
    ["tensor(x[3]):[2.0, 8.0, 18.0]", "tensor():{4.0}", "tensor():{2.0}"],
  ],
  // y is 3 k + k^2 with k = 2 h.
  [
    "in a named value of another",
    "k = 2 * h\nz = sum(3 * k + k * k)\ngradient(z, k)\ngradient(z, h)\ngradient(z, w)",
    [
      "tensor(x[3]):[7.0, 19.0, 39.0]",
      "tensor(x[3]):[14.0, 38.0, 78.0]",
      "tensor(x[3]):[28.0, 152.0, 468.0]",
    ],
  ],
  // Of the two factors that have the same value the one by its name counts.
  [
    "in one of two equal values",
    "g = w * w\ngradient(sum(g * h), h)\ngradient(sum(g * h), w)",
    ["tensor(x[3]):[1.0, 4.0, 9.0]", "tensor(x[3]):[4.0, 32.0, 108.0]"],
  ],
  [
    "in a parameter of a function",
    "slope(t) = gradient(sum(t * t), t)\nslope(3 * w)\ngradient(sum(slope(3 * w)), w)",
    ["tensor(x[3]):[6.0, 12.0, 18.0]", "tensor(x[3]):[6.0, 6.0, 6.0]"],
  ],
])("%s", (_, text, expected) => {
  expect(results(`${squares}${text}`)).toEqual(expected);
});

test("training moves a variable although the program differentiates in what is computed of it", async () => {
  const text = `input x: tensor(row[])
variable w = 2
h = 3 * w
loss = avg((h - x)^2)
slope = gradient(loss, h)
minimise loss`;
  const session = compile(text).session();
  for await (const _ of session.train({ data: { x: [0] }, optimiser: "sgd", rate: 0.01 }));
  // The derivative of 9 w^2 is 18 w.
  expect(session.get("w").asNumber()).toBeCloseTo(2 - 0.01 * 36, 12);
});

/** What a program computes, or that it is refused. */
function outcomes(text: string, inputs: Readonly<Record<string, Tensor>>): readonly Tensor[] | "refused" {
  try {
    return compile(text).runAll(inputs);
  } catch (error) {
    if (error instanceof SphexError) return "refused";
    throw error;
  }
}

test("a derivative in a named value, and past it in what it is equal to, is that in an input of the same cells", () => {
  const tensors = Object.fromEntries(
    Object.entries(differentiableTensors).map(([name, text]) => [name, parseTensor(text)]),
  );
  const declared = (changed: string): string =>
    Object.entries(tensors)
      .map(([name, { type }]) => `input ${name === changed ? "origin" : name}: ${type}\n`)
      .join("");
  const law = fc.property(differentiableExpressions(4), fc.constantFrom(...tensorNames), (y, x) => {
    const direct = outcomes(`${declared("")}gradient(${y}, ${x})`, tensors);
    const { [x]: origin, ...others } = tensors;
    const results = outcomes(
      `${declared(x)}${x} = origin * 1
f(t) = gradient(t, ${x})
value = ${y}
gradient(value, ${x})
f(value)
gradient(value, origin)`,
      origin === undefined ? others : { ...others, origin },
    );
    expect(results === "refused").toBe(direct === "refused");
    if (results === "refused" || direct === "refused") return;
    expect(results.map(String)).toEqual([direct, direct, direct].map(String));
  });
  holds(law, 150);
});
