import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/formats/json/parse.js";
import type { Json } from "../../../src/formats/json/value.js";
import { SphexError } from "../../../src/index.js";
import { misfitOf } from "../../../src/vespa/ranking/document/field-values.js";
import { checkPackage, Document, Ranking, readFeed, readQuery, soundProfile } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Values of fields that are none of their types, which Vespa refuses when they are fed. */

/** What is found where a value has no part of its type, and what belongs there. */
function misfit(type: string, value: Json): string | undefined {
  const { tree } = parseJson({ name: "value", text: JSON.stringify(value) });
  const found = tree === undefined ? undefined : misfitOf(tree, type);
  return found && `${found.found.written}: ${found.expected}`;
}

const int = "whole number from -2147483648 to 2147483647";

// biome-ignore format: a table
test.each<[string, Json, string | undefined]>([
  ["int",                      12,                                undefined],
  ["int",                      "12",                              undefined],
  ["int",                      null,                              undefined],
  ["int",                      1e10,                              `10000000000: ${int}`],
  ["string",                   { a: 1 },                          '{"a":1}: text'],
  ["array<int>",               [1, "2"],                          undefined],
  ["array<int>",               "x",                               '"x": list of values'],
  ["array<int>",               { a: 1 },                          '{"a":1}: list of values'],
  ["array<int>",               [1, true],                         `true: ${int}`],
  ["array<int>",               [1.5],                             `1.5: ${int}`],
  ["array<int>",               [1, null],                         `null: ${int}`],
  ["array<float>",             ["x"],                             '"x": number'],
  ["weightedset<string>",      { a: 1, b: "2" },                  undefined],
  ["weightedset<string>",      [{ item: "a", weight: 1 }],        undefined],
  ["weightedset<string>",      [{ item: "a" }],                   '{"item":"a"}: item with its weight'],
  ["weightedset<string>",      { a: 3e9 },                        `3000000000: ${int}`],
  ["weightedset<int>",         { "+1": 3, "02": 4 },              undefined],
  ["weightedset<int>",         { x: 3 },                          `"x": ${int}`],
  ["weightedset<int>",         { 99999999999: 3 },                `"99999999999": ${int}`],
  ["weightedset<int>",         ["x"],                             '"x": item with its weight'],
  ["map<string, int>",         { a: 1 },                          undefined],
  ["map<string,int>",          [{ key: "a", value: 1 }],          undefined],
  ["map<string,int>",          ["a"],                             '"a": key with its value'],
  ["map<string,int>",          [{ key: "p" }],                    '{"key":"p"}: key with its value'],
  ["map<string,int>",          "x",                               '"x": object of values'],
  ["map<string,array<int>>",   { a: [1, "b"] },                   `"b": ${int}`],
  ["map<int,person>",          { 1: { name: "a" } },              undefined],
  ["map<int,person>",          { a: { name: "a" } },              `"a": ${int}`],
  ["array<person>",            [{ name: "a" }, null],             "null: value"],
  ["array<person>",            { name: "a" },                     '{"name":"a"}: list of values'],
  ["array<person>",            [3],                               "3: struct"],
  ["person",                   "a",                               '"a": struct'],
  ["position",                 "N63.4;E10.4",                     undefined],
  ["position",                 { lat: 1, lng: 2 },                undefined],
  ["position",                 { lat: 1 },                        '{"lat":1}: position'],
  ["position",                 "x",                               '"x": position'],
  ["array<position>",          [{ lat: 1, lng: 2 }, "1;2"],       undefined],
  ["reference<other>",         "id:a:other::1",                   undefined],
  ["",                         { a: [1] },                        undefined],
])("as %s of %j there is %s", (type, value, expected) => expect(misfit(type, value)).toBe(expected));

