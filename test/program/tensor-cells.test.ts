import { describe, expect, it } from "vitest";
import { parseTensor, parseType, Tensor } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

const mixed = parseTensor("tensor(k{},x[2],y[3]):{a:[[1,2,3],[4,5,6]],b:[[7,8,9],[10,11,12]]}");

describe("get", () => {
  it("finds a cell by numbers and by texts", () => {
    expect(mixed.get({ k: "b", x: 1, y: "2" })).toBe(12);
    expect(mixed.get({ y: 0, x: "0", k: "a" })).toBe(1);
  });

  it("finds nothing where there is no cell", () => {
    for (const address of [
      { k: "c", x: 0, y: 0 },
      { k: "a", x: 2, y: 0 },
      { k: "", x: 0, y: 0 },
    ])
      expect(mixed.get(address)).toBeUndefined();
    expect(parseTensor("tensor(k{}):{}").get({ k: "a" })).toBeUndefined();
  });

  it.each([
    ["without a dimension", { k: "a", x: 0 }, "value/address"],
    ["without any", {}, "value/address"],
    ["with one more", { k: "a", x: 0, y: 0, z: 0 }, "value/address"],
    ["with another one", { k: "a", x: 0, z: 0 }, "value/address"],
    ["with a fraction", { k: "a", x: 0.5, y: 0 }, "value/index"],
    ["with a negative index", { k: "a", x: -1, y: 0 }, "value/index"],
    ["with NaN", { k: "a", x: Number.NaN, y: 0 }, "value/index"],
    ["with zeros in front", { k: "a", x: "01", y: 0 }, "value/index"],
    ["with an empty text", { k: "a", x: "", y: 0 }, "value/index"],
    ["with a bad index in a row that there is not", { k: "c", x: "one", y: 0 }, "value/index"],
  ])("refuses an address %s", (_, address, code) => {
    expect(codesOf(() => mixed.get(address))).toEqual([code]);
  });

  it.each([
    null,
    undefined,
    true,
    {},
    1n,
  ])("refuses the label %s, which is neither a text nor a number", (label) => {
    const labels = mixed.get.bind(mixed) as (address: object) => unknown; // as callers without types may
    expect(codesOf(() => labels({ k: label, x: 0, y: 0 }))).toEqual(["argument/kind"]);
    const cells = [{ address: { k: label }, value: 1 }] as never;
    expect(codesOf(() => Tensor.from(parseType("tensor(k{})"), cells))).toEqual(["argument/kind"]);
  });

  it("tells labels apart that are alike when joined", () => {
    const tensor = parseTensor("tensor(j{},k{}):{{j:'a,b',k:c}:1,{j:a,k:'b,c'}:2,{j:'1:a',k:''}:3}");
    expect(tensor.get({ j: "a,b", k: "c" })).toBe(1);
    expect(tensor.get({ j: "a", k: "b,c" })).toBe(2);
    expect(tensor.get({ j: "1:a", k: "" })).toBe(3);
    expect(tensor.get({ j: "1", k: "a" })).toBeUndefined();
  });

  it("looks 100,000 labels up in less work than 10,000,000,000 comparisons", () => {
    const labels = Array.from({ length: 100_000 }, (_, at) => `user-${(at * 7919) % 100_000}`);
    const tensor = Tensor.from(
      parseType("tensor(user{})"),
      labels.map((user, at) => ({ address: { user }, value: at })),
    );
    for (const [at, user] of labels.entries()) expect(tensor.get({ user })).toBe(at);
  });
});

describe("at", () => {
  it.each([-1, 12, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses position %d", (position) => {
    expect(codesOf(() => mixed.at(position))).toEqual(["value/position"]);
  });

  it("reads the one cell of a scalar, and no other", () => {
    const scalar = Tensor.scalar(3, parseType("tensor()"));
    expect(scalar.at(0)).toBe(3);
    expect(codesOf(() => scalar.at(1))).toEqual(["value/position"]);
    expect(codesOf(() => parseTensor("tensor(k{}):{}").at(0))).toEqual(["value/position"]);
  });
});

describe("cells", () => {
  it("has all addresses in canonical order", () => {
    const addresses = [...mixed.cells()].map(({ address: { k, x, y }, value }) => `${k}${x}${y}=${value}`);
    expect(addresses.join(" ")).toBe(
      "a00=1 a01=2 a02=3 a10=4 a11=5 a12=6 b00=7 b01=8 b02=9 b10=10 b11=11 b12=12",
    );
  });

  it("may be one object again and again, with the same contents", () => {
    const seen = new Set<unknown>();
    const copies = [];
    for (const cell of mixed.cells({ reuse: true })) {
      seen.add(cell).add(cell.address);
      copies.push({ address: { ...cell.address }, value: cell.value });
    }
    expect(seen.size).toBe(2);
    expect(copies).toEqual([...mixed.cells()]);
  });

  it("of tensors without dimensions, without cells, and with names like __proto__", () => {
    expect([...Tensor.scalar(3, parseType("tensor()")).cells()]).toEqual([{ address: {}, value: 3 }]);
    expect([...parseTensor("tensor(k{},x[3]):{}").cells()]).toEqual([]);
    const named = [...parseTensor("tensor(__proto__[2]):[1,2]").cells()];
    expect(named.map(({ address }) => Object.entries(address))).toEqual([
      [["__proto__", "0"]],
      [["__proto__", "1"]],
    ]);
  });
});
