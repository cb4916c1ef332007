import { schemaWith } from "../../packages.js";

/**
 * Values and places of settings that Vespa refuses to deploy, and some that it does not: each package was given to its
 * configuration model (8.700).
 */
type Texts = Readonly<Record<string, string>>;

const profile = (body: string): Texts => ({ "schemas/doc.sd": schemaWith(`rank-profile p {\n${body}\n}`) });

const field = (text: string): Texts => ({
  "schemas/doc.sd": `schema doc { document doc { ${text} }
  rank-profile p { first-phase { expression: 1 } } }`,
});

const queryProfile = (text: string): Texts => ({
  ...profile("first-phase { expression: 1 }"),
  "search/query-profiles/default.xml": text,
});

// biome-ignore format: a table
export const settingCases: readonly { readonly texts: Texts; readonly codes: readonly string[] }[] = [
  { texts: field("field s type string { indexing: index\nmatch: gram\nmatch { gram-size: 3 }\nstemming: NONE\nweight: -5\nsorting: ascending\nindexing: attribute }"), codes: ["schema/duplicate"] },
  { texts: profile("termwise-limit: 1\nstrict: yes\nnum-threads-per-search: 1.5\nweight title: heavy\nrank title: normal"), codes: Array.from({ length: 5 }, () => "schema/setting") },
  ...[["1", "1", ""], ["1", "2", "rank title { element-gap: 3 }"]].map(([one, other, own]) => ({ codes: [], texts: { "schemas/doc.sd": schemaWith(
    `rank-profile a { rank title { element-gap: ${one} } }\nrank-profile b { rank title { element-gap: ${other} } }\nrank-profile c inherits a, b { ${own} }`) } })),
  { texts: profile("rank-type title: about\nweight title: 200"), codes: ["phase/weight"] },
  { texts: profile("weight title: 100\nweight title: 200\nrank-type title: about\nrank-type body: about"), codes: [] },
  { texts: profile("second-phase { expression: 1\nkeep-rank-count: 5\nrerank-count: many }"), codes: ["phase/setting", "schema/setting"] },
  { texts: profile("constant c: 3"), codes: ["syntax/unexpected"] },
  { texts: profile("constant c { type: tensor(x[1])\nvalue: [1] }"), codes: ["schema/constant"] },
  { texts: { "schemas/doc.sd": schemaWith("constants { c: 3 }\nconstant d { type: tensor(x[1])\nvalue: [1] }\nconstant e { type: double\nuri: https://example.com/e.json }") }, codes: ["schema/constant", "schema/constant", "schema/constant"] },
  { texts: { "schemas/doc.sd": schemaWith("colour: red\nrank-profile p { colour: red\nfirst-phase { expression: 1\ncolour: red } }", "field g type int { indexing: attribute\ncolour: red }") }, codes: Array.from({ length: 4 }, () => "schema/unread") },
  { texts: { "schemas/doc.sd": schemaWith("fieldset f { fields: title }\nfieldset f { fields: title }\ndocument-summary s { summary title { } }\ndocument-summary s { summary title { } }", "struct s { field a type int { } }\nstruct s { field b type int { } }") }, codes: Array.from({ length: 3 }, () => "schema/duplicate") },
  { texts: field("field own type int { indexing: attribute }\nfield Own type int { indexing: attribute }"), codes: ["schema/duplicate"] },
  { texts: field("field s type string { indexing: index\nattribute: fast-search }"), codes: ["field/indexing"] },
  { texts: field("field s type int { indexing: index\nattribute: fast-search\nbolding: off }\nfield r type string { indexing: attribute\ndictionary: btree }"), codes: [] },
  { texts: field("field s type int { indexing: attribute\ndictionary: hash }\nfield r type array<int> { indexing: summary\nbolding: on }"), codes: ["field/indexing", "field/indexing"] },
  { texts: field("field s type string { indexing: attribute\nmatch: cased\ndictionary: hash }\nfield r type array<string> { indexing: attribute\ndictionary { hash\ncased }\nmatch { word\ncased } }\nfield q type weightedset<string> { indexing: attribute\ndictionary: uncased\nmatch: uncased }\nfield p type string { indexing: index\ndictionary: hash }\nfield o type string { indexing: attribute\ndictionary { hash\nbtree } }"), codes: [] },
  { texts: field("field s type string { indexing: attribute\ndictionary: hash }\nfield r type array<string> { indexing: attribute\nmatch: exact\ndictionary { btree\ncased } }\nfield q type string { indexing: index\nmatch: cased\ndictionary: uncased }\nfield p type bool { indexing: attribute\ndictionary: btree }\nfield o type string { indexing: attribute\ndictionary { cased\nuncased }\nmatch: uncased }"), codes: ["field/indexing", "field/indexing", "field/indexing", "field/indexing", "field/indexing"] },
  { texts: field("field s type position { indexing: attribute\nattribute: fast-search }\nfield r type array<position> { indexing: attribute\nattribute: paged }\nfield q type array<position> { indexing: index }"), codes: ["field/indexing", "field/indexing", "field/indexing"] },
  { texts: field("field s type position { indexing: attribute | summary\nrank: filter }\nfield m type map<string,int> { struct-field key { indexing: attribute\nattribute: fast-search\nmatch: cased\nrank: filter } }"), codes: [] },
  { texts: field("field m type map<string,int> { struct-field key { indexing: attribute\ndictionary: hash\nweight: 3 } }"), codes: ["schema/unread", "schema/unread"] },
  { texts: { "schemas/doc.sd": schemaWith("document-summary s {\nsummary one { source: title, body }\nsummary two {\nsource: title ,body # both\n} }", "field g type string { indexing: summary\nsummary three { source: title }\nsummary: dynamic }") }, codes: [] },
  { texts: { "schemas/doc.sd": schemaWith("document-summary s {\nsummary one {\nsource: title,\n}\nsummary two { source: title body }\nsummary four { source:\n} }", "field g type string { indexing: summary\nsummary three {\nsource: title,\nbody\n} }") }, codes: ["schema/sources", "schema/unread", "schema/sources", "schema/sources", "schema/sources"] },
  { texts: profile("function f(x) { expression: sum(unpack_bits(attribute(x))) + attribute(x)[0] + sum(unpack_bits(cell_cast(constant(x), int8))) }\nfunction g(x) { expression: attribute(x){y:0} + sum(cell_cast(attribute(x), float) * attribute(x), y) }"), codes: Array.from({ length: 3 }, () => "function/parameter") },
  { texts: field("field s type tensor<float>(x[2],y[3]) { indexing: attribute | index }\nfield r type tensor<float>(x[2]) { indexing: index }\nfield q type tensor<float>(x[]) { indexing: attribute }"), codes: ["field/indexing", "field/indexing", "field/indexing"] },
  { texts: field("field s type weightedset<float> { indexing: attribute }\nfield r type tensor<float>(k{},l{},x[2]) { indexing: attribute | index }"), codes: ["field/indexing"] },
  { texts: profile("function f(x) { expression: unpack_bits(x) }\nfunction g(x) { expression: x[0] + x{a} }\nfunction h(x) { expression: unpack_bits(cell_cast(x, int8)) }"), codes: Array.from({ length: 4 }, () => "function/parameter") },
  { texts: profile("function f(x) { expression: sum(map_subspaces(x, f(x)(x[0]))) + x{y:0} + sum(unpack_bits(tensor<int8>(y[1]):[x])) }"), codes: [] },
  { texts: profile("function f(x) { expression: x + 1 }\nfirst-phase { expression: rankingExpression(f) }"), codes: ["feature/parameter"] },
  { texts: profile("first-phase { expression: attribute(tokens){t:a}{y:1} }"), codes: ["portability/slices"] },
  { texts: profile("first-phase { expression: 1 + (attribute(tokens){t:a}){y:1} }"), codes: ["portability/slices"] },
  { texts: profile("function inline i() { expression: attribute(tokens){t:a} }\nfunction j() { expression: attribute(tokens){t:a} }\nfirst-phase { expression: i{y:1} + j{y:1} + (-attribute(embedding)){x:1} }"), codes: ["portability/slices"] },
  { texts: profile("first-phase { expression: sum(attribute(tokens)[0]) + sum(attribute(tokens){a}) + attribute(embedding)[0] }"), codes: ["portability/short-slice", "portability/short-slice"] },
  { texts: profile("function f(t) { expression: sum(t) }\nmatch-features { f(attribute(tokens){t:a}) }"), codes: ["schema/feature"] },
  { texts: profile("function f(t) { expression: sum(t) }\nmatch-features { f( attribute(embedding) + 1 ) attribute(price) }"), codes: [] },
  {
    texts: {
      ...queryProfile('<query-profile id="default" type="root"><field name="n">many</field><field name="x">%{n}</field><field name="y">1.5f</field></query-profile>'),
      "search/query-profiles/types/root.xml": '<query-profile-type id="root"><field name="n" type="integer"/><field name="x" type="double"/><field name="y" type="double"/></query-profile-type>',
    },
    codes: ["query/value", "query/value"],
  },
  {
    texts: {
      ...queryProfile('<query-profile id="default" type="root"><field name="n">2</field><field name="m">2</field><field name="hits">2</field></query-profile>'),
      "search/query-profiles/types/root.xml": '<query-profile-type id="root" inherits="native"><strict/><field name="n" type="integer"/></query-profile-type>',
    },
    codes: ["query/strict-type"],
  },
  { texts: { ...profile("first-phase { expression: 1 }"), "search/query-profiles/a-1.xml": `<query-profile id="a:1.0"/>`, "search/query-profiles/b-1.2.xml": `<query-profile id="b:1.2.0"/>`, "search/query-profiles/c_d.xml": `<query-profile id="c/d"/>`, "search/query-profiles/e_f.xml": `<query-profile id="e_f"/>`, "search/query-profiles/g.xml": `<query-profile id="g:0"/>`, "search/query-profiles/sub/h.xml": `<query-profile id="i"/>`, "search/query-profiles/types/t-1.xml": `<query-profile-type id="t:1.0"/>` }, codes: [] },
  { texts: { ...profile("first-phase { expression: 1 }"), "search/query-profiles/a.xml": `<query-profile id="a:1"/>`, "search/query-profiles/b.xml": `<query-profile id="c"/>`, "search/query-profiles/types/t.xml": `<query-profile-type id="u"/>` }, codes: ["query/file-name", "query/file-name", "query/file-name"] },
  { texts: profile("inputs { query(a$b) double }\nconstants { c@d: 3 }\nfunction e$f(@g) { expression: @g }\nfunction h(i) { expression: i }"), codes: Array.from({ length: 4 }, () => "schema/dashed-name") },
  { texts: { "schemas/doc.sd": schemaWith("struct s@t { }\nfieldset f$g { fields: title }\ndocument-summary @s { summary title { } }\nrank-profile a@b { }") }, codes: Array.from({ length: 4 }, () => "schema/dashed-name") },
  { texts: profile("inputs { query($a) double }\nfunction $b($c) { expression: 1 }\nfunction d$() { expression: 1 }"), codes: [] },
  { texts: profile("function f() {\nexpression {\n1 # }\n}\n}\nfunction g() {\nexpression: 1 # }\n}\nfunction h() {\nexpression {\n1 # {\n}\n}\nfunction i() { expression { if(\"a\" == \"}\", 1, 2) } }\nfirst-phase { expression: if('a' == '{', 1, 2) }"), codes: Array.from({ length: 5 }, () => "schema/brace") },
  { texts: profile("function f() {\nexpression {\n1 # {{{}}}\n}\n}\nfunction g() {\n# }\nexpression: 1 # {} {{}}\n}\nfunction h() { expression: 1 } # }\nfunction i() { expression { if(\"a\" == \"{}\", 1, 2) } }\n# {\nmatch-features {\nattribute(price) # {\n}"), codes: [] },
  { texts: profile("function f() {\nexpression {\n1 # {{{{}}}}\n}\n}\nfunction g() {\nexpression: 1 # {{{{}}}}\n}\nmatch-features {\nattribute(price) # {}\n}\nsummary-features: attribute(price) # }\n"), codes: Array.from({ length: 4 }, () => "schema/brace") },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile p {\rfirst-phase {\rexpression: 1\r}\r}") }, codes: ["schema/line-end"] },
  { texts: { "schemas/doc.sd": schemaWith("rank-profile p {\r\nfirst-phase {\r\nexpression: 1\r\n}\r\n}") }, codes: [] },
  { texts: field("struct s { field a@b type string { }\nfield c-d type string { }\nfield $e type string { }\n# field f@g type string\n}\nannotation t { field a$b type string { } }"), codes: Array.from({ length: 3 }, () => "schema/dashed-name") },
  { texts: { "schemas/doc.sd": schemaWith("document-summary s {\nsummary a@b { source: title }\nsummary a$b type string { source: title }\nsummary $c { source: title }\nsummary a-b { source: title } }", "struct t { field m type string { } }\nfield g type t { indexing: summary\nsummary c@d { source: g }\nstruct-field m@n { indexing: attribute } }") }, codes: Array.from({ length: 4 }, () => "schema/dashed-name") },
  { texts: field("field s type string { indexing: index\nindex: enable-bm25\nindex { prefix } }\nfield r type string { indexing: index\nindex r { enable-bm25 }\nindex: prefix }"), codes: ["schema/duplicate", "schema/duplicate"] },
  { texts: field("field s type string { indexing: index\nindex { enable-bm25\nprefix }\nindex t { prefix } }\nfield p type predicate { indexing: attribute\nindex: arity: 8 }"), codes: [] },
  { texts: field("field s type string { indexing: index\nindex: arity: 8 }\nfield r type array<string> { indexing: index\nindex { enable-bm25\nlower-bound: 3 } }"), codes: ["field/indexing", "field/indexing"] },
  { texts: profile("function f(a) { expression: max(attribute(a), x) + min(2 * constant(a), x) }\nfunction g(a, x) { expression: max(if(1 > 2, attribute(a), 3), x) + max(sum(attribute(a)), a) }"), codes: Array.from({ length: 4 }, () => "function/parameter") },
  { texts: profile("function f(a) { expression: max(attribute(a), 3) + max(attribute(price), attribute(a)) + sum(attribute(a), x) + max(a, x) }\nfunction g(a) { expression: max(if(attribute(a) > 1, attribute(embedding), 2), x) + max(attribute(a) in [1, 2], x) + max(attribute(embedding) * tensor(x[3])(attribute(a)), x) }"), codes: [] },
  { texts: queryProfile('<?xml version="1.0"?><!-- <!DOCTYPE a> --><query-profile id="default"><description><![CDATA[<!DOCTYPE a>]]></description></query-profile>'), codes: [] },
  { texts: queryProfile('<!DOCTYPE query-profile>\n<query-profile id="default"/>'), codes: ["xml/syntax"] },
  { texts: queryProfile('<!DOCTYPE query-profile [\n<!ENTITY three "3">\n]>\n<query-profile id="default"/>'), codes: ["xml/syntax"] },
  { texts: field("field index type string { indexing: index }"), codes: ["schema/field-name"] },
  { texts: field("field a-b type string { indexing: index }"), codes: ["schema/field-name"] },
  { texts: field("field v type tensor<long>(x[2]) { indexing: attribute }"), codes: ["schema/cells"] },
  { texts: { "schemas/doc.sd": "schema doc { document other { field a type int { } } }" }, codes: ["schema/document-name"] },
  { texts: { "schemas/doc.sd": schemaWith("fieldset default { fields: title, }") }, codes: ["schema/fields"] },
  { texts: { "schemas/doc.sd": schemaWith("fieldset { fields: title }") }, codes: ["schema/fields"] },
  { texts: profile("first-phase { expression: 1 }\nrank-properties { a: }"), codes: ["schema/property"] },
  { texts: field("field g type string { indexing: index\n: x }"), codes: ["schema/stray"] },
  { texts: { "schemas/doc.sd": `${schemaWith("")}\nindex title: enable-bm25` }, codes: ["schema/outside"] },
  { texts: field("field g type string { indexing: index | }"), codes: ["indexing/unexpected"] },
  { texts: field("field g type string { indexing: index summary }"), codes: ["indexing/field"] },
  { texts: { "schemas/doc.sd": schemaWith("field seen type int { indexing: attribute\nattribute: mutable }\nfield again type int { indexing: input seen | attribute }") }, codes: [] },
  { texts: { "schemas/doc.sd": schemaWith("field seen type int { indexing: input price | attribute }\nfield again type int { indexing: input seen | attribute }") }, codes: ["feature/field"] },
  { texts: field("field g type string { indexing: input | index }"), codes: ["indexing/input"] },
];
