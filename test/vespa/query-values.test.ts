import { describe, expect, test } from "vitest";
import { SphexError } from "../../src/index.js";
import { textAsNumber } from "../../src/language/scalar/hash.js";
import { Document, rankDocuments, readFeed } from "../../src/vespa.js";
import { type Asked, asked, cells, codes, declared, feature, inputOf } from "./asked-inputs.js";

/** The values of a query's inputs, from all that may say them, in the order in which Vespa asks. */
describe("the sources of an input, the nearest to the request first", () => {
  test.each<[string, Asked]>([
    ["1 query", { query: { "input.query(w)": 1 } }],
    ["1 query", { query: { input: { "query(w)": 1 } } }],
    ["1 query", { query: { "ranking.features.query(w)": 1 } }],
    ["1 query", { query: { ranking: { features: { "query(w)": 1 } } } }],
    ["1 query", { query: { "rankfeature.query(w)": "1" } }],
    ["1 query", { query: { "rankfeature.$w": 1 } }],
    ["1 query", { query: { "ranking.properties.query(w)": 1 } }],
    ["1 query", { query: { "ranking.properties.w": 1 } }],
    ["1 query", { query: { "rankproperty.w": "1" } }],
    ["1 query", { query: { "ranking.properties.$w": 1 } }],
    ["1 query", { query: "?input.query(w)=1" }],
    // A rank property of the full name counts more than one of the plain name, that more than the feature.
    ["1 query", { query: { "ranking.properties.query(w)": 1, "ranking.properties.w": 2 } }],
    ["1 query", { query: { "ranking.properties.w": 1, "input.query(w)": 2 } }],
    ["1 query", { query: { "input.query(w)": 1, "ranking.properties.$w": 2 } }],
    ["3 rank-properties", { properties: "query(w): 3" }],
    // Rank properties of the profile come before declared defaults, those of the old name behind them.
    ["3 rank-properties", { properties: "query(w): 3", inputs: declared }],
    ["3 rank-properties", { properties: "query(w): 3\nquery(w): 4" }],
    ["5 default", { properties: "$w: 20.0", inputs: declared }],
    ["20 rank-properties", { properties: "$w: 20.0" }],
    ["1 query", { query: { "input.query(w)": 1 }, properties: "query(w): 3", inputs: declared }],
    ["5 default", { inputs: declared }],
    ["0 unset", { inputs: "query(w) double" }],
    ["0 unset", {}],
  ])("%s of %j", (expected, of) => expect(inputOf(of)).toBe(expected));

  // Java reads a number, and otherwise strtod of C++ or the hash of a text.
  test.each<[string, number]>([
    ["", 0],
    [" 3 ", 3],
    ["1d", 1],
    ["0x10", 16],
    ["-inf", -Infinity],
    ["NaN", Number.NaN],
  ])("%j is a number where no input is declared", (text, expected) => {
    expect(feature("query(w)", { query: { "input.query(w)": text } }).value.at(0)).toBe(expected);
  });

  // A rank property is a text for the engine alone, whoever gives it.
  test.each([" 3 ", "1d", "1.5f", "1e400"])("%j is the hash of a text in a rank property", (text) => {
    const hash = textAsNumber(text);
    const inputs = "query(w) double";
    expect(feature("query(w)", { properties: `query(w): "${text}"` }).value.at(0)).toBe(hash);
    expect(feature("query(w)", { inputs, properties: `query(w): "${text}"` }).value.at(0)).toBe(hash);
    expect(feature("query(w)", { inputs, query: { "ranking.properties.w": text } }).value.at(0)).toBe(hash);
  });

  test.each<[string, number]>([
    ["1d", 1],
    [" 1.5f", 1.5],
    ["0x1p3", 8],
  ])("%j is a number where an input is declared as one", (text, expected) => {
    const asked = { inputs: "query(w) double", query: { "input.query(w)": text } };
    expect(feature("query(w)", asked).value.at(0)).toBe(expected);
  });

  test("rank properties give tensors, too", () => {
    const of = { inputs: "query(w) tensor<float>(x[2])", expression: "sum(query(w))" };
    expect(inputOf({ ...of, properties: 'query(w): "tensor<float>(x[2]):[1,2]"' })).toBe(
      "tensor<float>(x[2]):[1.0, 2.0] rank-properties",
    );
    expect(inputOf({ ...of, properties: 'query(w): "tensor<float>(x[2])(10 * x + 1)"' })).toBe(
      "tensor<float>(x[2]):[1.0, 11.0] rank-properties",
    );
    expect(inputOf(of)).toBe("tensor<float>(x[2]):[0.0, 0.0] unset");
  });

  test("a rank property of a number that is a text is the hash of the text", () => {
    const { value } = feature("query(w)", { inputs: "query(w) double", properties: "query(w): red" });
    expect(value.at(0)).toBe(feature("query(w)", { query: { "input.query(w)": "red" } }).value.at(0));
  });

  test("a rank property that is no tensor is told at its place, where a function alone reads it, too", () => {
    const of = {
      inputs: "query(w) tensor<float>(x[2])",
      properties: 'query(w): "[1,2]"',
      expression: "1",
      more: "function unread() { expression: sum(query(w)) }",
    };
    const found = (): unknown => feature("query(w)", of);
    expect(found).toThrow(SphexError);
    try {
      found();
    } catch (error) {
      const [first] = error instanceof SphexError ? error.problems : [];
      expect(first?.code).toBe("feature/property");
      expect(first?.span.source.text.slice(first.span.start, first.span.end)).toBe('query(w): "[1,2]"');
    }
  });

  test("a rank feature of the request is what the engine takes it for", () => {
    const of = { expression: "bm25(title)", query: { "ranking.features.bm25(title)": 2.5 } };
    expect(inputOf(of, "bm25(title)")).toBe("2.5 query");
  });

  test("the hash of a text leaves out the quotation mark that it begins with", () => {
    expect(feature("query(w)", { query: { "input.query(w)": "'red" } }).value.at(0)).toBe(
      feature("query(w)", { query: { "input.query(w)": "red" } }).value.at(0),
    );
  });
});

