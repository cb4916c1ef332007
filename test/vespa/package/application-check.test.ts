import { describe, expect, test } from "vitest";
import { packageMessages } from "../../../src/vespa/package/model/messages.js";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf, schemaWith, type Texts } from "../../packages.js";
import { topics } from "../../problems/problems.js";
import { settingCases } from "./setting-cases.js";
import { writtenCases } from "./written-cases.js";

/** What is wrong with rank profiles is found without any value, in the right file and line, and each mistake once. */

const problemsOf = (texts: Texts): string[] =>
  checkPackage(packageOf(texts)).problems.map(({ code, span: { source }, position: { line, column } }) => {
    return `${code} ${source.name}:${line}:${column}`;
  });

const sound: Texts = {
  "schemas/base.sd": `schema base {
  document base {
    field popularity type double { indexing: attribute }
  }
  rank-profile root {
    inputs {
      query(alpha) double: 0.5
      query(q) tensor<float>(x[3])
    }
    function popular() { expression: log10(attribute(popularity) + 1) }
  }
}
`,
  "schemas/doc.sd": `schema doc inherits base {
  document doc inherits base {
    field title type string { indexing: index
      index: enable-bm25 }
    field embedding type tensor<float>(x[3]) { indexing: attribute }
  }
  rank-profile one inherits root {
    constants { weights tensor<float>(x[3]): file:constants/weights.json }
    function similarity(v) { expression: sum(query(q) * v, x) }
    first-phase { expression: bm25(title) + popular + similarity(attribute(embedding)) }
    second-phase { expression: similarity(weights) + firstPhase }
  }
}
`,
  "schemas/doc/two.profile": `rank-profile two inherits one {
  function extra() { expression: query(alpha) * nativeRank(title) }
  global-phase { expression: similarity(attribute(embedding)) + normalize_linear(extra) }
}
`,
  "constants/weights.json": "[1, 2, 3]\n",
};

test("a package without mistakes has no problems", () => {
  expect(problemsOf(sound)).toEqual([]);
});

test("six mistakes in four files are six problems", () => {
  const change = (path: string, ...pairs: readonly (readonly [string, string])[]): string => {
    let text = sound[path] ?? "";
    for (const [from, to] of pairs) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    return text;
  };
  const broken = {
    "schemas/base.sd": change("schemas/base.sd", ["attribute(popularity)", "attribute(popularty)"]),
    "schemas/doc.sd": change(
      "schemas/doc.sd",
      ["sum(query(q) * v, x)", "sum(query(q) * v, z)"],
      ["bm25(title)", "bm52(title)"],
    ),
    "schemas/doc/two.profile": change(
      "schemas/doc/two.profile",
      ["query(alpha) * nativeRank(title)", "reduce(query(p), sum, x) * nativeRank(title)"],
      ["global-phase {", "second-phase { expression: attribute(embedding) * firstPhase }\n  global-phase {"],
    ),
    "constants/weights.json": change("constants/weights.json", ["3]", '"three"]']),
  };
  expect(problemsOf(broken)).toEqual([
    "json/shape constants/weights.json:1:8",
    "feature/field schemas/base.sd:10:54",
    "type/unknown-dimension schemas/doc.sd:9:60",
    "feature/unknown schemas/doc.sd:10:31",
    "query/undeclared schemas/doc/two.profile:2:41",
    "phase/not-scalar schemas/doc/two.profile:3:30",
  ]);
});

/** A rank profile p of the usual schema. */
const profile = (body: string, more = ""): Texts => ({
  "schemas/doc.sd": schemaWith(`rank-profile p {\n${body}\n}`, more),
});
const phase = (expression: string, more = ""): Texts =>
  profile(`first-phase { expression: ${expression} }\n${more}`);

const profiles = (...all: readonly string[]): Texts => ({ "schemas/doc.sd": schemaWith(all.join("\n")) });

/** The default query profile. */
const defaults = (fields: string): Texts => ({
  "search/query-profiles/default.xml": `<query-profile id="default">${fields}</query-profile>`,
});

/** A schema with one field, and a rank profile with one expression. */
const field = (text: string, expression = "1"): Texts => ({
  "schemas/doc.sd": `schema doc { document doc { ${text} }
  rank-profile p { first-phase { expression: ${expression} } } }`,
});

