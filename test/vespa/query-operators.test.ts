import { describe, expect, test } from "vitest";
import { type Asked, featureValue } from "./ranking/feature-value.js";

/**
 * Operators of YQL whose terms stand for several words, or are weighed: values worked out by hand from the formulas of Vespa's
 * reference, for letters as words.
 */
const computed = (feature: string, where: string, document: object, more: Asked = {}): number | undefined =>
  featureValue(feature, { where, document, counts: { a: 10, c: 30, acme: 4, acorn: 6 }, ...more });

describe("terms that stand for several words", () => {
  const either = 'f contains equiv("a", "c")';
  const parts = 'brand contains ({prefix: true}"AC")';
  const weighted = 'weightedSet(tags, {"a": 2, "b": 7, z: 9})';

  test.each<[string, string, object, number]>([
    ["fieldTermMatch(f,0).occurrences", either, { f: "b a c a" }, 3],
    ["fieldTermMatch(f,0).firstPosition", either, { f: "b c" }, 1],
    ["matches(f)", either, { f: "b" }, 0],
    // The words of a phrase count together, and two that begin at the same word once.
    ["fieldTermMatch(f,0).occurrences", 'f contains equiv("a", phrase("a", "b"))', { f: "a b" }, 1],
    ["fieldMatch(f).matches", 'f contains equiv("a", "c") and f contains "b"', { f: "c b" }, 2],
    // It is as frequent as the most frequent of its words: 30 documents of 100, with k1 = 1.2.
    ["bm25(f)", either, { f: "a c a" }, (Math.log(1 + 70.5 / 30.5) * 3 * 2.2) / (3 + 1.2)],
    ["matches(brand)", parts, { brand: "Acme" }, 1],
    ["matches(brand)", parts, { brand: "back" }, 0],
    ["matches(brand)", 'brand contains ({suffix: true}"me")', { brand: "Acme" }, 1],
    ["matches(brand)", 'brand contains ({substring: true}"cm")', { brand: "Acme" }, 1],
    ["term(0).significance", parts, {}, 0.5 + 0.5 * (1 / 6)],
    ["fieldTermMatch(tags,0).occurrences", weighted, { tags: { a: 5, b: 1, c: 1 } }, 2],
    ["attributeMatch(tags).maxWeight", weighted, { tags: { a: 5, b: 1 } }, 7],
    ["matches(tags)", "weightedSet(tags, {'x': 1})", { tags: { a: 5 } }, 0],
    ["matches(price)", "price in (3, 5)", { price: 5 }, 1],
    ["matches(price)", "price in (3, 5)", { price: 4 }, 0],
    ["matches(brand)", 'brand in ("acme", "other")', { brand: "Acme" }, 1],
    ["matches(names, 1)", 'f contains "a" and names in ("b")', { names: ["a", "b"] }, 1],
  ])("%s where %s, in %j", (feature, where, document, expected) => {
    expect(computed(feature, where, document)).toBeCloseTo(expected, 12);
  });

  const near = (text: string, annotations = ""): string =>
    `brand contains ({maxEditDistance: 1${annotations}}fuzzy("${text}"))`;

  test.each<[string, string, object, number]>([
    ["matches(brand)", 'brand matches "c[lm]e"', { brand: "Acme" }, 1],
    ["matches(brand)", 'brand matches "^cm"', { brand: "Acme" }, 0],
    ["matches(brand)", 'brand matches "^A.{2}E$"', { brand: "acme" }, 1],
    ["fieldTermMatch(tags,0).weight", 'tags matches "^(a|b)$"', { tags: { a: 5, b: 1, c: 8 } }, 6],
    ["fieldTermMatch(names,0).weight", 'names matches "o"', { names: ["one", "two", "ten"] }, 2],
    // Four and six of 100 documents have the words that begin so.
    ["term(0).significance", 'brand matches "^ac"', {}, 0.5 + 0.5 * (1 / 6)],
    ["matches(brand)", near("acne"), { brand: "Acme" }, 1],
    ["matches(brand)", near("acmes"), { brand: "Acme" }, 1],
    ["matches(brand)", near("cme"), { brand: "Acme" }, 1],
    ["matches(brand)", near("came"), { brand: "Acme" }, 0],
    ["matches(brand)", 'brand contains fuzzy("came")', { brand: "Acme" }, 1],
    ["matches(brand)", near("bcme"), { brand: "Acme" }, 1],
    ["matches(brand)", near("bcme", ", prefixLength: 1"), { brand: "Acme" }, 0],
    ["matches(brand)", near("axme", ", prefixLength: 1"), { brand: "Acme" }, 1],
    ["matches(brand)", near("axm", ", prefix: true"), { brand: "Acme & sons" }, 1],
    ["matches(brand)", near("axm"), { brand: "Acme & sons" }, 0],
  ])("%s where %s, in %j", (feature, where, document, expected) => {
    expect(computed(feature, where, document)).toBeCloseTo(expected, 12);
  });

  test.each<[string, object, number | undefined]>([
    ['code contains "Ab"', { code: "Ab" }, 1],
    ['code contains "ab"', { code: "Ab" }, 0],
    ['code matches "a"', { code: "Ab" }, 0],
    ['code contains ({prefix: true}"A")', { code: "Ab" }, 1],
    ['label contains "red chair"', { label: ["Red Chair", "lamp"] }, 1],
    ['label contains "red"', { label: ["Red Chair", "lamp"] }, 0],
    ['grams contains "red"', { grams: "red" }, undefined],
  ])("where %s, in %j: as the field compares", (where, document, expected) => {
    const [field] = where.split(" ");
    expect(computed(`matches(${field})`, where, document)).toBe(expected);
  });

  test("a word of a field of whole values is as long as the value", () => {
    expect(
      computed("fieldTermMatch(label,0).firstPosition", 'label contains "b c"', { label: ["b c"] }),
    ).toBe(0);
    const completeness = "elementCompleteness(label).fieldCompleteness";
    expect(computed(completeness, 'label contains "b c"', { label: ["b c"] })).toBe(1);
  });

  test("values may be those of a parameter", () => {
    const query = { list: "3, 5", weights: '{"a": 3}' };
    expect(computed("matches(price)", "price in (@list)", { price: 3 }, { query })).toBe(1);
    expect(computed("termFieldMd(tags)", "weightedSet(tags, @weights)", { tags: { a: 1 } }, { query })).toBe(
      3,
    );
    const expression = { query: { expression: "^ac" } };
    expect(computed("matches(brand)", "brand matches @expression", { brand: "Acme" }, expression)).toBe(1);
    expect(computed("matches(price)", "weightedSet(price, [[3, 1], [5, 1]])", { price: 5 })).toBe(1);
  });

  test.each<[string, object, string, number]>([
    ["brand:ac*", { brand: "acme" }, "matches(brand)", 1],
    ["brand:ac*", { brand: "lac" }, "matches(brand)", 0],
    ["brand:*cm*", { brand: "acme" }, "matches(brand)", 1],
    ["price:<5", { price: 4 }, "matches(price)", 1],
    ["price:<5", { price: 5 }, "matches(price)", 0],
    ["price:[4;]", { price: 4 }, "matches(price)", 1],
    ["price:[;3]", { price: 4 }, "matches(price)", 0],
  ])("the query %s as it is typed, in %j", (text, document, feature, expected) => {
    expect(featureValue(feature, { query: { query: text }, document })).toBe(expected);
  });
});