describe("what a query gives in vain", () => {
  const of = (query: object, more: Partial<Asked> = {}): string[] =>
    codes({ inputs: declared, query, ...more });

  test("an input that nothing reads, with the nearest that something does", () => {
    expect(of({ "input.query(ww)": 1 })).toEqual([
      "ranking/unread-input: the query gives query(ww), which nothing in the rank profile reads",
    ]);
    // One that is declared is no slip, so no other name is the one that was meant.
    const inputs = `${declared}\n      query(u) double`;
    expect(of({ "input.query(u)": 1 }, { inputs })).toEqual([
      "ranking/unread-input: the query gives query(u), which is declared, but which no expression of the rank profile reads",
    ]);
    const { ranking, query } = asked({ inputs, query: { "input.query(u)": 1 } });
    expect(ranking.warnings(query)[0]?.description.hint).toBeUndefined();
    expect(of({ "input.query(w)": 1 })).toEqual([]);
  });

  test("what another profile declares is no slip", () => {
    expect(of({ "input.query(elsewhere)": 1 })).toEqual([]);
  });

  test("a text for an input that nothing declares", () => {
    expect(of({ "input.query(w)": "[1,2]" }, { inputs: "" })).toEqual([
      "ranking/undeclared-input: query(w) is not declared, so it is a number: for a text, its hash",
    ]);
    expect(of({ "input.query(w)": "12" }, { inputs: "" })).toEqual([]);
  });

  test("parameters that change what Vespa ranks", () => {
    expect(
      of({ "ranking.sorting": "-price", "ranking.matchPhase.maxHits": 10 }).map((each) => each.slice(0, 42)),
    ).toEqual(["ranking/parameter: ranking.sorting sorts h", "ranking/parameter: ranking.matchPhase.maxH"]);
  });

  test.each<[object | string, string[]]>([
    [{ "input.query(w)": 1, "ranking.features.query(w)": 2 }, ["ranking.features.query(w)"]],
    [{ "rankproperty.w": 1, "ranking.properties.w": 2 }, ["ranking.properties.w"]],
    ["?input.query(w)=1&rankfeature.query(w)=2", ["rankfeature.query(w)"]],
    [{ ranking: "other", "ranking.profile": "asked" }, ["ranking.profile"]],
    [{ "input.query(w)": 1, "input.query(v)": 2, input: { "query(w)": 2 } }, []],
  ])("one parameter under two names: of %j the last counts", (query, names) => {
    const { ranking, query: request } = asked({ query, inputs: `${declared}\n      query(v) double` });
    const repeated = ranking.warnings(request).filter(({ code }) => code === "ranking/repeated");
    expect(repeated.map(({ description }) => description.found)).toEqual(names.map((each) => `\`${each}\``));
    if (names[0]?.includes("query") === true) expect(inputOf({ query, inputs: declared })).toBe("2 query");
  });

  test("rank properties of features, which the engine has set up before there is a query", () => {
    const properties = "freshness(price).maxAge: 100";
    const query = { "ranking.properties.freshness(price).maxAge": 50 };
    const expression = "freshness(price)";
    expect(codes({ expression, query, properties })).toEqual([
      "ranking/deployed-property: Vespa reads freshness(price).maxAge when a rank profile is deployed, and not from a query",
    ]);
  });

  test("commas between the items of a list", () => {
    const listed = (text: string, expression: string): string[] =>
      codes({ expression, query: { "ranking.properties.dotProduct.v": text, "rankproperty.w": text } });
    expect(listed("[1,2]", "dotProduct(price, v)").map((each) => each.slice(0, 15))).toEqual([
      "ranking/commas:",
    ]);
    expect(listed("[1, 2]", "sum(tensorFromLabels(query(w), k))").map((each) => each.slice(0, 15))).toEqual([
      "ranking/commas:",
    ]);
    expect(listed("[1 2]", "dotProduct(price, v) + sum(tensorFromLabels(query(w), k))")).toEqual([]);
    expect(listed("{1:2,2:3}", "dotProduct(price, v)")).toEqual([]);
  });

  test.each<[string, string, string[], unknown?]>([
    ["nearestNeighbor(v, q)", "query(q) tensor<float>(x[2])", []],
    ["nearestNeighbor(v, q)", "query(q) tensor<int8>(x[2])", []],
    ["nearestNeighbor(many, q)", "query(q) tensor<float>(x[2])", []],
    ["nearestNeighbor(v, q)", "query(q) tensor<float>(x[3])", ["ranking/neighbours"], [1, 2, 3]],
    ["nearestNeighbor(v, q)", "query(q) tensor<float>(y[2])", ["ranking/neighbours"]],
    ["nearestNeighbor(v, q)", "query(q) tensor<float>(t{},x[2])", ["ranking/neighbours"], { a: [1, 2] }],
    ["nearestNeighbor(v, r)", "query(q) tensor<float>(x[2])", ["ranking/neighbours"]],
    [
      "nearestNeighbor(v, q) and !(nearestNeighbor(v, r))",
      "query(q) tensor<float>(x[2])",
      ["ranking/neighbours"],
    ],
    ["nearestNeighbor(v, q) and title contains 'nearestNeighbor(v, r)'", "query(q) tensor<float>(x[2])", []],
    ["nearestNeighbor(price, q)", "query(q) tensor<float>(x[2])", ["ranking/neighbours"]],
    ["nearestNeighbor(nothing, q)", "query(q) tensor<float>(x[2])", ["ranking/neighbours"]],
  ])("%s with %j", (operator, inputs, expected, value = [1, 2]) => {
    const query = { yql: `select * from doc where {targetHits:10}${operator}`, "input.query(q)": value };
    expect(codes({ inputs, query, expression: "attribute(price)" })).toEqual(expected);
  });

  const ofProfile = {
    "search/query-profiles/default.xml":
      '<query-profile id="default"><field name="ranking.features.query(q)">[1,2]</field></query-profile>',
  };

  // Vespa's container refuses a search for a tensor that is not there.
  test.each<[string, Partial<Asked>, object, string[]]>([
    ["nobody gives", {}, {}, ["ranking/neighbours"]],
    ["the query gives", {}, { "input.query(q)": [1, 2] }, []],
    ["a query profile gives", { files: ofProfile }, {}, []],
    ["has a default", { inputs: "query(q) tensor<float>(x[2]):[1,2]" }, {}, []],
  ])("nearestNeighbor of an input that %s", (_, more, values, expected) => {
    const query = { yql: "select * from doc where {targetHits:10}nearestNeighbor(v, q)", ...values };
    const inputs = "query(q) tensor<float>(x[2])";
    expect(codes({ inputs, query, expression: "attribute(price)", ...more })).toEqual(expected);
  });
});

