import { describe, expect, it } from "vitest";
import { compile, parseTensor, parseType, Tensor } from "../../src/index.js";
import { inTime } from "../outcome.js";
import { codesOf } from "../problem-codes.js";

/** Tensors for inputs that are declared larger, or of wider cells: what is missing is 0. */

const fitted = (type: string, value: Tensor): string => `${compile(`input t: ${type}\nt`).run({ t: value })}`;

describe("A tensor is filled up with zeros", () => {
  it.each([
    ["tensor(x[2])", "[1,2]", "tensor(x[3])", "tensor(x[3]):[1.0, 2.0, 0.0]"],
    [
      "tensor(x[1],y[2])",
      "[[1,2]]",
      "tensor(x[2],y[3])",
      "tensor(x[2],y[3]):[[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]",
    ],
    ["tensor(x[2],y[1])", "[[1],[2]]", "tensor(x[2],y[2])", "tensor(x[2],y[2]):[[1.0, 0.0], [2.0, 0.0]]"],
    [
      "tensor(k{},x[1])",
      "{a:[1],b:[2]}",
      "tensor(k{},x[2])",
      "tensor(k{},x[2]):{a:[1.0, 0.0], b:[2.0, 0.0]}",
    ],
    ["tensor(k{},x[1])", "{}", "tensor(k{},x[2])", "tensor(k{},x[2]):{}"],
    ["tensor<int8>(x[2])", "[1,-2]", "tensor<half>(x[3])", "tensor<half>(x[3]):[1.0, -2.0, 0.0]"],
    ["tensor<int8>(x[2])", "[1,-2]", "tensor<long>(x[3])", "tensor<long>(x[3]):[1, -2, 0]"],
  ])("%s:%s as %s", (type, cells, declared, text) => {
    expect(fitted(declared, parseTensor(`${type}:${cells}`))).toBe(text);
  });

  it("within the limit of cells", () => {
    const program = compile("input t: tensor(x[1000])\nsum(t)", { limits: { cells: 100 } });
    expect(codesOf(() => program.run({ t: parseTensor("tensor(x[2]):[1,2]") }))).toEqual(["limit/cells"]);
  });

  it("without a list of its cells", () => {
    const size = 3_000_000;
    const value = Tensor.from(parseType(`tensor(x[${size}])`), new Float64Array(size).fill(1));
    const program = compile(`input t: tensor(x[${size + 1}])\nsum(t)`);
    expect(inTime(() => program.run({ t: value }), 200).asNumber()).toBe(size);
  });
});
