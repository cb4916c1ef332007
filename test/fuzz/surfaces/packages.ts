import { checkPackage, describeProfile, readPackage } from "../../../src/vespa.js";
import type { Choice } from "../../hunt/choice.js";
import { filesOf, schemaWith } from "../../packages.js";
import { Grammar } from "../grammar.js";
import { expectSound, outcome, type Surface, textSurface } from "../surface.js";

/** Application packages: schemas, rank profiles in files of their own, and the types of query profiles. */

// biome-ignore format: a grammar
const grammar = new Grammar({
  schema:    ["schema doc {\n document doc {\n<field*\n>\n}\n<profile*\n>\n}", "schema doc { document doc { <field*\n> } <item*\n> }", "search doc {\n<item*\n>\n}"],
  item:      ["<profile>", "<field>", "import field <name>.<name> as <name> {}", "fieldset <name> { fields: <name>, <name> }", "constant <name> { file: <name>.json\n type: <type> }", "onnx-model m { file: m.onnx\n input a: query(q)\n output b: c }", "struct <name> { <field*\n> }", "document-summary <name> { <word*\n> }"],
  field:     ["field <name> type <kind> {\n<detail*\n>\n}", "field <name> type <kind> { indexing: attribute | summary }"],
  detail:    ["indexing: attribute", "indexing { index | summary }", "index: enable-bm25", "attribute { distance-metric: angular\n fast-search }", "<word>: <word>", "struct-field <name> { indexing: attribute }"],
  kind:      ["int", "string", "double", "array<string>", "map<string, int>", "weightedset<string>", "<type>", "reference<doc>", "<name>"],
  type:      ["tensor(x[2])", "tensor<float>(x[3])", "tensor<int8>(k{},x[2])", "tensor ( x [2] )", "tensor<flot>(x{})"],
  profile:   ["rank-profile <name> {\n<part*\n>\n}", "rank-profile <name> inherits <name> {\n<part*\n>\n}", "rank-profile <name> inherits <name>, default { }"],
  part:      ["first-phase { expression: <expression> }", "first-phase {\n expression {\n <expression>\n }\n rank-score-drop-limit: -1\n}", "second-phase { expression: <expression>\n rerank-count: 10 }", "global-phase { expression: <expression> }", "function <name>() { expression: <expression> }", "function inline <name>(a, b) { expression: a + <expression> }", "macro <name>() { expression: <expression> }", "inputs {\n query(q) tensor(x[2])\n query(<name>) <type>: <word>\n}", "constants { <name>: 1\n <name> <type>: { a: 1 } }", "match-features: <feature> <feature>", "summary-features inherits <name> { <feature> }", "rank-properties { <word>.<word>: <word> }", "num-threads-per-search: 2", "<word>: <word>", "<word> { <word> }", "expression: file:a.expression"],
  expression: ["1", "<feature>", "<feature> + <expression>", "<name>", "<name>(<expression>, 2)", "sum(query(q) * attribute(embedding))", "if(<expression> > 1, <expression>, 0)", "tensor(x[2]):[1,2]", "<word>"],
  feature:   ["bm25(title)", "attribute(price)", "query(q)", "closeness(field, embedding)", "fieldMatch(title).completeness", "nativeRank", "constant(<name>)", "rankingExpression(<name>)", "foo(<name>)", "onnx(m).b"],
  name:      ["a", "b", "c", "title", "price", "default", "embedding", "schema"],
  word:      ["a", "file: x", '"text"', "1.5", "a.b.c", "-", "{ }", "[1,2]", "{a:1}", "|", "body"],
  xml:       ['<query-profile-type id="root">\n<element*\n></query-profile-type>'],
  element:   ['<field name="ranking.features.query(q)" type="tensor(x[2])" />', '<field name="<word>" type="<kind>"/>', "<field>", '<field name = "ranking.features.query( a )" type="tensor&lt;float&gt;(x[2])"></field>', "<!-- a -->", "<match path='true'/>"],
});

const texts = ["schemas/doc.sd", "search/query-profiles/types/root.xml", "schemas/doc/a.profile"] as const;

function attemptSchema(text: string): void {
  const found = readPackage(filesOf({ "schemas/doc.sd": text, "schemas/a.expression": "1 + 1" }));
  expectSound(found.problems);
  const { problems, profiles } = checkPackage(found);
  expectSound(problems);
  for (const each of profiles.slice(0, 3)) outcome(() => describeProfile(each));
}

/** The other files of a package, beside a schema that is as it should be. */
function attemptBeside(path: (typeof texts)[number]): (text: string) => void {
  return (text) => {
    const found = readPackage(filesOf({ "schemas/doc.sd": schemaWith(""), [path]: text }));
    expectSound(found.problems);
    expectSound(checkPackage(found).problems);
  };
}

const from = (rule: string) => (choice: Choice) => grammar.derive(rule, choice);

export const packageSurfaces: readonly Surface[] = [
  textSurface({ name: "schema", weight: 4, derive: from("schema"), attempt: attemptSchema }),
  textSurface({ name: "query profile", weight: 1, derive: from("xml"), attempt: attemptBeside(texts[1]) }),
  textSurface({ name: "profile", weight: 1, derive: from("profile"), attempt: attemptBeside(texts[2]) }),
];
