import { setupText } from "../../src/vespa/compat/playground.js";

/** Documents of each kind that JSON is read from, as tools write them: `json-spans.test.ts` spoils them. */

// biome-ignore format: texts
export const tensors: readonly (readonly [type: string, text: string])[] = [
  ["tensor(x[3])",          '{"type":"tensor(x[3])","values":[1, 2.5, "-inf"]}'],
  ["tensor(x[2],y[])",      "[[1, null], [3, 4]]"],
  ["tensor<int8>(x[4])",    '{"values":"00FF7f80"}'],
  ["tensor(k{})",           '{"cells":{"a":1,"b \\"c\\"":2.0e3,"\\u0061b":null}}'],
  ["tensor(k{})",           '[{"address":{"k":"a"},"value":1},\n {"address":{"k":"b"},"value":"NaN"}]'],
  ["tensor(j{},k{})",       '{"cells":[{"address":{"j":"a","k":"b"},"value":1}]}'],
  ["tensor(k{},x[2])",      '{"blocks":{"a":[1,2],"b":"0102"}}'],
  ["tensor(j{},k{},x[2])",  '{"blocks":[{"address":{"j":"a","k":"b"},"values":[1,2]}]}'],
  ["tensor()",              "-7.25E-1"],
];

export const feeds: readonly string[] = [
  `{"put":"id:shop:item::1","fields":{"title":"one \\"two\\"","price":9.5,"embedding":{"values":[1,2]},"tags":["a","b"]}}
{"update":"id:shop:item:g=7:2","create":true,"fields":{"price":{"assign":3},"weights":{"add":{"cells":{"a":1}}}}}
{"remove":"id:shop:item::3"}`,
  `[
  {"put":"id:a:b::1", "fields": {"f": {"cells": [{"address": {"k": "é🐝"}, "value": 1}]}}},
  {"id":"id:a:b::2", "fields": {"f": {"blocks": {"a": [1, 2]}}}}
]`,
];

export const queries: readonly string[] = [
  `{ "yql": "select * from item where true", "ranking": { "profile": "best", "properties": { "p": 1 },
    "features": { "query(a)": 1, "query(b)": { "cells": { "x": 1 } } } }, "input.query(c)": [1, 2], "input": { "query(d)": "{{k:x}:1}" } }`,
  "/search/?input.query(q)=%5B1,2%5D&yql=select%20*&ranking=best",
];

export const responses: readonly string[] = [
  JSON.stringify(
    {
      root: {
        id: "toplevel",
        relevance: 1,
        errors: [{ summary: "Timed out", message: "no answer" }, { code: 3 }],
        children: [
          {
            id: "id:a:b::1",
            relevance: 0.5,
            fields: { t: "one", matchfeatures: { f: 1, v: { type: "tensor(x[1])", values: [2] } } },
          },
          {
            id: "group:root:0",
            children: [{ relevance: "-Infinity", fields: { summaryfeatures: { g: 3 } } }],
          },
        ],
      },
    },
    null,
    1,
  ),
];

export const features: readonly string[] = [
  '{"bm25(title)":3.2,"fieldMatch(title)":{"cells":{"a":1}},"query(q)":"[1,2]"}',
];

export const settings: readonly string[] = [
  "bm25(title)=3.2",
  'query(q)={"cells":{"a":1,"b":2}}',
  "elementwise(bm25(t),e,float)=tensor(e{}):{1:2}",
];

export const notebooks: readonly string[] = [
  setupText([
    { kind: "remark", text: "# A title\nand more" },
    { kind: "formula", name: "query(q)", expression: "tensor(x[2]):[1,2]" },
  ]),
];

/** YAML, and JSON, which is a part of it. */
export const rankTests: readonly string[] = [
  `profile: shop
query: {input.query(q): [1, 2], ranking.properties.p: 3, input: {query(r): {cells: {a: 1}}}}
documents:
  - put: id:a:b::1
    fields: {f: &f {values: [1, 2]}, g: *f, "h i": .nan}
    features: {bm25(t): 2}
tolerance: 1.0e-5
cases:
  - {name: one, expect: {score: 3}}
table: {give: [a], expect: [score], rows: [[1, 2], [3, "4"]]}
`,
  '{"profile":"shop","features":{"a":1},"expect":{"score":1.5,"f(x)":{"cells":{"a":1}}},\n "neighbours":[{"field":"f","query":"q"}]}',
];
