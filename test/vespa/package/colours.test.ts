import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ColouredToken, PackageAnalysis } from "../../../src/service/service.js";
import type { Files } from "../../../src/vespa.js";

/** What each word of a schema is, for its colour. */

const path = "schemas/doc.sd";

const filesOf = (text: string): Files => ({
  list: () => [path],
  read: (asked) => {
    if (asked !== path) throw new Error("there is no such file");
    return text;
  },
});

const coloursOf = (text: string): readonly ColouredToken[] =>
  new PackageAnalysis(filesOf(text)).colours({ name: path, text });

/** Each coloured word with its kind; a definition with a mark. */
const shown = (text: string): readonly string[] =>
  coloursOf(text).map(
    ({ start, length, kind, isDefinition }) =>
      `${text.slice(start, start + length)} ${kind}${isDefinition ? " !" : ""}`,
  );

const within = (statement: string): string => `schema doc {
  document doc {
    field tags type tensor<int8>(t{}) { indexing: attribute }
    field title type string { indexing: index }
  }
  rank-profile base {
    inputs { query(q) double: 2.5 }
    constants { weights tensor(t{}): {a:1} }
    ${statement}
  }
}`;

/** The coloured words of a statement in the profile above. */
function ofStatement(statement: string): readonly string[] {
  const before = shown(within(""));
  return shown(within(statement)).slice(before.length);
}

describe("the words of", () => {
  test("a schema", () => {
    expect(shown(within("# of all")).slice(0, 8)).toEqual([
      "schema keyword",
      "doc value !",
      "document keyword",
      "doc value !",
      "field keyword",
      "tags input !",
      "type keyword",
      "tensor keyword",
    ]);
    expect(shown(within("# of all")).slice(18)).toEqual([
      "index keyword",
      "rank-profile keyword",
      "base value !",
      "inputs keyword",
      "query keyword",
      "q input !",
      "2.5 number",
      "constants keyword",
      "weights value !",
      "tensor keyword",
      "t dimension",
      "1 number",
      "# of all comment",
    ]);
  });

  // biome-ignore format: a table
  const statements: readonly (readonly [string, readonly string[]])[] = [
    ["function f(a, b) { expression: a * b }",                 ["function keyword", "f function !", "a parameter !", "b parameter !", "expression keyword", "a parameter", "* operator", "b parameter"]],
    ["first-phase { expression: query(q) * bm25(title) }",     ["first-phase keyword", "expression keyword", "query function", "q input", "* operator", "bm25 function", "title input"]],
    ["first-phase { expression: sum(attribute(tags) * constant(weights), t) }",
      ["first-phase keyword", "expression keyword", "sum function", "attribute function", "tags input", "* operator", "constant function", "weights value", "t dimension"]],
    ["function g() { expression: map(weights, f(tags)(tags + nativeRank)) }",
      ["function keyword", "g function !", "expression keyword", "map function", "weights value", "f keyword", "tags parameter !", "tags parameter", "+ operator", "nativeRank value"]],
    ["function expression() { expression { 1 # one\n + expression } }",
      ["function keyword", "expression function !", "expression keyword", "1 number", "# one comment", "+ operator", "expression function"]],
    ["rank-properties { a.b: \"of\" }",                        ["rank-properties keyword", "\"of\" text"]],
    ["first-phase { expression: f(t)(t }",                     ["first-phase keyword", "expression keyword", "f keyword", "t dimension", "t dimension"]],
  ];

  test.each(statements)("%s", (statement, expected) => {
    expect(ofStatement(statement)).toEqual(expected);
  });

  test("what is inherited, and the expressions behind a mistake", () => {
    const text = within("rank-score-drop-limit: (").replace(
      "profile base {",
      "profile base inherits default {",
    );
    expect(shown(text)).toContain("default value");
    const twice = within("first-phase { expression { 1 # one\n } }\n second-phase { expression: 2 }");
    expect(shown(twice).filter((each) => each === "# one comment")).toHaveLength(1);
    const broken = within("first-phase { expression: 1 + }\n second-phase { expression: query(q) }");
    expect(shown(broken).slice(-3)).toEqual(["expression keyword", "query function", "q input"]);
  });
});

test("no two words of a schema overlap, and none spans two lines", () => {
  const folder = new URL("../public-packages/", import.meta.url);
  const names = readdirSync(folder).filter((each) => each.endsWith(".sd"));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), "utf8");
    for (const part of [text, text.slice(0, text.length >> 1), text.slice(text.length >> 2)]) {
      let end = 0;
      for (const { start, length } of coloursOf(part)) {
        expect(start, name).toBeGreaterThanOrEqual(end);
        end = start + length;
        expect(part.slice(start, end), name).toMatch(/^[^\r\n]+$/);
      }
    }
  }
});
