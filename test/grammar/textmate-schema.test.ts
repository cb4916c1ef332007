import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { PackageAnalysis, type TokenKind } from "../../src/service/service.js";
import { flags, keywords, settings } from "../../src/vespa/package/syntax/words.js";
import { type Grammar, loadGrammar, scopesOf } from "./textmate.js";

/** The TextMate grammar of schemas and rank profiles, against what the language server calls their words. */

let grammar: Grammar;

beforeAll(async () => {
  grammar = await loadGrammar("source.vespa-schema");
});

/** What the grammar may call a word that the service calls so: it cannot know what a name is. */
const allowed: Readonly<Record<TokenKind, RegExp>> = {
  comment: /^comment/,
  number: /^constant\.numeric|^variable|^entity/,
  text: /^string/,
  operator: /^keyword\.operator|^punctuation\.definition\.typeparameters/,
  // In an expression that is not checked the service knows its words as those of schemas.
  keyword: /^(?:keyword\.control|storage|entity\.name\.function)/,
  function: /^(?:entity\.name\.function|variable|storage|keyword\.control)/,
  value: /^(?:variable|entity|storage|keyword)/,
  input: /^(?:variable|entity|storage|keyword)/,
  parameter: /^(?:variable|entity|storage|keyword|constant\.numeric)/,
  dimension: /^(?:variable|entity|storage|keyword|constant\.numeric)/,
};

/** All schemas and files of rank profiles of the examples and the tests. */
const files = ["../../examples/", "../"].flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join(folder, path.replaceAll("\\", "/")))
    .filter((path) => /\.(?:sd|profile)$/.test(path)),
);

test.each(files)("%s is coloured as it is read", (path) => {
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  const name = `schemas/${posix.basename(path)}`;
  const analysis = new PackageAnalysis({ list: () => [name], read: () => text });
  const scopes = scopesOf(grammar, text);
  const words = analysis.colours({ name, text });
  expect(words.length).toBeGreaterThan(0);
  const wrong = words.filter(({ start, kind }) => !allowed[kind].test(scopes[start] ?? ""));
  expect(
    wrong.map(({ start, length, kind }) => [text.slice(start, start + length), kind, scopes[start]]),
  ).toEqual([]);
});

test.each([...keywords, ...Object.values(settings).flat(), ...flags])("%s is a keyword", (word) => {
  expect(scopesOf(grammar, `  ${word}`)[2]).toBe("keyword.control.vespa-schema");
});

test.each([
  ["rank-profile a inherits b {", "b", "entity.name.type.vespa-schema"],
  ["function inline twice(t) { expression: t * 2 }", "twice", "entity.name.function.vespa-schema"],
  ["function inline(t) { expression: t * 2 }", "inline", "entity.name.function.vespa-schema"],
  ["function f(t) { expression: sqrt(t{x:0}) + t }", "sqrt", "entity.name.function.sphex"],
  ["function f(t) { expression: t{x:0} } # so", "# so", "comment.line.number-sign.vespa-schema"],
  ["expression {\n  sum(t, x)\n}\nfast-search", "sum", "entity.name.function.sphex"],
  ["expression\n{\n  sum(t, x)\n}\nfast-search", "sum", "entity.name.function.sphex"],
  ["expression {\n  t{x:0}\n}\nfast-search", "fast-search", "keyword.control.vespa-schema"],
  ["expression: merge(a, b, f(x, y)(x))\nfast-search", "fast-search", "keyword.control.vespa-schema"],
  ["match-features: bm25(title) text\nfast-search", "bm25", "entity.name.function.sphex"],
  ["match-features inherits base {\n  bm25(title)\n}", "base", "entity.name.type.vespa-schema"],
  ["inputs {\n  query(q) tensor<float>(x[2]): [1, 2]\n}", "float", "storage.type.cell.sphex"],
  ["inputs {\n  query(q) tensor<float>(x[2]): [1, 2]\n}", "query", "keyword.control.vespa-schema"],
  ["inputs {\n  query(q) double: 0.5\n}", "double", "storage.type.vespa-schema"],
  ["constants {\n  w tensor(x[2]): file: a/b.json\n}", "a/b.json", "string.unquoted.vespa-schema"],
  ["constants {\n  w tensor(x[2]): [1.5, 2]\n}", "1.5", "constant.numeric.sphex"],
  ["constants {\n  w tensor(x[2]): [-1.5, 2]\n}", "-1.5", "constant.numeric.sphex"],
  ["constants {\n  w { type: tensor(x[2])\n value: {a:1.5} }\n}", "1.5", "constant.numeric.sphex"],
  ["constant w {\n  file: a.json\n  type: tensor(x{})\n}", "tensor", "storage.type.sphex"],
  ["field a type array<string> {", "string", "storage.type.vespa-schema"],
  ["field type type int {", "int", "storage.type.vespa-schema"],
  ["field a type tensor<int8>(x[2]) {", "int8", "storage.type.cell.sphex"],
  ["document {", "document", "keyword.control.vespa-schema"],
  ["import field a.b as c {}", "as", "keyword.control.vespa-schema"],
])("of %j %s is %s", (text, word, scope) => {
  expect(scopesOf(grammar, text)[text.lastIndexOf(word)]).toBe(scope);
});
