import { describe, expect, test } from "vitest";
import {
  checkPackage,
  Document,
  type Profile,
  Ranking,
  rankDocuments,
  readFeed,
  scoreReport,
  soundProfile,
  templateOf,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";
import { attribute, cells, scored, scoreOf } from "./profile-score.js";

/** Features that are computed from a document, a query and a clock, as the expressions of a rank profile see them. */

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

describe("a time", () => {
  const fields = attribute("t", "long");

  test("is as old as the clock that was given says", async () => {
    const asked = { fields, document: { t: 900 }, now: 1000 };
    expect(await scoreOf("now", asked)).toBe(1000);
    expect(await scoreOf("age(t)", asked)).toBe(100);
    expect(await scoreOf("freshness(t)", { ...asked, properties: "freshness(t).maxAge: 400" })).toBe(0.75);
    // Of a text Vespa reads the number that it begins with, and 1 where there is none.
    expect(await scoreOf("freshness(t)", { ...asked, properties: "freshness(t).maxAge: 400s" })).toBe(0.75);
    expect(await scoreOf("freshness(t)", { ...asked, properties: "freshness(t).maxAge: long" })).toBe(0);
    const properties = "freshness(t).maxAge: 400\nfreshness(t).halfResponse: 100";
    expect(await scoreOf("freshness(t).logscale", { ...asked, properties })).toBeCloseTo(0.5, 12);
    // What is stored where there is no time is -2^63.
    expect(await scoreOf("age(t)", { ...asked, document: {} })).toBe(2 ** 63 + 1000);
    expect(await scoreOf("age(t)", { ...asked, fields: attribute("t", "int"), document: {} })).toBe(
      2 ** 31 + 1000,
    );
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

test.each([
  "1",
  "constant(one)",
])("the global phase normalizes over its hits, and what it looks at is computed for each of them, with k %s", async (k) => {
  const more = `constants { one: 1 }
    function twice() { expression: 2 * attribute(n) }
    global-phase {
      expression: normalize_linear(twice) + 10 * reciprocal_rank(attribute(m), ${k}) + reciprocal_rank_fusion(twice, attribute(m))
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
  const expected = [0 + 10 / 2 + fusion(3, 1), 0.5 + 10 / 3 + fusion(2, 2), 1 + 10 / 4 + fusion(1, 3)];
  for (const [at, score] of expected.entries()) expect(ranked[at]?.global).toBeCloseTo(score, 12);
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

describe("a profile of a schema that another one inherits", () => {
  const read = packageOf({
    "schemas/base.sd": `schema base {
      document base { ${attribute("n", "double")} }
      rank-profile common { first-phase { expression: attribute(n) + offset }
        function offset() { expression: 1 } }
      rank-profile own inherits common { function offset() { expression: 2 } }
      rank-profile default { first-phase { expression: 5 } }
    }`,
    "schemas/child.sd": `schema child inherits base {
      document child inherits base { ${attribute("m", "double")} }
      rank-profile own inherits common { function offset() { expression: attribute(m) } }
    }`,
  });
  const checked = checkPackage(read);
  const named = (text: string): Profile =>
    soundProfile(read, checked, text, { source: { name: "test", text }, start: 0, end: text.length });

  test.each([
    ["child.common", "child", ["m", "n"]],
    ["child.own", "child", ["m", "n"]],
    ["base.common", "base", ["n"]],
    ["common", "base", ["n"]],
  ])("%s is one of the schema %s", (text, schema, fields) => {
    const { name, schema: found, fields: all } = named(text);
    expect([name, found.name.text, [...all.keys()].sort()]).toEqual([
      text.replace(/.*\./, ""),
      schema,
      fields,
    ]);
  });

  test("has its phases and functions, and the fields of the other schema", () => {
    const [entry] = readFeed({ name: "feed", text: '{"put":"id:a:child::1","fields":{"n":3,"m":10}}' });
    const document = new Document("1", entry?.document?.fields ?? new Map(), cells);
    const scored = (text: string): number =>
      new Ranking({ package: read, profile: named(text) })
        .scorer({ query: undefined, cells })
        .number("first-phase", { document });
    expect([scored("child.common"), scored("child.own")]).toEqual([4, 13]);
    expect(checked.profiles).toHaveLength(4);
  });

  test.each(["child.default", "child.none", "other.common"])("%s is not there", (text) => {
    expect(() => named(text)).toThrow(/there is no rank profile/);
  });
});
