import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../../../src/formats/json/parse.js";
import { parseSequence } from "../../../src/formats/json/sequence.js";
import { readTypedValue } from "../../../src/formats/json/typed-value.js";
import type { Json, JsonValue } from "../../../src/formats/json/value.js";
import type { Problem } from "../../../src/language/source/problem.js";
import { positionOf } from "../../../src/language/source/span.js";
import { parseType } from "../../../src/program/options.js";
import { readFeed } from "../../../src/vespa/documents/feed.js";
import { readQuery } from "../../../src/vespa/documents/query.js";
import { readResponse } from "../../../src/vespa/documents/response.js";
import { holds } from "../../chance.js";
import { inTime } from "../../outcome.js";

/** Documents, queries and responses as Vespa's tools write them, and where what is wrong in them is. */

const source = (text: string) => ({ name: "a.json", text });
const told = ({ message, span }: Problem): string => {
  const { line, column } = positionOf(span.source, span.start);
  return `${line}:${column} ${message}`;
};
const plain = (values: ReadonlyMap<string, JsonValue> | undefined): Record<string, Json> =>
  Object.fromEntries([...(values ?? [])].map(([name, { value }]) => [name, value]));
const options = { empty: 0, cells: 1000 };

test("documents stand on lines, over several lines, or in an array", () => {
  const put = '{"put":"id:shop:item::1","fields":{"title":"a","v":{"values":[1,2]}}}';
  const update = `{
  "update": "id:shop:item:g=7:2:3",
  "create": true,
  "fields": { "price": { "assign": 3 }, "tags": { "add": ["x"], "remove": ["y"] } }
}`;
  const remove = '{"remove":"id:shop:item::4"}';
  const seen = '{"id":"id:shop:item::5","fields":{}}';
  const bare = '{"fields":{"title":"b"}}';
  const all = [put, update, remove, seen, bare];
  const expected = [
    ["put", "id:shop:item::1", "item", { title: "a", v: { values: [1, 2] } }],
    ["update", "id:shop:item:g=7:2:3", "item", { price: 3 }],
    ["remove", "id:shop:item::4", "item", {}],
    ["put", "id:shop:item::5", "item", {}],
    ["put", undefined, undefined, { title: "b" }],
  ];
  for (const text of [
    all.join("\n"),
    all.join("\r\n\r\n"),
    `[${all.join(",")}]`,
    `\ufeff${all.join(" ")}\n`,
  ]) {
    const entries = [...readFeed(source(text))];
    expect(entries.flatMap(({ problems }) => problems)).toEqual([]);
    expect(
      entries.map(({ document: each }) => [each?.kind, each?.id, each?.type, plain(each?.fields)]),
    ).toEqual(expected);
    const changes = entries[1]?.document?.changes.get("tags");
    expect(changes?.map(({ operation, value }) => [operation, value.value])).toEqual([
      ["add", ["x"]],
      ["remove", ["y"]],
    ]);
  }
});

// biome-ignore format: a table
test.each<[string, string[]]>([
  ['{"put":"id:a:b::c","fields":{}}\n{"put":1,"fields":{}}', ["2:8 $.put must be a document id, as text"]],
  ['{"put":"id:a:b::c"}', ["1:1 $.fields must be an object of fields"]],
  ['{"fields":[]}', ["1:11 $.fields must be an object of fields"]],
  ["[{\"remove\":\"x\"},\n 7]", ['2:2 $[1] must be a document: {"put":"id:…","fields":{…}}']],
  ['{"update":"id:a:b::c","fields":{"f":\n  3}}', ['2:3 $.fields.f must be an update of the field, such as {"assign":…}']],
  ['{"update":"id:a:b::c","fields":{"f":{"set":3}}}', ["1:44 $.fields.f.set must be one of assign, add, remove, modify, match, increment, decrement, multiply, divide"]],
  // A line that is no JSON hides no other.
  ['{"put":"a","fields":{}\n{"put":2,"fields":{}}\n{"put":"c","fields":{}}', ["1:23 this is not JSON: a comma or } must stand here", "2:8 $.put must be a document id, as text"]],
])("what is wrong in %j has its place", (text, problems) => {
  expect([...readFeed(source(text))].flatMap((each) => each.problems).map(told)).toEqual(problems);
});

