import { describe, expect, test } from "vitest";
import { featureValue } from "../ranking/feature-value.js";

/**
 * `nativeRank` and what it is made of, `fieldMatch` and other features of words: values worked out by hand from the formulas
 * of Vespa's reference, for letters as words. Where nothing else is said, the words of the query are in no other document.
 */
/** A condition on the field `f` for each word: `a`, or `a!200` with a weight. */
const all = (words: string, field = "f"): string =>
  words
    .split(" ")
    .map((each) => each.split("!"))
    .map(([word, weight = 100]) => `${field} contains ({weight: ${weight}}"${word}")`)
    .join(" or ");

const of = (f: string): { readonly document: object } => ({ document: { f } });
const properties = (text: string): string => `rank-properties {\n${text}\n}`;

describe("nativeFieldMatch", () => {
  // By these tables the first word counts 100, the next 90, …, and each occurrence 10, in a field of six words at most.
  const plainTables = properties(`nativeFieldMatch.firstOccurrenceTable: "linear(-10,100,6)"
    nativeFieldMatch.occurrenceCountTable: "linear(10,0,7)"
    nativeRank.useTableNormalization: false`);

  test.each<[string, string, number, string?]>([
    ["a", "a", (100 + 10) / 2],
    ["a", "x x x a", (70 + 10) / 2],
    ["a", "a a a a", (100 + 40) / 2],
    ["a b", "a", (55 + 0) / 2],
    ["a b", "b x x a", (55 + (70 + 10) / 2) / 2],
    ["a!300 b", "b x x a", (3 * 40 + 55) / 4],
    ["a!0 b", "b x x a", 55],
    ["a", "x", 0],
    ["a", "x x x a", 70, "nativeFieldMatch.firstOccurrenceImportance: 1"],
    ["a", "x x x a", 10, "nativeFieldMatch.firstOccurrenceImportance.f: 0"],
    ["a", "x x x a", 0.25 * 70 + 0.75 * 10, "nativeFieldMatch(f).firstOccurrenceImportance: 0.25"],
    ["a", "x x x a", 0.25 * 70 + 0.75 * 10, "nativeFieldMatch(f).firstOccurrenceImportance: 0.25 of it"],
    ["a", "x x x a", 10, "nativeFieldMatch(f).firstOccurrenceImportance: none"],
    ["a", "a", 55 / ((100 + 60) / 2), "nativeRank.useTableNormalization: true"],
    // Of a field of twelve words the table tells each second one: 3 × 5 / 11, and 2 × 6 / 12.
    ["a", "x x x a a", (90 + 10) / 2, "nativeFieldMatch.averageFieldLength.f: 12"],
    ["a", "a", (100 + 20) / 2, "nativeFieldMatch.minFieldLength: 3"],
  ])("of %s in %s", (query, field, expected, more = "") => {
    const profile = plainTables.replace("{", `{\n${more}`);
    const asked = { where: all(query), ...of(field), profile };
    expect(featureValue("nativeFieldMatch", asked)).toBeCloseTo(expected, 12);
  });

  test("by Vespa's own tables, which a rank type changes", () => {
    const early = (table: number, position: number): number =>
      table * Math.exp(-Math.trunc((position * 255) / 5) / 12.5);
    const often = (count: number): number => 1500 * Math.log(1 + Math.trunc((count * 255) / 6) / 19) + 4000;
    const usual = (early(8000, 1) + often(1)) / (8000 + (1500 * Math.log(1 + 255 / 19) + 4000));
    const asked = { where: 'f contains "b"', ...of("a b") };
    expect(featureValue("nativeFieldMatch(f)", asked)).toBeCloseTo(usual, 12);
    const identity = (early(100, 1) + often(1)) / (100 + (1500 * Math.log(1 + 255 / 19) + 4000));
    const typed = { ...asked, profile: "rank-type f: identity" };
    expect(featureValue("nativeFieldMatch(f).score", typed)).toBeCloseTo(identity, 12);
    expect(featureValue("nativeFieldMatch", { ...asked, profile: "rank-type f: Empty" })).toBe(0);
  });

  test("fields count by their weights, and terms by how rare they are", () => {
    const asked = { where: 'both contains "a" or f contains "b"', document: { f: "a b", g: "a" } };
    const profile = plainTables.replace("rank-properties", "weight g: 300\n rank-properties");
    // a is rare, b in every tenth document: 1/2 + 1/2 · log 10⁵ / log 10⁶ is …
    const significance = { a: 1, b: 0.5 + 0.5 * (1 / 6) };
    const [a, b] = [55 * (100 + 300), ((90 + 10) / 2) * 100];
    const total = significance.a * 400 + significance.b * 100;
    const value = (significance.a * a + significance.b * b) / total;
    expect(featureValue("nativeFieldMatch", { ...asked, profile, counts: { b: 10 } })).toBeCloseTo(value, 12);
    const only = { ...asked, profile: `${profile}\n rank g: filter`, counts: { b: 10 } };
    const filtered =
      (significance.a * 55 + (significance.b * (90 + 10)) / 2) / (significance.a + significance.b);
    expect(featureValue("nativeFieldMatch", only)).toBeCloseTo(filtered, 12);
  });
});

