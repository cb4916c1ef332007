import { describe, expect, test } from "vitest";
import { parseJson, SphexError } from "../src/index.js";
import { labels, weightedSet } from "../src/vespa/ranking/collections.js";
import {
  checkPackage,
  Document,
  featureSetting,
  Ranking,
  rankDocuments,
  readFeed,
  readPackage,
  readQuery,
  scoreReport,
  soundProfile,
  templateOf,
} from "../src/vespa.js";

/** Features that are computed from a document, a query and a clock, as the expressions of a rank profile see them. */
const cells = 1_000_000;

/** What a score may depend on; everything that is not said is as it is where nobody says anything. */
interface Asked {
  readonly fields?: string;
  readonly inputs?: string;
  readonly properties?: string;
  readonly document?: object;
  readonly query?: object;
  readonly now?: number;
  readonly given?: readonly string[];
  /** What else the profile has. */
  readonly more?: string;
}

async function scored(expression: string, asked: Asked = {}) {
  const {
    fields = "",
    inputs = "",
    properties = "",
    document = {},
    query = {},
    given = [],
    more = "",
  } = asked;
  const text = `schema doc {
    document doc { ${fields} }
    rank-profile asked {
      inputs {
        ${inputs}
      }
      rank-properties {
        ${properties}
      }
      ${more}
      first-phase { expression: ${expression} }
    }
  }`;
  const files = {
    list: (folder: string) => (folder === "schemas" ? ["schemas/doc.sd"] : []),
    read: () => text,
  };
  const read = readPackage(files);
  const checked = checkPackage(read);
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "asked", span);
  const features = new Map(given.map(featureSetting));
  const ranking = new Ranking({ package: read, profile, overrides: features });
  const request = readQuery({ name: "query", text: JSON.stringify(query) }).query;
  const scorer = ranking.scorer({ query: request, now: asked.now, cells }, features);
  const [entry] = [
    ...readFeed({ name: "document", text: JSON.stringify({ put: "id:a:doc::1", fields: document }) }),
  ];
  const hit = { document: new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), cells) };
  return { scorer, hit, profile, request };
}

async function scoreOf(expression: string, asked?: Asked): Promise<number> {
  const { scorer, hit } = await scored(expression, asked);
  return scorer.number("first-phase", hit);
}

const attribute = (name: string, type: string, more = ""): string =>
  `field ${name} type ${type} { indexing: attribute ${more} }\n`;