test("a field becomes a tensor, and what is wrong in it has its place in the file", () => {
  const text = '{"put":"a","fields":{}}\n{"put":"b","fields":{\n  "v": {"values": [1, "two"]}}}';
  const [, second] = readFeed(source(text));
  const field = second?.document?.fields.get("v");
  if (field === undefined) throw new Error("no field");
  expect(readTypedValue(field, parseType("tensor(x[2])"), options).problems.map(told)).toEqual([
    "3:23 $.fields.v.values[1] must be a number, null for NaN, or a number as text",
  ]);
});

test("a query's inputs, in the ways to write them", () => {
  const { query, problems } = readQuery(
    source(`{ "yql": "select * from item where true", "hits": 3, "ranking": { "profile": "best", "properties": { "p": 1 },
      "features": { "query(a)": 1, "query(b)": { "cells": { "x": 1 } } } }, "input.query(f)": { "cells": { "x": 1 } },
      "input.query(c)": [1, 2], "input": { "query(d)": "{{k:x}:1}" }, "ranking.features": { "query(e)": null },
      "ranking.properties": { "dotProduct": { "v": "[1]" }, "bm25(title)": { "k1": 2 } } }`),
  );
  expect(problems).toEqual([]);
  expect(query?.profile).toBe("best");
  expect(plain(query?.inputs)).toEqual({
    "query(a)": 1,
    // Vespa takes objects apart, but for those behind input.
    "query(b).cells.x": 1,
    "query(f)": { cells: { x: 1 } },
    "query(c)": [1, 2],
    "query(d)": "{{k:x}:1}",
    "query(e)": null,
  });
  expect(plain(query?.properties)).toEqual({ p: 1, "dotProduct.v": "[1]", "bm25(title).k1": 2 });
  expect(plain(query?.parameters)).toMatchObject({ yql: "select * from item where true", hits: 3 });
});

test.each([
  "https://localhost:8080/search/?yql=select%20*&input.query(q)=%5B1,2%5D&ranking=best",
  "/search/?input.query%28q%29=[1,2]&yql=select%20*&ranking.profile=best",
  "?input.query(q)=[1,2]&ranking=best",
  "input.query(q)=[1,2]\nranking=best\n",
])("the parameters of %s", (text) => {
  const { query } = readQuery(source(text));
  expect([query?.profile, plain(query?.inputs)]).toEqual(["best", { "query(q)": "[1,2]" }]);
  const given = query?.inputs.get("query(q)");
  if (given === undefined) throw new Error("no input");
  expect(`${readTypedValue(given, parseType("tensor(x[2])"), options).tree}`).toBe("tensor(x[2]):[1.0, 2.0]");
});

test("a request that is a list is none", () => {
  expect(readQuery(source("[1]")).problems.map(told)).toEqual([
    "1:1 $ must be an object with the parameters of a query",
  ]);
  expect(readQuery(source('{"a":1,')).problems).toHaveLength(1);
});

// biome-ignore format: a table
test.each<[Json, string | undefined, string]>([
  [5, undefined, "tensor():{5.0}"],
  [null, undefined, "tensor():{NaN}"],
  ["-Infinity", undefined, "tensor():{-Infinity}"],
  ["7", "tensor()", "tensor():{7.0}"],
  [{ type: "tensor<float>(x[2])", values: [1, 2] }, undefined, "tensor<float>(x[2]):[1.0, 2.0]"],
  ["tensor(k{}):{a:1}", undefined, "tensor(k{}):{a:1.0}"],
  ["{{k:a}:1}", undefined, "tensor(k{}):{a:1.0}"],
  ["{a:[1,2]}", "tensor(k{},x[2])", "tensor(k{},x[2]):{a:[1.0, 2.0]}"],
  ['{"a":[1,2]}', "tensor(k{},x[2])", "tensor(k{},x[2]):{a:[1.0, 2.0]}"],
  ["0102", "tensor(x[2])", "tensor(x[2]):[1.0, 2.0]"],
  [{ a: 1 }, "tensor(k{})", "tensor(k{}):{a:1.0}"],
])("%j given for %s", (value, type, expected) => {
  const given = parseJson(source(JSON.stringify(value))).tree;
  if (given === undefined) throw new Error("no value");
  expect(`${readTypedValue(given, type === undefined ? undefined : parseType(type), options).tree}`).toBe(expected);
});

test("a tensor in a text has its mistakes in the text", () => {
  const { query } = readQuery(source('{"input.query(q)":\n "{{k:a}:1,{k:b}:zwei}"}'));
  const given = query?.inputs.get("query(q)");
  if (given === undefined) throw new Error("no input");
  expect(readTypedValue(given, parseType("tensor(k{})"), options).problems.map(told)).toEqual([
    "2:18 zwei is not a number",
  ]);
});

