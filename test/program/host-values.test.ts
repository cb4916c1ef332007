import { describe, expect, it } from "vitest";
import {
  compile,
  evaluate,
  type InputValue,
  type InputValues,
  parseType,
  readTensor,
  SphexError,
  Tensor,
} from "../../src/index.js";
import { numbersIn } from "../../src/language/values/data/number-array.js";
import { codesOf } from "../problem-codes.js";

const made = (type: string, data: InputValue): string => `${compile(`input t: ${type}\nt`).run({ t: data })}`;

/** A value that callers without types may give. */
const untyped = (value: unknown): InputValue => value as InputValue;

describe("Typed arrays become cells that hold their numbers", () => {
  const least = "tensor(x[3]):[1.0, 2.0, 255.0]";

  it.each([
    [Float32Array.of(1, 2, 255), "tensor(x[3])", least],
    [Uint8Array.of(1, 2, 255), "tensor(x[3])", least],
    [Uint8ClampedArray.of(1, 2, 255), "tensor(x[3])", least],
    [Int16Array.of(1, 2, 255), "tensor(x[3])", least],
    [Uint32Array.of(1, 2, 2 ** 32 - 1), "tensor<long>(x[3])", "tensor<long>(x[3]):[1, 2, 4294967295]"],
    [Int32Array.of(1, 2, -3), "tensor<long>(x[3])", "tensor<long>(x[3]):[1, 2, -3]"],
    [Int8Array.of(1, 2, -128), "tensor<float>(x[3])", "tensor<float>(x[3]):[1.0, 2.0, -128.0]"],
    [Uint8Array.of(1, 2, 255), "tensor<bfloat16>(x[3])", "tensor<bfloat16>(x[3]):[1.0, 2.0, 255.0]"],
    [Uint16Array.of(0x3f80, 0x4000, 0), "tensor<bfloat16>(x[3])", "tensor<bfloat16>(x[3]):[1.0, 2.0, 0.0]"],
  ])("%s as %s", (array, type, text) => {
    expect(made(type, array)).toBe(text);
    expect(`${Tensor.from(parseType(type), array)}`).toBe(text);
  });

  it.each([
    [Float64Array.of(1, 2, 0.1), "tensor<float>(x[3])"],
    [Float32Array.of(1, 2, 0.1), "tensor<int>(x[3])"],
    [Int32Array.of(1, 2, 2 ** 30 + 1), "tensor<float>(x[3])"],
    [Uint8Array.of(1, 2, 255), "tensor<int8>(x[3])"],
    [Uint16Array.of(1, 2, 3), "tensor(x[3])"],
    [BigInt64Array.of(1n, 2n, 3n), "tensor(x[3])"],
  ])("but not %s as %s, whose cells do not", (array, type) => {
    expect(codesOf(() => made(type, array))).toEqual(["value/array-type"]);
  });

  it("within nested data the bits of narrow cells, and nothing whose meaning nobody knows", () => {
    expect(made("tensor<bfloat16>(k{},x[2])", { a: Uint16Array.of(0x3f80, 0xc000) })).toBe(
      "tensor<bfloat16>(k{},x[2]):{a:[1.0, -2.0]}",
    );
    expect(made("tensor<half>(x[1],y[3])", [Uint16Array.of(0x3c00, 0x7bff, 0xfc00)])).toBe(
      "tensor<half>(x[1],y[3]):[[1.0, 65504.0, -Infinity]]",
    );
    const unknown = [Uint16Array.of(1, 2), untyped(BigUint64Array.of(1n, 2n))];
    for (const array of unknown)
      expect(codesOf(() => made("tensor(k{},x[2])", untyped({ a: array })))).toEqual(["value/array-type"]);
  });

  it("within nested data those of doubles are read where they are", () => {
    const rows = [Float64Array.of(1, 2), Float64Array.of(3, 4)];
    for (const row of rows) expect(numbersIn(row, "float")).toBe(row);
    expect(numbersIn(Float32Array.of(0.5), "float")).toEqual(Float64Array.of(0.5));
    expect(made("tensor(x[2],y[2])", rows)).toBe("tensor(x[2],y[2]):[[1.0, 2.0], [3.0, 4.0]]");
    expect(rows).toEqual([Float64Array.of(1, 2), Float64Array.of(3, 4)]);
  });

  it("whole numbers of 64 bits keep their sign where they are rounded", () => {
    const most = BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n));
    const text = ":[9223372036854774784, -9223372036854775808]"; // the nearest doubles that cells of long hold
    expect(made("tensor<long>(x[2])", most)).toBe(`tensor<long>(x[2])${text}`);
    expect(made("tensor<long>(k[1],x[2])", [most])).toBe(`tensor<long>(k[1],x[2]):[${text.slice(1)}]`);
  });

  it("an empty one is one of its class, too", () => {
    for (const array of [new BigInt64Array(), new BigUint64Array(), new Float32Array()])
      expect(made("tensor(k{},x[])", untyped({ a: array }))).toBe("tensor(k{},x[]):{}");
  });

  it("also as the innermost of nested arrays, and in the order of the declaration", () => {
    const rows = [Float32Array.of(1, 2, 3), Int8Array.of(4, 5, 6)];
    expect(made("tensor(out[2],in[3])", rows)).toBe(
      "tensor(in[3],out[2]):[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]",
    );
    expect(made("tensor(out[2],in[3])", Float32Array.of(1, 2, 3, 4, 5, 6))).toBe(
      "tensor(in[3],out[2]):[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]",
    );
    expect(codesOf(() => made("tensor(x[2],y[3])", [Float32Array.of(1, 2), Float32Array.of(1, 2)]))).toEqual([
      "value/size",
    ]);
  });
});