describe("operators that multiply weights", () => {
  const tags = { a: 5, b: 1, c: 8 };

  test.each<[string, string, object, number]>([
    ["rawScore(tags)", "wand(tags, {'a': 2, 'b': 7})", { tags }, 2 * 5 + 7],
    ["rawScore(tags)", "dotProduct(tags, {'x': 2})", { tags }, 0],
    ["rawScore(tags)", "dotProduct(tags, {'A': 2}) or wand(tags, {'c': 3})", { tags }, 2 * 5 + 3 * 8],
    ["itemRawScore(w)", "{label: 'w', targetHits: 10}wand(tags, {'a': 2}) or f contains 'a'", { tags }, 10],
    ["rawScore(names)", "dotProduct(names, {'a': 2, 'b': 3})", { names: ["b", "c"] }, 3],
    ["queryTermCount", "wand(tags, {'a': 2}) or f contains 'a'", {}, 2],
  ])("%s where %s", (feature, where, document, expected) => {
    expect(computed(feature, where, document)).toBe(expected);
  });

  test("the weights may be a parameter", () => {
    const query = { weights: '{"a": 3}' };
    expect(computed("rawScore(tags)", "wand(tags, @weights)", { tags }, { query })).toBe(15);
  });
});

describe("terms of which nobody here knows where they are found", () => {
  const where = (operator: string): string => `f contains "a" and ${operator}`;

  test.each([
    'g matches "a.*"',
    'g contains ({maxEditDistance: 1}fuzzy("abc"))',
    'g contains ({prefix: true}"a")',
    'g contains equiv("a", ({weight: 50}"c"))',
    "wand(g, {'a': 1})",
    "dotProduct(g, {'a': 1})",
    'predicate(g, {"gender": ["x"]}, {"age": 20})',
  ])("%s counts as one, and hides what is computed of its field alone", (operator) => {
    const document = { f: "a a", g: "a" };
    expect(computed("queryTermCount", where(operator), document)).toBe(2);
    expect(computed("fieldTermMatch(f,0).occurrences", where(operator), document)).toBe(2);
    expect(computed("matches(g)", where(operator), document)).toBeUndefined();
    expect(computed("nativeRank", where(operator), document)).toBeUndefined();
    expect(computed("nativeRank(f)", where(operator), document)).toBeDefined();
    // How rare all terms are decides it.
    expect(computed("fieldMatch(f)", where(operator), document)).toBeUndefined();
  });

  test("where the query says how rare it is, that is known", () => {
    const known = 'f contains "a" and g matches ({significance: 0.25}"a.*")';
    expect(computed("term(1).significance", known, {})).toBe(0.25);
    expect(computed("fieldMatch(f).significance", known, { f: "a" })).toBeDefined();
    expect(computed("term(1).significance", 'f contains "a" and g matches "a.*"', {})).toBeUndefined();
  });
});

