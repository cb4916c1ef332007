import { readFeatures, readFeed, readQuery, readRankTests, readResponse } from "../../../src/vespa.js";
import { Grammar } from "../grammar.js";
import { expectSound, type Surface, textSurface } from "../surface.js";

/** Documents of Vespa: feeds, queries, responses, features, and rank tests. */

// biome-ignore format: a grammar
const grammar = new Grammar({
  feed:      ["<operation>", "<operation*\n>", "[<operation*,>]", "<operation*,\n>"],
  operation: ['{"put":"<id>","fields":{<field*,>}}', '{"update":"<id>","fields":{<change*,>}}', '{"remove":"<id>"}', '{"id":"<id>","fields":{<field*,>}}', "{\n<field*,\n>\n}", "<json>"],
  id:        ["id:a:doc::1", "id:::", "id:a:b:c:d", ""],
  field:     ['"a":1', '"<key>":<json>', '"embedding":{"values":[1,2,3]}', '"weights":{"a":1}'],
  change:    ['"a":{"assign":<json>}', '"a":{"increment":1}', '"a":{"<key>":<json>}'],
  key:       ["a", "fields", "put", "__proto__", "title", "price", "x.y", "", "é"],
  json:      ["1", "null", "true", "-0.5e3", '"a"', '"\\u00e9\\n"', "[<json*,>]", "{<member*,>}", "[]", "{}"],
  member:    ['"<key>":<json>'],
  query:     ["{<parameter*,>}", "?<pair*&>", "https://a.b/search/?<pair*&>", "<pair*\n>", "{<member*,>}"],
  parameter: ['"yql":"select * from doc where <yql>"', '"ranking":"<key>"', '"input.query(q)":<json>', '"ranking":{"profile":"p","features":{"query(q)":<json>},"properties":{"a.b":1}}', '"input":{"query(q)":<json>}'],
  pair:      ["yql=select%20*", "input.query(q)=[1,2]", "ranking.profile=<key>", "a=b", "=", "a=%zz", "ranking.features.query(q)={a:1}"],
  yql:       ["true", "{targetHits:10}nearestNeighbor(embedding, q)", "({label:\\\"a\\\"}nearestNeighbor(e,q)) or userQuery()", "{a:b} ( nearestNeighbor( e , q ) )", "<yql> and <yql>", "{{nearestNeighbor(a,b)}}"],
  response:  ['{"root":{"children":[<hit*,>]}}', '{"root":{"children":[<hit*,>],"errors":[{"message":"a"},{"summary":"b"}]}}', '{"root":<json>}', "<json>"],
  hit:       ['{"id":"<id>","relevance":1,"fields":{<feature*,>}}', '{"id":"group:root:0","children":[<hit*,>]}', '{"relevance":<json>,"fields":{"matchfeatures":{<feature*,>},"summaryfeatures":{<feature*,>}}}', "<json>"],
  feature:   ['"bm25(title)":1.5', '"attribute(price)":<json>', '"<key>":{"type":"tensor(x[2])","values":[1,2]}'],
  features:  ["{<feature*,>}", "<json>"],
  tests:     ["profile: p\nexpect: {score: 1}\n", "<top*\n>", "<levels>", "package: ..\n<top*\n>\ncases:\n<case*\n>", "<top*\n>\ntable:\n  give: [<key>, a]\n  expect: [score]\n  rows:\n    - [1, 2, 3]\n    - <flow>", "<flow>", "{<pairs*, >}"],
  top:       ["profile: p", "query: <flow>", "query: <key>.json", "document: <flow>", "documents: [<flow*, >]", "documents: feed.json", "features: <flow>", "neighbours: [{field: a, query: q, label: <key>}]", "now: 17", "tolerance: <flow>", "expect: <flow>", "<key>: <flow>", "name: &a <key>", "name: *a"],
  case:      ["  - name: a", "  - <top>", "  - features: <flow>\n    expect: <flow>", "  - <flow>"],
  flow:      ["1", "{<pairs*, >}", "[<flow*, >]", "a", '"a\\n"', "'b'", "!!int 3", "*a", "&b [1]", "|\n    text", "null", "~", "1e3", "0x1f", ".nan", "2020-01-01"],
  pairs:     ["score: 1", "<key>: <flow>", "query(q): [1, 2]", "<flow>: <flow>", "? a : b", "? <flow>", "<<: *a"],
  levels:    ["a", "? ? ? ? ? ? ? ? <levels>", "- - - - - - - - <levels>", "? - ? - <levels>"],
});

const source = (text: string) => ({ name: "text", text });

/** What a test names another file for. */
const other = '{"put":"id:a:doc::1","fields":{"a":1}}';

export const documentSurfaces: readonly Surface[] = [
  textSurface({
    name: "feed",
    weight: 4,
    derive: (choice) => grammar.derive("feed", choice),
    attempt: (text) => {
      for (const { problems } of readFeed(source(text))) expectSound(problems);
    },
  }),
  textSurface({
    name: "query",
    weight: 4,
    derive: (choice) => grammar.derive("query", choice),
    attempt: (text) => expectSound(readQuery(source(text)).problems),
  }),
  textSurface({
    name: "response",
    weight: 3,
    derive: (choice) => grammar.derive("response", choice),
    attempt: (text) => {
      const { response, problems } = readResponse(source(text));
      expectSound(problems);
      JSON.stringify(response);
    },
  }),
  textSurface({
    name: "features",
    weight: 1,
    derive: (choice) => grammar.derive("features", choice),
    attempt: (text) => expectSound(readFeatures(source(text)).problems),
  }),
  textSurface({
    name: "rank test",
    weight: 3,
    derive: (choice) => grammar.derive("tests", choice),
    attempt: async (text) => {
      const { problems } = await readRankTests(source(text), () => ({ name: "other", text: other }));
      expectSound(problems);
    },
  }),
];