describe("what is computed of a value that is none of its field's type", () => {
  const schema = (expression: string): string => `schema doc {
  document doc {
    struct person { field name type string {} field age type int {} }
    field people type array<person> { indexing: summary
      struct-field name { indexing: attribute }
      struct-field age { indexing: attribute } }
    field m type map<string,int> { indexing: summary
      struct-field key { indexing: attribute }
      struct-field value { indexing: attribute } }
    field numbers type array<int> { indexing: attribute }
    field keyed type weightedset<int> { indexing: attribute }
    field place type position { indexing: attribute }
    field count type int { indexing: attribute }
    field code type string { indexing: attribute }
  }
  rank-profile asked {
    inputs { query(code) string
      query(w) double: 7 }
    first-phase { expression: ${expression} }
  }
}
`;

  /** The score of a document; or the code of what is wrong. */
  function score(expression: string, fields: object, query: object = {}): number | string | undefined {
    const read = packageOf({ "schemas/doc.sd": schema(expression) });
    const profile = soundProfile(read, checkPackage(read), "asked", {
      source: { name: "test", text: "" },
      start: 0,
      end: 0,
    });
    const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
    const document = new Document("1", entry?.document?.fields ?? new Map(), 1000);
    const request = readQuery({ name: "query", text: JSON.stringify(query) }).query;
    try {
      const scorer = new Ranking({ package: read, profile }).scorer({ query: request, cells: 1000 });
      const outcome = scorer.values(["first-phase"], { document }).get("first-phase");
      return outcome?.kind === "value" ? outcome.value.asNumber() : undefined;
    } catch (error) {
      if (error instanceof SphexError) return error.problems[0]?.code;
      throw error;
    }
  }

  test.each<[string, object]>([
    ["attribute(people.age).count", { people: { name: "a", age: 3 } }],
    ["sum(tensorFromStructs(attribute(people), name, age, double))", { people: [3] }],
    ["attribute(m.value, 0)", { m: ["a"] }],
    ["attribute(numbers).count", { numbers: "x" }],
    ["dotProduct(numbers, v)", { numbers: [1e10] }],
    ["sum(tensorFromLabels(attribute(count), k))", { count: "x" }],
    ["attribute(keyed).count", { keyed: { x: 3 } }],
    ["distance(place)", { place: "x" }],
  ])("%s is refused", (expression, fields) => {
    expect(score(expression, fields, { "ranking.properties.dotProduct.v": "[1]" })).toBe("ranking/field");
    expect(score(expression, {})).not.toBe("ranking/field");
  });

  test("keys that are whole numbers have no sign and no zeros before them", () => {
    const fields = { keyed: { "+1": 3, "02": 4 } };
    expect(score("attribute(keyed, 1).weight + 10 * attribute(keyed, 2).weight", fields)).toBe(43);
    expect(score("sum(tensorFromWeightedSet(attribute(keyed), k) * tensor(k{}):{1:2})", fields)).toBe(6);
    const query = { "ranking.properties.dotProduct.v": "{1:2,2:1}" };
    expect(score("dotProduct(keyed, v)", fields, query)).toBe(10);
  });

  const labelled = (label: string): string => `tensorFromLabels(query(tags), k){k:"${label}"}`;
  // Vespa makes a text of each value of a parameter that is no object.
  const listed = { numbers: [1, 2, 3] };
  test.each<[string, object, object, number | string]>([
    ["if (attribute(code) == query(code), 1, 0)", { code: "1984" }, { "input.query(code)": 1984 }, 1],
    ["if (attribute(code) == query(code), 1, 0)", { code: "true" }, { "input.query(code)": true }, 1],
    // In brackets its engine reads up to what is no number, and takes a comma for a part of a label.
    ["dotProduct(numbers, v)", listed, { "ranking.properties.dotProduct.v": [2, 3] }, 2],
    ["dotProduct(numbers, v)", listed, { ranking: { properties: { dotProduct: { v: "[1 2 3]" } } } }, 14],
    ["dotProduct(numbers, v)", listed, { "ranking.properties.dotProduct.v": "(1:2,0:1)" }, 5],
    ["dotProduct(numbers, v)", listed, { "ranking.properties.dotProduct.v": "{1:2,x:1,0:1}" }, 4],
    ["dotProduct(numbers, v)", listed, { "ranking.properties.dotProduct.v": "[1.5 2]" }, 1],
    ["dotProduct(keyed, v)", { keyed: { 0: 3 } }, { "ranking.properties.dotProduct.v": "[1 2]" }, 0],
    ["dotProduct(keyed, v)", { keyed: { 1: 3 } }, { "ranking.properties.dotProduct.v": "(01:2)" }, 6],
    [labelled("a"), {}, { "input.query(tags)": "[a b]" }, 1],
    [labelled("a b"), {}, { "input.query(tags)": "[a b]" }, 0],
    [labelled("a,b"), {}, { "input.query(tags)": "[a,b]" }, 1],
    [labelled("1,"), {}, { "input.query(tags)": "[1, 2]" }, 1],
    [labelled("b"), {}, { "input.query(tags)": "{0:a,1:b}" }, 1],
    [labelled("a"), {}, { "input.query(tags)": "a b" }, 0],
    ["query(w)", {}, { "input.query(w)": null }, "ranking/null-input"],
    ["query(w)", {}, { "ranking.features": { "query(w)": { a: 5 } } }, 7],
  ])("%s of %j with %j", (expression, fields, query, expected) => {
    expect(score(expression, fields, query)).toBe(expected);
  });

  test.each<[object, string | undefined]>([
    [{ "ranking.rerankCount": "abc" }, "ranking/phase-parameter"],
    [{ "ranking.rerankCount": 1.5 }, "ranking/phase-parameter"],
    [{ "ranking.rerankCount": -1 }, "ranking/phase-parameter"],
    [{ "ranking.globalPhase.rerankCount": true }, "ranking/phase-parameter"],
    [{ "ranking.rankScoreDropLimit": "x" }, "ranking/phase-parameter"],
    [{ "ranking.rerankCount": "10", "ranking.rankScoreDropLimit": "-1.5" }, undefined],
  ])("%j", (query, code) => expect(score("1", {}, query)).toBe(code ?? 1));
});

