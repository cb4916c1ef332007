import fc from "fast-check";
import { expect, test } from "vitest";
import { contract } from "../../src/backends/engine/sparse/contraction.js";
import type { Factor } from "../../src/backends/engine/sparse/factor.js";
import { type RowCells, sumProducts } from "../../src/backends/engine/sparse/product-sums.js";
import { LabelIndex } from "../../src/language/values/labels/label-index.js";
import { holds } from "../chance.js";
import { factors, isCanonicalFactor, nameLists, rowsOf, text } from "./sparse.js";

/** Sums of products of sparse factors, against multiplying every row with every other. */

/** Whole numbers, so that sums are the same in any order, and what spreads from one cell. */
const cell = fc.oneof(
  { arbitrary: fc.integer({ min: -9, max: 9 }), weight: 20 },
  {
    arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
    weight: 1,
  },
);

/** The cells of a factor's rows somewhere in an array, perhaps with gaps. */
function cellsOf(rows: number): fc.Arbitrary<RowCells> {
  const gaps = fc.integer({ min: 0, max: 2 });
  return fc.tuple(gaps, gaps).chain(([start, gap]) => {
    const length = start + rows * (1 + gap);
    const kinds = fc.constantFrom(
      Float64Array,
      Float64Array,
      Float32Array,
      Int32Array,
      Int16Array,
      Int8Array,
    );
    return fc.tuple(fc.array(cell, { minLength: length, maxLength: length }), kinds).map(([cells, Kind]) => ({
      cells: Kind.from(cells),
      start,
      row: 1 + gap,
    }));
  });
}

const at = ({ cells, start, row }: RowCells, place: number): number =>
  cells[start + place * row] ?? Number.NaN;

interface Given {
  readonly left: Factor;
  readonly right: Factor;
  readonly retained: readonly string[];
  readonly leftCells: RowCells;
  readonly rightCells: RowCells;
}

const given: fc.Arbitrary<Given> = fc
  .tuple(nameLists(1, 3), nameLists(0, 3), nameLists(0, 3))
  .chain(([shared, more, others]) =>
    fc.tuple(
      factors({ names: [...new Set([...shared, ...more])] }),
      factors({ names: [...new Set([...others, ...shared])] }),
    ),
  )
  .chain(([left, right]) =>
    fc.tuple(
      fc.constant({ left, right }),
      fc.shuffledSubarray([...new Set([...left.names, ...right.names])]),
    ),
  )
  .chain(([{ left, right }, retained]) =>
    fc.record({
      left: fc.constant(left),
      right: fc.constant(right),
      retained: fc.constant(retained),
      leftCells: cellsOf(left.index.rows),
      rightCells: cellsOf(right.index.rows),
    }),
  );

/** The sums by the texts of their rows. */
function plainly(
  { left, right, retained, leftCells, rightCells }: Given,
  isFloat: boolean,
): Map<string, number> {
  const sums = new Map<string, number>();
  const order = [...retained].sort();
  for (const [row, ours] of rowsOf(left).entries())
    for (const [other, theirs] of rowsOf(right).entries()) {
      if ([...ours].some(([name, label]) => theirs.has(name) && theirs.get(name) !== label)) continue;
      const key = text(new Map([...ours, ...theirs]), order);
      const product = at(leftCells, row) * at(rightCells, other);
      sums.set(key, (sums.get(key) ?? 0) + (isFloat ? Math.fround(product) : product));
    }
  return sums;
}

test("products of rows that agree add up where their kept labels are the same", () => {
  holds(
    fc.property(given, fc.boolean(), fc.boolean(), fc.nat(4), (each, isFloat, isNarrow, split) => {
      const { left, right, retained, leftCells, rightCells } = each;
      const contraction = contract(left, right, retained);
      const { factor, groups } = contraction;
      expect(isCanonicalFactor(factor)).toBe(true);
      const rows = factor.index.rows;
      // Around the target nothing may be written.
      const Kind = isNarrow ? Float32Array : Float64Array;
      const target = { cells: new Kind(rows + 2).fill(77), start: 1, row: 1 };
      const summing = { left: leftCells, right: rightCells, target, isFloat };
      const middle = Math.min(split, groups);
      for (const [from, to] of [
        [0, middle],
        [middle, groups],
      ] as const)
        sumProducts(contraction, summing, from, to);
      const expected = plainly(each, isFloat);
      const found = rowsOf(factor).map((row) => text(row, factor.names));
      expect(new Set(found)).toEqual(new Set(expected.keys()));
      for (const [row, key] of found.entries()) expect(at(target, row)).toBe(expected.get(key));
      expect([target.cells[0], target.cells.at(-1)]).toEqual([77, 77]);
      expect(contract(left, right, retained).factor.index).toBe(factor.index);
    }),
    800,
  );
});

test("a contraction of too much is refused before it is made", () => {
  const many = Array.from({ length: 3000 }, (_, place) => [`${place}`]);
  const star = (name: string): Factor => {
    const { index } = LabelIndex.ofUnsorted(
      many.map(([label = ""]) => ["same", label]),
      2,
    );
    return { names: ["i", name], index };
  };
  const refuse = (most: number) => (count: number) => {
    if (count > most) throw new RangeError(`more than ${most}`);
  };
  const [left, right] = [star("u"), star("f")];
  expect(() => contract(left, right, ["u", "f"], refuse(100_000))).toThrow("100000");
  expect(() => contract(left, right, [], undefined, refuse(1_000_000))).toThrow("1000000");
  expect(contract(left, right, []).products).toBe(9_000_000);
});
