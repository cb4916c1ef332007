import { describe, expect, test } from "vitest";
import { SphexError } from "../../src/index.js";
import {
  checkPackage,
  completedQuery,
  Document,
  type FeatureValue,
  isMissing,
  Ranking,
  rankDocuments,
  readFeed,
  readQuery,
  soundProfile,
} from "../../src/vespa.js";
import { packageOf, type Texts } from "../packages.js";

/** The values of a query's inputs, from all that may say them, in the order in which Vespa asks. */
const cells = 1_000_000;
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

const schema = (inputs: string, properties: string, expression: string, more = ""): string => `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field v type tensor<float>(x[2]) { indexing: attribute }
    field many type tensor<int8>(t{},x[2]) { indexing: attribute }
    field title type string { indexing: index
      index: enable-bm25 }
  }
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
  rank-profile other {
    inputs {
      query(elsewhere) double
    }
    first-phase { expression: query(elsewhere) }
  }
}
`;

interface Asked {
  readonly inputs?: string;
  readonly properties?: string;
  readonly more?: string;
  readonly expression?: string;
  /** JSON, or the parameters of a URL. */
  readonly query?: object | string;
  readonly files?: Texts;
}

function asked({
  inputs = "",
  properties = "",
  expression = "query(w)",
  more = "",
  query = {},
  files = {},
}: Asked) {
  const read = packageOf({ "schemas/doc.sd": schema(inputs, properties, expression, more), ...files });
  expect(read.problems.map(({ message }) => message)).toEqual([]);
  const profile = soundProfile(read, checkPackage(read), "asked", nowhere);
  const text = typeof query === "string" ? query : JSON.stringify(query);
  const { query: whole, problems } = completedQuery(readQuery({ name: "query", text }).query, read);
  expect(problems).toEqual([]);
  const ranking = new Ranking({ package: read, profile });
  return { ranking, profile, query: whole };
}

function feature(name: string, of: Asked): FeatureValue {
  const { ranking, query } = asked(of);
  const found = ranking
    .scorer({ query, cells })
    .feature(name, { document: new Document(undefined, new Map(), cells) });
  if (isMissing(found)) throw new Error(`${name} is missing`);
  return found;
}

const shown = ({ value, origin }: FeatureValue): string =>
  `${value.type.isScalar ? value.at(0) : value} ${origin}`;
const inputOf = (of: Asked, name = "query(w)"): string => shown(feature(name, of));