describe("members that the structs of a document have, and their types have not", () => {
  const text = `schema doc inherits base {
  document doc inherits base {
    struct person inherits named { field age type int {} field friends type array<person> {} }
    field one type person { indexing: summary }
    field people type array<person> { indexing: summary }
    field by_name type map<string,person> { indexing: summary }
    field numbers type map<string,int> { indexing: summary }
  }
  rank-profile p { first-phase { expression: 1 } }
}
`;
  const base = `schema base {
  document base {
    struct named { field name type string {} }
  }
}
`;
  const read = packageOf({ "schemas/doc.sd": text, "schemas/base.sd": base });
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const ranking = new Ranking({
    package: read,
    profile: soundProfile(read, checkPackage(read), "doc.p", span),
  });

  /** Where they are written, and what is said of them. */
  function unknown(fields: object, isWhole = true): [string, string][] {
    const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
    const document = new Document("1", entry?.document?.fields ?? new Map(), 1000, isWhole);
    const problems = ranking.unknownFields([document, document]);
    return problems.map(({ span, message }) => [span.source.text.slice(span.start, span.end), message]);
  }

  // Vespa refuses each: "No field 'nmae' in the structure of type 'person'".
  // biome-ignore format: a table
  test.each([
    [{ one: { nmae: "a" } },                                     '"a"', "one.nmae"],
    [{ people: [{ name: "a" }, { nmae: "b", age: 3 }] },         '"b"', "people.nmae"],
    [{ people: [{ friends: [{ friends: [{ key: 4 }] }] }] },     "4",   "people.friends.friends.key"],
    [{ by_name: { a: { age: 1 }, key: { value: 7 } } },          "7",   "by_name.value"],
    [{ by_name: [{ key: "a", value: { aeg: 8 } }] },             "8",   "by_name.aeg"],
  ])("of %j are told, each once", (fields, written, name) => {
    expect(unknown(fields)).toEqual([[written, `the schema doc has no field ${name}`]]);
    expect(unknown(fields, false)).toEqual([]);
  });

  test("are not those that a struct inherits, keys of maps, or members of what is no struct", () => {
    const person = { name: "a", age: 3, friends: [{ name: "b" }] };
    const fields = { one: person, people: [person, {}], by_name: { x: person }, numbers: { x: 1 } };
    expect(unknown(fields)).toEqual([]);
    expect(unknown({ people: 3, by_name: "x", one: null })).toEqual([]);
  });
});
