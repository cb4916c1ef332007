import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rankFeatures } from "../../../src/vespa/package/rank-features/rank-features.js";
import { positionOf } from "../../../src/vespa/ranking/document/position-values.js";
import {
  checkPackage,
  computedFeatures,
  Document,
  Ranking,
  readFeed,
  readQuery,
  soundProfile,
  statisticsOf,
  textFeatures,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";
import { attribute, scoreOf } from "./profile-score.js";

/** Features that are computed from documents, queries and words, with values worked out by hand. */
const cells = 1_000_000;
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

const schema = (expression: string, properties: string): string => `schema doc {
  document doc {
    field title type string { indexing: index | summary
      index: enable-bm25 }
    field body type array<string> { indexing: index
      index: enable-bm25 }
    field brand type string { indexing: attribute }
    field price type int { indexing: attribute }
    field count type int { indexing: attribute }
    field weights type weightedset<string> { indexing: attribute }
    field numbers type array<float> { indexing: attribute }
    field place type position { indexing: attribute }
    field places type array<position> { indexing: attribute }
    field v type tensor<float>(x[2]) { indexing: attribute }
  }
  fieldset default {
    fields: title, body
  }
  rank-profile asked {
    inputs {
      query(q) tensor<float>(x[2])
      query(r) tensor<float>(x[2])
    }
    rank-properties {
      ${properties}
    }
    first-phase { expression: ${expression} }
  }
}
`;

interface Asked {
  readonly document?: object;
  readonly query?: object;
  readonly properties?: string;
  /** All documents that are counted. */
  readonly feed?: readonly object[];
}

const documentOf = (fields: object): Document => {
  const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
  return new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), cells);
};

/** The value of an expression for a document; nothing where it lacks something. */
function computed(
  expression: string,
  { document = {}, query = {}, properties = "", feed }: Asked,
): number | undefined {
  const read = packageOf({ "schemas/doc.sd": schema(expression, properties) });
  const profile = soundProfile(read, checkPackage(read), "asked", nowhere);
  const ranking = new Ranking({ package: read, profile });
  const request = readQuery({ name: "query", text: JSON.stringify(query) }).query;
  const counted =
    feed === undefined ? undefined : statisticsOf(feed.map(documentOf), [...profile.fields.values()]);
  const scorer = ranking.scorer({ query: request, cells, statistics: counted });
  const outcome = scorer.values(["first-phase"], { document: documentOf(document) }).get("first-phase");
  return outcome?.kind === "value" ? outcome.value.asNumber() : undefined;
}

const feed = [
  { title: "Red chair" },
  { title: "Red, red table-lamp", body: ["one lamp", "two red lamps"] },
  { title: "Blue chair set", body: ["red"] },
];
const [chair, lamp, set] = feed;
const red = { yql: 'select * from doc where title contains "Red" or title contains "chair"' };

