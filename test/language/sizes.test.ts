import { describe, expect, test } from "vitest";
import { check, compile, parseTensor, type Tensor } from "../../src/index.js";
import { evaluate } from "../engine-evaluate.js";
import { expectPlaced, inTime, type Outcome, options, outcome } from "../outcome.js";
import { patient } from "../patience.js";

/**
 * No text is too large. What is long, deep or asks for much either means what it says or is refused by a limit, and the
 * problem says by which; neither takes long. All values follow from how the texts are made.
 */

/** A text that is no larger than it looks. */
interface Large {
  readonly what: string;
  readonly text: () => string;
  /** What it is, unless a limit stops it. */
  readonly value: number;
}

const times = <T>(count: number, each: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => each(at));
const around = (open: string, depth: number, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);
const chained = (operator: string, count: number): string => times(count + 1, () => "1").join(operator);
const nestedIf = around("if(1 < 2, ", 8, "1", ", 0)");
const everyName = (count: number, first: string, next: (at: number) => string): string[] =>
  times(count, (at) => (at === 0 ? first : next(at)));
const dimensions = (count: number, kind: string): string => times(count, (at) => `d${at}${kind}`).join();

// biome-ignore format: a table
const largeExpressions: readonly Large[] = [
  { what: "4,000 ifs, each eight deep, joined by +", text: () => times(4000, () => nestedIf).join(" + "), value: 4000 },
  { what: "a chain of 20,000 +",                     text: () => chained("+", 20_000),                   value: 20_001 },
  { what: "a chain of 20,000 -",                     text: () => chained("-", 20_000),                   value: -19_999 },
  { what: "a chain of 20,000 ^",                     text: () => chained("^", 20_000),                   value: 1 },
  { what: "a chain of 5,000 in",                     text: () => `1${" in [1]".repeat(5000)}`,           value: 1 },
  { what: "a list of 20,000 after in",               text: () => `1 in [${"2,".repeat(20_000)}1]`,       value: 1 },
  { what: "20,000 - in front",                       text: () => `${"-".repeat(20_000)}1`,               value: 1 },
  { what: "20,001 ! in front",                       text: () => `${"!".repeat(20_001)}1`,               value: 0 },
  { what: "1,000 slices",                            text: () => `tensor(${dimensions(1000, "[1]")})(7)${times(1000, (at) => `{d${at}:0}`).join("")}`, value: 7 },
  { what: "1,000 dimensions in a slice",             text: () => `tensor(${dimensions(1000, "[1]")})(7){${times(1000, (at) => `d${at}:0`).join()}}`,  value: 7 },
  { what: "a literal of 100,000 cells",              text: () => `sum(tensor(x[100000]):[${times(100_000, () => "1").join()}])`, value: 100_000 },
  { what: "( 900 deep",                              text: () => around("(", 900, "1", ")"),             value: 1 },
  { what: "( 5,000 deep",                            text: () => around("(", 5000, "1", ")"),            value: 1 },
  { what: "operators and ( 900 deep",                text: () => around("1+(", 900, "1", ")"),           value: 901 },
  { what: "calls 900 deep",                          text: () => around("abs(", 900, "3", ")"),          value: 3 },
  { what: "ifs 900 deep",                            text: () => around("if(1, ", 900, "1", ", 0)"),     value: 1 },
  { what: "switches 450 deep",                       text: () => around("switch(1) { case 1: ", 450, "5", ", default: 0 }"), value: 5 },
  { what: "lists after in 900 deep",                 text: () => around("1 in [", 900, "1", "]"),        value: 1 },
  { what: "maps of maps 900 deep",                   text: () => around("map(", 900, "1", ", f(x)(x + 1))"), value: 901 },
  { what: "lambdas within lambdas 450 deep",         text: () => around("map(1, f(x)(", 450, "2", "))"), value: 2 },
  { what: "generators 450 deep",                     text: () => around("sum(tensor(x[1])(", 450, "x + 1", "))"), value: 1 },
  { what: "the indexes of generators 40 deep",       text: () => times(40, (at) => at).reduceRight((inner, at) => `sum(tensor(x${at}[${[0, 30, 34].includes(at) ? 2 : 1}])(${inner}))`, "4*x0 + 2*x30 + x34"), value: 28 },
  { what: "literals in braces 900 deep",             text: () => around("tensor():{{}:", 900, "1", "}"), value: 1 },
  { what: "brackets of 900 dimensions",              text: () => `sum(tensor(${dimensions(900, "[1]")}):${around("[", 900, "1", "]")})`, value: 1 },
  { what: "braces of 900 dimensions",                text: () => `sum(tensor(${dimensions(900, "{}")}):${around("{a:", 900, "1", "}")})`, value: 1 },
  { what: "indexes by indexes 900 deep",             text: () => around("tensor(x[1]):[0][", 900, "0", "]"), value: 0 },
  { what: "labels by labels 450 deep",               text: () => around("tensor(k{}):{0:0}{k:(", 450, "0", ")}"), value: 0 },
];

