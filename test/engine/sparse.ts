import fc from "fast-check";
import { expect } from "vitest";
import type { Factor, RowMap } from "../../src/backends/engine/sparse/factor.js";
import { groupBy, segmentsOf } from "../../src/backends/engine/sparse/group.js";
import { joinFactors } from "../../src/backends/engine/sparse/join.js";
import { mergeFactors } from "../../src/backends/engine/sparse/merge.js";
import { compareLabels } from "../../src/language/values/data/rows.js";
import { Dictionary } from "../../src/language/values/labels/dictionary.js";
import { LabelIndex, labelsOf } from "../../src/language/values/labels/label-index.js";

/** Rows as objects of label by name, with which everything about rows can be said plainly, if slowly. */
export type Row = ReadonlyMap<string, string>;

export const awkward = [
  "",
  "a",
  "b",
  "B",
  "__proto__",
  "constructor",
  "10",
  "9",
  "é",
  "\u{1f600}",
  "\uffff",
  "\0",
];
export const names = ["i", "x", "Z", "__proto__", "f10", "f9"];

export const text = (row: Row, order: readonly string[]): string =>
  JSON.stringify(order.map((name) => [name, row.get(name)]));

/** The rows of a factor, from its labels. */
export function rowsOf(factor: Factor): Row[] {
  return labelsOf(factor.index).map(
    (labels) => new Map(factor.names.map((name, at) => [name, labels[at] ?? "?"])),
  );
}

/** An index of labels that are in any order, over dictionaries that may hold more labels than those. */
export function indexOf(
  labels: readonly (readonly string[])[],
  dictionaries: readonly Dictionary[],
): LabelIndex {
  const sorted = [...labels].sort(compareLabels);
  const columns = dictionaries.map((each, at) => Int32Array.from(sorted, (row) => each.id(row[at] ?? "?")));
  return new LabelIndex(dictionaries, columns, labels.length);
}

const common = Dictionary.of(awkward);

export interface Shape {
  readonly names: readonly string[];
  readonly most?: number;
}

/** A factor with these names: few labels, so that rows meet, and dictionaries shared or not. */
export function factors({ names: expected, most = 30 }: Shape): fc.Arbitrary<Factor> {
  const label = fc.constantFrom(...awkward.slice(0, expected.length > 2 ? 4 : 8), "\uffff");
  const rows = fc.uniqueArray(fc.tuple(...expected.map(() => label)), {
    maxLength: expected.length === 0 ? 1 : most,
    selector: (row) => JSON.stringify(row),
  });
  const kinds = fc.tuple(...expected.map(() => fc.constantFrom("own", "common", "more")));
  return fc.tuple(rows, kinds).map(([labels, kind]) => {
    const own = (at: number): string[] => labels.map((row) => row[at] ?? "?");
    const dictionaries = kind.map((each, at) => {
      if (each === "common") return common;
      return Dictionary.of(each === "own" ? own(at) : [...own(at), "~", "aa", ""]);
    });
    return { names: expected, index: indexOf(labels, dictionaries) };
  });
}

/** Some of the names, in any order. */
export const nameLists = (least: number, most = 4): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray(names, { minLength: least, maxLength: most });

/** Whether names and rows are in canonical order, and no row comes twice. */
export function isCanonicalFactor(factor: Factor): boolean {
  const labels = labelsOf(factor.index);
  const rise = (left: readonly string[] | undefined, right: readonly string[]): boolean =>
    left === undefined || compareLabels(left, right) < 0;
  return (
    factor.index.columns.every((column) => column.length === factor.index.rows) &&
    factor.index.columns.length === factor.names.length &&
    [...factor.names].sort().join() === factor.names.join() &&
    labels.every((row, at) => rise(labels[at - 1], row))
  );
}

/** The row that each row of a result comes from. */
export const mapped = (rows: RowMap, count: number): number[] =>
  rows === undefined ? Array.from({ length: count }, (_, row) => row) : [...rows];

export const agree = (left: Row, right: Row): boolean =>
  [...left].every(([name, label]) => !right.has(name) || right.get(name) === label);

/** A join has every pair of rows that agree, once, and nothing else. */
export function expectJoin(left: Factor, right: Factor): void {
  const { factor, leftRows, rightRows } = joinFactors(left, right);
  expect(isCanonicalFactor(factor)).toBe(true);
  const [ours, theirs] = [rowsOf(left), rowsOf(right)];
  const expected = ours.flatMap((row, at) =>
    theirs.flatMap((other, place) =>
      agree(row, other) ? [`${at} ${place} ${text(new Map([...row, ...other]), factor.names)}`] : [],
    ),
  );
  const [fromLeft, fromRight] = [mapped(leftRows, factor.index.rows), mapped(rightRows, factor.index.rows)];
  const found = rowsOf(factor).map(
    (row, at) => `${fromLeft[at]} ${fromRight[at]} ${text(row, factor.names)}`,
  );
  expect([...found].sort()).toEqual([...expected].sort());
  expect([fromLeft.length, fromRight.length]).toEqual([found.length, found.length]);
}

/** A merge has the rows of either, and knows where they come from. */
export function expectMerge(left: Factor, right: Factor): void {
  const { factor, leftRows, rightRows } = mergeFactors(left, right);
  expect(isCanonicalFactor(factor)).toBe(true);
  const texts = (each: Factor): string[] => rowsOf(each).map((row) => text(row, factor.names));
  const [ours, theirs, merged] = [texts(left), texts(right), texts(factor)];
  expect(new Set(merged)).toEqual(new Set([...ours, ...theirs]));
  expect(mapped(leftRows, merged.length)).toEqual(merged.map((row) => ours.indexOf(row)));
  expect(mapped(rightRows, merged.length)).toEqual(merged.map((row) => theirs.indexOf(row)));
}

/** Each row is in the group that has its labels, and each group has its rows. */
export function expectGroups(factor: Factor, names: readonly string[]): void {
  const grouping = groupBy(factor, names);
  const { factor: groups, groups: groupOf, counts, isContiguous } = grouping;
  expect(isCanonicalFactor(groups)).toBe(true);
  const keys = rowsOf(factor).map((row) => text(row, groups.names));
  const found = rowsOf(groups).map((row) => text(row, groups.names));
  expect(new Set(found)).toEqual(new Set(keys));
  expect([...groupOf].map((group) => found[group])).toEqual(keys);
  const members = found.map((key) => keys.flatMap((each, row) => (each === key ? [row] : [])));
  expect([...counts]).toEqual(members.map((rows) => rows.length));
  const { starts, rows } = segmentsOf(grouping);
  const places = mapped(rows, keys.length);
  expect(found.map((_, group) => places.slice(starts[group], starts[group + 1]))).toEqual(members);
  if (isContiguous) expect(members.flat()).toEqual(keys.map((_, row) => row));
}