describe("words that a request connects", () => {
  const where = (id: number, weight: number): string =>
    `f contains ({id: 1}"a") and f contains ({id: 2, connectivity: {id: ${id}, weight: ${weight}}}"b")`;

  test("the weight of a connection is not that of the term", () => {
    expect(computed("term(1).weight", where(1, 0.5), {})).toBe(100);
    expect(computed("term(1).connectedness", where(1, 0.5), {})).toBe(0.5);
  });

  test("only the term before it counts", () => {
    expect(computed("term(1).connectedness", where(7, 0.5), {})).toBe(0.1);
    expect(computed("term(0).connectedness", where(1, 0.5), {})).toBe(0.1);
  });

  test.each<[string, string, number]>([
    ["fieldMatch(f).absoluteProximity", "a b", 0.5],
    ["fieldMatch(f).proximity", "a b", 1],
    // 0.71 is how near words are with one between them, by the usual table.
    ["fieldMatch(f).absoluteProximity", "a x b", 0.5 * 0.71 ** 5],
    ["fieldMatch(f).proximity", "a x b", 0.71 ** 5],
    ["fieldMatch(f).unweightedProximity", "a x b", 0.71],
  ])("%s in %s", (feature, f, expected) => {
    expect(computed(feature, where(1, 0.5), { f })).toBeCloseTo(expected, 12);
  });

  test("nativeProximity weighs pairs by the least connection between them", () => {
    const profile = `rank-properties {
      nativeProximity.proximityTable: "linear(-2,10,6)"
      nativeProximity.reverseProximityTable: "linear(-1,5,6)"
      nativeRank.useTableNormalization: false
    }`;
    const three = `${where(1, 0.5)} and f contains "d"`;
    const asked = { where: three, document: { f: "a b d" }, profile };
    const expected = (0.5 * 5 + 0.1 * 5 + 0.05 * 4) / (0.5 + 0.1 + 0.05);
    expect(featureValue("nativeProximity(f)", asked)).toBeCloseTo(expected, 12);
  });
});