describe("from words", () => {
  // Each word is in 2 of 3 documents; titles have 3 words on average.
  const rarity = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));

  test.each<[string, number, Asked]>([
    [
      "bm25(title)",
      2 * rarity * (2.2 / (1 + 1.2 * (0.25 + (0.75 * 2) / 3))),
      { document: chair ?? {}, query: red },
    ],
    [
      "bm25(title)",
      rarity * ((2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 4) / 3))),
      { document: lamp ?? {}, query: red },
    ],
    ["bm25(title)", rarity * (2.2 / (1 + 1.2)), { document: set ?? {}, query: red }],
    ["bm25(title).score", 0, { document: { title: "Sofa" }, query: red }],
    [
      "bm25(title)",
      2 * rarity * (3 / (1 + 2 * (0.5 + (0.5 * 2) / 4))),
      {
        document: chair ?? {},
        query: red,
        properties: "bm25(title).k1: 2\nbm25(title).b: 0.5\nbm25(title).averageFieldLength: 4",
      },
    ],
    ["matches(title)", 1, { document: set ?? {}, query: red }],
    ["matches(title,0)", 0, { document: set ?? {}, query: red }],
    ["matches(title,1)", 1, { document: set ?? {}, query: red }],
    ["matches(title,2)", 0, { document: set ?? {}, query: red }],
    ["matchCount(title)", 2, { document: chair ?? {}, query: red }],
    ["matchCount(body)", 0, { document: lamp ?? {}, query: red }],
    ["fieldLength(title)", 4, { document: lamp ?? {}, query: red }],
    ["fieldLength(title)", 1_000_000, { document: { title: "Sofa" }, query: red }],
    ["queryTermCount", 2, { query: red }],
    ["queryCompleteness(title).hit", 1, { document: lamp ?? {}, query: red }],
    ["queryCompleteness(title).miss", 1, { document: lamp ?? {}, query: red }],
    ["fieldTermMatch(title,0).firstPosition", 0, { document: lamp ?? {}, query: red }],
    ["fieldTermMatch(title,0).lastPosition", 1, { document: lamp ?? {}, query: red }],
    ["fieldTermMatch(title,0).occurrences", 2, { document: lamp ?? {}, query: red }],
    ["fieldTermMatch(title,1).firstPosition", 1_000_000, { document: lamp ?? {}, query: red }],
    ["averageFieldLength(title)", 3, { query: red }],
    ["num_docs_indexed", 3, { query: red }],
    ["numDocs", 3, { query: red }],
  ])("%s is %f", (expression, expected, asked) => {
    expect(computed(expression, { ...asked, feed })).toBeCloseTo(expected, 12);
  });

  test.each<[string, number, object]>([
    [
      "matchCount(title) + 10 * matchCount(body)",
      11,
      { yql: "select * from doc where userQuery()", query: "lamp" },
    ],
    ["matchCount(title) + 10 * matchCount(body)", 12, { query: "lamp title:red" }],
    ["matchCount(title) + 10 * matchCount(body)", 32, { query: "lamp two red" }],
    [
      "matchCount(title) + 10 * matchCount(body)",
      11,
      { yql: "where {targetHits:10}userInput(@words)", words: "lamp" },
    ],
    ["matchCount(title) + 10 * matchCount(body)", 1, { yql: 'where {defaultIndex:"title"}userInput("red")' }],
    ["matchCount(title) + 10 * matchCount(body)", 10, { yql: "where body contains ({weight:200}'two')" }],
    ["matchCount(title) + 10 * matchCount(body)", 10, { yql: "where body contains @w", w: "TWO" }],
  ])("%s is %d for %j", (expression, expected, query) => {
    expect(computed(expression, { document: lamp ?? {}, query, feed })).toBe(expected);
  });

  test("without statistics, or with operators whose words do not stand alone, they are given", () => {
    expect(computed("matches(title)", { document: chair ?? {}, query: red })).toBeUndefined();
    const other = { yql: 'where title contains fuzzy("red")' };
    expect(computed("matches(title)", { document: chair ?? {}, query: other, feed })).toBeUndefined();
  });
});

