import { readFeatures, readFeed, readQuery, readRankTests, readResponse } from "../../src/vespa.js";
import { type GrowthRow, many, rowsOf, source, type Texts, tell } from "./row.js";

/** Documents of Vespa: feeds, queries, responses, features, and rank tests, which are YAML. */

const feeds: Texts = [
  ["open braces on lines", (n) => "{\n".repeat(n / 2)],
  ["open braces", (n) => "{".repeat(n)],
  ["open brackets on lines", (n) => "[\n".repeat(n / 2)],
  ["open objects on lines", (n) => `{"a":\n`.repeat(n / 6)],
  ["open quotes on lines", (n) => `{"\n`.repeat(n / 3)],
  ["a brace, then lines", (n) => `{${"\n1".repeat(n / 2)}`],
  ["puts", (n) => many(n / 64, (i) => `{"put":"id:a:doc::${i}","fields":{"a":${i},"b":"x"}}`, "\n")],
  [
    "puts in an array",
    (n) => `[${many(n / 64, (i) => `{"put":"id:a:doc::${i}","fields":{"a":${i},"b":"x"}}`, ",\n")}]`,
  ],
  [
    "puts on one line",
    (n) => many(n / 64, (i) => `{"put":"id:a:doc::${i}","fields":{"a":${i},"b":"x"}}`, " "),
  ],
  [
    "puts over lines",
    (n) => many(n / 64, (i) => `{\n"put":"id:a:doc::${i}",\n"fields":\n{"a":${i},"b":"x"}}`, "\n"),
  ],
  [
    "puts over lines that begin with braces",
    (n) => many(n / 64, (i) => `{"put":"id:a:doc::${i}","fields":\n{"a":${i},"b":"x"}}`, "\n"),
  ],
  [
    "a put with lines that begin with braces",
    (n) => `{"put":"id:a:doc::1","fields":{"a":[${many(n / 3, () => "\n{}", ",")}]}}`,
  ],
  [
    "an open put with such lines",
    (n) => `{"put":"id:a:doc::1","fields":{"a":[${many(n / 3, () => "\n{}", ",")}`,
  ],
  ["broken puts", (n) => many(n / 32, (i) => `{"put":"id:a:doc::${i}","fields":{`, "\n")],
  ["broken puts on one line", (n) => many(n / 32, (i) => `{"put":"id:a:doc::${i}","fields":{`, " ")],
  ["closing brackets", (n) => "]".repeat(n)],
  ["closing braces on lines", (n) => "}\n".repeat(n / 2)],
  ["letters", (n) => "a".repeat(n)],
  ["words", (n) => "a ".repeat(n / 2)],
  ["words on lines", (n) => "a\n".repeat(n / 2)],
  ["quotes", (n) => `"`.repeat(n)],
  ["backslashes", (n) => "\\".repeat(n)],
  ["commas", (n) => ",".repeat(n)],
  ["empty objects", (n) => "{}".repeat(n / 2)],
  ["empty arrays", (n) => "[]".repeat(n / 2)],
  [
    "an update of many fields",
    (n) => `{"update":"id:a:doc::1","fields":{${many(n / 24, (i) => `"f${i}":{"assign":1}`, ",")}}}`,
  ],
  [
    "unknown updates",
    (n) => `{"update":"id:a:doc::1","fields":{${many(n / 24, (i) => `"f${i}":{"assig":1}`, ",")}}}`,
  ],
  ["a long id", (n) => `{"put":"id:${"a".repeat(n)}","fields":{}}`],
  ["colons in an id", (n) => `{"put":"id:${":".repeat(n)}","fields":{}}`],
  ["deep fields", (n) => `{"put":"id:a:doc::1","fields":{"a":${"[".repeat(n / 2)}${"]".repeat(n / 2)}}}`],
  ["open braces, then a put", (n) => `${"{\n".repeat(n / 2)}{"put":"id:a:doc::1","fields":{}}`],
];

