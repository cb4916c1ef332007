import { describe, expect, it } from "vitest";
import {
  compile,
  type InputValue,
  parseTensor,
  parseType,
  readTensor,
  SphexError,
  Tensor,
  writeTensor,
} from "../../src/index.js";

/** Two rows, `out`, of three cells, `in`: canonical order has `in` first. */
const matrix = "tensor(out[2],in[3])";
const nested = [
  [1, 2, 3],
  [4, 5, 6],
];
const cells = Float64Array.of(1, 2, 3, 4, 5, 6);
const asArrays = "[[1, 2, 3], [4, 5, 6]]";
const npy = writeTensor(parseTensor(`${matrix}:${asArrays}`), "npy", { axes: ["out", "in"] }) as Uint8Array;

describe("The axes of arrays are the dimensions in the order of the declaration", () => {
  const sources: readonly [string, InputValue][] = [
    ["nested arrays", nested],
    ["a typed array", cells],
    ["a literal without a type", asArrays],
    ["a literal with a type", `${matrix}:${asArrays}`],
    ["flat JSON", "[1,2,3,4,5,6]"],
    [
      "a list of cells",
      nested.flatMap((row, out) => row.map((value, at) => ({ address: { out, in: at }, value }))),
    ],
  ];
  const ways: readonly [string, (value: InputValue) => Tensor][] = [
    ["run", (w) => compile(`input w: ${matrix}\nw{out:0}`).run({ w })],
    ["prepared", (w) => compile(`input w: ${matrix}\nw{out:0}`).prepare().run({ w })],
    ["fixed", (w) => compile(`input w: ${matrix}\nw{out:0}`).prepare({ w }).run()],
    ["by the host", (w) => compile("w{out:0}", { inputs: { w: matrix } }).run({ w })],
    ["reference", (w) => compile(`input w: ${matrix}\nw{out:0}`, { backend: "reference" }).run({ w })],
    [
      "assigned",
      (w) => {
        const session = compile(`variable w: ${matrix} = ${matrix}(0)\nw{out:0}`).session();
        session.assign({ w });
        return session.run();
      },
    ],
  ];
  for (const [way, run] of ways) {
    it.each(sources)(`${way}: %s`, (_, value) => {
      expect(`${run(value)}`).toBe("tensor(in[3]):[1.0, 2.0, 3.0]");
    });
  }

  it("in files of a program", () => {
    const files: Readonly<Record<string, string>> = { "w.json": asArrays, "w.txt": `${matrix}:${asArrays}` };
    const options = { readFile: (path: string) => files[path] ?? "", readBytes: () => npy };
    for (const path of [...Object.keys(files), "w.npy"]) {
      const program = compile(`constant w: ${matrix} = file("${path}")\nw{out:0}`, options);
      expect(`${program.run()}`, path).toBe("tensor(in[3]):[1.0, 2.0, 3.0]");
    }
  });

  it("but canonical in Vespa's JSON forms, wherever they come from", () => {
    const values = '{"values":[1,2,3,4,5,6]}';
    const first = "tensor(in[3]):[1.0, 3.0, 5.0]";
    expect(`${compile(`input w: ${matrix}\nw{out:0}`).run({ w: values })}`).toBe(first);
    const program = compile(`constant w: ${matrix} = file("w.json")\nw{out:0}`, { readFile: () => values });
    expect(`${program.run()}`).toBe(first);
    expect(`${readTensor(values, "json", { type: matrix })}`).toBe(
      "tensor(in[3],out[2]):[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]",
    );
  });

  it("and canonical for a type that is not a text", () => {
    const program = compile("w{out:0}", { inputs: { w: parseType(matrix) } });
    expect(`${program.run({ w: cells })}`).toBe("tensor(in[3]):[1.0, 3.0, 5.0]");
  });

  it("of read and parsed tensors, where the type is a text", () => {
    const tensor = "tensor(in[3],out[2]):[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]";
    expect(`${parseTensor(asArrays, matrix)}`).toBe(tensor);
    expect(`${readTensor(asArrays, "literal", { type: matrix })}`).toBe(tensor);
    expect(`${readTensor(asArrays, "json", { type: matrix })}`).toBe(tensor);
    expect(`${readTensor(npy, "npy", { type: matrix })}`).toBe(tensor);
    expect(`${readTensor(asArrays, "json", { type: parseType(matrix), axes: ["out", "in"] })}`).toBe(tensor);
  });

  it("of an unbound dimension too", () => {
    const program = compile("input w: tensor(out[],in[])\nw{out:0}");
    for (const w of [nested, asArrays]) expect(program.run({ w }).toNested(), `${w}`).toEqual([1, 2, 3]);
  });

  it("of levels of labels, which are outside", () => {
    const program = compile("input w: tensor(row[2],user{},col[1],item{})\nw{user:a,item:b}");
    const w = { a: { b: [[1], [2]], c: [[3], [4]] } };
    expect(`${program.run({ w })}`).toBe("tensor(col[1],row[2]):[[1.0, 2.0]]");
  });

  it("and arrays that are nested otherwise are refused", () => {
    const wrong = [
      [1, 2],
      [3, 4],
      [5, 6],
    ];
    const program = compile(`input w: ${matrix}\nw`);
    for (const w of [wrong, JSON.stringify(wrong)]) expect(() => program.run({ w })).toThrow(SphexError);
  });
});

describe("Axes of arrays that are made and read by name", () => {
  const type = parseType(matrix);
  const tensor = parseTensor(`${matrix}:${asArrays}`);

  it("Tensor.from takes them in any order", () => {
    expect(Tensor.from(type, nested, { axes: ["out", "in"] }).equals(tensor)).toBe(true);
    expect(Tensor.from(type, cells, { axes: ["out", "in"] }).equals(tensor)).toBe(true);
    expect(Tensor.from(type, Float64Array.of(1, 4, 2, 5, 3, 6), { axes: ["in", "out"] }).equals(tensor)).toBe(
      true,
    );
  });

  it("toArray and toNested give them in any order", () => {
    expect(tensor.axes).toEqual(["in", "out"]);
    expect(tensor.toNested(["out", "in"])).toEqual(nested);
    expect(tensor.toArray(["out", "in"])).toEqual(cells);
    expect(tensor.toArray()).toEqual(tensor.data);
    expect(tensor.toArray()).not.toBe(tensor.data);
    expect(tensor.toNested()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
  });

  it("labels are levels, outside of arrays", () => {
    const mixed = parseTensor("tensor(k{},u{},x[2],y[1]):{a:{p:[[1],[2]]},b:{p:[[3],[4]]}}");
    expect(mixed.toNested(["u", "k", "y", "x"])).toEqual({ p: { a: [[1, 2]], b: [[3, 4]] } });
    expect(mixed.toNested(["y", "x"])).toEqual({
      a: { p: [[1, 2]] },
      b: { p: [[3, 4]] },
    });
    expect(mixed.toArray(["y", "x"])).toEqual(Float64Array.of(1, 2, 3, 4));
    const again = Tensor.from(mixed.type, mixed.toNested(["u", "k", "y", "x"]), {
      axes: ["u", "k", "y", "x"],
    });
    expect(again.equals(mixed)).toBe(true);
  });

  it.each([[[]], [["out"]], [["out", "out"]], [["out", "in", "x"]]])("axes %j are refused", (axes) => {
    expect(() => tensor.toArray(axes)).toThrow(SphexError);
    expect(() => tensor.toNested(axes)).toThrow(SphexError);
    expect(() => Tensor.from(type, cells, { axes })).toThrow(/out\[2\]/);
  });
});
