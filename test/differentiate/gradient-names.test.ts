import fc from "fast-check";
import { expect, test } from "vitest";
import { check, compile, parseTensor, SphexError, type Tensor } from "../../src/index.js";
import { holds } from "../chance.js";
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

const numbers = "variable w = 3\nvariable v = 2\nh = w * w\n";

// Of each the program, and its last result by hand, with h = 9.
test.each([
  ["a derivative in what h does not change with", "gradient(gradient(h * v * v, v), h)", 4],
  ["the same, with h more than once", "gradient(gradient(h * h * v * v, v), h)", 72],
  ["a direction", "gradient(jvp(h * h * v, v, 5), h)", 90],
  ["what is computed of h", "k = 2 * h\ngradient(gradient(k * k * v, v), h)", 72],
  ["what changes by steps alone", "s = floor(w)\ngradient(gradient(s * w, w), s)", 1],
  ["one of two equal values", "g = w * w\ngradient(gradient(g * h, h), g)", 1],
  ["a generator", "sum(tensor(i[2])(gradient(gradient(h * v * v * (i + 1), v), h)))", 12],
  ["a lambda", "sum(map(tensor(x[2]):[1, 2], f(a)(gradient(gradient(a * h * h, h), h))))", 6],
  ["a function", "slope(t) = gradient(t * t * h, t)\ngradient(slope(2 * v), h)", 8],
  // 2 t c with t = s^2 and c = s is 2 s^3.
  ["two arguments", "f(t, c) = gradient(t * t * c, t)\ng(s) = gradient(f(s * s, s), s)\ng(2)", 24],
  // t^2 with t = s^2.
  [
    "two arguments, by the other",
    "f(t, c) = gradient(t * t * c, c)\ng(s) = gradient(f(s * s, s * 3), s)\ng(2)",
    32,
  ],
  ["a derivative that has a name", "d = gradient(h, w)\ngradient(gradient(h, w) * d, d)", 6],
  ["another name of an input", "k = w\ngradient(k * w, k)", 3],
  ["another name of a variable of derivatives", "k = h\ngradient(h, h)\ngradient(k * k * h, k)", 162],
  // d is 4 w^3, and its square has the derivative 2 d times 12 w^2.
  ["what was followed through h, past it", "d = gradient(h * h, w)\ngradient(d * d, w)", 23328],
])("in %s", (_, text, expected) => {
  expect(results(`${numbers}${text}`).at(-1)).toBe(`tensor():{${expected}.0}`);
});

const codes = (text: string): string[] =>
  check(text).flatMap(({ code, severity }) => (severity === "portability" ? [] : [code]));

test.each([
  ["gradient(gradient(h * h, w), h)", "gradient/through"],
  ["gradient(jvp(h * h, w, 1), h)", "gradient/through"],
  ["jvp(gradient(h * h, w), h, 1)", "gradient/through"],
  ["d = gradient(h * h, w)\ngradient(d * d, h)", "gradient/through"],
  ["k = 2 * h\ngradient(gradient(k * w, w), h)", "gradient/through"],
  ["gradient(gradient(v * gradient(h * h, w), v), h)", "gradient/through"],
  ["gradient(sum(tensor(i[2])(i * gradient(h * i, w))), h)", "gradient/through"],
  [
    "gradient(sum(map(tensor(x[2]):[1, 2], f(a)(a * gradient(h, h)))) * gradient(h, w), h)",
    "gradient/through",
  ],
  ["twice(t, u) = gradient(gradient(t * t * u, u), t)\ntensor(i[3])(twice(i * 2, i))", "gradient/through"],
  [
    "twice(t, u) = gradient(gradient(t * t, u), t)\nmap(tensor(x[2]):[1, 2], f(a)(twice(a * a, a)))",
    "gradient/through",
  ],
  ["map(tensor(x[2]):[1, 2], f(a)(a * gradient(h, w)))", "gradient/captured"],
  ["map(tensor(x[2]):[1, 2], f(a)(gradient(a * h, w)))", "gradient/captured"],
  ["map(tensor(x[2]):[1, 2], f(a)(jvp(h, w, a)))", "gradient/captured"],
  [
    "map(tensor(x[2]):[1, 2], f(a)(sum(map(tensor(i[2])(a), f(b)(b * gradient(h, w))))))",
    "gradient/captured",
  ],
  ["d = gradient(h * h, w)\nmap(tensor(x[2]):[1, 2], f(a)(a * gradient(d, h)))", "gradient/captured"],
])("%s is refused", (text, code) => {
  expect(codes(`${numbers}${text}`)).toEqual([code]);
});

