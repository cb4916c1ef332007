import { schemaWith, type Texts } from "../../packages.js";

/** What Vespa's parsers of schemas and expressions refuse of the texts in them, as its configuration model (8.700) does, and what they take. */

const profile = (body: string): Texts => ({ "schemas/doc.sd": schemaWith(`rank-profile p {\n${body}\n}`) });
const phase = (expression: string, more = ""): Texts =>
  profile(`first-phase { expression: ${expression} }\n${more}`);

/** Functions that call each other with parameters of the same name. */
const clamps = (body: string): string => `function clamp(x) { expression: max(0, min(1, x)) }
function boost(x) { expression: clamp(x) + 1 }
function damp(x) { expression: ${body} }`;

/** A field of the document with an indexing script. */
const document = (script: string): Texts => ({
  "schemas/doc.sd": `schema doc { document doc {
    field title type string { indexing: index }
    field g type string { indexing: ${script} }
  } }`,
});

// biome-ignore format: a table
export const writtenCases: readonly { readonly texts: Texts; readonly codes: readonly string[] }[] = [
  { texts: phase("1", "rank-properties { a.b: -3\nc(d,e).f: a-b.c 1.5\ng: \"a;b\" }"), codes: [] },
  { texts: phase("1", "rank-properties { a.b: +3\nc.d: 3;\ne.f: a/b\n\"g h\".i: 1 j: 2 }"), codes: ["schema/property-text", "schema/property-text", "schema/property-text", "schema/property-text"] },
  { texts: profile("inputs { query(a) double: .5\nquery(b) double: +3\nquery(c) double: 3f\nquery(d) double: 9223372036854775808\nquery(e) double: -9223372036854775808 }"), codes: ["schema/number", "schema/number", "schema/number", "schema/number"] },
  { texts: profile("inputs { query(a) tensor(k{}): {a-b:1, \"c-d\":2, 3:NaN}\nquery(b) tensor(k{},x[1]): {{k:e.f,x:0}:1, {k:é,x:0}:5.} }"), codes: ["schema/label", "schema/number", "schema/label", "schema/number"] },
  { texts: profile("inputs { query(a) string: me\nquery(b) string: \"3\"\nquery(c) string: 3 }"), codes: ["schema/text-default", "schema/text-default"] },
  { texts: profile("inputs { query(a) tensor tensor<float>(x[2]): [1, 2]\nquery(b) tensor (x[2])\nquery(c) tensor<float> (x[2])\nquery(d) tensor< float >(x[2]) }"), codes: ["schema/type-space", "schema/type-space", "schema/type-space"] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type tensor(x[2]) { indexing: attribute | index\nattribute { distance-metric: angular\ndistance-metric: angular } }") }, codes: ["schema/duplicate"] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type tensor(x[2]) { indexing: attribute | index\nindex { hnsw { max-links-per-node: +16\nneighbors-to-explore-at-insert: 2147483648 } } }") }, codes: ["schema/setting", "schema/setting"] },
  { texts: phase("1 in [] + 99999999999999999999 + -9223372036854775808"), codes: ["portability/behind-list", "portability/empty-list", "portability/integer"] },
  { texts: phase("f", "function f() { expression: 1 in [2] && now }\nfunction g() { expression: (now in [2]) + 1 }\nfunction h() { expression: !(!now) }"), codes: ["portability/behind-list"] },
  { texts: phase("(now in [2]) + 1"), codes: ["portability/behind-list"] },
  { texts: phase("i == 1", "function inline i() { expression: now in [2] }"), codes: ["portability/behind-list"] },
  { texts: phase("(now in [2]) || !(now in [3])"), codes: ["portability/list"] },
  { texts: phase("f + g", "function f() { expression: 2 * (now in [2]) }\nfunction g() { expression: tensor(x[2]):[2 * (now in [2]), map(now, f(x)(2 * (x in [1])))]{x:0} }"), codes: ["portability/list"] },
  { texts: phase("-(-now) + f(-(-now)) + -(-1) + if(1, 1, -(-now)) + !i", "function f(a) { expression: a }\nfunction inline i() { expression: -now }"), codes: ["portability/signs"] },
  { texts: phase("!(!1) + fabs(-(!now)) + -(-sqrt(4)) + -(-(1 + 2))"), codes: ["portability/signs", "portability/signs", "portability/signs"] },
  { texts: phase("abs(now) + sum(tensor(i[2])(f[i])) + sum(map_subspaces(f, f(t)(t[1])))", "function f() { expression: tensor(x[2])(x * now) }"), codes: ["portability/container-function", "portability/index-label", "portability/lambda-slice"] },
  { texts: phase("-i", "function inline i() { expression: -now }"), codes: ["portability/signs"] },
  { texts: phase("f", "function f() { expression: !!now }"), codes: ["portability/signs"] },
  { texts: phase("damp(boost(now))", clamps("clamp(x) * 2")), codes: ["portability/loop"] },
  { texts: phase("damp(boost(now))", clamps("if(clamp(x) > 1, 2, 3) + sum(tensor(k[2])(clamp(x))) + max(1, clamp(x) in [1])")), codes: [] },
  { texts: phase("boost(boost(now))", clamps("x")), codes: ["portability/loop"] },
  { texts: phase("clamp(clamp(now))", clamps("x")), codes: [] },
  { texts: phase("damp(boost(now))", clamps("clamp(x) * 2").replace("damp(x) { expression: clamp(x)", "damp(y) { expression: clamp(y)")), codes: [] },
  { texts: phase("sum(tensor(x[2])(f(now))) + sum(tensor(x[2])(1 + g(1, 2)))", "function f(x) { expression: x * 2 }\nfunction g(y, x) { expression: y + if(now > x, 1, 2) }"), codes: ["portability/index-name", "portability/index-name"] },
  { texts: phase("sum(tensor(x[2])(f(now) + g(1, 2) + h)) + sum(tensor(y[2])(k(now)))", "function f(x) { expression: sum(tensor(x[2])(x)) }\nfunction g(y, x) { expression: y }\nfunction h() { expression: k(1) }\nfunction k(x) { expression: x }"), codes: [] },
  { texts: phase("sum(tensor(k[3])(f(k) + g))", "function f(a) { expression: a * 2 }\nfunction g() { expression: sum(tensor(i[2])(f(now) * i)) }"), codes: ["portability/index"] },
  { texts: phase("dist(now, now)", "function sq(t) { expression: t * t }\nfunction dist(t, u) { expression: sqrt(sum(sq(t - u))) }"), codes: ["portability/parameter"] },
  { texts: phase("dist(now, now)", "function sq(t) { expression: t * t }\nfunction dist(t, u) { expression: sq(t - u) + sum(sq(t)) + log(sq(u)) }"), codes: [] },
  ...["map(attribute(embedding), f(t)(t * b))", "map(attribute(embedding), f(t)(t + sum(tensor(i[2])(i * b))))", "join(attribute(embedding), attribute(embedding), f(s,t)(t * b))", "map_subspaces(attribute(tokens), f(t)(t * b))", "tensor(x[b])(x)", "cell_cast(attribute(embedding), b)"].map((body) => ({ texts: phase("1", `function g(b) { expression: sum(${body}) }`), codes: ["function/parameter"] })),
  { texts: phase("1", "function g(a) { expression: reduce(attribute(embedding), a) }"), codes: ["function/parameter"] },
  { texts: phase("g(2)", "function g(b) { expression: sum(tensor(x[3])(x * b)) + b + sum(map(attribute(embedding), f(b)(b * 2))) }"), codes: [] },
  ...["10 * fieldLength(title)", "nativeRank(title)", "fieldMatch(title).completeness"].map((body) => ({ texts: phase("1", `function title() { expression: ${body} }`), codes: ["feature/replaced-argument"] })),
  { texts: phase("c", "constants { c: 3 }\nsummary-features: c"), codes: ["feature/listed"] },
  { texts: phase("price + now", "function price() { expression: attribute(price) * 2 }\nfunction title(a) { expression: a + fieldLength(title) }\nmatch-features: fieldLength(title)"), codes: [] },
  ...["reduce(t, sum, x)", "sum(t, x)", "sum(concat(t, t, x))", "sum(rename(t, x, y))"].map((body) => ({ texts: phase(body, "constants { t tensor(x[3]): [4,5,6] }\nfunction x(p) { expression: p }"), codes: [] })),
  { texts: phase("x", "constants { t tensor(x[3]): [4,5,6] }\nfunction x() { expression: sum(softmax(t, x)) }"), codes: [] },
  { texts: phase("if((constant(c) in [1,2]) in [1], -(-(constant(c))), if(constant(c) < 1, -(-now), 2))", "constants { c: 3 }"), codes: [] },
  ...["attribute(embedding){x:1}", "sum(tensor(x[3])(x) * attribute(embedding))", "sum(tensor(x[3]):[x,x,x] * attribute(embedding))", "sum(range(x[3]))"].map((body) => ({ texts: phase("g(2) + g(now)", `function g(x) { expression: ${body} }`), codes: [] })),
  { texts: phase("f(x)", "function f(dim) { expression: attribute(embedding){dim:1} }"), codes: ["type/unknown-dimension"] },
  ...["{\na:1}", "{a:1\n}", "{a\n:1}", "{a:1\n,b:2}"].map((value) => ({ texts: profile(`constants { c tensor(k{}): ${value} }`), codes: ["schema/line-break"] })),
  ...["[\n1,2]", "[1\n,2]", "[1,2\n]"].map((value) => ({ texts: profile(`inputs { query(q) tensor(x[2]): ${value} }`), codes: ["schema/line-break"] })),
  { texts: profile("inputs { query(q) tensor(k{},x[1]): {{k:a,\nx:0}:1} }"), codes: ["schema/line-break"] },
  ...["\n{a:1,\n\n b:\n2}", "{a:1, # one {\n # two\n\nb:2}"].map((value) => ({ texts: profile(`inputs { query(q) tensor(k{}): ${value} }\nconstants { c tensor(k{}): ${value} }`), codes: [] })),
  ...["inputs\n{ query(q) double }", "constants\n{ c: 1 }", "function f(a,\nb) { expression: a }", "function f(\na) { expression: a }", "function f(a\n) { expression: a }"].map((body) => ({ texts: profile(body), codes: ["syntax/unexpected"] })),
  ...["# one\n", "\n", " # one\n\n"].map((start) => ({ texts: { "schemas/doc.sd": schemaWith(""), "schemas/doc/p.profile": `${start}rank-profile p { }` }, codes: ["schema/first-line"] })),
  { texts: { "schemas/doc.sd": `# one\n\n${schemaWith("")}`, "schemas/doc/p.profile": "  rank-profile p { } # one\n\n" }, codes: [] },
  ...["schema", "search"].map((keyword) => ({ texts: { "schemas/other.sd": `${keyword} doc { document doc { } }` }, codes: ["schema/file-name"] })),
  { texts: { "schemas/a.sd": "schema a { document a { } }", "schemas/b.sd": "schema b { document b inherits a { } }", "schemas/doc.sd": "schema doc inherits a { document doc inherits b { } }" }, codes: ["schema/document-inherits"] },
  { texts: { "schemas/a.sd": "schema a { document a { } }", "schemas/b.sd": "schema b { document b inherits a { } }", "schemas/doc.sd": "schema doc inherits a { document doc inherits a { } }" }, codes: [] },
  { texts: profile("constants { c\n{ type: double\nvalue: 1 } }"), codes: ["schema/no-value", "syntax/unexpected"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile a { }\nrank-profile b { }\nrank-profile c inherits a,\nb { }") }, codes: ["syntax/unexpected"] },
  { texts: phase("x", "function f(a) { expression: a }\nfunction x() { expression: f(reduce(attribute(embedding), avg, x)) }"), codes: [] },
  { texts: phase("1", "match-phase { attribute: n\nmax-hits: 1.5\nmax-filter-coverage: 1 }"), codes: ["phase/attribute", "schema/setting", "schema/setting"] },
  { texts: phase("1", "weakand { stopword-limit: 1\nadjust-target: 0.1\nallow-drop-all: yes }\nrank title { filter-threshold: 0 }\nsignificance { use-model: 1 }"), codes: ["schema/setting", "schema/setting", "schema/setting", "schema/setting"] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type string { indexing: index\nmatch { gram\ngram-size: 1.5 } }") }, codes: ["schema/setting"] },
  { texts: phase("1", "function a-b(c-d) { expression: 1 }\nconstants { e-f: 1 }\ninputs { query(g-h) double }"), codes: ["schema/dashed-name", "schema/dashed-name", "schema/dashed-name", "schema/dashed-name"] },
  { texts: phase("1", "function f() { expression { 1 // one\n + 2 # two\n + if(\"//\" == \"a\", 1, 2) } }"), codes: ["portability/comment"] },
  { texts: phase("1", "second-phase { }"), codes: [] },
  { texts: { "schemas/doc.sd": schemaWith("", "field g type string { indexing: index }\nfieldset f {\n fields: g # the texts, and more\n }") }, codes: [] },
  { texts: phase("sum(rankingExpression(f)) + rankingExpression(g)", "function f() { expression: tensor(x[2])(x) }\nfunction g() { expression: 1 }"), codes: ["portability/alias"] },
  ...["lowercase | index", "input g | trim | summary | index", "input title | index", "\"x\" | index", "input g . \" \" . input title | index", "input g || \"\" | index", "summary | lowercase | index"].map((script) => ({ texts: document(script), codes: ["indexing/modified"] })),
  ...["summary | index", "input g | index | attribute", "ngram 2 | index", "exact | attribute", "echo | set_language | index", "tokenize normalize stem:\"BEST\" | index", "set_var a | summary"].map((script) => ({ texts: document(script), codes: [] })),
  ...[["array<p>", "x"], ["array<p>", "nope"], ["map<string, p>", "key"], ["map<string, p>", "value.x"], ["map<string, p>", "value.nope"]].map(([type = "", member = ""]) => ({
    texts: { "schemas/doc.sd": `schema doc { document doc { struct p { field x type int {} } field ps type ${type} { indexing: summary
      struct-field ${member} { indexing: attribute } } } }` },
    codes: member.endsWith("nope") ? ["feature/field"] : [],
  })),
  ...[["raw", "index"], ["bool", "index"], ["uri", "attribute"], ["array<raw>", "attribute"], ["map<p, int>", "summary"], ["weightedset<p>", "summary"], ["string", "summary\nmatch: exact"], ["int", "summary\nrank: filter"], ["string", "attribute\nmatch: gram"], ["tensor(x[2])", "attribute\nattribute: fast-search"], ["tensor(x[2])", "attribute\nindex { hnsw { max-links-per-node: 3 } }"]].map(([type = "", indexing = ""]) => ({
    texts: { "schemas/doc.sd": `schema doc { document doc { struct p { field x type int {} } field z type ${type} { indexing: ${indexing} } } }` },
    codes: ["field/indexing"],
  })),
  ...[["string", "summary\nmatch: text"], ["bool", "attribute"], ["map<int, p>", "summary"], ["weightedset<int>", "summary"], ["string", "index\nmatch: gram"], ["tensor(x{})", "attribute\nattribute: fast-search"], ["tensor(x[2])", "attribute | index\nindex { hnsw { max-links-per-node: 3 } }"]].map(([type = "", indexing = ""]) => ({
    texts: { "schemas/doc.sd": `schema doc { document doc { struct p { field x type int {} } field z type ${type} { indexing: ${indexing} } } }` },
    codes: [],
  })),
  ...["summary title {}", "summary s { source: title, body }", "summary s type string {\n source: title # the\n }", "summary price {} summary s { source: price }", "from-disk", "summary documentid {}"].map((text) => ({ texts: { "schemas/doc.sd": schemaWith("", `document-summary d inherits default { ${text} }\ndocument-summary e inherits d {}`) }, codes: [] })),
  ...["summary nope {}", "summary s {}", "summary s { source: title, nope }", "summary a.b {}", "summary sddocname {}"].map((text) => ({ texts: { "schemas/doc.sd": schemaWith("", `document-summary d { ${text} }`) }, codes: ["feature/field"] })),
  { texts: { "schemas/doc.sd": schemaWith("", "document-summary d inherits default, nope { summary title {} }") }, codes: ["schema/summary"] },
  { texts: { ...phase("1", "inputs { query(one) double }"), "search/query-profiles/default.xml": '<query-profile id="default"><field name="ranking">p</field><field name="Input.query(one)">1</field></query-profile>' }, codes: ["query/short-name", "query/short-name"] },
];