const queries: Texts = [
  ["nested objects", (n) => `${`{"a":`.repeat(n / 6)}1${"}".repeat(n / 6)}`],
  ["nested arrays", (n) => `{"a":${"[".repeat(n / 2)}${"]".repeat(n / 2)}}`],
  ["open objects", (n) => `{"a":`.repeat(n / 5)],
  ["members", (n) => `{${many(n / 16, (i) => `"input.query(a${i})":1`, ",")}}`],
  ["members of ranking", (n) => `{"ranking":{"features":{${many(n / 16, (i) => `"query(a${i})":1`, ",")}}}}`],
  ["long names", (n) => `{"a":`.repeat(40) + many(n / 60, (i) => `{"${"b".repeat(50)}${i}":1}`, ",")],
  ["a long name in many", (n) => `{"${"a".repeat(n / 2)}":{${many(n / 12, (i) => `"b${i}":1`, ",")}}}`],
  ["spaces", (n) => " ".repeat(n)],
  ["line breaks", (n) => "\n".repeat(n)],
  ["spaces and a question mark", (n) => `${" ".repeat(n / 2)}a${" ".repeat(n / 2)}?`],
  ["a long scheme", (n) => "a".repeat(n)],
  ["a long scheme behind spaces", (n) => `  ${"a".repeat(n)}:/`],
  ["an address without parameters", (n) => `https://${"a".repeat(n)}`],
  ["slashes", (n) => "/".repeat(n)],
  ["parameters", (n) => `?${many(n / 8, (i) => `a${i}=1`, "&")}`],
  ["parameters on lines", (n) => many(n / 8, (i) => `a${i}=1`, "\n")],
  ["parameters without values", (n) => "a&".repeat(n / 2)],
  ["ampersands", (n) => "&".repeat(n)],
  ["equals", (n) => "=".repeat(n)],
  ["percents", (n) => `?a=${"%".repeat(n)}`],
  ["encoded", (n) => `?a=${"%20".repeat(n / 3)}`],
  ["yql of spaces", (n) => `{"yql":"${" ".repeat(n)}"}`],
];

const hit = (i: number): string =>
  `{"id":"id:a:doc::${i}","relevance":${i},"source":"a","fields":{"a":1,"b":"text ${i}","matchfeatures":{"bm25(title)":1.5,"attribute(price)":${i}}}}`;

const responses: Texts = [
  [
    "hits",
    (n) =>
      `{"root":{"id":"toplevel","relevance":1,"fields":{"totalCount":1},"children":[${many(n / 150, hit, ",")}]}}`,
  ],
  ["wrong hits", (n) => `{"root":{"children":[${many(n / 2, () => "1", ",")}]}}`],
  [
    "hits with wrong relevance",
    (n) => `{"root":{"children":[${many(n / 24, () => `{"relevance":"a","fields":{}}`, ",")}]}}`,
  ],
  [
    "hits with wrong features",
    (n) => `{"root":{"children":[${many(n / 40, () => `{"fields":{"matchfeatures":1}}`, ",")}]}}`,
  ],
  ["groups in groups", (n) => `{"root":${`{"children":[`.repeat(n / 15)}${"]}".repeat(n / 15)}}`],
  ["groups of hits in groups", (n) => `{"root":${`{"children":[{},`.repeat(n / 19)}1${"]}".repeat(n / 19)}}`],
  [
    "features",
    (n) => `{"root":{"children":[{"fields":{"matchfeatures":{${many(n / 12, (i) => `"f${i}":1`, ",")}}}}]}}`,
  ],
  ["errors", (n) => `{"root":{"errors":[${many(n / 16, () => `{"message":"a"}`, ",")}]}}`],
];

const features: Texts = [
  ["features", (n) => `{${many(n / 12, (i) => `"f${i}":1`, ",")}}`],
  ["wrong", (n) => "[".repeat(n)],
];

const rankTests: Texts = [
  ["unknown keys", (n) => many(n / 8, (i) => `k${i}: 1`, "\n")],
  ["unknown keys like known", (n) => many(n / 14, (i) => `documen${i}: 1`, "\n")],
  [
    "cases",
    (n) =>
      `profile: p\nexpect: {score: 1}\ncases:\n${many(n / 32, (i) => `  - name: n${i}\n    features: {a: 1}`, "\n")}`,
  ],
  [
    "cases of many features",
    (n) =>
      `profile: p\nexpect: {score: 1}\nfeatures:\n${many(Math.sqrt(n), (i) => `  f${i}: 1`, "\n")}\ncases:\n${many(Math.sqrt(n), (i) => `  - name: n${i}`, "\n")}`,
  ],
  ["cases with unknown keys", (n) => `profile: p\ncases:\n${many(n / 10, (i) => `  - k${i}: 1`, "\n")}`],
  ["wrong cases", (n) => `profile: p\ncases:\n${many(n / 6, () => `  - 1`, "\n")}`],
  ["cases without a profile", (n) => `cases:\n${many(n / 24, () => `  - expect: {score: 1}`, "\n")}`],
  [
    "rows",
    (n) =>
      `profile: p\ntable:\n  give: [a]\n  expect: [b]\n  rows:\n${many(n / 13, () => `    - [1, 2]`, "\n")}`,
  ],
  [
    "wrong rows",
    (n) =>
      `profile: p\ntable:\n  give: [a]\n  expect: [b]\n  rows:\n${many(n / 10, () => `    - [1]`, "\n")}`,
  ],
  [
    "columns",
    (n) =>
      `profile: p\ntable:\n  give: [${many(n / 12, (i) => `a${i}`, ",")}]\n  expect: [b]\n  rows:\n    - [${many(n / 12, () => "1", ",")},1]`,
  ],
  ["expectations", (n) => `profile: p\nexpect: {${many(n / 10, (i) => `f${i}: 1`, ", ")}}`],
  [
    "documents",
    (n) => `profile: p\nexpect: {score: 1}\ndocuments:\n${many(n / 12, (i) => `  - {a: ${i}}`, "\n")}`,
  ],
  ["open brackets", (n) => "[".repeat(n)],
  ["open braces", (n) => "{".repeat(n)],
  ["nested lists", (n) => "- ".repeat(n / 2)],
  ["nested maps", (n) => many(Math.sqrt(n), (i) => `${" ".repeat(i)}a:\n`)],
  ["spaces", (n) => " ".repeat(n)],
  ["tabs", (n) => "\t".repeat(n)],
  ["quotes", (n) => `"`.repeat(n)],
  ["an open text", (n) => `a: "${"a".repeat(n)}`],
  ["colons", (n) => ":".repeat(n)],
  ["colons with spaces", (n) => ": ".repeat(n / 2)],
  ["question marks", (n) => "? ".repeat(n / 2)],
  ["anchors", (n) => many(n / 9, (i) => `- &a${i} 1`, "\n")],
  ["aliases", (n) => `a: &a 1\nb: [${many(n / 4, () => "*a", ", ")}]`],
  ["unknown aliases", (n) => `b: [${many(n / 6, (i) => `*a${i}`, ", ")}]`],
  ["documents in a stream", (n) => "---\n".repeat(n / 4)],
  ["one key again", (n) => "a: 1\n".repeat(n / 5)],
  ["flow of keys", (n) => `{${many(n / 8, (i) => `k${i}: 1`, ", ")}}`],
  ["comments", (n) => "# a\n".repeat(n / 4)],
  ["words", (n) => "a ".repeat(n / 2)],
  ["words on lines", (n) => "a\n".repeat(n / 2)],
  ["tags", (n) => "!a ".repeat(n / 3)],
  ["percents", (n) => "%a\n".repeat(n / 3)],
  ["bars", (n) => "|\n".repeat(n / 2)],
];

export const documentRows: readonly GrowthRow[] = [
  ...rowsOf("feed", feeds, (text) => {
    for (const entry of readFeed(source(text))) tell(entry);
  }),
  ...rowsOf("query", queries, (text) => tell(readQuery(source(text)))),
  ...rowsOf("response", responses, (text) => {
    const read = readResponse(source(text));
    tell(read);
    JSON.stringify(read.response);
  }),
  ...rowsOf("features", features, (text) => tell(readFeatures(source(text)))),
  ...rowsOf("rank test", rankTests, async (text) =>
    tell(await readRankTests(source(text), () => source(""))),
  ),
];
