import {
  DateDay,
  DurationMillisecond,
  Field,
  FixedSizeList,
  Float16,
  Float32,
  List,
  TimeMillisecond,
  TimestampMillisecond,
  Uint16,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import {
  compile,
  type InputValue,
  isProblem,
  parseType,
  receiveError,
  SphexError,
  Tensor,
  type TensorData,
} from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

const made = (type: string, data: unknown): string =>
  `${compile(`input t: ${type}\nt`).run({ t: data as InputValue })}`;

const nested = (type: string, data: unknown): unknown =>
  compile(`input t: ${type}\nt`)
    .run({ t: data as InputValue })
    .toNested();

/** As `ndarray` of scijs has it, but for its methods. */
const strided = (data: unknown, shape: readonly number[], stride: readonly number[], offset = 0) => ({
  data,
  shape,
  stride,
  offset,
});

describe("an array with a shape and strides", () => {
  const data = Float64Array.of(0, 1, 2, 3, 4, 5);
  const rows = "tensor(x[2],y[3]):[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]";

  it.each<[string, unknown, string]>([
    ["row-major", { data, shape: [2, 3], strides: [3, 1] }, rows],
    ["without strides", { data, shape: [2, 3] }, rows],
    ["with a stride", strided(data, [2, 3], [3, 1]), rows],
    ["of another cell type", { data: Float32Array.from(data), shape: [2, 3] }, rows],
    ["of a class", Object.assign(new (class View {})(), strided(data, [2, 3], [3, 1])), rows],
    ["column-major", strided(data, [2, 3], [1, 2]), "tensor(x[2],y[3]):[[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]"],
    [
      "backwards from an offset",
      strided(data, [2, 3], [-3, -1], 5),
      "tensor(x[2],y[3]):[[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]",
    ],
    ["repeated", strided(data, [2, 3], [0, 1], 3), "tensor(x[2],y[3]):[[3.0, 4.0, 5.0], [3.0, 4.0, 5.0]]"],
  ])("%s", (_, value, text) => {
    expect(made("tensor(x[2],y[3])", value)).toBe(text);
    expect(nested("tensor(x[],y[])", value)).toEqual(nested("tensor(x[2],y[3])", value));
  });

  it("has its axes in the order of the declaration", () => {
    const value = { data, shape: [3, 2], strides: [1, 3] };
    expect(made("tensor(y[3],x[2])", value)).toBe(rows);
    const type = parseType("tensor(x[2],y[3])");
    expect(`${Tensor.from(type, value as never, { axes: ["y", "x"] })}`).toBe(rows);
  });

  it("may be one number, or none", () => {
    expect(made("tensor()", { data, shape: [], strides: [], offset: 4 })).toBe("tensor():{4.0}");
    expect(nested("tensor(x[])", { data, shape: [0] })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["a shape of other sizes", { data, shape: [3, 2] }, "value/size"],
    ["another rank", { data, shape: [6] }, "value/strides"],
    ["too few numbers", { data, shape: [2, 3], strides: [4, 1] }, "value/strides"],
    ["numbers before the first", strided(data, [2, 3], [-3, 1]), "value/strides"],
    ["strides that are no numbers", { data, shape: [2, 3], strides: ["3", 1] }, "value/strides"],
    ["a shape of fractions", { data, shape: [2, 1.5] }, "value/strides"],
    ["too many numbers", { data, shape: [2 ** 20, 2 ** 20], strides: [0, 0] }, "value/strides"],
    ["cells that do not fit", { data: BigInt64Array.of(1n), shape: [1, 1] }, "value/array-type"],
    ["numbers in no typed array", { data: [1], shape: [1, 1] }, "value/shape"],
  ])("with %s is refused", (_, value, code) => {
    expect(
      codesOf(() => made("tensor(x[],y[])".replace("[]", code === "value/size" ? "[2]" : "[]"), value)),
    ).toEqual([code]);
  });

  it("is no array for a tensor of labels, which may be called so", () => {
    expect(made("tensor(k{},x[2])", { data: Float64Array.of(1, 2), shape: [3, 4] })).toBe(
      "tensor(k{},x[2]):{data:[1.0, 2.0], shape:[3.0, 4.0]}",
    );
    expect(codesOf(() => made("tensor(k{})", strided(data, [6], [1])))).toEqual(["value/shape"]);
  });
});

describe("a column as Arrow has it", () => {
  const column = (numbers: unknown, nullCount = 0) =>
    new (class Vector {
      length = 3;
      nullCount = nullCount;
      toArray = () => numbers;
    })();

  it("is an array of its numbers, alone or by label", () => {
    expect(nested("tensor(row[])", column(Float32Array.of(1, 2, 3)))).toEqual([1, 2, 3]);
    expect(made("tensor(k{},row[3])", { a: column(Int32Array.of(1, 2, 3)), b: [4, 5, 6] })).toBe(
      "tensor(k{},row[3]):{a:[1.0, 2.0, 3.0], b:[4.0, 5.0, 6.0]}",
    );
  });

  it("with nulls, or texts, is refused", () => {
    expect(codesOf(() => made("tensor(row[])", column(Float32Array.of(1, 2, 3), 1)))).toEqual([
      "value/nulls",
    ]);
    expect(codesOf(() => made("tensor(row[])", column(["a", "b", "c"])))).toEqual(["value/shape"]);
    const whole = BigInt64Array.of(1n, 2n, 3n);
    expect(codesOf(() => made("tensor(row[])", column(whole)))).toEqual(["value/array-type"]);
  });

  it("with several numbers a row, as of decimals and intervals, is refused, alone or by label", () => {
    const decimals = column(new Uint32Array(12));
    expect(codesOf(() => made("tensor(row[])", decimals))).toEqual(["value/column"]);
    expect(codesOf(() => made("tensor(k{},row[])", { a: decimals }))).toEqual(["value/column"]);
  });
});

/** Columns of Arrow itself. */
describe("a column of Arrow", () => {
  const tensorOf = (type: string, data: TensorData): string => `${Tensor.from(parseType(type), data)}`;

  it.each([
    ["dates", vectorFromArray([new Date(0)], new DateDay())],
    ["times of day", vectorFromArray([1, 2], new TimeMillisecond())],
    ["moments", vectorFromArray([1, 2], new TimestampMillisecond())],
    ["durations", vectorFromArray([1n, 2n], new DurationMillisecond())],
  ])("of %s is refused as that, whatever the cells are", (_, column) => {
    for (const type of ["tensor(row[])", "tensor<int>(row[])", "tensor<long>(row[])"])
      expect(() => tensorOf(type, column)).toThrow(
        /value\/column: .*; found dates or times; wanted a number in each row/,
      );
  });

  // biome-ignore format: a table
  it.each<[string, string, Vector, string]>([
    ["half floats as they are", "half",   vectorFromArray([1, -2], new Float16()), "[1.0, -2.0]"],
    ["half floats as floats",   "float",  vectorFromArray([1, -2], new Float16()), "[1.0, -2.0]"],
    ["half floats as doubles",  "double", vectorFromArray([1, -2], new Float16()), "[1.0, -2.0]"],
    ["whole numbers as ints",   "int",    vectorFromArray([1, 65535], new Uint16()), "[1, 65535]"],
    ["whole numbers as doubles", "double", vectorFromArray([1, 65535], new Uint16()), "[1.0, 65535.0]"],
  ])("of 16 bits has %s", (_, cells, column, expected) => {
    const type = cells === "double" ? "tensor(x[2])" : `tensor<${cells}>(x[2])`;
    expect(tensorOf(type, column)).toBe(`${type}:${expected}`);
    const byLabel = type.replace("(", "(k{},");
    expect(tensorOf(byLabel, { a: column })).toBe(`${byLabel}:{a:${expected}}`);
  });

  it("of 16 bits is not taken for the bits of cells that are others", () => {
    const [halves, whole] = [vectorFromArray([1, 2], new Float16()), vectorFromArray([1, 2], new Uint16())];
    expect(codesOf(() => tensorOf("tensor<bfloat16>(x[2])", halves))).toEqual(["value/array-type"]);
    expect(codesOf(() => tensorOf("tensor<bfloat16>(x[2])", whole))).toEqual(["value/array-type"]);
    expect(codesOf(() => tensorOf("tensor<half>(x[2])", whole))).toEqual(["value/array-type"]);
    // Nested numbers are stored by the rule of the cell type.
    expect(tensorOf("tensor<half>(k{},x[2])", { a: whole })).toBe("tensor<half>(k{},x[2]):{a:[1.0, 2.0]}");
  });

  const float = new Field("item", new Float32());

  it.each<[string, Vector]>([
    [
      "fixed size",
      vectorFromArray(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        new FixedSizeList(3, float),
      ),
    ],
    [
      "any size",
      vectorFromArray(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        new List(float),
      ),
    ],
    [
      "any size, a part of more",
      vectorFromArray(
        [
          [0, 0, 0],
          [1, 2, 3],
          [4, 5, 6],
        ],
        new List(float),
      ).slice(1),
    ],
  ])("of lists of %s is an array of them", (_, lists) => {
    for (const type of ["tensor<float>(row[2],x[3])", "tensor<float>(row[],x[3])", "tensor(row[2],x[3])"])
      expect(Tensor.from(parseType(type), lists).toNested()).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ]);
    const byColumn = Tensor.from(parseType("tensor<float>(out[3],row[2])"), lists, { axes: ["row", "out"] });
    expect(byColumn.toNested()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
  });

  it("of lists is refused with nulls, with lists of several sizes, and for one dimension", () => {
    const ragged = vectorFromArray([[1, 2], [3]], new List(float));
    const absent = vectorFromArray([[1, 2], null], new List(float));
    const inside = vectorFromArray(
      [
        [1, 2],
        [3, null],
      ],
      new List(new Field("item", new Float32(), true)),
    );
    expect(codesOf(() => tensorOf("tensor(row[],x[])", ragged))).toEqual(["value/size"]);
    expect(codesOf(() => tensorOf("tensor(row[],x[])", absent))).toEqual(["value/nulls"]);
    expect(codesOf(() => tensorOf("tensor(row[],x[])", inside))).toEqual(["value/nulls"]);
    expect(codesOf(() => tensorOf("tensor(row[])", ragged))).toEqual(["value/shape"]);
  });
});

it("what has no name is refused by what it is", () => {
  const generator = (function* () {
    yield 1;
  })();
  try {
    made("tensor(x[1])", generator);
    expect.fail("it is no tensor");
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    expect(error.problems[0]?.description.found).toBe("an object of the class Generator");
  }
});

it.each<[string, () => unknown]>([
  ["Array Iterator", () => [1][Symbol.iterator]()],
  ["Map Iterator", () => new Map([["a", 1]]).entries()],
  ["Set", () => new Set([1])],
])("an %s is refused by its name", (name, value) => {
  for (const type of ["tensor(x[1])", "tensor(k{})"]) {
    try {
      made(type, value());
      expect.fail("it is no tensor");
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      // Newer runtimes have a class for all iterators.
      expect(error.problems[0]?.description.found).toMatch(new RegExp(`class (${name}|Iterator)$`));
    }
  }
});

it("an error crosses the border of a worker as plain data, with its problems", () => {
  let thrown: SphexError | undefined;
  try {
    compile("tensor(x[2]):[1,2] + tensor(x{}):{a:1}\nb");
  } catch (error) {
    if (error instanceof SphexError) thrown = error;
  }
  const received = receiveError(structuredClone(thrown?.toTransferable()) as never);
  expect(received).toBeInstanceOf(SphexError);
  expect(received.message).toBe(thrown?.message);
  expect(received.problems.every(isProblem)).toBe(true);
  expect(received.toJSON()).toEqual(thrown?.toJSON());
  expect(received.problems.map(({ values }) => values)).toEqual([
    expect.objectContaining({ left: "tensor(x[2])", right: "tensor(x{})" }),
    expect.objectContaining({ name: "b" }),
  ]);
});
