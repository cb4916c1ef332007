import { describe, expect, test } from "vitest";
import {
  checkPackage,
  Document,
  Ranking,
  readFeed,
  readQuery,
  soundProfile,
  statisticsOf,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** How much fields count, by what they say themselves and what rank profiles say of them. */

const schema = (profiles: string): string => `schema doc {
  document doc {
    field f type string { indexing: index
      weight: 300 }
    field g type string { indexing: index }
    field none type string { indexing: index
      weight: 0 }
    field early type string { indexing: index
      rank-type: identity }
    field both type string { indexing: index | attribute }
    field tags type weightedset<string> { indexing: attribute }
  }
  fieldset all { fields: f, g }
  fieldset some { fields: none, g }
  ${profiles}
}`;

const document = {
  ...{ f: "a", g: "x a", none: "a", early: "x x a", both: "x x a" },
  tags: { a: 10 },
};

function computed(feature: string, where: string, profiles: string, profile: string): number {
  const read = packageOf({ "schemas/doc.sd": schema(profiles) });
  const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const found = soundProfile(read, checkPackage(read), profile, nowhere);
  const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields: document }) });
  const own = new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), 1000);
  const statistics = statisticsOf([own], [...found.fields.values()]);
  const yql = `select * from doc where ${where}`;
  const { query } = readQuery({ name: "query", text: JSON.stringify({ yql }) });
  const scorer = new Ranking({ package: read, profile: found }).scorer({ query, cells: 1000, statistics });
  const outcome = scorer.values(["first-phase"], { document: own }).get("first-phase");
  if (outcome?.kind !== "value") throw new Error(`${feature} has no value`);
  return outcome.value.asNumber();
}

/** By these tables the first word counts 100, the next 90, …, and how many there are counts nothing. */
const plain = `rank-properties {
  nativeFieldMatch.firstOccurrenceTable: "linear(-10,100,6)"
  nativeFieldMatch.firstOccurrenceImportance: 1
  nativeRank.useTableNormalization: false
}`;

const profile = (head: string, feature: string, more = ""): string =>
  `rank-profile ${head} { ${plain}\n${more}\nfirst-phase { expression: ${feature} } }`;

describe("the weight of a field", () => {
  const weighed = (profiles: string, name: string, set = "all"): number =>
    computed("nativeFieldMatch", `${set} contains "a"`, profiles, name);

  test.each<[string, string, number]>([
    ["default", "default", (300 * 100 + 100 * 90) / 400],
    ["p", "p inherits default", (300 * 100 + 100 * 90) / 400],
    ["p", "p", (100 + 90) / 2],
  ])("counts in %s: %s", (name, head, expected) =>
    expect(weighed(profile(head, "nativeFieldMatch"), name)).toBeCloseTo(expected, 12));

  test("is that of a profile before it, and 100 where it is 0", () => {
    const above = profile("default", "nativeFieldMatch");
    const below = "rank-profile p inherits default { weight f: 100 }";
    expect(weighed(`${above}\n${below}`, "p")).toBeCloseTo((100 + 90) / 2, 12);
    expect(weighed(`${above}\nrank-profile p inherits default { }`, "p")).toBeCloseTo(97.5, 12);
    expect(weighed(above, "default", "some")).toBeCloseTo((100 + 90) / 2, 12);
  });
});

describe("the rank type of a field", () => {
  const early = (table: number): number => table * Math.exp(-Math.trunc((2 * 255) / 5) / 12.5);
  const tables = (head: string, more = ""): string =>
    `rank-profile ${head} { rank-properties {
      nativeFieldMatch.firstOccurrenceImportance: 1
      nativeRank.useTableNormalization: false }
      ${more}
      first-phase { expression: nativeFieldMatch } }`;

  test.each<[string, string, string, number]>([
    ["default", "default", "", early(100)],
    ["p", "p inherits default", "", early(100)],
    ["p", "p", "", early(8000)],
    ["p", "p", "rank-type early: identity", early(100)],
    ["p", "p", "rank-type early: about", early(8000)],
  ])("counts in %s: %s with %s", (name, head, more, expected) =>
    expect(computed("nativeFieldMatch", 'early contains "a"', tables(head, more), name)).toBeCloseTo(
      expected,
      9,
    ));

  test("is about the words of a field that is no attribute", () => {
    const asked = (more: string): number =>
      computed("nativeFieldMatch", 'both contains "a"', tables("p", more), "p");
    expect(asked("rank-type both: identity")).toBeCloseTo(early(8000), 9);
  });

  test("that is the default one leaves what properties say of all fields", () => {
    const asked = profile("p", "nativeFieldMatch", "rank-type g: default");
    expect(computed("nativeFieldMatch", 'g contains "a"', asked, "p")).toBe(90);
    const about = profile("p", "nativeFieldMatch", "rank-type g: about");
    expect(computed("nativeFieldMatch", 'g contains "a"', about, "p")).toBeCloseTo(
      8000 * Math.exp(-51 / 12.5),
      9,
    );
  });

  test("of what a profile makes a filter is none, unless it says one", () => {
    const asked = (more: string): number =>
      computed("nativeAttributeMatch", 'tags contains "a"', profile("p", "nativeAttributeMatch", more), "p");
    expect(asked("")).toBe(10);
    expect(asked("rank tags: filter")).toBe(0);
    expect(asked("rank tags: filter\nrank-type tags: about")).toBe(10);
  });
});
