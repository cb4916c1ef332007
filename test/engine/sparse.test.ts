import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boxOf } from "../../src/backends/engine/sparse/box.js";
import { canonical } from "../../src/backends/engine/sparse/canonical.js";
import { emptyFactor, type Factor } from "../../src/backends/engine/sparse/factor.js";
import { filterRows } from "../../src/backends/engine/sparse/filter.js";
import { groupBy } from "../../src/backends/engine/sparse/group.js";
import { joinFactors } from "../../src/backends/engine/sparse/join.js";
import { mergeFactors } from "../../src/backends/engine/sparse/merge.js";
import { productOf } from "../../src/backends/engine/sparse/product.js";
import { selectRows } from "../../src/backends/engine/sparse/select.js";
import { compareLabels } from "../../src/language/values/data/rows.js";
import { Dictionary, unify } from "../../src/language/values/labels/dictionary.js";
import { LabelIndex, labelsOf } from "../../src/language/values/labels/label-index.js";
import { orderBy } from "../../src/language/values/labels/order.js";
import { holds } from "../chance.js";
import {
  agree,
  awkward,
  expectGroups,
  expectJoin,
  expectMerge,
  factors,
  indexOf,
  isCanonicalFactor,
  mapped,
  nameLists,
  rowsOf,
  text,
} from "./sparse.js";

/** Rows of mapped labels, joined, merged, grouped and put in order, against the same done with plain texts. */

/** Pairs of factors with the same names, more names on one side, or some in common; sometimes of one index. */
const pairs = fc
  .tuple(
    nameLists(1, 3),
    nameLists(0, 3),
    nameLists(0, 3),
    fc.constantFrom("same", "left", "right", "both", "index"),
  )
  .chain(([shared, more, others, kind]) => {
    const leftNames = kind === "left" || kind === "both" ? [...new Set([...shared, ...more])] : shared;
    const rightNames = kind === "right" || kind === "both" ? [...new Set([...others, ...shared])] : shared;
    if (kind !== "index") return fc.tuple(factors({ names: leftNames }), factors({ names: rightNames }));
    return fc
      .tuple(factors({ names: shared }), fc.shuffledSubarray(shared, { minLength: shared.length }))
      .map(([left, renamed]): [Factor, Factor] => [left, { names: renamed, index: left.index }]);
  });

describe("dictionaries", () => {
  const labels = fc.array(fc.oneof(fc.constantFrom(...awkward), fc.string()), { maxLength: 20 });

  test("hold labels by their places in canonical order", () => {
    holds(
      fc.property(labels, (given) => {
        const dictionary = Dictionary.of(given);
        const expected = [...new Set(given)].sort((left, right) => compareLabels([left], [right]));
        expect(dictionary.labels).toEqual(expected);
        expect(expected.map((label) => dictionary.id(label))).toEqual(expected.map((_, id) => id));
        for (const label of ["a", "", "\uffff", "zz"])
          expect(dictionary.id(label)).toBe(expected.indexOf(label));
      }),
      600,
    );
  });

  test("unite to one that has all labels, which are found by their new ids", () => {
    holds(
      fc.property(labels, labels, (ours, theirs) => {
        const [left, right] = [Dictionary.of(ours), Dictionary.of(theirs)];
        const united = unify(left, right);
        expect(united.dictionary.labels).toEqual(Dictionary.of([...ours, ...theirs]).labels);
        const inNew = (dictionary: Dictionary, ids: Int32Array | undefined): string[] =>
          dictionary.labels.map((_, id) => united.dictionary.label(ids?.[id] ?? id));
        expect(inNew(left, united.left)).toEqual(left.labels);
        expect(inNew(right, united.right)).toEqual(right.labels);
        const turned = unify(right, left);
        expect(turned.dictionary).toBe(united.dictionary);
        expect([turned.left, turned.right]).toEqual([united.right, united.left]);
        if (left.labels.every((label) => theirs.includes(label)))
          expect(united.dictionary.size).toBe(right.size);
      }),
      600,
    );
  });

  test("stay as they are where one has everything", () => {
    const [some, all] = [Dictionary.of(["b"]), Dictionary.of(["c", "b", "a"])];
    expect(unify(some, all)).toEqual({ dictionary: all, left: Int32Array.of(1), right: undefined });
    expect(unify(all, some).dictionary).toBe(all);
    expect(unify(all, all)).toEqual({ dictionary: all, left: undefined, right: undefined });
  });
});

