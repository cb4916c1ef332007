import { expect, test } from "vitest";
import { compile } from "../../src/index.js";

/** Derivatives where a function has none: at a tie each side has its share, and below a border is where relu ends. */

// biome-ignore format: a table
test.each([
  ["relu(x)",             0, 0],
  ["min(x, 0)",           0, 0.5],
  ["min(0, x)",           0, 0.5],
  ["max(x, 0)",           0, 0.5],
  ["max(0, x)",           0, 0.5],
  ["abs(x)",              0, 0],
])("of %s at %d it is %d", (text, x, expected) => {
  for (const backend of ["engine", "reference"] as const)
    expect(Math.abs(compile(`input x: tensor()\ngradient(${text}, x)`, { backend }).run({ x }).asNumber())).toBe(expected);
});

test("of a product with two zeros it is 0 in each factor", () => {
  for (const backend of ["engine", "reference"] as const) {
    const gradient = compile("input p: tensor(x[3])\ngradient(prod(p), p)", { backend });
    expect(gradient.run({ p: [0, 0, 5] }).toNested()).toEqual([0, 0, 0]);
    expect(gradient.run({ p: [0, 2, 5] }).toNested()).toEqual([10, 0, 0]);
  }
});

const symmetric = (xy: number, xz: number, yz: number): readonly (readonly number[])[] => [
  [0, xy, xz],
  [xy, 0, yz],
  [xz, yz, 0],
];

test("the derivative of a product's derivative is that of the other factors, also where factors are 0", () => {
  const text = "input p: tensor(x[3])\ngradient(gradient(prod(p), p), p)";
  for (const backend of ["engine", "reference"] as const) {
    const second = compile(text, { backend });
    const of = (p: readonly number[]) => second.run({ p }).toNested();
    expect(of([2, 4, 8])).toEqual(symmetric(8, 4, 2));
    expect(of([0, 4, 8])).toEqual(symmetric(8, 4, 0));
    expect(of([0, 4, 0])).toEqual(symmetric(0, 4, 0));
    expect(of([0, 0, 0])).toEqual(symmetric(0, 0, 0));
  }
});

test("of a product with a factor of 0 it is a number, although the others have none", () => {
  for (const backend of ["engine", "reference"] as const) {
    const gradient = compile("input p: tensor(x[3])\ngradient(prod(p), p)", { backend });
    expect(gradient.run({ p: [0, 1e200, 1e200] }).toNested()).toEqual([Infinity, 0, 0]);
    expect(gradient.run({ p: [0, 0, 1e300] }).toNested()).toEqual([0, 0, 0]);
  }
});

test("derivatives of third order of a product with a factor of 0 are numbers", () => {
  const text = "input p: tensor()\ngradient(gradient(gradient(prod(sin(p)), p), p), p)";
  for (const backend of ["engine", "reference"] as const)
    expect(compile(text, { backend }).run({ p: 0 }).asNumber()).toBe(-1);
});