test("what waits for the sizes of a run is not said to be without a derivative", () => {
  const text =
    "input u: tensor(x[])\ninput v: tensor(x[])\ninput w: tensor()\n" +
    "gradient(sum(join(u, v, f(a,b)(sum(tensor(i[2])(a * b * i * w))))), w)";
  expect(codes(text)).toEqual([]);
  expect(`${compile(text).run({ u: [1, 2], v: [3, 4], w: 5 })}`).toBe("tensor():{11.0}");
});

/** Numbers of named values, of what is written on them. */
const scalars = (names: readonly string[], depth: number): fc.Arbitrary<string> =>
  fc.letrec<{ e: string }>((tie) => {
    const [e, name] = [tie("e"), fc.constantFrom(...names)];
    const row = (...parts: (string | fc.Arbitrary<string>)[]) => ({
      weight: 1,
      arbitrary: fc
        .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
        .map((all) => all.join("")),
    });
    return {
      e: fc.oneof(
        { maxDepth: depth, withCrossShrink: true },
        { weight: 4, arbitrary: name },
        ...[row("(", e, " * ", e, ")"), row("(", e, " + ", e, ")"), row("sin(", e, ")")],
        ...[row("gradient(", e, " * ", name, ", ", name, ")"), row("jvp(", e, ", ", name, ", ", e, ")")],
        ...[row("slope(", e, ", ", e, ")"), row("sum(tensor(i[2])(", e, " * (i + 1)))")],
        row("sum(map(tensor(x[2]):[0.2,0.9], f(z)(z * ", e, ")))"),
        row("sum(map(tensor(x[2]):[0.2,0.9], f(z)(gradient(z * ", e, ", ", name, "))))"),
      ),
    };
  }).e;

const program = (names: readonly string[]) =>
  fc.tuple(...names.map((_, at) => scalars(["a", "b", ...names.slice(0, at)], 3)));

test("a derivative in a named value is what differences find where an input has its place", () => {
  const head = "slope(t, u) = gradient(t * t * u + sin(u * a), t)\ninput a: tensor()\ninput b: tensor()\n";
  const names = ["p", "q", "r"];
  let count = 0;
  const law = fc.property(
    program(names),
    scalars([...names, ...names, "a"], 4),
    fc.constantFrom(...names),
    (values, y, x) => {
      const others = { a: 0.7, b: -0.43 };
      const statements = (without?: string): string =>
        names.map((name, at) => (name === without ? "" : `${name} = ${values[at]}\n`)).join("");
      const full = outcomes(`${head}${statements()}y = ${y}\ngradient(y, ${x})\ny\n${x}`, others);
      if (full === "refused") return;
      const [derivative, value, at] = full.map((each) => each.asNumber());
      const cut = compile(`${head}input ${x}: tensor()\n${statements(x)}${y}`, { backend: "reference" });
      const moved = (by: number): number => cut.run({ ...others, [x]: (at ?? Number.NaN) + by }).asNumber();
      expect(moved(0)).toBeCloseTo(value ?? Number.NaN, 9);
      const slopeOver = (width: number): number => (moved(width) - moved(-width)) / (2 * width);
      const [wide, narrow] = [slopeOver(2e-3), slopeOver(1e-3)];
      const differences = (4 * narrow - wide) / 3;
      if (Math.abs(narrow - wide) > 1e-3) return;
      expect(Math.abs((derivative ?? Number.NaN) - differences)).toBeLessThan(
        1e-6 * (1 + Math.abs(differences)),
      );
      if (Math.abs(differences) > 1e-9) count++;
    },
  );
  holds(law, 250);
  expect(count).toBeGreaterThan(30);
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
function outcomes(
  text: string,
  inputs: Readonly<Record<string, Tensor | number>>,
): readonly Tensor[] | "refused" {
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