test("a response's hits and their features", () => {
  const { response, problems } = readResponse(
    source(
      JSON.stringify({
        root: {
          id: "toplevel",
          relevance: 1,
          fields: { totalCount: 3 },
          errors: [{ code: 12, summary: "Timed out", message: "no answer" }],
          children: [
            {
              id: "id:a:b::1",
              relevance: 0.5,
              source: "b",
              fields: {
                title: "one",
                matchfeatures: { f: 1, t: { type: "tensor(x[1])", values: [2] } },
                summaryfeatures: { f: 9, g: 3, "vespa.summaryFeatures.cached": 0 },
              },
            },
            {
              id: "group:root:0",
              relevance: 1,
              children: [
                {
                  id: "grouplist:k",
                  relevance: 1,
                  children: [
                    { id: "group:string:x", relevance: 1, fields: { "count()": 1 } },
                    {
                      id: "group:string:y",
                      relevance: 1,
                      children: [
                        {
                          id: "hitlist:h",
                          relevance: 1,
                          children: [{ id: "id:a:b::2", relevance: "NaN", fields: {} }],
                        },
                      ],
                    },
                  ],
                },
              ],
            },
            { id: "id:a:b::3", relevance: "-Infinity" },
          ],
        },
      }),
    ),
  );
  expect(problems).toEqual([]);
  expect(response?.errors).toEqual(["Timed out: no answer"]);
  expect(response?.hits.map(({ id, relevance }) => [id, relevance])).toEqual([
    ["id:a:b::1", 0.5],
    ["id:a:b::2", Number.NaN],
    ["id:a:b::3", Number.NEGATIVE_INFINITY],
  ]);
  const [first] = response?.hits ?? [];
  expect(plain(first?.features)).toEqual({ f: 1, g: 3, t: { type: "tensor(x[1])", values: [2] } });
  expect(plain(first?.summaryFeatures)).toEqual({ f: 9, g: 3 });
  expect(plain(first?.fields)).toEqual({ title: "one" });
  const tensor = first?.features.get("t");
  expect(tensor && `${readTypedValue(tensor, undefined, options).tree}`).toBe("tensor(x[1]):[2.0]");
});

// biome-ignore format: a table
test.each<[string, string[]]>([
  ["{}", ['1:1 $.root must be an object with hits: {"root":{"children":[…]}}']],
  ['{"root":{"children":7}}', ["1:21 $.root.children must be an array of hits"]],
  ['{"root":{"children":[\n7]}}', ["2:1 $.root.children[0] must be a hit: an object"]],
  ['{"root":{"children":[{"relevance":"much"}]}}', ["1:35 $.root.children[0].relevance must be a number"]],
  ['{"root":{"children":[{"fields":{"matchfeatures":[1]}}]}}', ["1:49 $.root.children[0].fields.matchfeatures must be an object of features"]],
])("the response %j is refused", (text, expected) => {
  expect(readResponse(source(text)).problems.map(told)).toEqual(expected);
});

test("depth is no danger", () => {
  const deep = `{"root":{"children":[${'{"children":['.repeat(50_000)}${"]}".repeat(50_000)}]}}`;
  expect(readResponse(source(deep)).problems).toEqual([]);
  expect(readResponse(source(deep)).response?.hits).toEqual([]);
  const object = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  expect(readQuery(source(object)).problems).toEqual([]);
  expect([...readFeed(source("[".repeat(100_000)))]).toHaveLength(1);
  expect([...readFeed(source(",".repeat(100_000)))]).toEqual([]);
});

/** Every value in a value. */
function* values(value: JsonValue): Generator<JsonValue> {
  yield value;
  for (const each of value.items()) yield* values(each);
}

test("the span of a value in a feed is its text", () => {
  holds(
    fc.property(
      fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()), { maxLength: 4 }),
      fc.constantFrom(0, 1, "\t"),
      fc.constantFrom("\n", " , ", "\r\n\r\n"),
      (all, indent, between) => {
        const texts = all.map((each) => JSON.stringify(each, null, indent));
        const found = [...parseSequence(source(texts.join(between)))];
        expect(found.map(({ tree }) => tree?.value)).toEqual(texts.map((text) => JSON.parse(text)));
        for (const { tree } of found)
          for (const each of tree === undefined ? [] : values(tree)) {
            const { start, end } = each.span;
            expect(JSON.parse(each.span.source.text.slice(start, end))).toEqual(each.value);
          }
      },
    ),
    200,
  );
});