describe("label indexes", () => {
  const width = fc.integer({ min: 1, max: 4 });
  const labelled = width.chain((columns) =>
    fc.tuple(
      fc.constant(columns),
      fc.uniqueArray(fc.array(fc.constantFrom(...awkward), { minLength: columns, maxLength: columns }), {
        selector: (row) => JSON.stringify(row),
        maxLength: 60,
      }),
    ),
  );

  test("hold rows of labels in any order", () => {
    holds(
      fc.property(labelled, ([columns, rows]) => {
        const sorted = [...rows].sort(compareLabels);
        expect(labelsOf(LabelIndex.of(sorted, columns))).toEqual(sorted);
        expect(LabelIndex.ofUnsorted(sorted, columns).order).toBeUndefined();
        const { index, order } = LabelIndex.ofUnsorted(rows, columns);
        expect(labelsOf(index)).toEqual(sorted);
        expect(mapped(order, rows.length).map((row) => rows[row])).toEqual(sorted);
        for (const [at, dictionary] of index.dictionaries.entries())
          expect(dictionary.labels).toEqual([...new Set(sorted.map((row) => row[at] ?? ""))].sort());
      }),
      600,
    );
  });

  test("have one row or none without columns", () => {
    expect(labelsOf(LabelIndex.of([[]], 0))).toEqual([[]]);
    expect(labelsOf(LabelIndex.of([], 0))).toEqual([]);
  });

  test("are sorted by wide columns digit by digit", () => {
    const column = Int32Array.of(2 ** 30, 5, 2 ** 30 - 1, 2 ** 20 + 5, 0, 5);
    expect([...orderBy([column], [2 ** 31 - 1], 6)]).toEqual([4, 1, 5, 3, 2, 0]);
    expect([...orderBy([Int32Array.of(1, 0, 1, 0, 1, 0), column], [2, 2 ** 31 - 1], 6)]).toEqual([
      1, 5, 3, 4, 2, 0,
    ]);
  });
});