describe("Cells of a list", () => {
  it.each([undefined, null, "5", true, 5n, [5]])("are numbers, and not %s", (value) => {
    const cells = untyped([{ address: { k: "a" }, value }]);
    expect(codesOf(() => made("tensor(k{})", cells))).toEqual(["value/shape"]);
  });

  it("have an address each", () => {
    for (const address of [null, undefined, 1])
      expect(codesOf(() => made("tensor(k{})", untyped([{ address, value: 1 }])))).toEqual(["argument/kind"]);
  });

  it("do not ask for more than memory has by an index far away, nor by rows of large blocks", () => {
    const far = [{ address: { x: 50_000_000 }, value: 1 }];
    expect(codesOf(() => Tensor.from(parseType("tensor(x[])"), far))).toEqual(["limit/cells"]);
    const rows = ["a", "b"].map((k) => ({ address: { k, x: 0 }, value: 1 }));
    const type = parseType("tensor(k{},x[30000000])");
    expect(codesOf(() => Tensor.from(type, rows))).toEqual(["limit/cells"]);
  });
});

describe("The limit of cells is one of inputs, too, whatever is written of them", () => {
  const far = '{"cells":[{"address":{"x":"199"},"value":3}]}';
  const limits = { cells: 100 };
  const sum = compile("input t: tensor(x[])\nsum(t)", { limits });

  it.each<[string, InputValue, string]>([
    ["a literal", "{199:3}", "limit/cells"],
    ["JSON", far, "json/shape"],
    ["an array of JSON", JSON.stringify(Array(101).fill(1)), "limit/cells"],
    ["a list", [{ address: { x: 199 }, value: 3 }], "limit/cells"],
  ])("%s", async (_, value, code) => {
    expect(codesOf(() => sum.run({ t: value }))).toEqual([code]);
    await expect(sum.runAsync({ t: value })).rejects.toMatchObject({ problems: [{ code }] });
  });

  it("and what is wrong with JSON is told of JSON", () => {
    const wrong = '{"cells":[{"address":{"y":"1"},"value":3}]}';
    expect(codesOf(() => sum.run({ t: wrong }))).toContain("json/shape");
  });

  it("and of files", () => {
    const read = { type: "tensor(x[])", limits };
    expect(codesOf(() => readTensor(far, "json", read))).toEqual(["json/shape"]);
    expect(codesOf(() => readTensor("x,value\n199,3", "csv", read))).toEqual(["csv/shape"]);
    const inFile = { limits, readFile: (path: string) => (path.endsWith("csv") ? "x,value\n199,3" : far) };
    for (const name of ["far.csv", "far.json"]) {
      const text = `constant t: tensor(x[]) = file("${name}")\nsum(t)`;
      expect(codesOf(() => compile(text, inFile))).toHaveLength(1);
    }
  });

  it("which may be raised", () => {
    const options = { limits: { cells: 200 } };
    expect(`${compile("input t: tensor(x[])\nsum(t)", options).run({ t: far })}`).toBe("tensor():{3.0}");
  });
});