describe("of the best element of a field", () => {
  const both = 'parts contains "a" and parts contains "b"';
  const heavy = 'parts contains ({weight: 300}"a") and parts contains "b"';
  const parts = ["a b c", "a x"];

  test.each<[string, string, readonly string[], number, string?]>([
    ["elementCompleteness(parts).completeness", both, parts, (2 / 3 + 1) / 2],
    ["elementCompleteness(parts)", both, parts, (2 / 3 + 1) / 2],
    ["elementCompleteness(parts).fieldCompleteness", both, parts, 2 / 3],
    ["elementCompleteness(parts).queryCompleteness", both, parts, 1],
    ["elementCompleteness(parts).elementWeight", both, parts, 1],
    ["elementCompleteness(parts).queryCompleteness", heavy, ["a x", "x"], 0.75],
    ["elementCompleteness(parts).completeness", both, ["x"], 0],
    [
      "elementCompleteness(parts).fieldCompleteness",
      both,
      ["a b c c c c", "a"],
      1,
      "rank-properties { elementCompleteness(parts).fieldCompletenessImportance: 1 }",
    ],
    // Near, in order and complete, but for one word of the element.
    ["elementSimilarity(parts)", both, parts, 0.35 + 0.15 + 0.3 + 0.2 * (2 / 3)],
    ["elementSimilarity(parts).default", both, parts, 0.35 + 0.15 + 0.3 + 0.2 * (2 / 3)],
    // One word alone is in order only where no other is asked for.
    ["elementSimilarity(parts)", heavy, ["a x"], 0.35 * (1 - (1 / 8) ** 2) + 0.3 * 0.75 + 0.2 / 2],
    ["elementSimilarity(parts)", 'parts contains "a"', ["a"], 1],
    ["elementSimilarity(parts)", both, ["x"], 0],
  ])("%s where %s, in %j", (feature, where, elements, expected, profile = "") => {
    expect(computed(feature, where, { parts: elements }, { profile })).toBeCloseTo(expected, 12);
  });

  // In the first element both words are found, the second one with a word in between; in the other only the first word.
  const two = ["a x b", "y a"];
  const [near, alone] = [1 - (1 / 8) ** 2, 1 - (1 / 8) ** 2];

  test.each<[string, string, number]>([
    ["default", "avg(p)", (near + alone) / 2],
    ["order", "sum(o)", 1 + 0],
    ["covered", "max(q * f)", 2 / 3],
    ["least", "max(if(q < 1, 2 - w, -5))", 1],
    ["below", "max(-f)", -0.5],
  ])("%s is an output of the profile's own, %s", (name, text, expected) => {
    const profile = `rank-properties { elementSimilarity(parts).output.${name}: "${text}" }`;
    const feature = `elementSimilarity(parts).${name}`;
    expect(computed(feature, both, { parts: two }, { profile })).toBeCloseTo(expected, 12);
    expect(computed(feature, both, { parts: ["x"] }, { profile })).toBe(0);
  });

  test("an output that no property makes is not computed", () => {
    expect(computed("elementSimilarity(parts).other", both, { parts })).toBeUndefined();
  });
});
