import { describe, expect, test } from "vitest";
import { element, entry, intAt, numberAt, property, textAt } from "../../src/language/values/element.js";

describe("a read that must find something", () => {
  test("finds it, also where it is nothing much", () => {
    expect(element([7, 0], 1)).toBe(0);
    expect(element(["a", ""], 1)).toBe("");
    expect(element([null], 0)).toBe(null);
    expect(intAt(Int32Array.of(3, -1), 1)).toBe(-1);
    expect(numberAt(Float64Array.of(Number.NaN), 0)).toBeNaN();
    expect(textAt(["a", ""], 1)).toBe("");
    expect(entry(new Map([["a", 0]]), "a")).toBe(0);
    expect(property({ a: 0 }, "a")).toBe(0);
  });

  // biome-ignore format: a table
  test.each<[string, () => unknown, RegExp]>([
    ["behind the end",           () => element([7], 1),                  /no element 1 among 1/],
    ["before the beginning",     () => element([7], -1),                 /no element -1 among 1/],
    ["between two",              () => element([7, 8], 0.5),             /no element 0.5 among 2/],
    ["behind a column's end",    () => intAt(new Int32Array(2), 2),      /no element 2 among 2/],
    ["behind the last number",   () => numberAt(new Float64Array(2), 2), /no element 2 among 2/],
    ["behind the last text",     () => textAt(["a"], 1),                 /no element 1 among 1/],
    ["of a property that is missing", () => property({ a: 1 }, "b"),     /lacks a key/],
    ["of a key that is missing", () => entry(new Map([["a", 1]]), "b"),  /no value/],
  ])("throws %s", (_, read, message) => {
    expect(read).toThrow(message);
  });
});