// biome-ignore format: a table
const largePrograms: readonly Large[] = [
  { what: "10,000 names, each using the one before",     text: () => everyName(10_000, "v0 = 1", (at) => `v${at} = v${at - 1} + 1`).join("\n"), value: 10_000 },
  { what: "10,000 names written backwards",              text: () => `v9999\n${everyName(10_000, "v0 = 1", (at) => `v${at} = v${at - 1} + 1`).reverse().join("\n")}`, value: 10_000 },
  { what: "10,000 names in generators",                  text: () => everyName(10_000, "v0 = 1", (at) => `v${at} = sum(tensor(x[1])(v${at - 1} + 1))`).join("\n"), value: 10_000 },
  { what: "10,000 constants",                            text: () => `${everyName(10_000, "constant v0 = 1", (at) => `constant v${at} = v${at - 1} + 1`).join("\n")}\nv9999`, value: 10_000 },
  { what: "10,000 inputs by default of one another",     text: () => `${everyName(10_000, "input v0 = 1", (at) => `input v${at} = v${at - 1} + 1`).join("\n")}\nv9999`, value: 10_000 },
  { what: "functions 150 deep",                          text: () => `${everyName(150, "g0(x) = x", (at) => `g${at}(x) = g${at - 1}(x) + 1`).join("\n")}\ng149(1)`, value: 150 },
  { what: "functions 1,000 deep",                        text: () => `${everyName(1000, "g0(x) = x", (at) => `g${at}(x) = g${at - 1}(x) + 1`).join("\n")}\ng999(1)`, value: 1000 },
  { what: "a function that calls another twice, 10 deep", text: () => `${twice(10)}\nf10(1)`, value: 2 ** 10 },
  { what: "a function that calls another twice, 40 deep", text: () => `${twice(40)}\nf40(1)`, value: 2 ** 40 },
  { what: "a function that doubles what another is given, 40 deep", text: () => `${["f1(x) = x + x", ...times(39, (at) => `f${at + 2}(x) = f${at + 1}(x + x)`)].join("\n")}\nf40(1)`, value: 2 ** 40 },
  { what: "40,000 empty lines",                          text: () => `1${"\n".repeat(40_000)}+ 1`, value: 2 },
  { what: "40,000 lines of comment",                     text: () => `1\n${"# nothing\n".repeat(40_000)}+ 1`, value: 2 },
];

/** f1(x) = x + x; f2(x) = f1(x) + f1(x); … */
const twice = (depth: number, one = "x", other = one): string =>
  [
    "f1(x) = x + x",
    ...times(depth - 1, (at) => `f${at + 2}(x) = f${at + 1}(${one}) + f${at + 1}(${other})`),
  ].join("\n");

function expectValueOrLimit({ value, problems }: Outcome<Tensor>, expected: number, text: string): void {
  if (problems === undefined) return expect(value.asNumber()).toBe(expected);
  expect(problems.map(({ code }) => code).filter((code) => !code.startsWith("limit/"))).toEqual([]);
  expectPlaced(problems, text);
  for (const { description } of problems)
    expect(`${description.message} ${description.expected ?? ""}`).toMatch(/more|deep|limit|most/);
}

/** Twice the time of other texts: these are a thousand times as long. */
const slowestLarge = 4000;