describe("factors", () => {
  const one = nameLists(0).chain((names) => factors({ names }));

  test("are put in canonical order", () => {
    holds(
      fc.property(one, (factor) => {
        const { factor: ordered, order } = canonical(factor);
        expect(isCanonicalFactor(ordered)).toBe(true);
        const rows = rowsOf(factor);
        const from = mapped(order, factor.index.rows).map((row) => rows[row]);
        expect(rowsOf(ordered).map((row) => text(row, factor.names))).toEqual(
          from.map((row) => text(row ?? new Map(), factor.names)),
        );
        expect(new Set(mapped(order, factor.index.rows)).size).toBe(factor.index.rows);
        expect(canonical(factor).factor.index).toBe(ordered.index);
      }),
      600,
    );
  });

  test("join in all pairs of rows that agree", () => {
    holds(
      fc.property(pairs, ([left, right]) => {
        expectJoin(left, right);
        const { factor, leftRows, rightRows } = joinFactors(left, right);
        const isZip = leftRows === undefined && rightRows === undefined;
        if (isZip && left.index === right.index) expect(factor.index).toBe(left.index);
        expect(joinFactors(left, right).factor.index).toBe(factor.index);
        expect(rowsOf(joinFactors(right, left).factor)).toEqual(rowsOf(factor));
      }),
      600,
    );
  });

  test("merge to the rows of either", () => {
    const same = nameLists(1).chain((names) =>
      fc.tuple(
        factors({ names }),
        fc.shuffledSubarray(names, { minLength: names.length }).chain((others) => factors({ names: others })),
      ),
    );
    holds(
      fc.property(same, ([left, right]) => expectMerge(left, right)),
      600,
    );
  });

  test("that have the rows of another keep its index", () => {
    const [x, y] = [Dictionary.of(["a", "b", "c"]), Dictionary.of(["c", "b", "a"])];
    const all = { names: ["x"], index: indexOf([["a"], ["b"], ["c"]], [x]) };
    const same = { names: ["x"], index: indexOf([["a"], ["b"], ["c"]], [y]) };
    const some = { names: ["x"], index: indexOf([["b"]], [y]) };
    const zipped = { factor: all, leftRows: undefined, rightRows: undefined };
    expect(joinFactors(all, same)).toEqual(zipped);
    expect(joinFactors(all, same).factor.index).toBe(all.index);
    expect(mergeFactors(all, same)).toEqual(zipped);
    expect(joinFactors(all, some)).toEqual({
      factor: some,
      leftRows: Int32Array.of(1),
      rightRows: undefined,
    });
    expect(joinFactors(all, some).factor.index).toBe(some.index);
    const merged = mergeFactors(some, all);
    expect(merged).toEqual({ factor: all, leftRows: Int32Array.of(-1, 0, -1), rightRows: undefined });
    expect(merged.factor.index).toBe(all.index);
  });

  test("are grouped by some of their dimensions", () => {
    const retained = nameLists(0).chain((names) => fc.tuple(factors({ names }), fc.shuffledSubarray(names)));
    holds(
      fc.property(retained, ([factor, names]) => expectGroups(factor, names)),
      600,
    );
  });

  test("lose the dimensions whose labels are chosen", () => {
    const chosen = nameLists(0).chain((names) =>
      fc.tuple(
        factors({ names }),
        fc
          .shuffledSubarray(names)
          .chain((some) =>
            fc.tuple(...some.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...awkward)))),
          ),
      ),
    );
    holds(
      fc.property(chosen, ([factor, choices]) => {
        const labels = new Map(choices);
        const { factor: rest, rows } = selectRows(factor, labels);
        const expected = rowsOf(factor).flatMap((row, at) => (agree(labels, row) ? [at] : []));
        expect([...rows]).toEqual(expected);
        expect(rest === undefined).toBe(labels.size === factor.names.length);
        if (rest === undefined) return;
        const others = factor.names.filter((name) => !labels.has(name));
        expect(rest.names).toEqual(others);
        expect(rowsOf(rest).map((row) => text(row, others))).toEqual(
          expected.map((row) => text(rowsOf(factor)[row] ?? new Map(), others)),
        );
      }),
      600,
    );
  });

  test("are filtered by marks or by rows", () => {
    const some = one.chain((factor) =>
      fc.tuple(
        fc.constant(factor),
        fc.array(fc.constantFrom(0, 1, 255), { minLength: factor.index.rows, maxLength: factor.index.rows }),
      ),
    );
    holds(
      fc.property(some, ([factor, marks]) => {
        const expected = marks.flatMap((mark, row) => (mark === 0 ? [] : [row]));
        const { factor: retained, rows } = filterRows(factor, Int32Array.from(expected));
        expect(mapped(rows, retained.index.rows)).toEqual(expected);
        expect(labelsOf(retained.index)).toEqual(expected.map((row) => labelsOf(factor.index)[row]));
        if (expected.length === factor.index.rows) expect(retained.index).toBe(factor.index);
      }),
      300,
    );
  });

  test("multiply to every combination of their rows", () => {
    const disjoint = nameLists(0, 6).chain((names) =>
      fc
        .array(fc.integer({ min: 0, max: 2 }), { minLength: names.length, maxLength: names.length })
        .chain((owners) =>
          fc.tuple(
            ...[0, 1, 2].map((owner) =>
              factors({ names: names.filter((_, at) => owners[at] === owner), most: 5 }),
            ),
          ),
        ),
    );
    holds(
      fc.property(disjoint, fc.integer({ min: 1, max: 3 }), (all, count) => {
        const some = all.slice(0, count);
        const { factor, rowsOf: from } = productOf(some);
        expect(isCanonicalFactor(factor)).toBe(true);
        expect(factor.index.rows).toBe(some.reduce((product, { index }) => product * index.rows, 1));
        for (const [at, each] of some.entries()) {
          const rows = rowsOf(each);
          const own = mapped(from[at], factor.index.rows).map((row) =>
            text(rows[row] ?? new Map(), each.names),
          );
          expect(rowsOf(factor).map((row) => text(row, each.names))).toEqual(own);
        }
      }),
      600,
    );
  });

  test("are boxes where every label comes with every other", () => {
    const full = nameLists(1, 3).chain((names) =>
      fc.tuple(...names.map((name) => factors({ names: [name], most: 4 }))),
    );
    holds(
      fc.property(full, (sides) => {
        const { factor } = productOf(sides);
        const box = boxOf(factor);
        expect(box?.map(({ names }) => names)).toEqual(factor.names.map((name) => [name]));
        if (factor.index.rows === 0) return;
        const again = productOf(box ?? []);
        expect(rowsOf(again.factor)).toEqual(rowsOf(factor));
        expect(again.rowsOf.map((rows) => mapped(rows, factor.index.rows).length)).toEqual(
          sides.map(() => factor.index.rows),
        );
        const less = filterRows(
          factor,
          Int32Array.from({ length: Math.max(factor.index.rows - 1, 0) }, (_, row) => row + 1),
        );
        const corner = factor.index.rows > 1 && sides.filter(({ index }) => index.rows > 1).length > 1;
        if (corner) expect(boxOf(less.factor)).toBeUndefined();
      }),
      500,
    );
  });

  test("without rows join, merge and multiply to nothing more", () => {
    const none = emptyFactor(["x", "y"]);
    const some = { names: ["y", "x"], index: LabelIndex.of([["a", "b"]], 2) };
    expect(joinFactors(none, some).factor.index.rows).toBe(0);
    expect(labelsOf(mergeFactors(none, some).factor.index)).toEqual([["b", "a"]]);
    expect(productOf([none, { names: ["z"], index: LabelIndex.of([["c"]], 1) }]).factor.index.rows).toBe(0);
    expect(groupBy(none, ["x"]).factor.index.rows).toBe(0);
  });

  test("are refused before too many rows are made", () => {
    const many = Array.from({ length: 2000 }, (_, at) => [`${at}`]).sort(compareLabels);
    const asked: number[] = [];
    const allow = (rows: number): void => {
      asked.push(rows);
      if (rows > 10_000) throw new RangeError("too many rows");
    };
    const [x, y] = [LabelIndex.of(many, 1), LabelIndex.of(many, 1)];
    expect(() =>
      productOf(
        [
          { names: ["x"], index: x },
          { names: ["y"], index: y },
        ],
        allow,
      ),
    ).toThrow("too many");
    const star = LabelIndex.of(
      many.map(([label = ""]) => ["same", label]),
      2,
    );
    const [left, right] = [
      { names: ["i", "u"], index: star },
      { names: ["i", "f"], index: star },
    ];
    expect(() => joinFactors(left, right, allow)).toThrow("too many");
    expect(asked).toEqual([4_000_000, 4_000_000]);
  });
});
