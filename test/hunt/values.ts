import { type CellType, cellTypes, writeCell } from "../../src/language/types/cell.js";
import type { TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import type { Choice } from "./choice.js";

/** What numbers a program works on. */
export const numberStyles = {
  /** Whose sums are the same in any order. */
  whole: 8,
  /** With fractions that are exact. */
  dyadic: 5,
  /** Of any digits. */
  real: 3,
  /** NaN, infinities, zeros of both signs, the smallest and the largest. */
  special: 3,
  /** Zeros, but for a few whole ones. */
  rare: 2,
} as const;
export type NumberStyle = keyof typeof numberStyles;

const specials = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 1, -1, 2, 0.5],
  ...[5e-324, 2.2250738585072014e-308, 1e-310, 1.7976931348623157e308, -1e308, 1e200, 1e-200],
  ...[2 ** -149, 1.1754942106924411e-38, 3.4028234663852886e38, 3.5e38, 65504, 65520],
  ...[127, -128, 128, 255, 300, 2 ** 24 + 1, 2 ** 31, 2 ** 53],
];

export function numberOf(style: NumberStyle, choice: Choice): number {
  switch (style) {
    case "whole":
      return choice.between(-4, 9);
    case "dyadic":
      return choice.between(-40, 40) / choice.oneOf([1, 2, 4, 8]);
    case "real":
      return (choice.below(2_000_001) - 1_000_000) / choice.oneOf([1e6, 333_333, 77_777, 1e9, 123]);
    case "rare":
      return choice.percent(95) ? choice.oneOf([0, 0, 0, -0]) : choice.between(-4, 9);
    case "special":
      return choice.percent(60) ? choice.oneOf(specials) : choice.between(-4, 9);
  }
}

/** Words and whole numbers, which computed labels mean; and others that look like these. */
const plainLabels = ["a", "b", "c", "0", "1", "2"];
const oddLabels = ["10", "-1", "01", "1.0", "B", "a b", "it's", "NaN", ""];

export const labelOf = (choice: Choice): string => choice.oneOf(choice.percent(96) ? plainLabels : oddLabels);

/** A label as it is written. */
export const labelText = (label: string): string =>
  /^([a-zA-Z]\w*|0|[1-9]\d*)$/.test(label) ? label : `"${label}"`;

/** How the rows of a tensor lie: the sizes of its indexed dimensions, and its labels. */
export interface Layout {
  readonly sizes: readonly number[];
  readonly rows: readonly (readonly string[])[];
}

/** A layout of a type; where there may be many cells, so there may be many rows. */
export function layoutOf(type: TensorType, choice: Choice, mostCells = 0): Layout {
  const sizes = type.indexed.map(({ size }) => size ?? choice.oneOf([0, 1, 1, 2, 2, 2, 3, 3, 3]));
  if (type.isDense) return { sizes, rows: [[]] };
  if (choice.percent(5)) return { sizes, rows: fullBox(type, choice) };
  const blockCells = sizes.reduce((product, size) => product * size, 1);
  const most = Math.max(choice.oneOf([0, 1, 2, 3, 3, 4, 4, 6]), manyRows(choice, mostCells / blockCells));
  const labels = choice.oneOf([10, 30, 300]);
  const label = (): string => (most > 6 ? `${choice.below(labels)}` : labelOf(choice));
  const rows = new Map<string, string[]>();
  for (let at = 0; at < most; at++) {
    const row = type.mapped.map(label);
    rows.set(row.join(), row);
  }
  return { sizes, rows: [...rows.values()] };
}

/** Now and then as many rows as there may be. */
const manyRows = (choice: Choice, most: number): number =>
  most >= 7 && choice.percent(40) ? choice.between(7, Math.min(400, Math.floor(most))) : 0;

/** All combinations of a few labels: they fill a box, as if the dimensions were indexed. */
function fullBox(type: TensorType, choice: Choice): string[][] {
  let rows: string[][] = [[]];
  for (const _ of type.mapped) {
    const count = choice.between(1, 3);
    rows = rows.flatMap((row) => plainLabels.slice(-count).map((label) => [...row, label]));
  }
  return rows;
}

export function tensorOf(
  type: TensorType,
  { sizes, rows }: Layout,
  style: NumberStyle,
  choice: Choice,
): Tensor {
  const block = sizes.reduce((product, size) => product * size, 1);
  const sorted = [...rows].sort(byLabels);
  const numbers = Array.from({ length: block * sorted.length }, () => numberOf(style, choice));
  if (type.isScalar) return Tensor.scalar(numbers[0] ?? 0, type);
  return Tensor.of(type, sizes, sorted, stored(type.cellType, numbers));
}

function byLabels(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((label, index) => label !== other[index]);
  return at < 0 ? 0 : `${one[at]}` < `${other[at]}` ? -1 : 1;
}

function stored(cellType: CellType, numbers: readonly number[]) {
  const cells = cellTypes[cellType].allocate(numbers.length);
  for (const [at, number] of numbers.entries()) writeCell(cellType, cells, at, number);
  return cells;
}

/** A number as an expression of it. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "(0/0)";
  if (value === Number.POSITIVE_INFINITY) return "(1/0)";
  if (value === Number.NEGATIVE_INFINITY) return "(-1/0)";
  return value < 0 || Object.is(value, -0) ? `(-${-value})` : `${value}`;
}
