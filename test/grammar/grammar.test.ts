import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Source } from "../../src/language/source/span.js";
import { Grammar } from "../../src/language/syntax/grammar.js";
import { expectations } from "../../src/language/syntax/mistakes/expectations.js";
import {
  type Parsed,
  parseConstant,
  parseExpression,
  parseProgram,
} from "../../src/language/syntax/parse.js";
import { allTokens } from "../../src/language/syntax/tokens.js";
import "./group-by.js";
import { holds, numbersByChance } from "../chance.js";
import { leavesOf, readEbnf, showRule } from "./ebnf.js";
import { recordedRules } from "./recorded.js";
import { Random, Sentences } from "./sentences.js";

/**
 * grammar/sphex.ebnf is the authority for the syntax: the parser must have the same rules, made of the same parts, and
 * must read every sentence that the file derives: a random sample of them, each read as the program, the expression or
 * the constant that it was derived as.
 */
const ebnf = readEbnf(readFileSync(new URL("../../grammar/sphex.ebnf", import.meta.url), "utf8"));

const recorded = recordedRules(new Grammar(expectations));

test("the parser and the grammar file have rules of the same names", () => {
  expect([...recorded.keys()].sort()).toEqual([...ebnf.rules.keys()].sort());
});

test.each([...ebnf.rules])("the parser's rule %s is that of the file", (name, shape) => {
  expect(showRule(name, recorded.get(name))).toBe(showRule(name, shape));
});

test.each([...ebnf.classes])("the token class %s has the pattern of the file", (name, pattern) => {
  const token = allTokens.find((each) => each.name === name);
  expect(token?.PATTERN).toBeInstanceOf(RegExp);
  expect((token?.PATTERN as RegExp).source).toBe(pattern); // the line before says that it is one
});

const hinted = allTokens.filter((each) => each.START_CHARS_HINT !== undefined);

test.each(hinted)("the token $name begins with the characters that it is told to begin with", (type) => {
  const pattern = new RegExp((type.PATTERN as RegExp).source, "y"); // hints are for patterns that are no texts
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const begins = characters.filter((each) =>
    [each, each + each].some((text) => {
      pattern.lastIndex = 0;
      return pattern.test(text);
    }),
  );
  expect([...(type.START_CHARS_HINT ?? [])].sort()).toEqual(begins.sort());
});

test("every name in the file has a rule or a pattern, and every quoted text is a token", () => {
  const used = [...ebnf.rules.values()].flatMap(leavesOf);
  const missing = used.filter(({ kind, name }) => {
    if (kind === "rule") return !ebnf.rules.has(name);
    if (kind === "class") return name !== "END" && !ebnf.classes.has(name);
    return !allTokens.some((token) => token.PATTERN === name);
  });
  expect(missing).toEqual([]);
});

interface Sample {
  readonly start: string;
  readonly count: number;
  readonly read: (source: Source) => Parsed<unknown>;
}

const samples: readonly Sample[] = [
  { start: "Program", count: 1500, read: parseProgram },
  { start: "SingleExpression", count: 2000, read: parseExpression },
  { start: "TensorText", count: 1000, read: parseConstant },
];

test.each(samples)("the parser reads every sentence derived from $start", ({ start, count, read }) => {
  const law = fc.property(new Sentences(ebnf).from(start), (text) => {
    const { tree, problems } = read({ name: "sentence", text });
    expect(problems.map((each) => `${each.span.start}: ${each.message}`)).toEqual([]);
    expect(tree).toBeDefined();
  });
  holds(law, count);
});

test("as many sentences use every rule, and every part of every choice", () => {
  const sentences = new Sentences(ebnf);
  const random = new Random(numbersByChance());
  for (const { start, count } of samples)
    for (let sentence = 0; sentence < count; sentence++) sentences.next(start, random);
  expect(sentences.unused()).toEqual([]);
});

/** Words of the language where they can only be names, or calls like any other. */
// biome-ignore format: a list
const names = [
  "f + f(f) + f()", "sum(f(x))", "sum(f(x), f)", "sum(f(x){y:0})", "join(f, f, f(f, in)(f + in))", "in in [in]", "in[in]{in:in}{in}", "a in [in in [in]]", "tensor + tensor[0]", "tensor{tensor:tensor}",
  "tensor < range", "range > diag - random", "random(1)", "range(n)", "diag(2, 2)", "tensor(a)", "tensor(tensor)", "tensor(f(x))", "random(random(1))", "switch", "switch(1)", "switch{case:default}", "switch(a){case}", "switch(a){case:1}",
  "case(default) - default.case", "if(if, if, if)", "a.in.f.3.switch", "$in - $f - $tensor", "sum(in:f)", "rename(a, (in, f), (f, in))", "(in)", "tensor(in{},f[3]):{in:[1,2,3]}", "tensor<tensor>(tensor[tensor])(tensor)",
  "tensor(case{}):{{case:switch}:1}", "input(x) + constant(k) + variable + persistent", "range(range[2])", "diag<diag>(diag[2],f[2])", "switch(in){case case: case, default: default}", "1a + @q + _ + a$b + 0x1F",
];

// biome-ignore format: a list
const statements = [
  "in = 1", "f = 2", "f(f) = f(1)", "tensor(range) = range", "tensor = 3", "case = 1; default = 2; switch = 3", "if(if) = if", "input = 3", "input(x) = x", "input + 1", "input", "input in [1]", "input in = 1",
  "input input = 1", "input input: tensor(in{})", "constant constant: tensor() = 1", "variable persistent(variable) = 1", "persistent query(in): tensor(f[3]) = f", "random(random) = random(1)", "input(x).y", "constant(k) == 1",
];

test.each(names)("the words of the language are names in %s", (text) => {
  expect(parseExpression({ name: "names", text }).problems).toEqual([]);
});

test.each(statements)("the words of the language are names in the statement %s", (text) => {
  expect(parseProgram({ name: "names", text }).problems).toEqual([]);
  expect(parseProgram({ name: "names", text: `${text}\n${text};${text}` }).problems).toEqual([]);
});