describe("nativeProximity", () => {
  const tables = properties(`nativeProximity.proximityTable: "linear(-2,10,6)"
    nativeProximity.reverseProximityTable: "linear(-1,5,6)"
    nativeRank.useTableNormalization: false`);

  test.each<[string, string | readonly string[], number, string?]>([
    ["a", "a", 0],
    ["a b", "a", 0],
    ["a b", "a b", 10 / 2],
    ["a b", "b a", 5 / 2],
    ["a b", "a b a", (10 + 5) / 2],
    ["a b", "a x x b", 6 / 2],
    ["a b", "a x b", 8 * 0.25, "nativeProximity.proximityImportance: 0.25"],
    ["a b", "a b", 10 / 2 / 7.5, "nativeRank.useTableNormalization: true"],
    // Words that are next to each other in the query weigh twice as much as those with one between them.
    ["a b c", "a b c", (2 * 5 + 2 * 5 + 4) / 5],
    ["a b c", "a b c", 5, "nativeProximity.slidingWindowSize: 2"],
    ["a!300 b c", "a b x c", (4 * 5 + 2 * 4) / 6, "nativeProximity.slidingWindowSize: 2"],
  ])("of %s in %s", (query, field, expected, more = "") => {
    const asked = {
      where: all(query),
      document: { f: field },
      profile: tables.replace("{", `{\n${more}`),
    };
    expect(featureValue("nativeProximity(f)", asked)).toBeCloseTo(expected, 12);
  });

  test.each<[string, number, string?]>([
    ["", 0],
    // The second element begins behind the first, and a gap of one word more.
    ["nativeProximity.elementGap.parts: 1", (10 - 2 * 3) / 2],
    ["nativeProximity.elementGap.parts: 0", (10 - 2 * 2) / 2],
    ["nativeProximity.elementGap.parts: infinity", 0],
    ["nativeProximity.elementGap.parts: 0x1", (10 - 2 * 3) / 2],
    ["nativeProximity.elementGap.parts: 1.5", (10 - 2 * 3) / 2],
    ["nativeProximity.elementGap.parts: far", (10 - 2 * 2) / 2],
    ["", (10 - 2 * 3) / 2, "rank parts { element-gap: 1 }"],
    ["nativeProximity.elementGap.parts: 0", (10 - 2 * 2) / 2, "rank parts { element-gap: 1 }"],
    ["", 0, "rank parts { element-gap: 1\nfilter }\nrank parts { filter-threshold: 0.5 }"],
  ])("across elements with %s", (more, expected, rank = "") => {
    const profile = `${rank}\n${tables.replace("{", `{\n${more}`)}`;
    const asked = { where: all("a b", "parts"), document: { parts: ["a x", "x b"] }, profile };
    expect(featureValue("nativeProximity(parts)", asked)).toBeCloseTo(expected, 12);
  });

  test("a phrase is one term, and near from its last word on", () => {
    const asked = { where: 'f contains phrase("a", "b") or f contains "c"', profile: tables };
    expect(featureValue("nativeProximity(f)", { ...asked, ...of("a b c") })).toBe(10 / 2);
    expect(featureValue("nativeProximity(f)", { ...asked, ...of("a c b c") })).toBe(0);
  });
});

describe("nativeAttributeMatch and nativeRank", () => {
  test.each<[string, string, object, number, string?]>([
    ["a single value", 'brand contains "Red Star"', { brand: "red star" }, 1 / 255],
    ["another value", 'brand contains "red"', { brand: "red star" }, 0],
    ["weights", 'tags contains "x"', { tags: { x: 102, y: 3 } }, 102 / 255],
    ["a negative weight", 'tags contains "x"', { tags: { x: -51 } }, -51 / 255],
    ["how often", 'names contains "x"', { names: ["x", "y", "x"] }, 2 / 255],
    ["numbers", "price > 3 and price <= 5", { price: 5 }, 1 / 255],
    ["a range", "range(price, 3, 4)", { price: 5 }, 0],
    ["two terms", 'brand contains "x" or tags contains "y"', { tags: { y: 255 } }, 0.5],
    [
      "field weights",
      'brand contains "x" or tags contains "y"',
      { tags: { y: 255 } },
      0.75,
      "weight tags: 300",
    ],
    [
      "tags",
      'tags contains "y"',
      { tags: { y: 1 } },
      (38 * Math.log(2) + 50) / (38 * Math.log(256) + 50),
      "rank-type tags: tags",
    ],
  ])("%s", (_, where, document, expected, profile = "") => {
    expect(featureValue("nativeAttributeMatch", { where, document, profile })).toBeCloseTo(expected, 12);
  });

  test("nativeRank is the mean of the three by their weights", () => {
    const where = 'f contains "a" or f contains "b" or tags contains "x"';
    const asked = { where, document: { f: "a c b", tags: { x: 51 } } };
    const [match = 0, near = 0, attribute = 0] = [
      "nativeFieldMatch",
      "nativeProximity",
      "nativeAttributeMatch",
    ].map((each) => featureValue(each, asked));
    expect(attribute).toBeCloseTo(0.2, 12);
    const mean = (100 * match + 25 * near + 100 * attribute) / 225;
    expect(featureValue("nativeRank", asked)).toBeCloseTo(mean, 12);
    expect(featureValue("nativeRank(f)", asked)).toBeCloseTo((100 * match + 25 * near) / 225, 12);
    const weighted = properties("nativeRank.fieldMatchWeight: 0\nnativeRank.proximityWeight: 300");
    expect(featureValue("nativeRank", { ...asked, profile: weighted })).toBeCloseTo(
      (300 * near + 100 * attribute) / 400,
      12,
    );
  });

  test("a table that cannot be read is refused", () => {
    const profile = properties('nativeFieldMatch.firstOccurrenceTable: "cubic(1,2)"');
    const asked = { where: all("a"), ...of("a"), profile };
    expect(() => featureValue("nativeFieldMatch", asked)).toThrow(/nativeFieldMatch\.firstOccurrenceTable/);
  });
});

/** So many words that nothing is near beyond them. */
const far = "x ".repeat(20).trim();

describe("fieldMatch", () => {
  test.each<[string, string, Readonly<Record<string, number>>]>([
    ["a", "a", { score: 1, matches: 1, completeness: 1, earliness: 1, occurrence: 1, head: 0, tail: 0 }],
    ["a", "x", { score: 0, matches: 0, proximity: 0, segments: 0 }],
    [
      "b",
      "a b c",
      { earliness: 0.8, head: 1, tail: 1, fieldCompleteness: 1 / 3, completeness: 0.95 + 0.05 / 3 },
    ],
    ["a b c", "a b c", { proximity: 1, orderness: 1, longestSequence: 3, gaps: 0, segments: 1 }],
    // The next place of b before c is one word off, and c comes before it.
    [
      "a b c",
      "a c b",
      { outOfOrder: 1, gaps: 2, gapLength: 2, proximity: (0.71 + 0.33) / 2, orderness: 0.5 },
    ],
    ["a b", "b a", { outOfOrder: 1, gapLength: 1, proximity: 0.33, absoluteProximity: 0.033 }],
    [
      "y a b c",
      "a x b x x c x",
      { proximity: (0.71 + 0.5) / 2, queryCompleteness: 0.75, gaps: 2, gapLength: 3 },
    ],
    [
      "a b c",
      `a b ${far} c`,
      { segments: 2, segmentDistance: 23, segmentProximity: 0, relatedness: 0.5, proximity: 1 },
    ],
    ["a b c", `b c ${far} a`, { segments: 2, outOfOrder: 0, gaps: 0, head: 0, tail: 0 }],
    [
      "a b c",
      `x x x b x x c ${far} a x x`,
      { segments: 2, gaps: 1, gapLength: 2, head: 3, tail: 2, proximity: 0.5 },
    ],
    ["a b c d", `a b ${far} c d x a b c d`, { segments: 1, longestSequence: 4 }],
    ["a a", "a", { queryCompleteness: 0.5, fieldCompleteness: 1, completeness: 0.525 }],
    ["a!300 b", "a x x x", { weight: 0.75, significance: 0.5, importance: 0.625, longestSequenceRatio: 1 }],
    ["a b", "a a b b b b x x x x", { occurrence: 0.6, absoluteOccurrence: 0.03, weightedOccurrence: 0.3 }],
    [
      "a b!200",
      "a a b b b b x x x x",
      { weightedOccurrence: 10 / 30, weightedAbsoluteOccurrence: 10 / 300, significantOccurrence: 0.3 },
    ],
  ])("of %s in %s", (query, field, expected) => {
    for (const [output, value] of Object.entries(expected)) {
      const feature = output === "score" ? "fieldMatch(f)" : `fieldMatch(f).${output}`;
      expect([output, featureValue(feature, { where: all(query), ...of(field) })]).toEqual([
        output,
        expect.closeTo(value, 12),
      ]);
    }
  });

  test("its score is a mean of what it is made of", () => {
    // a and b stand apart by one word, in a field of four: 0.71, 0.5 and so on by the tables of the reference.
    const complete = 0.95 + 0.05 * 0.5;
    const score = (0.9 * 0.71 * complete ** 2 + 0.05 * 1 + 0.05 * 1 + 0.05 * 0.5) / (0.9 + 3 * 0.05);
    const asked = { where: all("a b"), ...of("a x b x") };
    expect(featureValue("fieldMatch(f)", asked)).toBeCloseTo(score, 12);
    const even = properties(`fieldMatch(f).earlinessImportance: 0
      fieldMatch(f).segmentProximityImportance: 0
      fieldMatch(f).occurrenceImportance: 0
      fieldMatch(f).fieldCompletenessImportance: 1`);
    expect(featureValue("fieldMatch(f)", { ...asked, profile: even })).toBeCloseTo(0.71 * 0.25, 12);
  });

  test("with a table of its own", () => {
    const profile = properties(`fieldMatch(f).proximityLimit: 2
      fieldMatch(f).proximityTable: "0.1 0.2 1 0.6 0.3"`);
    expect(featureValue("fieldMatch(f).proximity", { where: all("a b"), ...of("b a"), profile })).toBe(0.2);
    const wrong = properties("fieldMatch(f).proximityLimit: 2");
    expect(featureValue("fieldMatch(f)", { where: all("a"), ...of("a"), profile: wrong })).toBeUndefined();
  });

  test("the words of a phrase count by themselves", () => {
    const asked = { where: 'f contains phrase("a", "b")' };
    expect(featureValue("fieldMatch(f).matches", { ...asked, ...of("x a b") })).toBe(2);
    expect(featureValue("fieldMatch(f).matches", { ...asked, ...of("a x b") })).toBe(0);
    expect(featureValue("fieldMatch(f).longestSequence", { ...asked, ...of("x a b") })).toBe(2);
  });

  test("of many repeated words it ends", () => {
    const words = "a b c d e f";
    const field = `${words} x `.repeat(400);
    expect(featureValue("fieldMatch(f).segments", { where: all(words), ...of(field) })).toBe(1);
  });
});

describe("of terms and of one field", () => {
  test.each<[string, string, object, number]>([
    ["term(0).significance", all("a b"), {}, 1],
    ["term(1).significance", all("a b"), {}, 0.5 + 0.5 * (2 / 6)],
    ["term(0).significance", 'f contains ({significance: 0.3}"a")', {}, 0.3],
    ["term(1).weight", all("a b!30"), {}, 30],
    ["term(2).weight + term(2).significance", all("a b"), {}, 0],
    ["fieldTermMatch(parts,0).occurrences", 'parts contains "a"', { parts: ["a x", "x a a"] }, 3],
    ["fieldTermMatch(parts,0).lastPosition", 'parts contains "a"', { parts: ["x x a", "a"] }, 2],
    ["fieldTermMatch(f,0).weight + fieldTermMatch(f,0).exactness", 'f contains "a"', { f: "a a" }, 3],
    ["fieldTermMatch(f,0).firstPosition", 'f contains "a b"', { f: "a x a b" }, 2],
    // Without an output, a feature is the first that it has.
    ["fieldTermMatch(f,0)", 'f contains "b"', { f: "a x b" }, 2],
    ["termDistance(f,0,1)", all("a b"), { f: "a x b" }, 2],
    ["queryCompleteness(f)", all("a b"), { f: "b x" }, 1],
    ["term(1)", all("a b"), {}, 0.1],
    // Where positions are given, only what is found there counts.
    ["queryCompleteness(f,1).miss", all("a b"), { f: "a b" }, 1],
    ["queryCompleteness(f,2,4).hit", all("a b c"), { f: "a x b a c" }, 2],
    ["fieldLength(f)", 'f contains "a"', { f: "x a a" }, 3],
    ["countMatches(f)", all("a b"), { f: "a b a" }, 3],
    ["termDistance(f,0,1).forward", all("a b"), { f: "a x b a" }, 2],
    ["termDistance(f,0,1).reverse", all("a b"), { f: "a x b a" }, 1],
    ["termDistance(f,0,1).reverseTermPosition", all("a b"), { f: "a x b a" }, 2],
    ["termDistance(f,0,1).forward", all("a b"), { f: "b a" }, 1_000_000],
    ["termFieldMd(tags).termsmatched", 'tags contains "x" or tags contains "z"', { tags: { x: 4, y: 5 } }, 1],
    ["termFieldMd(tags)", 'tags contains "x" or tags contains "y"', { tags: { x: 4, y: 5 } }, 9],
    ["attributeMatch(tags).normalizedWeight", 'tags contains "x"', { tags: { x: 64, y: 64 } }, 0.25],
    ["attributeMatch(tags).fieldCompleteness", 'tags contains "x"', { tags: { x: 64, y: 64 } }, 0.5],
    ["attributeMatch(tags)", 'tags contains "x"', { tags: { x: 64, y: 64 } }, 0.95 + 0.05 / 2],
    ["attributeMatch(names).fieldCompleteness", 'names contains "x"', { names: ["x", "y", "z"] }, 1 / 3],
    [
      "attributeMatch(brand).weight",
      'brand contains "x" or f contains ({weight:3}"a")',
      { brand: "x" },
      100 / 103,
    ],
    ["textSimilarity(f).score", all("a b"), { f: "a b" }, 1],
    ["textSimilarity(f).proximity", all("a b"), { f: "a x x b" }, 1 - (2 / 8) ** 2],
    ["textSimilarity(f).order + 10 * textSimilarity(f).fieldCoverage", all("a b"), { f: "b a x x" }, 5],
    ["textSimilarity(f).queryCoverage", all("a b!300"), { f: "b" }, 0.75],
    // One word alone is in order only where no other is asked for.
    ["textSimilarity(f).order", all("a b"), { f: "b x" }, 0],
    ["textSimilarity(f).order", all("b"), { f: "b x" }, 1],
    ["textSimilarity(f).score", all("a b"), { f: "b" }, 0.35 + 0.3 / 2 + 0.2],
  ])("%s where %s", (feature, where, document, expected) => {
    expect(featureValue(feature, { where, document, counts: { b: 1 } })).toBeCloseTo(expected, 12);
  });
});

describe("how rare a term is", () => {
  const counts = { a: 10, b: 1, c: 80, "": 0 };
  const idf = (having: number, documents = 100): number =>
    Math.log(1 + (documents - having + 0.5) / (having + 0.5));
  const scale = (share: number): number => 1 - Math.log(share * 1_000_000) / (2 * Math.log(1_000_000));

  // With b of 0 the length does not count: a word that is there once scores its rarity.
  const profile = "rank-properties { bm25(f).b: 0 }\n rank-properties { bm25(f).k1: 1 }";

  test.each<[string, string, number]>([
    ["bm25(f)", 'f contains "a"', idf(10)],
    // In all fields together, as if no document had it in two of them.
    ["bm25(f)", 'both contains "a"', idf(20)],
    ["bm25(f)", 'both contains "c"', idf(100)],
    // What the query says counts instead.
    ["bm25(f)", 'f contains ({significance: 0.25}"a")', 0.25],
    ["bm25(f)", 'f contains ({documentFrequency: {frequency: 3, count: 12}}"a")', idf(3, 12)],
    [
      "bm25(f)",
      'f contains ({significance: 1, documentFrequency: {frequency: 3, count: 12}}"a")',
      idf(3, 12),
    ],
    // A word that is found is in one document at least, whatever is counted.
    ["bm25(f)", 'f contains "z"', idf(1)],
    ["term(0).significance", 'both contains "a"', scale(0.2)],
    ["term(0).significance", 'f contains ({documentFrequency: {frequency: 3, count: 12}}"a")', scale(0.25)],
    ["term(0).significance", 'brand contains "a"', scale(0.1)],
    // Without fast-search nothing counts the values of an attribute: all documents may have it.
    ["term(0).significance", 'names contains "a"', scale(1)],
    ["term(0).significance", 'f contains equiv("b", "a")', scale(0.1)],
  ])("%s where %s", (feature, where, expected) => {
    const document = { f: "a b c z", g: "a", brand: "a", names: ["a"] };
    expect(featureValue(feature, { where, document, profile, counts })).toBeCloseTo(expected, 12);
  });

  test("is not known where one of the fields is not read, unless the query says it", () => {
    const document = { f: "ab" };
    expect(featureValue("bm25(f)", { where: 'mixed contains "ab"', document, counts })).toBeUndefined();
    const where = 'mixed contains ({significance: 2}"ab")';
    expect(featureValue("bm25(f)", { where, document, profile, counts })).toBe(2);
  });
});

/** Two words of the field of several elements. */
const both = (first: string, second: string): string =>
  `parts contains "${first}" and parts contains "${second}"`;

describe("BM25 of each element", () => {
  const counts = { a: 10, b: 1 };
  const idf = (having: number): number => Math.log(1 + (100 - having + 0.5) / (having + 0.5));
  const document = { parts: ["a x a", "x y", "b", "a b"] };
  /** Of an element of so many words, which are 2 on the average, with k1 of 1 and b of 0.5. */
  const score = (having: number, count: number, length: number): number =>
    (idf(having) * count * 2) / (count + 0.5 + (0.5 * length) / 2);
  const properties = ["k1: 1", "b: 0.5", "averageElementLength: 2"];
  const profile = `rank-properties { ${properties.map((each) => `bm25(parts).${each}`).join("\n")} }`;

  test.each<[string, string, number]>([
    ["sum(elementwise(bm25(parts),d) * tensor(d{}):{0:1})", 'parts contains "a"', score(10, 2, 3)],
    ["sum(elementwise(bm25(parts),d) * tensor(d{}):{3:1})", both("a", "b"), score(10, 1, 2) + score(1, 1, 2)],
    ["sum(elementwise(bm25(parts),d) * tensor(d{}):{2:1})", both("a", "b"), score(1, 1, 1)],
    // An element without a word has no cell.
    ["sum(map(elementwise(bm25(parts),d), f(x)(1)))", both("a", "b"), 3],
    ["sum(map(elementwise(bm25(parts),d), f(x)(1)))", 'parts contains "z"', 0],
    ["sum(elementwise(bm25(parts),d))", 'f contains "a"', 0],
  ])("%s where %s", (feature, where, expected) => {
    expect(featureValue(feature, { where, document, profile, counts })).toBeCloseTo(expected, 12);
  });
});
