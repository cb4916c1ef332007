import fc from "fast-check";
import { expect, test } from "vitest";
import { check, compile, compileExpression, parseTensor } from "../../src/index.js";
import { holds } from "../chance.js";
import { evaluate } from "../engine-evaluate.js";
import { expressionsOn, tensorsByName } from "../expressions.js";
import { contents, expectEqual, expectSame } from "../same.js";

/**
 * Laws of whole expressions, tried on random ones that are sound: what is known of a value beforehand, what it looks
 * like in both dialects, and that it makes no difference where a part of it got its name.
 */
const inputs = Object.fromEntries(
  Object.entries(tensorsByName).map(([name, text]) => [name, parseTensor(text)]),
);
const types = Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, tensor.type]));
const all = Object.keys(inputs);

const soundOn = (names: readonly string[]): fc.Arbitrary<string> =>
  expressionsOn(names).filter((text) => check(text, { inputs: types }).length === 0);

function holdsOf(texts: fc.Arbitrary<string>, law: (text: string) => void): void {
  holds(fc.property(texts, law), 1200);
}

test("the type of a value is the one that was known before", () => {
  holdsOf(soundOn(all), (text) => {
    const [result] = compileExpression(text, { inputs: types }).results;
    expect(`${evaluate(text, inputs).type}`).toBe(`${result?.type}`);
  });
});

test("a value is what its text says", () => {
  holdsOf(soundOn(all), (text) => {
    const value = evaluate(text, inputs);
    expectSame(parseTensor(`${value}`), value);
  });
});

test("where there is nothing to warn of, and no NaN, both dialects agree", () => {
  // Vespa cuts the longer of two tensors that concat joins, and we fill up the shorter: no warning where nobody can
  // know beforehand that there will be a shorter one.
  const bound = all.filter((name) => types[name]?.isBound);
  holdsOf(soundOn(bound), (text) => {
    const [formalism, vespa] = [evaluate(text, inputs), evaluate(text, inputs, { dialect: "vespa" })];
    expect(contents(formalism).cells).not.toContain(Number.NaN);
    expectEqual(vespa, formalism);
  });
});

/** The last result of a program on the tensors. */
const run = (program: string) => compile(program, { inputs: types }).run(inputs);

test("an expression may be the body of a function that is given its tensors", () => {
  // A parameter k could not be both the tensor and the dimension k.
  const names = all.filter((name) => name !== "k");
  const call = `g(${names.map((name) => `(${name})`).join(", ")})`;
  holdsOf(soundOn(names), (text) => {
    expectSame(run(`g(${names.join(", ")}) = ${text}\n${call}`), evaluate(text, inputs));
  });
});

test("a function may be given the dimension of an expression", () => {
  holdsOf(soundOn(all), (text) => {
    expectSame(run(`g(d) = ${text.replace(/\bx\b/g, "d")}\ng(x)`), evaluate(text, inputs));
  });
});

test("a part of an expression may have a name", () => {
  holdsOf(
    fc.tuple(soundOn(all), soundOn(all)).map((parts) => parts.join("\n")),
    (text) => {
      const [one = "", other = ""] = text.split("\n");
      const whole = `concat(sum(${one}), sum(${other}), z)`;
      expectSame(
        run(`first = ${one}\nconcat(sum(first), sum(second), z)\nsecond = ${other}`),
        evaluate(whole, inputs),
      );
    },
  );
});

// biome-ignore format: a table
test.each([
  ["in the addresses of a literal", "g(d) = tensor(d{}):{{d:a}:1}\ng(x)",                               "tensor(x{}):{a:1.0}"],
  ["and as the index along it",     "g(t, d, n) = tensor(d[n])(t{d:(d)})\ng(tensor(x[3]):[5,6,7], x, 2)", "tensor(x[2]):[5.0, 6.0]"],
  ["of a sum along it inside it",   "g(t, d) = tensor(d[2])(sum(t, d) + d)\ng(tensor(x[2]):[5,6], x)",    "tensor(x[2]):[11.0, 12.0]"],
])("a parameter may stand for a dimension %s", (_, program, value) => {
  expect(compile(program).run().toString()).toBe(value);
});
