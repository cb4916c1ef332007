import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { colouredTokens, ProgramDocument, type TokenKind } from "../../src/service/service.js";
import { type Grammar, loadGrammar, scopesOf } from "./textmate.js";

/** The TextMate grammar, against the tokens of the parser: no word is taken for one of another sort. */

const root = fileURLToPath(new URL("../..", import.meta.url));
let grammar: Grammar;

beforeAll(async () => {
  grammar = await loadGrammar("source.sphex");
});

/** What the grammar may call a word that the service calls so: it cannot know what a name is. */
const allowed: Readonly<Record<TokenKind, RegExp>> = {
  comment: /^comment/,
  number: /^constant\.numeric|^variable|^entity/,
  text: /^string/,
  operator: /^keyword\.operator|^punctuation\.definition\.typeparameters/,
  keyword: /^(?:keyword\.control|storage)/,
  function: /^(?:entity\.name\.function|storage|keyword\.control)/,
  value: /^(?:variable|entity|storage|keyword)/,
  input: /^(?:variable|entity|storage|keyword)/,
  parameter: /^(?:variable|entity|storage|keyword|constant\.numeric)/,
  dimension: /^(?:variable|entity|storage|keyword|constant\.numeric)/,
};

/** All programs of the examples, and all expressions of the cases. */
function programs(): readonly (readonly [string, string])[] {
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sphex"))
    .map((name) => [name, readFileSync(join(root, "examples", name), "utf8")] as const);
  const cases = readdirSync(join(root, "test/cases"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const text = readFileSync(join(root, "test/cases", name), "utf8");
      return [name, [...text.matchAll(/^- `([^`]+)`/gm)].map(([, each]) => each).join("\n")] as const;
    });
  return [...examples, ...cases];
}

test.each(programs())("%s is coloured as it is read", (name, text) => {
  const scopes = scopesOf(grammar, text);
  const tokens = colouredTokens(new ProgramDocument(name, text).analysis);
  expect(tokens.length).toBeGreaterThan(0);
  const wrong = tokens.filter(({ start, kind }) => !allowed[kind].test(scopes[start] ?? ""));
  expect(
    wrong.map(({ start, length, kind }) => [text.slice(start, start + length), kind, scopes[start]]),
  ).toEqual([]);
});

test.each([
  ["a # b", 2, "comment.line.sphex"],
  ["a // b", 5, "comment.line.sphex"],
  ['"a # b"', 3, "string.quoted.double.sphex"],
  ["tensor<float>(x[2])", 0, "storage.type.sphex"],
  ["tensor<float>(x[2])", 7, "storage.type.cell.sphex"],
  ["map(t, f(x)(x))", 7, "storage.type.function.sphex"],
  ["1.5e3", 2, "constant.numeric.sphex"],
  ["input q: tensor()", 0, "storage.modifier.sphex"],
  ["inputs", 0, "variable.other.sphex"],
  ["sum(t)", 0, "entity.name.function.sphex"],
])("%s has at %i %s", (text, at, scope) => {
  expect(scopesOf(grammar, text)[at]).toBe(scope);
});
