import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile, evaluate, type InputValue, parseTensor, readTensor, type Tensor } from "../../src/index.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";
import { codesOf } from "../problem-codes.js";

const identity = (tensor: Tensor, input: InputValue): Tensor =>
  compile("t", { inputs: { t: tensor.type } }).run({ t: input });

describe("A tensor as plain data", () => {
  it("goes where objects of classes do not, and comes back as the same tensor", () => {
    holds(
      fc.property(tensors(), (tensor) => {
        expect(identity(tensor, structuredClone(tensor.toTransferable())).equals(tensor)).toBe(true);
      }),
      300,
    );
  });

  it("has cells of its own", () => {
    const tensor = parseTensor("tensor(x[2]):[1,2]");
    const data = tensor.toTransferable();
    structuredClone(data, { transfer: [data.data.buffer as ArrayBuffer] });
    expect(tensor.toNested()).toEqual([1, 2]);
  });

  it("has labels and sizes of its own, too", () => {
    const tensor = parseTensor("tensor(k{},x[2]):{a:[1,2]}");
    const text = "tensor(k{},x[2]):{a:[1.0, 2.0]}";
    const data = tensor.toTransferable() as unknown as { sizes: number[]; labels: string[][] };
    data.sizes[0] = 7;
    data.labels[0]?.fill("b");
    data.labels.push(["c"]);
    expect(`${tensor}`).toBe(text);
    expect(`${identity(tensor, tensor.toTransferable())}`).toBe(text);
  });

  it("is what a tensor of another copy of the library is read as", () => {
    const tensor = parseTensor("tensor(k{},x[2]):{a:[1,2]}");
    const foreign = { toTransferable: () => tensor.toTransferable() } as InputValue;
    expect(identity(tensor, foreign).equals(tensor)).toBe(true);
    expect(`${evaluate("sum(t)", { t: foreign })}`).toBe("tensor():{3.0}");
  });

  const good = parseTensor("tensor(k{},x[2]):{a:[1,2],b:[3,4]}").toTransferable();

  it.each([
    ["another version", { sphexTensor: 2 }],
    ["no type", { type: undefined }],
    ["another size", { sizes: [3] }],
    ["a size that is no number", { sizes: ["2"] }],
    ["too few labels", { labels: [["a"]] }],
    ["labels in another order", { labels: [["b"], ["a"]] }],
    ["one label twice", { labels: [["a"], ["a"]] }],
    ["a label that is no text", { labels: [["a"], [2]] }],
    [
      "labels of more dimensions",
      {
        labels: [
          ["a", "x"],
          ["b", "x"],
        ],
      },
    ],
    ["no labels", { labels: undefined }],
    ["another kind of cells", { data: Float32Array.of(1, 2, 3, 4) }],
    ["too many cells", { data: Float64Array.of(1, 2, 3, 4, 5) }],
    ["cells in a list", { data: [1, 2, 3, 4] }],
  ])("with %s is refused", (_, change) => {
    const input = { ...good, ...change } as InputValue;
    expect(codesOf(() => compile("input t: tensor(k{},x[2])\nt").run({ t: input }))).toEqual([
      "input/transferred",
    ]);
  });
});

it.each([
  "tensor(x[2]):[1,2]",
  "tensor(k{}):{a:1}",
  "tensor():{1}",
])("a copy of %s without methods is told", (text) => {
  const copy = structuredClone(parseTensor(text));
  for (const inputs of [{}, { t: parseTensor(text).type }])
    expect(codesOf(() => evaluate("t", { t: copy }, { inputs }))).toEqual(["input/transferred"]);
});

describe("JSON.stringify", () => {
  it("writes a tensor so that it is read back as the same one", () => {
    holds(
      fc.property(tensors(), (tensor) => {
        const text = JSON.stringify(tensor);
        const read = readTensor(text, "json", { type: tensor.type });
        expect(`${read}`, text).toBe(`${tensor}`);
      }),
      300,
    );
  });

  it("writes the problems of an error", () => {
    try {
      evaluate("1 +\n nosuch");
    } catch (error) {
      const { name, problems } = JSON.parse(JSON.stringify(error));
      expect(name).toBe("SphexError");
      expect(problems).toMatchObject([{ code: "name/unknown", line: 2, column: 2 }]);
    }
    expect.assertions(2);
  });
});