const codes = (of: Asked): string[] => {
  const { ranking, query } = asked(of);
  try {
    ranking.scorer({ query, cells });
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return ranking.warnings(query).map(({ code, message }) => `${code}: ${message}`);
};

const declared = "query(w) double: 5";

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
    ["5 default", { properties: "$w: 20.0", inputs: declared }],
    ["20 rank-properties", { properties: "$w: 20.0" }],
    ["1 query", { query: { "input.query(w)": 1 }, properties: "query(w): 3", inputs: declared }],
    ["5 default", { inputs: declared }],
    ["0 unset", { inputs: "query(w) double" }],
    ["0 unset", {}],
  ])("%s of %j", (expected, of) => expect(inputOf(of)).toBe(expected));

  test("rank properties give tensors, too", () => {
    const of = { inputs: "query(w) tensor<float>(x[2])", expression: "sum(query(w))" };
    expect(inputOf({ ...of, properties: 'query(w): "tensor<float>(x[2]):[1,2]"' })).toBe(
      "tensor<float>(x[2]):[1.0, 2.0] rank-properties",
    );
    expect(inputOf(of)).toBe("tensor<float>(x[2]):[0.0, 0.0] unset");
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

describe("query profiles", () => {
  const profile = (id: string, inner: string, more = ""): Texts => ({
    [`search/query-profiles/${id}.xml`]: `<?xml version="1.0"?>\n<!-- ${id} -->\n<query-profile id="${id}" ${more}>${inner}</query-profile>`,
  });
  const field = (value: string, more = ""): string =>
    `<field name="ranking.features.query(w)" ${more}>${value}</field>`;
  const from = (files: Texts, query: object = {}): string => inputOf({ files, query, inputs: declared });

  test("the default one counts where a request names none, and less than the request", () => {
    const files = { ...profile("default", field("7")), ...profile("bold", field(" 8 ")) };
    expect(from(files)).toBe("7 query profile");
    expect(from(files, { "input.query(w)": 1 })).toBe("1 query");
    expect(from(files, { queryProfile: "bold" })).toBe("8 query profile");
    expect(from(profile("default", field("7", 'overridable="false"')), { "input.query(w)": 1 })).toBe(
      "7 query profile",
    );
  });

  test("what is inherited counts less than what is written, the first one more than the next", () => {
    const files = {
      ...profile("a", field("1")),
      ...profile("b", `${field("2")}<field name="hits">3</field>`),
      ...profile("default", "", 'inherits="a b"'),
    };
    expect(from(files)).toBe("1 query profile");
    expect(from({ ...files, ...profile("default", field("9"), 'inherits="a b"') })).toBe("9 query profile");
    const otherwise = '<field name="input.query(w)">4</field>';
    expect(from({ ...files, ...profile("default", otherwise, 'inherits="a b"') })).toBe("4 query profile");
  });

  test("references and substitutions", () => {
    const files = {
      ...profile("shared", '<field name="query(w)">%{base}5</field>'),
      ...profile(
        "default",
        '<field name="base">4</field><field name="ranking.features"><ref>shared</ref></field>',
      ),
    };
    expect(from(files)).toBe("45 query profile");
    expect(from(files, { base: "6" })).toBe("65 query profile");
    expect(from(profile("default", `${field("1%{none}2%{.half}")}<field name="half">.5</field>`))).toBe(
      "12.5 query profile",
    );
  });

  test("of variants the one that says more to the left", () => {
    const files = profile(
      "default",
      `<dimensions>region, model</dimensions>${field("1")}
      <query-profile for="us">${field("2")}</query-profile>
      <query-profile for="*,small">${field("3")}</query-profile>
      <query-profile for="us,small">${field("4")}</query-profile>`,
    );
    expect(from(files)).toBe("1 query profile");
    expect(from(files, { region: "us" })).toBe("2 query profile");
    expect(from(files, { region: "us", model: "large" })).toBe("2 query profile");
    expect(from(files, { model: "small" })).toBe("3 query profile");
    expect(from(files, { region: "us", model: "small" })).toBe("4 query profile");
  });

  test("they may name the rank profile, and rank properties", () => {
    const files = profile(
      "default",
      '<field name="ranking.profile">asked</field><field name="ranking.properties.w">6</field>',
    );
    expect(asked({ files }).query?.profile).toBe("asked");
    expect(from(files)).toBe("6 query");
  });

  test.each<[string, Texts]>([
    [
      "xml/syntax",
      { "search/query-profiles/a.xml": '<query-profile id="a"><field name="x">1</query-profile>' },
    ],
    ["xml/syntax", { "search/query-profiles/a.xml": "" }],
    ["xml/syntax", { "search/query-profiles/a.xml": '<query-profile id="a"/><query-profile id="b"/>' }],
    ["query/profile", { "search/query-profiles/a.xml": "<query-profile/>" }],
    ["query/unknown-profile", profile("a", "", 'inherits="bb"')],
    ["query/unknown-profile", profile("a", "", 'type="bb"')],
    ["query/unknown-profile", profile("a", '<field name="x"><ref>bb</ref></field>')],
    ["query/profile-cycle", { ...profile("a", "", 'inherits="b"'), ...profile("b", "", 'inherits="a"') }],
    ["query/substitution", profile("a", field("%{w"))],
  ])("%s is told of %j", (code, files) => {
    const read = packageOf({ "schemas/doc.sd": schema("", "", "1"), ...files });
    expect(read.problems.map((each) => each.code)).toEqual([code]);
  });

  test("a request that names one that there is not", () => {
    const read = packageOf({ "schemas/doc.sd": schema("", "", "1"), ...profile("bold", "") });
    const { query } = readQuery({ name: "query", text: '{"queryProfile":"bald"}' });
    const [found] = completedQuery(query, read).problems;
    expect(found?.code).toBe("query/unknown-profile");
    expect(found?.description.hint).toBe("did you mean bold?");
  });

  test("entities, comments and character data are read as XML has them", () => {
    const files = profile(
      "default",
      "<field name='ranking.features.query(w)'><!-- no -->&#49;<![CDATA[2]]>&amp;</field>",
    );
    expect(
      completedQuery(
        undefined,
        packageOf({ "schemas/doc.sd": schema("", "", "1"), ...files }),
      ).query?.inputs.get("query(w)")?.string,
    ).toBe("12&");
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