test("no text keeps a reader from ending", () => {
  const text = fc
    .array(fc.constantFrom("{", "}", "[", "]", '"', '"a"', ":", ",", "\\", " ", "1", "\n", "\n{", "nope"))
    .map((all) => all.join(""));
  holds(
    fc.property(text, (each) => {
      const entries = [...readFeed(source(each))];
      expect(entries.length).toBeLessThanOrEqual(each.length);
      for (const { span } of entries.flatMap(({ problems }) => problems)) {
        expect(0 <= span.start && span.start <= span.end && span.end <= each.length).toBe(true);
      }
      readQuery(source(each));
    }),
    2000,
  );
});

const fine = '{"put":"id:a:b::1","fields":{}}';

// biome-ignore format: a table
test.each([
  ["lacks its end",                        '{"put":"x","fields":{"f":[1,',           1, ["1:29 this is not JSON: a value must stand here"]],
  ["lacks its end, as the next one does",  '{"put":"x","fields":{\n{"put":"y"',       1, ["1:22 this is not JSON: a key in quotes, or } must stand here", "2:11 this is not JSON: a comma or } must stand here"]],
  ["has another bracket than it needs",    '{"put":"x","fields":]}',                 1, ["1:21 this is not JSON: a value must stand here"]],
  ["has a bracket too many",               '{"put":"x","fields":{}}}',               1, ["1:24 this is not JSON: a value must stand here"]],
  ["has a word that is none",              '{"put":"x","fields":{"f":nope}}',        1, ["1:26 this is not JSON: a value must stand here"]],
  ["is none",                              "nope",                                   1, ["1:1 this is not JSON: a value must stand here"]],
  ["is a text without an end",             '"nope',                                  1, ["1:6 this is not JSON: an escape, such as \\n for a line break must stand here"]],
  ["has a text without an end",            '{"put":"x}',                             1, ["1:11 this is not JSON: an escape, such as \\n for a line break must stand here"]],
  ["is followed by one on its line",       `{"put":x} ${fine}`,                      2, ["1:8 this is not JSON: a value must stand here"]],
  ["begins lines with braces",             '{"put":"x","fields":\n{\n"f":\n{ "a" }}}', 1, ["1:21 this is not JSON: a value must stand here", "3:5 this is not JSON: a value must stand here", "4:7 this is not JSON: a colon must stand here"]],
])("a document that %s hides no other", (_, text, sound, problems) => {
  const entries = [...readFeed(source(`${text}\n${fine}`))];
  expect(entries.flatMap((each) => each.problems).map(told)).toEqual(problems);
  expect(entries.filter(({ document }) => document?.id === "id:a:b::1")).toHaveLength(sound);
});

// biome-ignore format: a table
test.each([
  ["lines that lack their ends",       '{"a":[\n'.repeat(50_000)],
  ["lines that are none",              "nope\n".repeat(50_000)],
  ["words on one line",                "nope ".repeat(50_000)],
  ["quotes",                           '"\n'.repeat(50_000)],
  ["brackets that close nothing",      "]".repeat(100_000)],
  ["lines in an array without an end", `[${"{}\n,".repeat(50_000)}`],
  ["a good line behind bad ones",      `${'{"a":[\n'.repeat(50_000)}${fine}`],
])("%s take no longer than they are long", (_, text) => {
  const entries = inTime(() => [...readFeed(source(text))]);
  expect(entries.length).toBeGreaterThan(0);
});

test("names of a query that lie in each other without end are read in time", () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  expect(inTime(() => readQuery(source(nested(300_000)))).problems).toEqual([]);
  const leaves = '{"leaf":1,"a":'.repeat(100_000);
  expect(inTime(() => readQuery(source(`${leaves}1${"}".repeat(100_000)}`))).problems).toEqual([]);
});

test("an error of a response may be anything", () => {
  const deep = `{"root":{"errors":[${"[".repeat(50_000)}${"]".repeat(50_000)}, {"code": 3}, {"summary":"late"}]}}`;
  const errors = readResponse(source(deep)).response?.errors ?? [];
  expect([errors[0]?.length, ...errors.slice(1)]).toEqual([100_000, '{"code": 3}', "late"]);
});
