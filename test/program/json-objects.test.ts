import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formsOf, jsonForm } from "../../src/formats/json/forms.js";
import { writeJson } from "../../src/formats/json/write.js";
import { compile, evaluate, type InputValue, Tensor } from "../../src/index.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";
import { codesOf } from "../problem-codes.js";

/** What `JSON.parse` makes of a response, as callers without types may give it. */
const parsed = (text: string): InputValue => JSON.parse(text);

const made = (type: string, data: InputValue): string => `${compile(`input t: ${type}\nt`).run({ t: data })}`;

describe("An object is the tensor that its text is in JSON", () => {
  it("in each of Vespa's forms that has an object around", () => {
    const cases = tensors().chain((tensor) =>
      fc
        .constantFrom(...formsOf(tensor.type).filter((form) => !form.startsWith("direct")))
        .map((form) => ({ tensor, form })),
    );
    holds(
      fc.property(cases, ({ tensor, form }) => {
        const options = { ...jsonForm(form).options, namesNonFinite: true };
        const object = parsed(writeJson(tensor, options));
        const result = compile(`input t: ${tensor.type}\nt`).run({ t: object });
        expect(result).toBeInstanceOf(Tensor);
        expect(`${form} ${result}`).toBe(`${form} ${tensor}`);
      }),
    );
  });

  it("and so is what `JSON.stringify` makes of a tensor, and what it is before", () => {
    holds(
      fc.property(tensors(), (tensor) => {
        const program = compile(`input t: ${tensor.type}\nt`);
        expect(`${program.run({ t: parsed(JSON.stringify(tensor)) })}`).toBe(`${tensor}`);
        expect(`${program.run({ t: tensor.toJSON() })}`).toBe(`${tensor}`);
        expect(`${evaluate("t", { t: tensor.toJSON() })}`).toBe(`${tensor}`);
      }),
    );
  });

  it.each([
    [
      "tensor(x{},y{})",
      '{"cells":[{"address":{"x":"p","y":"q"},"value":3}]}',
      "tensor(x{},y{}):{{x:p,y:q}:3.0}",
    ],
    ["tensor(x{})", '{"cells":{"p":3}}', "tensor(x{}):{p:3.0}"],
    ["tensor(x{})", '{"type":"tensor(x{})","cells":{}}', "tensor(x{}):{}"],
    ["tensor(x{},y[2])", '{"blocks":{"p":[1,2]}}', "tensor(x{},y[2]):{p:[1.0, 2.0]}"],
    ["tensor<int8>(x[2])", '{"values":"01ff"}', "tensor<int8>(x[2]):[1, -1]"],
    ["tensor(out[2],in[2])", '{"values":[[1,2],[3,4]]}', "tensor(in[2],out[2]):[[1.0, 2.0], [3.0, 4.0]]"],
  ])("%s from %s", (type, text, expected) => {
    expect(made(type, parsed(text))).toBe(expected);
  });

  it("with its type where none is declared, as a text too", () => {
    const text = '{"type":"tensor(x[2])","values":[1,2]}';
    for (const t of [text, parsed(text)])
      expect(`${evaluate("t + 1", { t })}`).toBe("tensor(x[2]):[2.0, 3.0]");
  });

  it("with numbers that JSON lacks", () => {
    const values = [Number.NaN, Number.NEGATIVE_INFINITY, -0];
    expect(made("tensor(x[3])", { type: "tensor(x[3])", values })).toBe(
      "tensor(x[3]):[NaN, -Infinity, -0.0]",
    );
  });
});

describe("Labels may be called as forms are", () => {
  it.each([
    ["tensor(x{})", '{"cells":3,"type":4}', "tensor(x{}):{cells:3.0, type:4.0}"],
    ["tensor(x{},y[2])", '{"cells":[1,2]}', "tensor(x{},y[2]):{cells:[1.0, 2.0]}"],
    ["tensor(x{},y{})", '{"cells":{"p":3}}', "tensor(x{},y{}):{{x:cells,y:p}:3.0}"],
    [
      "tensor(x{},y{})",
      '{"cells":{"p":3},"blocks":{"q":4}}',
      "tensor(x{},y{}):{{x:blocks,y:q}:4.0, {x:cells,y:p}:3.0}",
    ],
    [
      "tensor(x{},y{})",
      '{"blocks":{"p":3},"other":{"q":4}}',
      "tensor(x{},y{}):{{x:blocks,y:p}:3.0, {x:other,y:q}:4.0}",
    ],
  ])("%s from %s", (type, text, expected) => {
    expect(made(type, parsed(text))).toBe(expected);
  });
});

describe("What is wrong has its place", () => {
  const codes = (type: string, value: unknown): readonly string[] =>
    codesOf(() => made(type, value as InputValue));

  it.each([
    ["json/type", { type: "tensor(x[3])", values: [1, 2, 3] }],
    ["json/shape", { type: "tensr(x[2])", values: [1, 2] }],
    ["json/shape", { type: "tensor(x[2])", values: [1, "b"] }],
    ["json/shape", { type: "tensor(x[2])", values: [1, undefined, 3] }],
    ["value/shape", { values: Float64Array.of(1, 2) }],
  ])("%s", (code, value) => {
    expect(codes("tensor(x[2])", value)).toEqual([code]);
  });

  it("also of objects that hold themselves, and of very deep ones", () => {
    const circle: { values: unknown[] } = { values: [] };
    circle.values.push(circle);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    for (const value of [circle, { values: deep }]) expect(codes("tensor(x[2])", value)).toHaveLength(1);
    expect(codesOf(() => evaluate("t", { t: { cells: { a: 1 } } as InputValue }))).toEqual(["input/value"]);
  });
});