describe("what a query says of the phases", () => {
  const documents = [1, 2, 3, 4].map((price) => {
    const [entry] = readFeed({
      name: "feed",
      text: JSON.stringify({ put: `id:a:doc::${price}`, fields: { price } }),
    });
    return { document: new Document(`${price}`, entry?.document?.fields ?? new Map(), cells) };
  });
  const ranked = async (query: object): Promise<string> => {
    const of = asked({
      expression: "attribute(price)",
      more: "second-phase { expression: 10 - attribute(price) }",
      query,
    });
    const scorer = of.ranking.scorer({ query: of.query, cells });
    const hits = await rankDocuments(scorer, documents, { profile: of.profile, query: of.query });
    return hits.map(({ hit }) => hit.document.id).join("");
  };

  test.each([
    ["1234", {}],
    ["34", { "ranking.rankScoreDropLimit": 2 }],
    ["", { "ranking.secondPhase.rankScoreDropLimit": "9" }],
    ["12", { "ranking.secondPhase.rankScoreDropLimit": 7 }],
    ["4321", { "ranking.rerankCount": 0 }],
  ])("%j of %j", async (expected, query) => {
    expect(await ranked(query)).toBe(expected);
  });

  test("the time of a query is its freshness time", () => {
    expect(inputOf({ expression: "now", query: { "ranking.freshness": "1700000000" } }, "now")).toBe(
      "1700000000 query",
    );
  });
});