describe("Inputs have names of their own", () => {
  const program = compile("input a: tensor() = 5\na");

  it.each<[string, unknown]>([
    ["a map", new Map([["a", 1]])],
    ["a promise", Promise.resolve({ a: 1 })],
    [
      "what a class has",
      new (class {
        get a(): number {
          return 1;
        }
      })(),
    ],
    ["what another object has", Object.create({ a: 1 })],
  ])("and of %s there are none: it is refused, and no default is taken", async (_, inputs) => {
    const all = untyped(inputs) as InputValues;
    const prepared = program.prepare();
    prepared.run();
    const runs = [
      () => program.run(all),
      () => program.runAll(all),
      () => prepared.run(all),
      () => evaluate("1", all),
    ];
    for (const run of runs) expect(codesOf(run)).toEqual(["argument/kind"]);
    await expect(program.runAsync(all)).rejects.toThrow("argument/kind");
    expect(codesOf(() => compile("1", { functions: untyped(inputs) as never }))).toEqual(["option/value"]);
  });

  it("whose class does not matter", () => {
    class Row {
      a = 2;
    }
    for (const inputs of [new Row(), Object.assign(Object.create(null), { a: 2 })])
      expect(program.run(untyped(inputs) as InputValues).asNumber()).toBe(2);
    expect(program.run(Object.create(null)).asNumber()).toBe(5);
  });
});

describe("Labels are the keys of plain objects and of maps", () => {
  it("of maps a label once, and none that is neither a text nor a number", () => {
    const twice = untyped(
      new Map<string | number, number>([
        [1, 5],
        ["1", 6],
      ]),
    );
    expect(codesOf(() => made("tensor(k{})", twice))).toEqual(["value/duplicate"]);
    for (const key of [null, {}, undefined, true])
      expect(codesOf(() => made("tensor(k{})", untyped(new Map([[key, 5]]))))).toEqual(["value/shape"]);
  });

  it("of maps, within objects too", () => {
    const text = "tensor(k{},u{}):{{k:a,u:7}:1.0, {k:b,u:8}:2.0}";
    const inner = (label: number, value: number) => new Map([[label, value]]);
    const data = new Map([
      ["a", inner(7, 1)],
      ["b", inner(8, 2)],
    ]);
    expect(made("tensor(k{},u{})", untyped(data))).toBe(text);
    expect(made("tensor(k{},u{})", untyped({ a: inner(7, 1), b: { "8": 2 } }))).toBe(text);
    expect(made("tensor(k{})", untyped(Object.assign(Object.create(null), { a: 1 })))).toBe(
      "tensor(k{}):{a:1.0}",
    );
  });

  class Row {
    a = 1;
  }

  it.each<[string, unknown]>([
    ["a set", new Set(["a"])],
    ["a weak map", new WeakMap()],
    ["a date", new Date(0)],
    ["a promise", Promise.resolve({ a: 1 })],
    ["an iterator", new Map([["a", 1]]).values()],
    ["an object of a class", new Row()],
    ["a regular expression", /a/],
    ["a typed array", Float64Array.of(1)],
    ["a view of bytes", new DataView(new ArrayBuffer(8))],
    ["a buffer", new ArrayBuffer(8)],
    ["a text in an object", { a: "1" }],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a bigint", 1n],
    ["null", null],
    ["undefined", undefined],
  ])("and %s is refused, and is never an empty tensor", (_, value) => {
    for (const type of ["tensor(k{})", "tensor(k{},x[1])"])
      expect(
        codesOf(() => made(type, untyped(value))),
        type,
      ).toHaveLength(1);
  });

  it("by the name of its class", () => {
    try {
      made("tensor(k{})", untyped(new Set()));
    } catch (error) {
      expect(error instanceof SphexError && error.problems[0]?.description.found).toBe(
        "an object of the class Set",
      );
    }
    expect.assertions(1);
  });
});