describe("an attribute", () => {
  // biome-ignore format: a table
  test.each([
    { expression: "attribute(n)",                       type: "double",              value: 2.5,                         score: 2.5 },
    { expression: "attribute(n)",                       type: "float",               value: 0.1,                         score: Math.fround(0.1) },
    { expression: "attribute(n)",                       type: "int",                 value: -7,                          score: -7 },
    { expression: "attribute(n)",                       type: "bool",                value: true,                        score: 1 },
    { expression: "isNan(attribute(n))",                type: "int",                 value: undefined,                   score: 1 },
    { expression: "isNan(attribute(n))",                type: "double",              value: null,                        score: 1 },
    { expression: "attribute(n)",                       type: "bool",                value: undefined,                   score: 0 },
    { expression: 'attribute(n) == "red"',              type: "string",              value: "red",                       score: 1 },
    { expression: 'attribute(n) == "red"',              type: "string",              value: "blue",                      score: 0 },
    { expression: "attribute(n).count",                 type: "array<int>",          value: [4, 5, 6],                   score: 3 },
    { expression: "attribute(n).count",                 type: "array<int>",          value: undefined,                   score: 0 },
    { expression: "attribute(n).count",                 type: "int",                 value: 9,                           score: 1 },
    { expression: "attribute(n,1)",                     type: "array<int>",          value: [4, 5, 6],                   score: 5 },
    { expression: "attribute(n,3)",                     type: "array<int>",          value: [4, 5, 6],                   score: 0 },
    { expression: "attribute(n,b).weight",              type: "weightedset<string>", value: { a: 3, b: 4 },              score: 4 },
    { expression: "attribute(n,c).weight",              type: "weightedset<string>", value: { a: 3, b: 4 },              score: 0 },
    { expression: "attribute(n,b).contains",            type: "weightedset<string>", value: { a: 3, b: 0 },              score: 1 },
    { expression: "sum(attribute(n))",                  type: "tensor<float>(x[2])", value: [1, 2],                      score: 3 },
    { expression: "sum(attribute(n))",                  type: "tensor<float>(x[2])", value: undefined,                   score: 0 },
    { expression: "reduce(attribute(n), count)",        type: "tensor<float>(x[2])", value: undefined,                   score: 2 },
    { expression: "reduce(attribute(n), count)",        type: "tensor(k{},x[2])",    value: undefined,                   score: 0 },
    { expression: "sum(attribute(n){k:b})",             type: "tensor<int8>(k{},x[2])", value: { a: "0102", b: "03FF" }, score: 2 },
    { expression: "sum(tensorFromLabels(attribute(n)){n:v2})", type: "array<string>", value: ["v1", "v2"],              score: 1 },
    { expression: "sum(tensorFromLabels(attribute(n), d), d)", type: "array<int>",   value: [7, 8, 7],                   score: 2 },
    { expression: "tensorFromLabels(attribute(n), d){d:one}",  type: "string",       value: "one",                       score: 1 },
    { expression: "sum(tensorFromWeightedSet(attribute(n), d))", type: "weightedset<string>", value: { a: 1, b: 2 },     score: 3 },
    { expression: "tensorFromWeightedSet(attribute(n)){n:b}",  type: "weightedset<string>", value: { a: 1, b: 2 },       score: 2 },
  ])("$expression of a $type that is $value is $score", async ({ expression, type, value, score }) => {
    const document = value === undefined ? {} : { n: value };
    expect(await scoreOf(expression, { fields: attribute("n", type), document })).toBe(score);
  });

  test("has labels with all of their digits", () => {
    const text = '[9007199254740993, -9223372036854775808, 7, 1.0, 2.50, "a", true]';
    const { tree } = parseJson({ name: "document", text });
    expect([...labels.ofValue(tree).keys()]).toEqual([
      "9007199254740993",
      "-9223372036854775808",
      "7",
      "1",
      "2.5",
      "a",
    ]);
    const items = '[{"item":9007199254740993,"weight":4}]';
    const listed = weightedSet.ofValue(parseJson({ name: "document", text: items }).tree);
    expect([...listed]).toEqual([["9007199254740993", 4]]);
  });

  test("of structs makes a tensor of several dimensions", async () => {
    const fields = `struct item { field name type string {} field region type string {} field price type float {} }
      field items type array<item> { struct-field name { indexing: attribute } }`;
    const items = [
      { name: "apple", region: "eu", price: 1.5 },
      { name: "apple", region: "us", price: 2 },
      { name: "pear", region: "eu", price: 4 },
      { name: "plum" },
    ];
    const tensor = "tensorFromStructs(attribute(items), name, region, price, float)";
    const asked = { fields, document: { items } };
    expect(await scoreOf(`sum(${tensor}{region:eu})`, asked)).toBe(5.5);
    expect(await scoreOf(`reduce(${tensor}, count)`, asked)).toBe(3);
  });

  test("of another type than its field is refused where it is written", async () => {
    const failure = await scoreOf("attribute(n)", {
      fields: attribute("n", "double"),
      document: { n: "1" },
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SphexError);
    const [problem] = (failure as SphexError).problems; // looked at above
    expect(problem?.code).toBe("ranking/field");
    expect(problem?.span.source.text.slice(problem.span.start, problem.span.end)).toBe('"1"');
  });
});

describe("an input", () => {
  test("that is not sent has its default, or zeros and no cells", async () => {
    const inputs = `query(a) double: 3
      query(b) double
      query(c) tensor(x[2]): [1,2]
      query(d) tensor(x[2])
      query(e) tensor(k{})`;
    expect(await scoreOf("query(a)", { inputs })).toBe(3);
    expect(await scoreOf("query(b)", { inputs })).toBe(0);
    expect(await scoreOf("sum(query(c))", { inputs })).toBe(3);
    expect(await scoreOf("reduce(query(d), count)", { inputs })).toBe(2);
    expect(await scoreOf("reduce(query(e), count)", { inputs })).toBe(0);
    expect(await scoreOf("query(a)", { inputs, query: { "input.query(a)": 5 } })).toBe(5);
  });

  test("that nobody declares is a number, 0 unless it is sent, and a text is its hash", async () => {
    expect(await scoreOf("query(a) + 1")).toBe(1);
    expect(await scoreOf("query(a) + 1", { query: { "input.query(a)": 2 } })).toBe(3);
    expect(await scoreOf("query(a) + 1", { query: { "input.query(a)": "2" } })).toBe(3);
    expect(await scoreOf('query(a) == "red"', { query: { "input.query(a)": "red" } })).toBe(1);
  });
});

describe("a neighbour", () => {
  const fields = attribute("v", "tensor<float>(x[2])", "| index\n attribute { distance-metric: euclidean }");
  const many = attribute(
    "v",
    "tensor<float>(k{},x[2])",
    "| index\n attribute { distance-metric: euclidean }",
  );
  const inputs = "query(q) tensor<float>(x[2])";
  const document = { v: [3, 4] };
  const yql = 'select * from doc where {targetHits:10, label:"near"}nearestNeighbor(v, q)';

  test("is found by the operator of the query, by its field or its label", async () => {
    const asked = { fields, inputs, document, query: { yql, "input.query(q)": [0, 0] } };
    expect(await scoreOf("distance(field, v)", asked)).toBe(5);
    expect(await scoreOf("distance(label, near)", asked)).toBe(5);
    expect(await scoreOf("closeness(field, v)", asked)).toBe(1 / 6);
    expect(await scoreOf("closeness(label, other)", asked)).toBe(0);
  });

  test("is the only one there can be where there is no operator", async () => {
    expect(await scoreOf("distance(field, v)", { fields, inputs, document })).toBe(5);
    const two = `${inputs}\n query(r) tensor<float>(x[2])`;
    await expect(scoreOf("distance(field, v)", { fields, inputs: two, document })).rejects.toThrow(
      /ranking\/missing/,
    );
  });

  test("is not there where the query asks for none, or the document has no vector", async () => {
    const none = { yql: "select * from doc where true" };
    expect(await scoreOf("closeness(field, v)", { fields, inputs, document, query: none })).toBe(0);
    expect(await scoreOf("distance(field, v)", { fields, inputs, document, query: none })).toBe(
      Number.MAX_VALUE,
    );
    expect(await scoreOf("closeness(field, v)", { fields, inputs })).toBe(0);
  });

  test("is the nearest of many", async () => {
    const asked = { fields: many, inputs, document: { v: { a: [3, 4], b: [0, 1] } } };
    expect(await scoreOf("distance(field, v)", asked)).toBe(1);
    expect(await scoreOf("closest(v){k:b}", asked)).toBe(1);
    expect(await scoreOf("sum(closest(v))", asked)).toBe(1);
    expect(await scoreOf("sum(closest(v))", { ...asked, document: {} })).toBe(0);
  });
});

describe("a time", () => {
  const fields = attribute("t", "long");

  test("is as old as the clock that was given says", async () => {
    const asked = { fields, document: { t: 900 }, now: 1000 };
    expect(await scoreOf("now", asked)).toBe(1000);
    expect(await scoreOf("age(t)", asked)).toBe(100);
    expect(await scoreOf("freshness(t)", { ...asked, properties: "freshness(t).maxAge: 400" })).toBe(0.75);
    const properties = "freshness(t).maxAge: 400\nfreshness(t).halfResponse: 100";
    expect(await scoreOf("freshness(t).logscale", { ...asked, properties })).toBeCloseTo(0.5, 12);
    expect(await scoreOf("age(t)", { ...asked, document: {} })).toBe(1e10);
  });

  test("needs a clock", async () => {
    await expect(scoreOf("age(t)", { fields })).rejects.toThrow(/ranking\/missing/);
  });
});

describe("a given feature", () => {
  test("is what only an engine computes, or what overrides what is computed", async () => {
    const fields = `field title type string { indexing: index\n index: enable-bm25 }\n${attribute("n", "double")}`;
    expect(await scoreOf("2 * bm25(title)", { fields, given: ["bm25(title)=3"] })).toBe(6);
    expect(await scoreOf("attribute(n)", { fields, document: { n: 1 }, given: ["attribute(n)=7"] })).toBe(7);
    const more = "function half() { expression: attribute(n) / 2 }";
    const asked = { fields, more, document: { n: 4 } };
    expect(await scoreOf("half + 1", asked)).toBe(3);
    expect(await scoreOf("half + 1", { ...asked, given: ["half=10"] })).toBe(11);
    expect(await scoreOf("half + 1", { ...asked, given: ["rankingExpression(half)=10"] })).toBe(11);
    expect(await scoreOf("rankingExpression(half) + 1", asked)).toBe(3);
    expect(await scoreOf("rankingExpression(half) + 1", { ...asked, given: ["half=10"] })).toBe(11);
  });

  test("may be a tensor: in the short form of its type, or with its type", async () => {
    const fields = "field chunks type array<string> { indexing: index\n index: enable-bm25 }";
    const sum = "sum(elementwise(bm25(chunks), chunk, float))";
    expect(
      await scoreOf(sum, { fields, given: ['elementwise(bm25(chunks),chunk,float)={"2": 0.5, "5": 0.25}'] }),
    ).toBe(0.75);
    const typed = '{"type":"tensor<float>(chunk{})","cells":{"2":1}}';
    expect(await scoreOf(sum, { fields, given: [`elementwise(bm25(chunks),chunk,float)=${typed}`] })).toBe(1);
  });

  test("of text may be counts: how rare terms are, how often they occur, and how long the field is", async () => {
    const fields = "field chunks type array<string> { indexing: index\n index: enable-bm25 }";
    // With k1 = 1 and b = 0.5: twice in a field of average length is 2 * 2 * 2 / (2 + 1), once in one three times as
    // long 1 * 1 * 2 / (1 + 1 * (0.5 + 1.5)).
    const properties = "bm25(chunks).k1: 1\nbm25(chunks).b: 0.5";
    const asked = { fields, properties };
    const one = '{"terms": [{"idf": 2, "occurrences": 2}], "length": 10, "averageLength": 10}';
    expect(await scoreOf("bm25(chunks)", { ...asked, given: [`bm25(chunks)=${one}`] })).toBeCloseTo(
      8 / 3,
      12,
    );
    const two =
      '{"terms": [{"idf": 2, "occurrences": {"0": 2}}, {"idf": 1, "occurrences": [0, 0, 1]}], "lengths": [10, 9, 30], "averageLength": 10}';
    const given = [`elementwise(bm25(chunks),chunk)=${two}`];
    const tensor = "elementwise(bm25(chunks), chunk)";
    expect(await scoreOf(`${tensor}{chunk:0}`, { ...asked, given })).toBeCloseTo(8 / 3, 12);
    expect(await scoreOf(`${tensor}{chunk:2}`, { ...asked, given })).toBeCloseTo(2 / 3, 12);
    expect(await scoreOf(`reduce(${tensor}, count)`, { ...asked, given })).toBe(2);
    // In 1 of 3 documents: ln(1 + 2.5 / 1.5). The defaults are k1 = 1.2 and b = 0.75; at the average length b is moot.
    const rare = '{"terms": [{"documents": 1, "occurrences": 1}], "documentCount": 3}';
    expect(await scoreOf("bm25(chunks)", { fields, given: [`bm25(chunks)=${rare}`] })).toBeCloseTo(
      Math.log(1 + 2.5 / 1.5),
      12,
    );
  });

  test("that is missing is listed with its type, and in a template that can be filled in", async () => {
    const fields = "field chunks type array<string> { indexing: index\n index: enable-bm25 }";
    const asked = { fields, more: "match-features: nativeRank" };
    const { scorer, hit } = await scored("sum(elementwise(bm25(chunks), chunk, float))", asked);
    const { missing, score } = scoreReport(scorer, { hit, list: new Map(), score: undefined });
    expect(score).toBeUndefined();
    expect(missing.map(({ name, type }) => [name, `${type}`])).toEqual([
      ["elementwise(bm25(chunks),chunk,float)", "tensor<float>(chunk{})"],
      ["nativeRank", "tensor()"],
    ]);
    const template = JSON.parse(templateOf(missing));
    expect(template.nativeRank).toBe(0);
    expect(template["elementwise(bm25(chunks),chunk,float)"].type).toBe("tensor<float>(chunk{})");
  });
});

test("of a cell that a literal writes twice the first value counts", async () => {
  expect(await scoreOf("sum(tensor(k{}):{a:1, b:2, a:30})")).toBe(3);
  expect(await scoreOf("tensor(k{}):{{k:a}:query(q), {k:a}:7}{a}", { query: { "input.query(q)": 5 } })).toBe(
    5,
  );
});

test("the global phase normalizes over its hits, and what it looks at is computed for each of them", async () => {
  const more = `function twice() { expression: 2 * attribute(n) }
    global-phase {
      expression: normalize_linear(twice) + 10 * reciprocal_rank(attribute(m), 1) + reciprocal_rank_fusion(twice, attribute(m))
      rerank-count: 3
    }`;
  const fields = attribute("n", "double") + attribute("m", "double");
  const { scorer, profile } = await scored("attribute(n)", { fields, more });
  const feed = [
    { n: 4, m: 1 },
    { n: 2, m: 3 },
    { n: 3, m: 2 },
    { n: 1, m: 9 },
  ].map((each, at) => JSON.stringify({ put: `id:a:doc::${at}`, fields: each }));
  const hits = [...readFeed({ name: "feed", text: feed.join("\n") })].map(({ document }) => {
    return { document: new Document(document?.id, document?.fields ?? new Map(), cells) };
  });
  const ranked = await rankDocuments(scorer, hits, { profile });
  // Of the three best, `twice` is 8, 4, 6 and so 1, 0, 0.5; m ranks them third, first, second.
  const fusion = (one: number, other: number): number => 1 / (60 + one) + 1 / (60 + other);
  expect(ranked.map(({ hit }) => hit.document.id?.slice(-1))).toEqual(["1", "2", "0", "3"]);
  const wanted = [0 + 10 / 2 + fusion(3, 1), 0.5 + 10 / 3 + fusion(2, 2), 1 + 10 / 4 + fusion(1, 3)];
  for (const [at, score] of wanted.entries()) expect(ranked[at]?.global).toBeCloseTo(score, 12);
  expect(ranked[3]?.global).toBeUndefined();
});

test("the scores of earlier phases are features, and so are the rank and the best score of the first", async () => {
  const fields = attribute("n", "double");
  const more = "second-phase { expression: 100 * firstPhaseRank + 10 * firstPhaseMax + firstPhase }";
  const { scorer, profile } = await scored("attribute(n)", { fields, more });
  const hits = [1, 3].map((n) => ({
    document: new Document(
      `${n}`,
      [...readFeed({ name: "d", text: `{"fields":{"n":${n}}}` })][0]?.document?.fields ?? new Map(),
      cells,
    ),
  }));
  const ranked = await rankDocuments(scorer, hits, { profile });
  expect(ranked.map(({ hit, second }) => [hit.document.id, second])).toEqual([
    ["1", 231],
    ["3", 133],
  ]);
});
