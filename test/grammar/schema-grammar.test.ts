import { readFileSync } from "node:fs";
import type { TokenType } from "chevrotain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectations } from "../../src/vespa/package/syntax/expectations.js";
import { SchemaGrammar } from "../../src/vespa/package/syntax/grammar.js";
import { parseSchema } from "../../src/vespa/package/syntax/parse.js";
import { allTokens, name as nameToken, vocabulary } from "../../src/vespa/package/syntax/tokens.js";
import { flags, keywords, settings } from "../../src/vespa/package/syntax/words.js";
import "./group-by.js";
import { holds, numbersByChance } from "../chance.js";
import { leavesOf, readEbnf, showRule } from "./ebnf.js";
import { recordedRules } from "./recorded.js";
import { schemaSpelling } from "./schema-spelling.js";
import { Random, Sentences } from "./sentences.js";

/**
 * schema.ebnf says what is read of Vespa's schemas: the parser must have the same rules, made of the same parts and the
 * same tokens, and must read every sentence that the file derives without a problem.
 */
const ebnf = readEbnf(
  readFileSync(new URL("../../src/vespa/package/syntax/schema.ebnf", import.meta.url), "utf8"),
);

const isRule = (name: string): boolean => /^[A-Z]/.test(name);
const rules = [...ebnf.rules].filter(([name]) => isRule(name));
const kinds = [...ebnf.rules].filter(([name]) => !isRule(name));
const recorded = recordedRules(new SchemaGrammar(expectations));
const tokenNamed = (name: string): TokenType | undefined => allTokens.find((each) => each.name === name);

test("the parser has no flaw that Chevrotain can find", () => {
  expect(() => new SchemaGrammar(expectations)).not.toThrow();
});

test("the parser and the grammar file have rules of the same names", () => {
  expect([...recorded.keys()].sort()).toEqual(rules.map(([name]) => name).sort());
});

test.each(rules)("the parser's rule %s is that of the file", (name, shape) => {
  expect(showRule(name, recorded.get(name))).toBe(showRule(name, shape));
});

test.each([...ebnf.classes])("the token %s has the pattern of the file", (name, pattern) => {
  const { PATTERN } = tokenNamed(name) ?? {};
  expect(PATTERN instanceof RegExp && PATTERN.source).toBe(pattern);
});

const listed: Readonly<Record<string, readonly string[]>> = {
  setting: Object.values(settings).flat(),
  flag: flags,
};

const patterned = vocabulary.filter(({ PATTERN }) => PATTERN instanceof RegExp);

/** The characters that a lexer tells apart by the first of them: behind 255, those that have one row are one. */
const rowsOf = (codes: readonly number[]): readonly number[] => [
  ...new Set(codes.map((code) => (code < 256 ? code : 255 + Math.floor(code / 255)))),
];

test.each(patterned)("the token $name is told all characters that it begins with, and no others", (type) => {
  const pattern = new RegExp(patternOf(type.name), "y");
  const words = Object.values(listed).flat();
  const tails = ["", "1", "/", ".1", "a", '"', "'", "ensor()", ...words.map((each) => each.slice(1))];
  const told = (type.START_CHARS_HINT ?? []).map((each) =>
    typeof each === "string" ? each.charCodeAt(0) : each,
  );
  const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter(
    (code) => code < 512 || code % 255 === 0 || told.includes(code),
  );
  const begins = codes.filter((code) =>
    tails.some((tail) => {
      pattern.lastIndex = 0;
      return pattern.test(String.fromCharCode(code) + tail);
    }),
  );
  const ascending = (one: number, another: number): number => one - another;
  expect([...rowsOf(told)].sort(ascending)).toEqual([...rowsOf(begins)].sort(ascending));
});

test.each(kinds)("%s are what the file says", (name, shape) => {
  const parts = leavesOf(shape).map((each) => each.name);
  const words = listed[name];
  if (words !== undefined) {
    expect(parts).toEqual(words);
    for (const each of parts) expect(each).toMatch(new RegExp(`^(?:${patternOf(name)})$`));
    return;
  }
  const kind = tokenNamed(name);
  const isHeld = (token: TokenType): boolean =>
    parts.includes(token.name) || (token.CATEGORIES ?? []).some(isHeld);
  const found = vocabulary.filter((each) => kind?.categoryMatchesMap?.[each.tokenTypeIdx ?? -1]);
  expect(namesOf(found)).toEqual(namesOf(vocabulary.filter(isHeld)));
});

const namesOf = (tokens: readonly TokenType[]): string[] => tokens.map((each) => each.name);

const patternOf = (name: string): string => {
  const { PATTERN } = tokenNamed(name) ?? {};
  return PATTERN instanceof RegExp ? PATTERN.source : "";
};

test("every name in the file has a rule or a pattern, and every quoted text is a token or a listed word", () => {
  const words = new Set(Object.values(listed).flat());
  const missing = [...ebnf.rules.values()].flatMap(leavesOf).filter(({ kind, name }) => {
    if (kind !== "fixed") return !ebnf.rules.has(name) && !ebnf.classes.has(name);
    return !words.has(name) && tokenNamed(name)?.PATTERN !== name;
  });
  expect(missing).toEqual([]);
});

test.each([
  ...keywords,
  ...Object.values(listed).flat(),
])("the word %s is a name where only a name can stand", (word) => {
  const type = tokenNamed(word) ?? tokenNamed(flags.some((each) => each === word) ? "flag" : "setting");
  expect(nameToken.categoryMatchesMap?.[type?.tokenTypeIdx ?? -1]).toBe(true);
  const text = `schema ${word} inherits ${word} { document ${word === "inherits" ? "" : word} { field ${word} type ${word}
    field ${word} type map<${word}, ${word}> { indexing: ${word} } } import field ${word} as ${word}
    rank-profile ${word} inherits ${word}, ${word} { inputs { query(${word}) double: 1 } constants { constant(${word}): 2 }
      function ${word}(${word}, ${word}) { expression: ${word} } match-features: ${word}(${word}) ${word}
      rank ${word}: ${word} } }`;
  const { items, problems } = parseSchema({ name: "names", text });
  expect(problems.map((each) => each.message)).toEqual([]);
  expect(items).toMatchObject([{ kind: "schema", name: { text: word }, inherits: [{ text: word }] }]);
});

// biome-ignore format: a table
const samples = [
  { start: "File",        count: 300 },
  { start: "Schema",      count: 300 },
  { start: "Document",    count: 300 },
  { start: "Field",       count: 500 },
  { start: "RankProfile", count: 2000 },
  { start: "Constants",   count: 500 },
  { start: "Setting",     count: 500 },
];

test.each(samples)("the parser reads every sentence derived from $start", ({ start, count }) => {
  const law = fc.property(new Sentences(ebnf, schemaSpelling).from(start), (text) => {
    const { problems } = parseSchema({ name: "sentence", text });
    const complaints = problems.map(
      ({ span, message, description }) => `${span.start}: ${message}, not ${description.expected}`,
    );
    expect(complaints).toEqual([]);
  });
  holds(law, count);
});

test("as many sentences use every rule, and every part of every choice", () => {
  const sentences = new Sentences(ebnf, schemaSpelling);
  const random = new Random(numbersByChance());
  for (const { start, count } of samples)
    for (let made = 0; made < count; made++) sentences.next(start, random);
  expect(sentences.unused().filter((each) => isRule(each))).toEqual([]);
});
