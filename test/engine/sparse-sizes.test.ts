import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../../src/backends/engine/sparse/canonical.js";
import { contract } from "../../src/backends/engine/sparse/contraction.js";
import type { Factor } from "../../src/backends/engine/sparse/factor.js";
import { Dictionary } from "../../src/language/values/labels/dictionary.js";
import { holds } from "../chance.js";
import { expectGroups, expectJoin, expectMerge, indexOf, isCanonicalFactor, rowsOf, text } from "./sparse.js";

/**
 * The same rows by other ways: few among many, which are searched one by one, and boxes of labels far too large for a
 * table, whose keys do not fit 31 bits, or 53.
 */

const label = (id: number): string => `${id}`.padStart(6, "0");

/** So many rows at most, of labels below a bound, over dictionaries that are shared or have just these labels. */
function numbered(
  names: readonly string[],
  most: number,
  bound: number,
  shared: Dictionary,
): fc.Arbitrary<Factor> {
  const row = fc.array(fc.integer({ min: 0, max: bound - 1 }).map(label), {
    minLength: names.length,
    maxLength: names.length,
  });
  return fc
    .tuple(fc.uniqueArray(row, { maxLength: most, selector: (each) => each.join() }), fc.boolean())
    .map(([labels, isShared]) => {
      const own = (at: number): Dictionary => Dictionary.of(labels.map((each) => each[at] ?? ""));
      return {
        names,
        index: indexOf(
          labels,
          names.map((_, at) => (isShared ? shared : own(at))),
        ),
      };
    });
}

const small = Dictionary.of(Array.from({ length: 40 }, (_, id) => label(id)));
const large = Dictionary.of(Array.from({ length: 2 ** 18 }, (_, id) => label(id)));

/** A full square of labels, of which a few are missing. */
function square(names: readonly string[]): fc.Arbitrary<Factor> {
  return fc.uniqueArray(fc.integer({ min: 0, max: 1599 }), { maxLength: 20 }).map((missing) => {
    const labels = Array.from({ length: 1600 }, (_, at) => [label(Math.floor(at / 40)), label(at % 40)]);
    const rest = labels.filter((_, at) => !missing.includes(at));
    return { names, index: indexOf(rest, [small, small]) };
  });
}

test("few rows meet many", () => {
  // Next to each other, or anywhere.
  const few = (names: readonly string[]) =>
    fc.oneof(numbered(names, 4, 3, large), numbered(names, 4, 45, large));
  holds(
    fc.property(
      fc.constantFrom(["x", "y"], ["y", "x"]).chain(square),
      few(["x", "y"]),
      fc.constantFrom(["x"], ["y"], ["x", "z"], ["a", "y"], ["y", "z"]).chain(few),
      (many, same, other) => {
        for (const each of [same, other]) {
          expectJoin(many, each);
          expectJoin(each, many);
        }
        expectMerge(many, same);
        expectMerge(same, many);
      },
    ),
    20,
  );
});

test("rows in boxes beyond any table are joined, merged, grouped and put in order", () => {
  const names = ["x", "y", "z"];
  // Few labels for most rows, so that they meet, and the largest ones.
  const wide = (own: readonly string[], most: number) =>
    fc
      .tuple(numbered(own, most, 3, large), numbered(own, most, 2 ** 18, large))
      .map(([near, far]): Factor => {
        const labels = [...rowsOf(near), ...rowsOf(far)].map((row) => own.map((name) => row.get(name) ?? ""));
        const distinct = [...new Map(labels.map((each) => [each.join(), each])).values()];
        return {
          names: own,
          index: indexOf(
            distinct,
            own.map(() => large),
          ),
        };
      });
  const orders = fc.constantFrom(names, ["z", "x", "y"], ["y", "z", "x"]);
  holds(
    fc.property(
      orders.chain((order) => wide(order, 12)),
      orders.chain((order) => wide(order, 12)),
      fc
        .constantFrom(["x"], ["z"], ["x", "y"], ["y", "z"], ["a", "y"], ["a", "y", "z"])
        .chain((some) => wide(some, 12)),
      fc.subarray(names),
      (left, right, other, retained) => {
        expectJoin(left, right);
        expectMerge(left, right);
        expectJoin(left, other);
        expectGroups(left, retained);
        expect(isCanonicalFactor(canonical(left).factor)).toBe(true);
      },
    ),
    100,
  );
});

test("a contraction with many labels and few products finds its few rows", () => {
  const rows = (first: number): string[][] =>
    Array.from({ length: 3000 }, (_, at) => [label(at), label(first + at)]);
  const left: Factor = { names: ["i", "u"], index: indexOf(rows(3000), [large, large]) };
  const right: Factor = { names: ["f", "i"], index: indexOf(rows(1), [large, large]) };
  const { factor, products } = contract(left, right, ["u", "f"]);
  // The row (f, f+1) on the right meets (i, i+3000) on the left where i = f+1.
  const expected = Array.from(
    { length: 2999 },
    (_, f) =>
      new Map([
        ["f", label(f)],
        ["u", label(f + 1 + 3000)],
      ]),
  );
  expect(products).toBe(2999);
  expect(rowsOf(factor).map((row) => text(row, ["f", "u"]))).toEqual(
    expected.map((row) => text(row, ["f", "u"])),
  );
});

test("a contraction whose first row meets thousands finds all of them", () => {
  // The only row on the left, i = 0, meets every row on the right, each with a label of its own.
  const width = 3000;
  const left: Factor = { names: ["a", "i"], index: indexOf([[label(0), label(0)]], [large, large]) };
  const meeting = Array.from({ length: width }, (_, at) => [label(at), label(0)]);
  const right: Factor = { names: ["f", "i"], index: indexOf(meeting, [large, large]) };
  const { factor, products } = contract(left, right, ["a", "f"]);
  expect(products).toBe(width);
  expect(rowsOf(factor).map((row) => row.get("f"))).toEqual(meeting.map(([f]) => f));
});

test("a contraction of few products puts the rows that a row meets in order", () => {
  // The rows with i = 0 and i = 1 on the left meet one each, the greater label first; of others there are thousands.
  const left: Factor = {
    names: ["a", "i"],
    index: indexOf(
      [
        [label(0), label(0)],
        [label(0), label(1)],
      ],
      [large, large],
    ),
  };
  const others = Array.from({ length: 3000 }, (_, at) => [label(at), label(at + 2)]);
  const meeting = [...others, [label(3001), label(0)], [label(3000), label(1)]];
  const right: Factor = { names: ["f", "i"], index: indexOf(meeting, [large, large]) };
  const { factor, products } = contract(left, right, ["a", "f"]);
  expect(products).toBe(2);
  expect(rowsOf(factor).map((row) => row.get("f"))).toEqual([label(3000), label(3001)]);
});