describe("large texts", patient, () => {
  test.each(largeExpressions)("$what: $value, or beyond a limit", ({ text, value }) => {
    const whole = text();
    const result = inTime(() => outcome(() => evaluate(whole, {}, options)), slowestLarge);
    expectValueOrLimit(result, value, whole);
  });

  test.each(largePrograms)("$what: $value, or beyond a limit", ({ text, value }) => {
    const whole = text();
    const result = inTime(() => outcome(() => compile(whole, options).run()), slowestLarge);
    expectValueOrLimit(result, value, whole);
  });

  // biome-ignore format: a table
  test.each([
    { what: "20,000 +",    text: chained("+", 20_000),               value: 20_001 },
    { what: "20,000 ^",    text: chained("^", 20_000),               value: 1 },
    { what: "5,000 in",    text: `1${" in [1]".repeat(5000)}`,       value: 1 },
    { what: "20,000 -",    text: `${"-".repeat(20_000)}1`,           value: 1 },
    { what: "( 200 deep",  text: around("(", 200, "1", ")"),         value: 1 },
    { what: "ifs 100 deep", text: around("if(1, ", 100, "1", ", 0)"), value: 1 },
  ])("what is only long is beyond no limit: $what", ({ text, value }) => {
    expect(evaluate(text, {}, options).asNumber()).toBe(value);
  });

  // biome-ignore format: a table
  test.each([
    { what: "( 5,000 deep",               text: around("(", 5000, "1", ")"),                                   code: "limit/nesting" },
    { what: "functions 2,000 deep",       text: `${everyName(2000, "g0(x) = x", (at) => `g${at}(x) = g${at - 1}(x) + 1`).join("\n")}\ng1999(1)`, code: "limit/expansion-depth" },
    { what: "2^40 different calls",       text: `${twice(40, "x + 1", "x - 1")}\nf40(1)`,                      code: "limit/expansions" },
    { what: "a million cells",            text: "sum(tensor(x[1000],y[1000])(x))",                             code: "limit/cells" },
    { what: "a million cells of a join",  text: "tensor(x[1000])(x) * tensor(y[1000])(y)",                     code: "limit/cells" },
    { what: "a million cells, written",   text: "sum(tensor(x[1000000]):{{x:0}:1})",                           code: "limit/cells" },
    { what: "a million cells of range",   text: "sum(range(1000000))",                                         code: "limit/cells" },
    { what: "a million cells of diag",    text: "sum(diag(1000, 1000))",                                       code: "limit/cells" },
    { what: "a million steps",            text: "sum(tensor(x[1000])(sum(tensor(y[1000])(x * y))))",           code: "limit/steps" },
    { what: "rows of more than there is", text: "sum(tensor(k{},x[2147483647],y[2147483647]):{{k:a,x:0,y:0}:1})", code: "limit/cells" },
  ])("$what are beyond $code", ({ text, code }) => {
    const { problems = [] } = inTime(() => outcome(() => compile(text, options).run()));
    expect(new Set(problems.map((each) => each.code))).toEqual(new Set([code]));
    expectPlaced(problems, text);
  });

  // biome-ignore format: a list
  test.each(["sum(e)", "sum(e, x)", "rename(e, x, y)", "e{a}", "merge(e, e, f(x,y)(x))", "argmax(e)"])(
    "%s takes no time where e has no cells, however large its blocks would be",
    (text) => {
      const inputs = { e: "tensor(k{},x[60000000]):{}" };
      const { problems = [] } = inTime(() => outcome(() => evaluate(text, inputs)), 200);
      expect(problems.filter(({ code }) => code !== "limit/cells")).toEqual([]);
    },
  );

  test.each([17, 100])("functions of the prelude may be nested %d deep", (depth) => {
    const text = around("top(9, ", depth, "tensor(k{}):{a:5,b:1}", ")");
    expect(inTime(() => evaluate(text)).toString()).toBe("tensor(k{}):{a:5.0, b:1.0}");
  });

  // biome-ignore format: a table
  test.each([
    { what: "slices of a number",          text: `1${"[0]".repeat(5000)}` },
    { what: "brackets nobody closes",      text: "(".repeat(900) },
    { what: "brackets nobody opens",       text: ")".repeat(20_000) },
    { what: "quotes and backslashes",      text: '"\\'.repeat(50_000) },
    { what: "quotes of both kinds",        text: `"'`.repeat(50_000) },
    { what: "10,000 unknown names",        text: times(10_000, (at) => `unknown${at}`).join("\n") },
    { what: "10,000 lines of bad grammar", text: times(10_000, (at) => `a${at} b`).join("\n") },
    { what: "definitions in a circle",     text: times(1000, (at) => `v${at} = v${(at + 1) % 1000}`).join("\n") },
    { what: "functions in a circle",       text: `${times(150, (at) => `f${at}(x) = f${(at + 1) % 150}(x)`).join("\n")}\nf0(1)` },
    { what: "brackets deeper than types",  text: `tensor(x[1]):${around("[", 900, "1", "]")}` },
    { what: "braces deeper than types",    text: `tensor(k{}):${around("{a:", 900, "1", "}")}` },
  ])("$what are refused in time", ({ text }) => {
    const found = inTime(() => check(text, options).filter((each) => each.isError));
    expect(found.length).toBeGreaterThan(0);
    expectPlaced(found.slice(0, 100), text);
  });

  // biome-ignore format: a table
  test.each([
    { what: "[ 900 deep",           text: `tensor(x[1]):${around("[", 900, "1", "]")}` },
    { what: "[ 100,000 deep",       text: `tensor(x[1]):${around("[", 100_000, "1", "]")}` },
    { what: "{ 900 deep",           text: `tensor(k{}):${around("{a:", 900, "1", "}")}` },
    { what: "16 GB of zeros",       text: "tensor(x[2147483647]):{}" },
    { what: "16 GB in a row",       text: "tensor(k{},x[2147483647]):{{k:a,x:0}:1}" },
    { what: "more cells than any",  text: "tensor(x[2147483647],y[2147483647]):{{x:0,y:0}:1}" },
    { what: "a far index",          text: "tensor(x[],y[]):{{x:2147483646,y:2147483646}:1}" },
    { what: "quotes and backslashes", text: `tensor(k{}):{${"'\\".repeat(50_000)}` },
  ])("a tensor's text of $what is refused in time", ({ text }) => {
    const { problems = [] } = inTime(() => outcome(() => parseTensor(text)));
    expect(problems.length).toBeGreaterThan(0);
    expectPlaced(problems, text);
  });

  test("a tensor's text of 100,000 cells is read in time", () => {
    const sparse = `tensor(k{}):{${times(100_000, (at) => `l${at}:1`).join()}}`;
    expect(inTime(() => parseTensor(sparse)).data.length).toBe(100_000);
  });
});
