import { describe, expect, test } from "vitest";
import { conditionOf } from "../../src/vespa/text/queries/yql.js";
import { featureValue } from "./ranking/feature-value.js";

/** Which terms a query has: as many as an engine gives numbers to. */
describe("the terms of a query", () => {
  const count = (where: string | undefined, query: object = {}): number | undefined =>
    featureValue("queryTermCount", { ...(where === undefined ? {} : { where }), query });

  test.each<[string, number | undefined]>([
    ["true", 0],
    ['f contains "a" and !(f contains "b" or f contains "c")', 1],
    ['rank(f contains "a", f contains "b")', 2],
    ['weakAnd(f contains "a", f contains "b c")', 2],
    ['f contains phrase("a", "b", "c")', 1],
    ['f contains near("a", "b")', 2],
    ['f contains ({distance: 5}onear("a", phrase("b", "c")))', 2],
    ['f contains ({ranked: false}"a") or f contains "b"', 1],
    ['f contains "a" and price = 3 and range(price, 1, Infinity)', 3],
    ['({targetHits: 10}nearestNeighbor(v, q)) or f contains "a"', 2],
    ['parts contains sameElement("a", "b") or f contains "c"', 1],
    ['f contains "a" order by price limit 3 | all(group(price) each(output(count())))', 1],
    ["f contains '¿?'", 0],
    ["f contains @there", 1],
    // In quotes, braces and brackets are no signs: nothing is annotated.
    ['brand contains ({prefix: true}"{")', 1],
    ['brand matches "[" or f contains "a"', 2],
    ['f contains phrase("{", "a") and f contains "b"', 2],
    ['f contains ({prefix: true}"a")', 1],
    ['f contains equiv("a", "b")', 1],
    ['f matches "a.*"', 1],
    ['weightedSet(tags, {"a": 1})', 1],
    ["price in (1, 2)", 1],
    ["wand(tags, {'a': 1}) or dotProduct(tags, @there)", 2],
    ["unheard(f, 1)", undefined],
    ['f contains "a" and', undefined],
    ["f contains", undefined],
    ['f contains "a" ) or f contains "b"', undefined],
    ["f § 3", undefined],
    ['f = "constructor"', undefined],
  ])("where %s", (where, expected) =>
    expect(count(where, { there: "x", "input.query(q)": [1, 2] })).toBe(expected));

  test.each<[object, number]>([
    [{ query: "red -blue +f:green" }, 2],
    [{ query: '"red chair" lamp' }, 2],
    [{ query: "twenty-one" }, 2],
    [{ query: `it's "twenty-one"` }, 3],
    [{ yql: "where userInput('a b')" }, 2],
    [{ yql: 'where {grammar: "raw"}userInput("a b")' }, 1],
  ])("of %j", (query, expected) => expect(count(undefined, query)).toBe(expected));

  test.each([
    "(",
    "+(",
    "-(",
    'code:"a ',
    '"',
    "f:",
    "f:(",
    "[1;",
    "+-(+-(",
    "a'",
    'f:"',
    "*",
  ])("%s typed again and again has terms or none, soon", (text) => {
    for (const type of ["weakAnd", "any", "web", "phrase", "tokenize"])
      for (const times of [300, 3_000, 100_000])
        expect(count(undefined, { query: text.repeat(times), type }) ?? 0).toBeGreaterThanOrEqual(0);
  });

  test("weights of typed words", () => {
    expect(featureValue("term(1).weight", { query: { query: "red chair!250" } })).toBe(250);
  });

  test("what is nested without end is no condition, and no stack overflows", () => {
    for (const text of ["(", "!", "and(", "[", "{a:", "f contains ("])
      expect(conditionOf(`where ${text.repeat(100_000)}`)).toBeUndefined();
    expect(conditionOf(`where ${"(".repeat(50)}true${")".repeat(50)}`)).toMatchObject({ text: "true" });
  });
});