/** A package with one query profile. */
const queryProfile = (text: string): Texts => ({
  ...phase("1"),
  "search/query-profiles/default.xml": text,
});

/** Rank profiles each of which inherits the next; the last one has a function, which the first one may use. */
const chain = (length: number, first = ""): Texts => {
  const all = Array.from({ length }, (_, at) => {
    const own = at === 0 ? first : "";
    return at === length - 1
      ? `rank-profile a${at} { function last() { expression: 1 } }`
      : `rank-profile a${at} inherits a${at + 1} { ${own} }`;
  });
  return { "schemas/doc.sd": schemaWith(all.join("\n")) };
};

// biome-ignore format: a table
const cases: readonly { readonly texts: Texts; readonly codes: readonly string[] }[] = [
  { texts: {},                                                       codes: ["package/empty"] },
  { texts: phase("file:../../etc/passwd"),                           codes: ["package/outside"] },
  { texts: phase("file:/etc/passwd"),                                codes: ["package/outside"] },
  { texts: phase("file:nowhere.expression"),                         codes: ["file/unreadable"] },
  { texts: { "schemas/doc.sd": "" },                                 codes: ["schema/none"] },
  { texts: { "schemas/doc.sd": "rank-profile p { }" },               codes: ["schema/none"] },
  { texts: { "schemas/doc.sd": "schema doc { document doc {" },      codes: ["schema/unclosed"] },
  { texts: { "schemas/doc.sd": "schema doc { } }" },                 codes: ["schema/unopened"] },
  { texts: profile("function { expression: 1 }"),                    codes: ["schema/name"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile { }") },     codes: ["schema/name"] },
  { texts: profile("function f() { expression: 1 }\nfunction f() { expression: 2 }"), codes: ["schema/duplicate"] },
  { texts: profile("function f() { expression: 1\nexpression: 2 }"), codes: ["schema/expressions"] },
  { texts: profile("inputs { query(a) int: 4\nquery(b) bool\nquery(c) long: 4\nquery(d) float }\nconstants { e int: 4 }"), codes: ["schema/number-type", "schema/number-type", "syntax/unexpected"] },
  { texts: profile("inputs { query(a) double: -1.5e3\nquery(b) tensor(k{}): {1e3:1, \"2e3\":2, c:3E-2} }\nconstants { c: 1e3\nd: 1000 }"), codes: ["schema/exponent", "schema/exponent", "schema/exponent"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile a { }\nrank-profile a { }") }, codes: ["schema/duplicate"] },
  { texts: { "schemas/a.sd": "schema a { }", "schemas/b.sd": "schema a { }" }, codes: ["schema/file-name", "schema/duplicate"] },
  { texts: profile("fist-phase { expression: 1 }"),                  codes: ["schema/keyword"] },
  { texts: phase("1", "second-phase { expression: 2\n reranck-count: 3 }"), codes: ["schema/keyword"] },
  { texts: phase("1", "match-phase { attribute: price\n max-hits: 9\n max-hit: 3 }"), codes: ["phase/attribute", "schema/keyword"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profil p { }") },    codes: ["schema/keyword"] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type int { indexin: attribute }") }, codes: ["schema/keyword"] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type int { indexing: attribute\nattribute: fast-serch }") }, codes: ["schema/keyword"] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type string { index { enable-bm52 } }") }, codes: ["schema/keyword"] },
  { texts: { "schemas/doc.sd": schemaWith("", "onnx-model m { fille: m.onnx }") }, codes: ["schema/keyword"] },
  { texts: { "schemas/doc.sd": schemaWith("", "import field price.name as name {}") }, codes: ["field/reference"] },
  { texts: { "schemas/doc.sd": schemaWith("", "import field prize.name as name {}") }, codes: ["feature/field"] },
  { texts: { "schemas/doc.sd": schemaWith("", "fieldset all { fields: title, titel }") }, codes: ["feature/field"] },
  {
    texts: {
      ...queryProfile('<query-profile id="default" inherits="other"/>'),
      "search/query-profiles/other.xml": '<query-profile id="other"><field>',
    },
    codes: ["xml/syntax"],
  },
  { texts: { "schemas/doc.sd": "schema doc { document doc { feild g type int { } } }" }, codes: ["schema/keyword"] },
  { texts: phase("f + 1", "function f() { }"),                       codes: ["schema/no-expression"] },
  { texts: profile("first-phase { }"),                               codes: [] },
  { texts: profile("inputs { query(a) double: many }"),              codes: ["schema/value"] },
  { texts: phase("sum(query(a), x)", "inputs { query(a) tensor(x[2]): [1, 2, 3] }"), codes: ["literal/count"] },
  { texts: phase("sum(query(a), x)", "inputs { query(a) tensor(x[) }"), codes: ["syntax/mismatched"] },
  { texts: phase("sum(tensor(k{}):{a:1, b:2, a:3})"),                codes: ["literal/repeated"] },
  { texts: phase("k", "constants { k double }"),                     codes: ["schema/no-value"] },
  { texts: phase("sum(k)", "constants { k tensor(x[2]) { type: tensor(x[2]) } }"), codes: ["schema/no-value"] },
  { texts: profiles("constant k { type: tensor(x[2])\nuri: https://example.com/k.json }\nrank-profile a { first-phase { expression: sum(constant(k)) } }"), codes: [] },
  { texts: profiles("rank-profile a { match-phase { attribute: price\norder: sideways\nmax-hits: 10 } }"), codes: ["phase/attribute", "phase/order"] },
  { texts: phase("k", "constants { k: many }"),                      codes: ["schema/value"] },
  { texts: profile("match-features: 1+2"),                           codes: ["schema/feature"] },
  { texts: profile("match-features: now + 1"),                     codes: ["schema/feature"] },
  { texts: { "schemas/doc.sd": "schema doc inherits base { }", "schemas/bas.sd": "schema bas { }" }, codes: ["schema/unknown"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile a inherits b { }") },   codes: ["profile/unknown"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile a inherits default { first-phase { expression: now } }") }, codes: [] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile a inherits b { }\nrank-profile b inherits c { }\nrank-profile c inherits a { }") }, codes: ["profile/cycle"] },
  { texts: { "schemas/a.sd": "schema a inherits b { }", "schemas/b.sd": "schema b inherits a { }" }, codes: ["profile/cycle", "schema/document-inherits", "schema/document-inherits"] },
  { texts: { "schemas/doc.sd": schemaWith(`rank-profile a { function f() { expression: 1 } }
    rank-profile b { function f() { expression: 2 } }
    rank-profile c inherits a, b { }`) },                            codes: ["profile/conflict"] },
  { texts: { "schemas/doc.sd": schemaWith(`rank-profile a { function f() { expression: 1 } }
    rank-profile b { function f() { expression: 1 } }
    rank-profile c inherits a, b { }`) },                            codes: ["profile/conflict"] },
  { texts: profiles("rank-profile a { function f() { expression: 1 } }", "rank-profile b { function f() { expression: 1 } }", "rank-profile c inherits a, b { function f() { expression: 2 } }"), codes: ["profile/conflict"] },
  { texts: profiles("rank-profile a { first-phase { expression: 1 } }", "rank-profile b { first-phase { expression: 1 } }", "rank-profile c inherits a, b { }"), codes: ["profile/conflict"] },
  { texts: profiles("rank-profile a { first-phase { expression: 1 } }", "rank-profile b { first-phase { expression: 1 } }", "rank-profile c inherits a, b { first-phase { expression: 2 } }"), codes: [] },
  { texts: profiles("rank-profile default inherits default { first-phase { expression: 1 } }"), codes: [] },
  { texts: profiles("rank-profile a { rank-profile in inherits a { } }", "rank-profile b { rank-profile in inherits b { first-phase { expression: 1 } } }", "rank-profile c inherits b.in { second-phase { expression: firstPhase } }"), codes: [] },
  { texts: profiles("rank-profile a { rank-profile in { } }"),       codes: ["profile/inner"] },
  { texts: profiles("rank-profile a { summary-features: now }", "rank-profile b { summary-features inherits a { now } }"), codes: ["profile/features"] },
  { texts: profiles("rank-profile a { constants { one double: 1 } }", "rank-profile b inherits a { function one() { expression: 1 } }"), codes: ["profile/constant-function"] },
  { texts: profiles("rank-profile a { match-phase { attribute: nothing\nmax-hits: 10 } }"), codes: ["phase/attribute"] },
  { texts: profiles("rank-profile a { match-phase { attribute: price\nmax-hits: 10 } }"), codes: ["phase/attribute"] },
  { texts: profiles("rank-profile a { match-phase { attribute: title\nmax-hits: 10 } }"), codes: ["phase/attribute"] },
  { texts: profiles("rank-profile a { match-phase { attribute: embedding\nmax-hits: 10 } }"), codes: ["phase/attribute"] },
  { texts: { "schemas/doc.sd": "schema doc { document doc { field many type array<int> { indexing: attribute\nattribute: fast-search } field one type int { indexing: attribute\nattribute: fast-search } } rank-profile a { match-phase { attribute: many\nmax-hits: 10 } } rank-profile b { match-phase { attribute: one\nmax-hits: 10 } } }" }, codes: ["phase/attribute"] },
  { texts: profiles("rank-profile a { match-phase { attribute: price } }"), codes: ["phase/lacking", "phase/attribute"] },
  { texts: profiles("rank-profile a { diversity { attribute: price }\nsecond-phase { expression: 1 } }"), codes: ["phase/lacking"] },
  { texts: phase("1", "function sum(a) { expression: a }\nfunction log(a, b) { expression: a }\nfunction exp(x) { expression: x }"), codes: ["profile/reserved", "profile/reserved", "profile/reserved"] },
  { texts: phase("firstphase + secondphase(2)", "function firstphase() { expression: 3 }\nfunction secondphase(a) { expression: a }"), codes: ["profile/reserved", "name/cycle"] },
  { texts: phase("f(1)", "constants { w: 2 }\nfunction f(w) { expression: w }"), codes: ["profile/hidden-parameter"] },
  { texts: phase("file:below/e"), codes: ["file/folder"] },
  { texts: field("field s type int { indexing: attribute\nattribute: mutable }"), codes: ["field/mutable"] },
  { texts: field("field s type map<string,int> { indexing: summary | attribute }"), codes: ["field/attribute"] },
  { texts: field("struct pair { field a type int { } }\nfield s type array<pair> { indexing: attribute }"), codes: ["field/attribute"] },
  { texts: field("struct pair { field a type int { } }\nfield s type array<pair> { indexing: summary\nstruct-field a { indexing: attribute } }"), codes: [] },
  { texts: field("field s type tensor(x[2]) { indexing: attribute\nattribute: fast-rank }"), codes: ["field/fast-rank"] },
  { texts: field("field s type tensor(x{},y[2]) { indexing: attribute\nattribute { fast-rank } }"), codes: [] },
  { texts: { ...field("field s type reference<othr> { indexing: attribute }"), "schemas/other.sd": "schema other { document other { } }" }, codes: ["field/type"] },
  { texts: { ...field("field s type reference<other> { indexing: attribute }"), "schemas/other.sd": "schema other { document other { } }" }, codes: [] },
  { texts: field("field s type reference<other> { indexing: attribute }"), codes: [] },
  { texts: { ...phase("1"), "search/query-profiles/types/a.xml": "<query-profile-type id='a' inherits='native b'><field name='c' type='query-profile:d'/></query-profile-type>" }, codes: ["query/unknown-profile", "query/unknown-profile"] },
  { texts: { ...phase("1"), "search/query-profiles/types/a.xml": "<query-profile-type id='a' inherits='native'><field name='c' type='query-profile:ranking'/><field name='e' type='query-profile'/></query-profile-type>" }, codes: [] },
  { texts: field("field v type tensor(x[2]) { indexing: attribute\nattribute { distance-metric: anguler } }"), codes: ["field/metric"] },
  { texts: field("field v type tensor(x[2]) { indexing: attribute\nattribute { distance-metric: PRENORMALIZED_ANGULAR } }"), codes: [] },
  { texts: field("field v type tensor(x[2]) { indexing: attribute\nattribute { quantization { bits: 9 } } }"), codes: ["field/quantization"] },
  { texts: field("field v type tensor(x{}) { indexing: attribute\nattribute { quantization { bits: 4 } } }"), codes: ["field/quantization"] },
  { texts: field("field v type int { indexing: attribute\nattribute { quantization { bits: 4 } } }"), codes: ["field/quantization"] },
  { texts: field("field v type tensor(x[2]) { indexing: attribute\nattribute { distance-metric: hamming\nquantization { bits: 4 } } }"), codes: ["field/quantization"] },
  { texts: field("field v type tensor(x{},y[2]) { indexing: attribute\nattribute { quantization { bits: 4 } } }"), codes: ["field/quantized"] },
  { texts: field("field s type array<int> { indexing: attribute }", "attribute(s)"), codes: ["feature/collection"] },
  { texts: field("field s type array<string> { indexing: attribute }", "sum(tensorFromLabels(attribute(s)))"), codes: [] },
  { texts: field("field s type string { indexing: input s | lowercse | atribute }", "attribute(s)"), codes: ["schema/keyword", "schema/keyword"] },
  { texts: field("field s type string { indexing { if (input s == \"atribute\") { lowercase | index; } else { sumary; }; } }"), codes: ["schema/keyword"] },
  { texts: field("field s type string { indexing: input s || \"\" | embed minilm | attribute | index }"), codes: ["indexing/modified"] },
  { texts: phase("bm25(title)", "rank-properties { bm25(title).k1: many }"), codes: ["feature/property"] },
  { texts: phase("now", "rank-properties { bm25(title).k1: many }"), codes: [] },
  { texts: phase("nativeRank", "rank-properties { nativeProximity.proximityTable: expdecay(1) }"), codes: ["feature/property"] },
  { texts: phase("elementSimilarity(title).most", "rank-properties { elementSimilarity(title).output.most: most(p) }"), codes: ["feature/property"] },
  { texts: phase("elementSimilarity(title).most", "rank-properties { elementSimilarity(title).output.most: \"sum(p * w)\" }"), codes: [] },
  { texts: phase("elementSimilarity(title).most", "rank-properties { elementSimilarity(title).output.most: \"sum(p * z)\" }"), codes: ["feature/property"] },
  { texts: phase("bm25(title)", "rank-properties { bm25(title).k1: 1.5f }"), codes: [] },
  { texts: phase("nativeRank", "rank-properties { nativeProximity.proximityTable: \"expdecay (1,2)\" }"), codes: ["feature/property"] },
  { texts: phase("sum(elementwise(matches(title),x))"), codes: [] },
  { texts: { ...phase("sum(onnx(m).out)", "onnx-model m { file: models/m.onnx }"), "models/n.onnx": "" }, codes: ["model/no-file"] },
  { texts: { ...phase("sum(onnx(m).out)", "onnx-model m { file: models/m.onnx }"), "constants/n.onnx": "" }, codes: [] },
  { texts: { ...phase("xgboost(\"trees.json\")"), "models/tree.json": "" }, codes: ["model/no-file"] },
  { texts: { ...phase("query(one) + query(two)", "inputs { query(one) double }"), ...defaults("<field name='ranking.features.query(one)'>1</field><field name='ranking.features.query(two)'>2</field><field name='ranking.features.query(three)'>3</field>") }, codes: ["query/number", "query/unread-input"] },
  { texts: { ...phase("1", "inputs { query(v) tensor(x[2]) }"), ...defaults("<field name='ranking.features.query(v)'>[1,2]</field><field name='ranking.profile'>p</field><field name='other'>q</field>") }, codes: [] },
  { texts: { ...phase("1"), ...defaults("<field name='ranking.profile'>q</field>") }, codes: ["query/unknown-rank-profile"] },
  { texts: { ...phase("1"), ...defaults("<field name='ranking.profile'>%{profile}</field>") }, codes: [] },
  { texts: { ...profiles("rank-profile p inherits elsewhere { }"), ...defaults("<field name='ranking.profile'>q</field>") }, codes: ["profile/unknown"] },
  { texts: field("field s type strin { indexing: attribute }"), codes: ["field/type"] },
  { texts: field("field s type array<doubel> { indexing: attribute }"), codes: ["field/type"] },
  { texts: field("struct one { field a type int {} }\nfield s type map<string, one> { indexing: summary }\nfield r type reference<other> { indexing: attribute }\nfield w type int[] {}"), codes: [] },
  { texts: phase("sum(elementwise(bm52(title), x, float))"), codes: ["feature/unknown"] },
  { texts: { "schemas/doc.sd": schemaWith("fieldset default { feilds: title }") }, codes: ["schema/keyword"] },
  { texts: field("field s type string { indexing: index\nmatch: exacct }"), codes: ["schema/setting"] },
  { texts: field("field s type string { indexing: index\nrank: fliter }"), codes: ["schema/setting"] },
  { texts: phase("query(one)", "inputs { query(one) double }\nrank-properties { query(oen): 2 }"), codes: ["query/unread-input"] },
  { texts: profiles("rank-profile a { rank-properties { query(one): 2 } }", "rank-profile b inherits a { inputs { query(one) double } }"), codes: [] },
  { texts: profiles("rank-profile a { diversity { attribute: price\nmin-groups: 10 } }"), codes: ["phase/diversity"] },
  { texts: profiles("rank-profile a { diversity { attribute: tokens\nmin-groups: 10 }\nsecond-phase { expression: 1 } }"), codes: ["phase/attribute"] },
  { texts: profiles("rank-profile a { rank title { filter-threshold: -0.5 } }"), codes: ["phase/range"] },
  { texts: profiles("rank-profile a { first-phase { expression: 1\nkeep-rank-count: 5\ntotal-keep-rank-count: 5 } }"), codes: ["phase/both"] },
  { texts: profile("strict: true\nfirst-phase { expression: query(a) }"), codes: ["query/strict"] },
  { texts: profiles("rank-profile a { strict: true }", "rank-profile b inherits a { strict: false\nfirst-phase { expression: query(a) } }"), codes: ["query/number"] },
  { texts: profiles("rank-profile a { diversity { attribute: price\nmin-groups: 10 }\nsecond-phase { expression: 1 } }"), codes: [] },
  { texts: profiles("rank-profile a { rank title: filter\nrank title { filter-threshold: 0.5 } }"), codes: ["phase/filter"] },
  { texts: profiles("rank-profile a { rank title: filter\nrank body { filter-threshold: 0.5 } }"), codes: [] },
  { texts: profile("global-phase { expression: normalize_linear(once) }\nfunction once() { expression: 2 * reciprocal_rank(now) }"), codes: ["phase/normalizer"] },
  { texts: phase("sum(onnx(model).out)", "onnx-model model { file: models/m.onnx\ninput x: attribute(pric) }"), codes: ["model/input"] },
  { texts: phase("sum(onnx(model).out)", "onnx-model model { file: models/m.onnx\ninput x: nowhere }"), codes: ["model/input"] },
  { texts: phase("sum(onnx(model).out)", "onnx-model model { file: models/m.onnx\ninput x: here\ninput y: attribute(price)\ninput z: query(q) }\nfunction here() { expression: 1 }"), codes: [] },
  { texts: phase("num_docs_indexed + fieldLength(title_literal) + queryCompleteness(title).hit + great_circle_distance(price).km"), codes: [] },
  { texts: phase("sum(onnx_vespa(a, b, c))"),                        codes: [] },
  { texts: chain(202),                                               codes: ["profile/too-many"] },
  { texts: chain(202, "first-phase { expression: last }"),           codes: ["profile/too-many"] },
  { texts: phase("attribute(embedding)"),                            codes: ["phase/not-scalar"] },
  { texts: phase("firstPhase + 1"),                                  codes: ["phase/feature"] },
  { texts: profile("second-phase { expression: reciprocal_rank(now) }"), codes: ["phase/feature"] },
  { texts: profile("global-phase { expression: reciprocal_rank(now) + reciprocal_rank_fusion(bm25(title), attribute(price)) }"), codes: [] },
  { texts: profile("match-features: normalize_linear(now)"),         codes: ["phase/feature"] },
  { texts: phase("bm52(title)"),                                     codes: ["feature/unknown"] },
  { texts: phase("nativRank + nativRank"),                           codes: ["feature/unknown"] },
  { texts: phase("constant(k)", "constants { kk: 1 }"),              codes: ["feature/unknown"] },
  { texts: phase("fieldMatch(title).proximty"),                      codes: ["feature/output"] },
  { texts: phase("bm25(title).score + nativeRank.score + now.out + attribute(price).value"), codes: [] },
  { texts: phase("bm25(title).scor"),                                codes: ["feature/output"] },
  { texts: phase("attribute(embedding).value"),                      codes: ["phase/not-scalar"] },
  { texts: profile("global-phase { expression: reciprocal_rank(m) }\nonnx-model model { file: models/m.onnx }\nfunction m() { expression: onnx(model){d0:0} }"), codes: [] },
  { texts: phase("bm25()"),                                          codes: ["feature/arguments"] },
  { texts: phase("now(1)"),                                          codes: ["feature/arguments"] },
  { texts: phase("closeness(feild, embedding)"),                     codes: ["feature/argument"] },
  { texts: phase("freshness(1 + 2)"),                                codes: ["feature/argument"] },
  { texts: phase("sum(closest(tokens)) + sum(closest(tokens, label))"), codes: [] },
  { texts: phase("sum(closest(embedding))"),                         codes: ["feature/argument"] },
  { texts: phase("sum(closest(price, label))"),                      codes: ["feature/argument"] },
  { texts: profile("global-phase { expression: normalize_linear(now + 1) }"), codes: ["feature/argument"] },
  { texts: profile("global-phase { expression: normalize_linear(attribute(embedding)) }"), codes: ["feature/argument"] },
  { texts: phase("attribute(pric) + attribute(pric) + freshness(pric)"), codes: ["feature/field"] },
  { texts: phase("attribute(title)"),                                codes: ["feature/not-attribute"] },
  { texts: phase("bm25(body)"),                                      codes: ["feature/not-enabled"] },
  { texts: phase("sum(onnx(moddel).out)", "onnx-model model { file: models/m.onnx }"), codes: ["feature/model"] },
  { texts: phase("sum(onnx(model).out, d0)", "onnx-model model { file: models/m.onnx }"), codes: [] },
  { texts: phase("query(alpha) + 1"),                                codes: ["query/number"] },
  { texts: phase("sum(query(v), x) + sum(query(v), x)"),             codes: ["query/undeclared"] },
  { texts: phase("twice(now, 2)", "function twice(a) { expression: 2 * a }"), codes: ["call/arity"] },
  { texts: phase("one(2)", "function one() { expression: 1 }"),      codes: ["call/arity"] },
  { texts: phase("a", "function a() { expression: b }\nfunction b() { expression: a }"), codes: ["name/cycle"] },
  { texts: phase("1 +"),                                             codes: ["syntax/unexpected"] },
  { texts: phase("f * 2", "function f() { expression: 1 + }"),       codes: ["syntax/unexpected"] },
  { texts: phase("1", "function unused(a, d) { expression: sum(a * nativRank, d) }"), codes: ["feature/unknown"] },
  { texts: queryProfile("<query-profile"),                           codes: ["xml/syntax"] },
  { texts: queryProfile("<profile id='default'/>"),                  codes: ["query/profile"] },
  { texts: queryProfile("<query-profile id='default' type='root'/>"), codes: ["query/unknown-profile"] },
  { texts: queryProfile("<query-profile id='default' inherits='default'/>"), codes: ["query/profile-cycle"] },
  { texts: queryProfile("<query-profile id='default'><field name='a'>%{b</field></query-profile>"), codes: ["query/substitution"] },
];

test("a rank profile that stands in another is meant by its own name in vain", () => {
  const inner = profiles("rank-profile outer { rank-profile inner inherits outer { } }");
  const { problems } = checkPackage(
    packageOf({ ...inner, ...defaults("<field name='ranking.profile'>inner</field>") }),
  );
  expect(problems.map(({ code, description }) => [code, description.hint])).toEqual([
    ["query/unknown-rank-profile", "did you mean outer.inner?"],
  ]);
});

describe("each kind of mistake", () => {
  test.each([...cases, ...writtenCases])("$codes", ({ texts, codes }) => {
    const found = checkPackage(packageOf(texts)).problems;
    expect(found.map((each) => each.code)).toEqual(codes);
    for (const { message, span } of found) {
      expect(message).not.toMatch(/undefined|\[object/);
      expect(span.end).toBeLessThanOrEqual(span.source.text.length);
    }
  });

  test("has a case", async () => {
    const tested = new Set([...cases, ...settingCases, ...writtenCases].flatMap(({ codes }) => codes));
    const elsewhere = /too-large|field-kind|foreach|member-attribute|unknown-port|model\/unread$/;
    const without = Object.keys(packageMessages).filter((code) => !tested.has(code));
    expect(without.filter((code) => !elsewhere.test(code))).toEqual([]);
    const codes = (await topics()).flatMap(({ table }) => Object.keys(table));
    expect(codes).toEqual(expect.arrayContaining([...tested]));
  });
});

describe("types", () => {
  const typesOf = (body: string): Record<string, string> => {
    const [checked] = checkPackage(packageOf(profile(body))).profiles;
    return Object.fromEntries(
      (checked?.computed ?? []).map(({ name, type }) => [name, `${type ?? "not known"}`]),
    );
  };

  // biome-ignore format: a table
  test.each([
    ["attribute(embedding)",                               "tensor<float>(x[3])"],
    ["attribute(price)",                                   "tensor()"],
    ["tensorFromLabels(attribute(price))",                 "tensor(price{})"],
    ["tensorFromWeightedSet(attribute(price),k)",          "tensor(k{})"],
    ["tensorFromStructs(attribute(price),k,j,v,float)",    "tensor<float>(j{},k{})"],
    ["elementwise(bm25(title),x,float)",                   "tensor<float>(x{})"],
    ["elementwise(bm25(title),x)",                         "tensor(x{})"],
    ["bm25_for_labels(title)",                             "tensor(label{})"],
    ["matches_for_labels(title)",                          "tensor<float>(label{})"],
    ["matches_for_labels",                                 "tensor<float>(label{})"],
    ["attribute(embedding).value",                         "tensor<float>(x[3])"],
    ["closest(tokens)",                                    "tensor<int8>(t{})"],
    ["closeness(field,embedding)",                         "tensor()"],
    ["closeness(label,anything)",                          "tensor()"],
    ["tokenInputIds(16,attribute(embedding))",             "tensor<float>(d0[1],d1[16])"],
    ["onnx_vespa(\"m\")",                                  "not known"],
    ["random",                                             "tensor()"],
    ["rankingExpression(f)",                               "tensor(y[16])"],
  ])("%s is %s", (feature, type) => {
    const f = "function f() { expression: sum(cell_cast(unpack_bits(attribute(tokens)), double), t) }";
    expect(typesOf(`${f}\nmatch-features: ${feature}`)[feature]).toBe(type);
  });

  test("a parameter may be the name of a field, a dimension, or part of a feature", () => {
    const body = `function text(field, n) { expression: bm25(field) + fieldTermMatch(field, n).occurrences }
      function along(v, d) { expression: reduce(v, sum, d) }
      first-phase { expression: text(title, 0) + along(attribute(embedding), x) }`;
    expect(typesOf(body)).toEqual({ "first-phase": "tensor()" });
    const [checked] = checkPackage(packageOf(profile(body))).profiles;
    expect(checked?.mentioned.map((each) => each.name).sort()).toEqual([
      "attribute(embedding)",
      "bm25(title)",
      "fieldTermMatch(title,0).occurrences",
    ]);
  });

  test("a mistake in the argument of one call is shown at the call, one of all calls in the function", () => {
    const body = (calls: string): Texts =>
      profile(`function along(v) { expression: sum(v, x) }\nfirst-phase { expression: ${calls} }`);
    expect(problemsOf(body("along(attribute(embedding)) + along(attribute(tokens))"))).toEqual([
      "type/unknown-dimension schemas/doc.sd:13:57",
    ]);
    expect(problemsOf(body("along(attribute(price)) + along(attribute(tokens))"))).toEqual([
      "type/unknown-dimension schemas/doc.sd:12:40",
    ]);
  });
});