describe("of positions", () => {
  /** A degree of a great circle, in kilometres. */
  const degree = (Math.PI * 6371.0088) / 180;
  const at = (lat: number, lng: number): object => ({ place: { lat, lng } });
  const origin = { "pos.ll": "N0;E0" };

  test.each<[string, number, Asked]>([
    ["distance(place).km", degree, { document: at(1, 0), query: origin }],
    ["distance(place)", 1_000_000, { document: at(0, -1), query: origin }],
    ["distance(place).latitude + distance(place).longitude", 3, { document: at(1, 2), query: origin }],
    ["distance(place).km", 90 * degree, { document: { place: "N90;E12" }, query: origin }],
    ["distance(place).km", 40_000, { document: {}, query: origin }],
    ["distance(place)", 6_400_000_000, { document: at(1, 0) }],
    [
      "distance(place).km",
      degree,
      { document: at(2, 5), query: { yql: 'where geoLocation(place, 1.0, 5.0, "9 km")' } },
    ],
    [
      "distance(places).index + distance(places).km",
      1 + degree,
      { document: { places: [{ lat: 9, lng: 9 }, "S1;E0"] }, query: origin },
    ],
    ["closeness(place)", 1 - 1_000_000 / 9_013_305, { document: at(1, 0), query: origin }],
    ["closeness(place)", 0, { document: at(80, 0), query: origin }],
    [
      "closeness(place)",
      0.5,
      { document: at(1, 0), query: origin, properties: "closeness(place).maxDistance: 2000000" },
    ],
    [
      "closeness(field,place)",
      0.5,
      { document: at(1, 0), query: origin, properties: "closeness(field,place).maxDistance: 2000000" },
    ],
    [
      "closeness(place)",
      0,
      { document: at(1, 0), query: origin, properties: "closeness(place).maxDistance: 0" },
    ],
    [
      "closeness(place).logscale",
      0.5,
      {
        document: at(1, 0),
        query: origin,
        properties: "closeness(place).maxDistance: 8000000\ncloseness(place).halfResponse: 1000000",
      },
    ],
    ["great_circle_distance(place)", degree, { document: at(1, 0), query: origin }],
  ])("%s is %f", (expression, expected, asked) => {
    const value = computed(expression, asked) ?? Number.NaN;
    expect(value / (expected || 1)).toBeCloseTo(expected === 0 ? 0 : 1, 12);
  });

  test.each([
    ["N37.5;W122", 37.5, -122],
    ["w122;s37", -37, -122],
    ["63.4;10.4", 63.4, 10.4],
    ["N37°30';E1°0'36\"", 37.5, 1.01],
  ])("%s", (text, latitude, longitude) => expect(positionOf(text)).toEqual([{ latitude, longitude }]));
});

describe("of collections, neighbours and other features", () => {
  const weighted = { weights: { x: 10, y: 20 } };

  test.each<[string, number, Asked]>([
    [
      "dotProduct(weights,w)",
      100,
      { document: weighted, query: { "ranking.properties.dotProduct.w": "{x:2,y:4}" } },
    ],
    [
      "dotProduct(weights,w)",
      10,
      { document: weighted, query: { "rankproperty.dotProduct.w": "{x:1,z:4}" } },
    ],
    ["dotProduct(weights,w)", 0, { document: weighted }],
    [
      "dotProduct(numbers,w)",
      11,
      { document: { numbers: [1, 2, 3] }, query: { "ranking.properties.dotProduct.w": "[3 4]" } },
    ],
    [
      "dotProduct(numbers,w)",
      6,
      { document: { numbers: [1, 2, 3] }, query: { "ranking.properties.dotProduct.w": "{2:2,9:1}" } },
    ],
    [
      "foreach(fields,N,matchCount(N),true,max)",
      2,
      { document: chair ?? {}, query: { query: "red chair" }, feed },
    ],
    [
      "foreach(terms,N,fieldTermMatch(title,N).occurrences,true,sum)",
      3,
      { document: lamp ?? {}, query: { query: "red table" }, feed },
    ],
    [
      "itemRawScore(a)",
      0.5,
      {
        document: { v: [1, 0] },
        query: { yql: 'where {label:"a",targetHits:9}nearestNeighbor(v, q)', "input.query(q)": [1, 1] },
      },
    ],
    [
      "rawScore(v)",
      1.5,
      {
        document: { v: [1, 0] },
        query: {
          yql: "where {label:'a',targetHits:9}nearestNeighbor(v, q) or {label:'b',targetHits:9}nearestNeighbor(v, r)",
          "input.query(q)": [1, 1],
          "input.query(r)": [1, 0],
        },
      },
    ],
  ])("%s is %f", (expression, expected, asked) => {
    expect(computed(expression, asked)).toBeCloseTo(expected, 12);
  });
});

