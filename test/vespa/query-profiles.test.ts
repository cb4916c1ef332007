import { describe, expect, test } from "vitest";
import { checkPackage, completedQuery, readQuery } from "../../src/vespa.js";
import { packageOf, type Texts } from "../packages.js";
import { asked, declared, inputOf, schema } from "./asked-inputs.js";

/** What query profiles give to the inputs of a request. */
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

  // As Vespa's container 8.600 has them.
  const isFixed = 'overridable="false"';
  const reference = '<field name="ranking.features"><ref>shared</ref></field>';
  const shared = profile("shared", '<field name="query(w)">1</field>');
  const dimensions = "<dimensions>d</dimensions>";
  const variant = (value: string, inner: string, more = ""): string =>
    `<query-profile for="${value}" ${more}>${inner}</query-profile>`;

  test.each<[string, string, string]>([
    ["input.query(w)", "5 default", "ranking.features.query(w)"],
    ["rankfeature.query(w)", "5 default", "ranking.features.query(w)"],
    ["rankproperty.w", "5 default", "ranking.properties.w"],
  ])("%s is a name in requests alone", (name, expected, full) => {
    const files = profile("default", `<field name="${name}">4</field>`);
    expect(from(files)).toBe(expected);
    const read = packageOf({ "schemas/doc.sd": schema(declared, "", "query(w)"), ...files });
    expect(checkPackage(read).problems.map(({ code, description }) => [code, description.expected])).toEqual([
      ["query/short-name", `the full name of the parameter, ${full}`],
    ]);
  });

  test("ranking is no name of the rank profile in a query profile, and in a request in any case", () => {
    expect(asked({ files: profile("default", '<field name="ranking">other</field>') }).query?.profile).toBe(
      undefined,
    );
    expect(asked({ query: { RANKING: "other" } }).query?.profile).toBe("other");
    expect(from({}, { "Input.query(w)": 6 })).toBe("6 query");
  });

  test("what is written by its full name counts more than what is referred to, and a longer name more", () => {
    expect(from({ ...shared, ...profile("default", reference + field("4")) })).toBe("4 query profile");
    const more = profile("more", '<field name="features.query(w)">2</field>');
    const whole = '<field name="ranking"><ref>more</ref></field>';
    expect(from({ ...shared, ...more, ...profile("default", whole + reference) })).toBe("1 query profile");
    const inVariant = dimensions + field("4") + variant("u", reference);
    expect(from({ ...shared, ...profile("default", inVariant) }, { d: "u" })).toBe("1 query profile");
  });

  test("a variant for all values is the profile itself, and one that comes again adds to the first", () => {
    const files = { ...profile("a", field("1")), ...profile("b", field("2")) };
    const of = (inner: string): Texts => ({
      ...files,
      ...profile("default", dimensions + inner, 'inherits="a"'),
    });
    expect(from(of(variant("*", "", 'inherits="b"')), { d: "u" })).toBe("1 query profile");
    expect(from(of(variant("u", "", 'inherits="b"')), { d: "u" })).toBe("2 query profile");
    expect(from(of(variant("*", field("3"))), { d: "u" })).toBe("3 query profile");
    expect(from(of(variant("u", field("3")) + variant("u", field("4"))), { d: "u" })).toBe("4 query profile");
  });

  test.each<[string, Texts]>([
    ["1", profile("default", field("1", isFixed))],
    ["2", profile("default", field("1", isFixed) + field("2"))],
    ["3", profile("default", dimensions + field("1", isFixed) + variant("u", field("3")))],
    // Of a name with dots a variant does not say whether it may be overridden.
    ["7", profile("default", dimensions + field("1") + variant("u", field("3", isFixed)))],
    ["3", profile("default", dimensions + field("1") + variant("*", field("3", isFixed)))],
    [
      "3",
      {
        ...profile("a", field("1", isFixed)),
        ...profile("default", dimensions + variant("u", field("3")), 'inherits="a"'),
      },
    ],
    ["7", { ...profile("a", field("1", isFixed)), ...profile("default", field("3"), 'inherits="a"') }],
    [
      "4",
      {
        ...profile("shared", `<field name="query(w)" ${isFixed}>1</field>`),
        ...profile("default", field("4") + reference),
      },
    ],
  ])("a request that asks for 7 has %s of %j", (expected, files) => {
    expect(from(files, { d: "u", "input.query(w)": 7 })).toBe(
      `${expected} query${expected === "7" ? "" : " profile"}`,
    );
  });

  test("substitutions have values of the request by their full names, local ones none", () => {
    const files = profile("default", `${field("%{ranking.features.query(v)}")}`);
    const given = { "input.query(v)": "9" };
    expect(from(files, given)).toBe("9 query profile");
    const local = profile("default", `${field("%{.half}")}<field name="half">5</field>`);
    expect(from(local, { half: "9" })).toBe("5 query profile");
  });

  test("of several versions the last one, unless a request says which", () => {
    const versions = { ...profile("default:1.9", field("1")), ...profile("default:1.10", field("2")) };
    const files = Object.fromEntries(
      Object.entries(versions).map(([path, text]) => [path.replace(":", "-"), text]),
    );
    expect(from(files)).toBe("2 query profile");
    expect(from(files, { queryProfile: "default:1.9" })).toBe("1 query profile");
    expect(from(files, { queryProfile: "default:1.10" })).toBe("2 query profile");
  });

  test.each([
    ["a", "4 query profile"],
    ["a:1", "2 query profile"],
    ["a:1.9", "1 query profile"],
    ["a:2.0", "4 query profile"],
    ["a:2.0.4", "query/unknown-profile"],
    ["a:1.1", "query/unknown-profile"],
    ["b:0", "7 query profile"],
    ["b:1", "query/unknown-profile"],
    ["old", "1 query profile"],
    ["late", "2 query profile"],
  ])("of the versions that fit %s the last one", (asked, expected) => {
    const files = Object.fromEntries(
      Object.entries({
        ...{ ...profile("a:1.9", field("1")), ...profile("a:1.10", field("2")) },
        ...{ ...profile("a:2.0.3", field("4")), ...profile("b", field("7")) },
        ...profile("old", "", 'inherits="a:1.9"'),
        ...profile("late", "", 'inherits="a:1"'),
      }).map(([path, text]) => [path.replace(":", "-"), text]),
    );
    const [code] = request(files, { queryProfile: asked });
    expect(code ?? from(files, { queryProfile: asked })).toBe(expected);
  });

  test("a version that is not there is none to inherit", () => {
    const files = { ...profile("a", field("1")), ...profile("b", "", 'inherits="a:2"') };
    const { problems } = packageOf({ "schemas/doc.sd": schema("", "", "1"), ...files });
    expect(problems.map(({ code }) => code)).toEqual(["query/unknown-profile"]);
  });

  test("a text is one with the white space around it", () => {
    const text = profile("default", field(" two words "));
    const request = { "input.query(w)": " two words " };
    expect(inputOf({ files: text })).toBe(inputOf({ query: request }).replace("query", "query profile"));
  });

  const type = (id: string, inner: string, more = ""): Texts => ({
    [`search/query-profiles/types/${id}.xml`]: `<query-profile-type id="${id}" ${more}>${inner}</query-profile-type>`,
  });
  const own = (more: string): string => `<field name="own" type="integer" ${more}/>`;
  const given = (value: string, more = ""): string => `<field name="own" ${more}>${value}</field>`;
  const ofOwn = (inner: string, types: Texts, more = 'type="t"'): Texts => ({
    ...types,
    ...profile("default", field("%{own}") + inner, more),
  });

  test.each<[string, Texts]>([
    ["3", ofOwn(given("3"), type("t", own(isFixed)))],
    ["7", ofOwn(given("3", 'overridable="true"'), type("t", own(isFixed)))],
    ["7", ofOwn("", type("t", own(isFixed)))],
    ["3", ofOwn(given("3"), { ...type("u", own(isFixed)), ...type("t", "", 'inherits="u"') })],
    ["7", ofOwn(given("3"), { ...type("u", own(isFixed)), ...type("t", own(""), 'inherits="u"') })],
    [
      "3",
      {
        ...type("t", own(isFixed)),
        ...profile("a", given("3"), 'type="t"'),
        ...profile("default", field("%{own}"), 'inherits="a"'),
      },
    ],
  ])("what types say of being overridden: a request that asks for 7 has %s of %j", (expected, files) => {
    expect(from(files, { own: "7" })).toBe(`${expected} query profile`);
  });

  test("types have other names for parameters", () => {
    const files = ofOwn(given("3"), type("t", own('alias="al Ber"')));
    expect(from(files, { AL: "4" })).toBe("4 query profile");
    expect(from(files, { ber: "4" })).toBe("4 query profile");
  });

  const request = (files: Texts, query: object) => {
    const read = packageOf({ "schemas/doc.sd": schema("", "", "1"), ...files });
    const codes = read.problems.map(({ code }) => code);
    const parsed = readQuery({ name: "query", text: JSON.stringify(query) }).query;
    return [...codes, ...completedQuery(parsed, read).problems.map(({ code }) => code)];
  };

  // What Vespa's container 8.600 refuses.
  test.each<[object, string, string[]]>([
    [{ own: "7.5" }, "integer", ["query/value"]],
    [{ own: 7.5 }, "integer", ["query/value"]],
    [{ own: " 7 " }, "integer", ["query/value"]],
    [{ own: "3000000000" }, "integer", ["query/value"]],
    [{ own: "3000000000" }, "long", []],
    [{ own: "-7" }, "integer", []],
    [{ own: "0x10" }, "double", ["query/value"]],
    [{ own: " 1e3 " }, "double", []],
    [{ own: "NaN" }, "float", []],
    [{ own: "seven" }, "string", []],
    [{ "input.query(n)": "7.5" }, "integer", ["query/value"]],
  ])("a request with %j where the type says %s", (query, number, codes) => {
    const fields = ["own", "ranking.features.query(n)"].map(
      (name) => `<field name="${name}" type="${number}"/>`,
    );
    for (const types of [
      type("t", fields.join("")),
      { ...type("u", fields.join("")), ...type("t", "", 'inherits="u"') },
    ])
      expect(request({ ...types, ...profile("default", "", 'type="t"') }, query)).toEqual(codes);
  });

  test.each([
    ["integer", "007", "17"],
    ["double", "3", "13"],
    ["double", "0.5", "10.5"],
    ["string", "007", "1007"],
  ])("a number is substituted in the form that Vespa gives it: %s %s is %s", (number, value, expected) => {
    const files = {
      ...type("t", `<field name="own" type="${number}"/>`),
      ...profile("default", field("1%{own}") + given(value), 'type="t"'),
    };
    expect(from(files)).toBe(`${expected} query profile`);
    expect(from({ ...files, ...profile("default", field("1%{own}"), 'type="t"') }, { own: value })).toBe(
      `${expected} query profile`,
    );
  });

  test.each([
    ["TRUE", "true"],
    ["false", "false"],
    ["1", "false"],
  ])("a truth value is substituted as Vespa writes it: %s is %s", (value, expected) => {
    const types = type("t", '<field name="own" type="boolean"/>');
    const files = { ...types, ...profile("default", field("%{own}") + given(value), 'type="t"') };
    const { query } = completedQuery(
      undefined,
      packageOf({ "schemas/doc.sd": schema("", "", "1"), ...files }),
    );
    expect(query?.inputs.get("query(w)")?.string).toBe(expected);
  });

  test.each([
    ["a/b", "5 query profile"],
    ["a/", "5 query profile"],
    ["a/b/c", "6 query profile"],
    ["a/c/d:0.0", "5 query profile"],
    ["a/c/d:1.0", "query/unknown-profile"],
    ["b/a", "query/unknown-profile"],
    ["k/a", "query/unknown-profile"],
  ])("a profile whose type matches paths is that of all below it: %s", (path, expected) => {
    const below = type("t", '<match path="true"/>');
    const inherited = { ...below, ...type("u", "", 'inherits="t"') };
    for (const [types, id] of [[below, "t"] as const, [inherited, "u"] as const]) {
      const named = `type="${id}"`;
      const files = {
        ...{ ...types, ...profile("a", field("5"), named), ...profile("a/b/c", field("6"), named) },
        ...profile("k", field("7"), 'inherits="a"'),
      };
      const [code] = request(files, { queryProfile: path });
      expect(code ?? from(files, { queryProfile: path })).toBe(expected);
    }
  });

  const strict = (more = ""): Texts => type("t", `<strict/>${own("")}`, more);
  test.each<[object, Texts, string[]]>([
    [
      { own: 1, hits: 3, "input.query(w)": 2, ranking: "p", query: "a", TraceLevel: 1 },
      strict('inherits="native"'),
      [],
    ],
    [{ yql: "a", "foo.bar": 1, OWN: 2 }, strict('inherits="native"'), Array(3).fill("query/strict-type")],
    [{ hits: 3, "input.query(w)": 2, own: 1 }, strict(), Array(2).fill("query/strict-type")],
    [
      { foo: 1 },
      { ...type("u", "<strict/>", 'inherits="native"'), ...type("t", "", 'inherits="u"') },
      ["query/strict-type"],
    ],
    [{ foo: 1 }, type("t", own("")), []],
  ])("a request with %j for a type that is strict", (query, types, codes) => {
    expect(request({ ...types, ...profile("default", "", 'type="t"') }, query)).toEqual(codes);
    const inherited = { ...profile("a", "", 'type="t"'), ...profile("default", "", 'inherits="a"') };
    expect(request({ ...types, ...inherited }, query)).toEqual([]);
  });

  test("a query profile has what its strict type declares, in variants as well", () => {
    const variant = `<dimensions>d</dimensions><query-profile for="u"><field name="foo">1</field></query-profile>`;
    const inner = given("3") + field("4") + variant;
    const files = { ...strict('inherits="native"'), ...profile("default", inner, 'type="t"') };
    expect(request(files, {})).toEqual(["query/strict-type"]);
  });

  test("a type within others has inputs, and says what may be overridden", () => {
    const files = {
      ...type("t", '<field name="ranking" type="query-profile:r"/>'),
      ...type("r", '<field name="features" type="query-profile:f"/>'),
      ...type("f", `<field name="query(v)" type="tensor(x[2])" ${isFixed}/>`),
      ...profile("default", '<field name="ranking.features.query(v)">[1,2]</field>', 'type="t"'),
    };
    const of = { files, expression: "sum(query(v))", query: { "input.query(v)": [3, 4] } };
    expect(inputOf(of, "query(v)")).toBe("tensor(x[2]):[1.0, 2.0] query profile");
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