/** In a schema without tensors, which the engine would refuse. */
test.each([
  ['foreach(attributes,N,attribute(N),">2",sum)', 9],
  ['foreach(attributes,N,attribute(N).count,">0",count)', 3],
  ["foreach(attributes,N,attribute(N).count,true,average)", 5 / 4],
  // Of a limit the engine reads the number that it begins with, or 0.
  ['foreach(attributes,N,attribute(N),">4x",sum)', 5],
  ['foreach(attributes,N,attribute(N),">x",sum)', 9],
])("%s is %f", async (expression, expected) => {
  const numbers = `${attribute("price", "int")}${attribute("count", "int")}`;
  const fields = `${numbers}${attribute("weights", "weightedset<string>")}${attribute("many", "array<float>")}
    field title type string { indexing: index | attribute }`;
  const document = { price: 4, count: 5, weights: { a: 1, b: 1, c: 1 }, title: "red" };
  expect(await scoreOf(expression, { fields, document })).toBe(expected);
});

/** Features of which a list of hits is the source. */
const ofList = [
  ...["firstPhase", "secondPhase", "relevanceScore", "firstPhaseRank", "firstPhaseMax"],
  ...["normalize_linear", "reciprocal_rank", "reciprocal_rank_fusion"],
];

/** Where the values of features are tested, against documentation and formulas; from the folder of the tests of Vespa's files. */
const suites = [
  "ranking/computed-features",
  "documents/attributes",
  "ranking/ranking-features",
  "ranking/neighbour-features",
  "text/text-features",
  "query-operators",
  "ranking/model-features",
  "ranking/ranking-lists",
  "query-values",
  "package/deployment",
].map((path) => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  text: readFileSync(new URL(`../${path}.test.ts`, import.meta.url), "utf8"),
}));

/** The suites that mention a feature where a value is expected: as a call, with an output, or alone in quotes. */
const suitesOf = (name: string): string[] =>
  suites.filter(({ text }) => new RegExp(`\\b${name}[(."\\s*]`).test(text)).map((each) => each.name);

const ofTokens = ["tokenInputIds", "customTokenInputIds", "tokenTypeIds", "tokenAttentionMask"];

test("the table of rank features says of each where its value comes from", async () => {
  const sourceOf = (name: string): string => {
    if (computedFeatures.includes(name) || name === "constant") return "computed";
    if (textFeatures.includes(name)) return "from words, with `--statistics`; or given";
    if (ofList.includes(name)) return "of the list of hits";
    if (ofTokens.includes(name)) return "computed, of given tokens";
    if (name === "xgboost" || name === "lightgbm")
      return "computed, where the model is in the package; or given";
    if (name === "rankingExpression") return "computed, of a function; or given";
    if (name === "elementwise")
      return "`bm25` from words, with `--statistics`, or from counts that are given; or given";
    return rankFeatures[name]?.value === "untyped" || name.startsWith("onnx")
      ? "given: a model's or the engine's"
      : "given";
  };
  const rows = Object.entries(rankFeatures).map(([name, row]) => {
    const least = row.least ?? row.arguments.length;
    const list = row.arguments.map((each, at) => (at < least ? each : `[${each}]`)).join(", ");
    const outputs = row.outputs === "any" ? "any" : (row.outputs ?? []).join(" ");
    const source = sourceOf(name);
    const tests = source.startsWith("given") ? [] : suitesOf(name);
    // What is computed has values somewhere that are not its own.
    if (!source.startsWith("given")) expect({ name, tests }).not.toEqual({ name, tests: [] });
    const cells = [
      `\`${name}\``,
      `${list}${row.repeats === true ? " …" : ""}`,
      outputs,
      source,
      tests.join(", "),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head = [
    "# Rank features",
    "",
    "All rank features that are known here: their arguments (those in brackets may be left out), the outputs that they have",
    "beside their own value, where `sphex score` and `sphex test` take the value from, and for those that are computed the tests in",
    "`test/vespa` that have values of documentation or formulas. A test writes and compares this table.",
    "",
    "| feature | arguments | outputs | value | tests |",
    "| --- | --- | --- | --- | --- |",
  ];
  await expect(`${[...head, ...rows].join("\n")}\n`).toMatchFileSnapshot("../../../grammar/RANK-FEATURES.md");
  for (const name of [...computedFeatures, ...textFeatures])
    expect(Object.keys(rankFeatures)).toContain(name);
});
