import { describe, expect, test } from "vitest";
import { aggregatorNames, aggregators } from "../../src/language/scalar/aggregators.js";
import {
  type ScalarName,
  scalarFunctions,
  scalarNamed,
  scalarNames,
} from "../../src/language/scalar/functions.js";
import { operatorSymbols, operators, prefixes } from "../../src/language/scalar/operators.js";
import { evaluate } from "../engine-evaluate.js";

/**
 * The tables of scalar functions, operators and aggregators, row by row, through the language: the example of each row
 * has its value, each operator has one beside it here, and so has each aggregator. Values are known by hand, or follow
 * from what stands in language.md 4 and 5.
 */

const rows = Object.entries(scalarFunctions).map(([name, row]) => ({ name: name as ScalarName, ...row })); // its own keys
/** Rows that only dialect vespa means, by the name of a function of the language. */
const vespaOnly: readonly ScalarName[] = ["vespaMax", "vespaMin"];
const dialectOf = (name: ScalarName) =>
  ({ dialect: vespaOnly.includes(name) ? "vespa" : "formalism" }) as const;

/** Where a function is not like its neighbours: many of the examples are at 0, where half of them are 0. */
// biome-ignore format: a table
const furtherValues = [
  ["sin(1)", 0.8414709848078965],  ["cos(1)", 0.5403023058681398],  ["tan(1)", 1.5574077246549023],  ["asin(1)", Math.PI / 2],
  ["acos(0)", Math.PI / 2],        ["atan(1)", Math.PI / 4],        ["atan2(1,0)", Math.PI / 2],     ["atan2(0,-1)", Math.PI],
  ["sinh(1)", 1.1752011936438014], ["cosh(1)", 1.5430806348152437], ["tanh(1)", 0.7615941559557649], ["sigmoid(1)", 0.7310585786300049],
  ["exp(1)", Math.E],              ["log(10)", Math.LN10],          ["log10(2)", 0.3010299956639812], ["sqrt(2)", Math.SQRT2],
  ["pow(2,0.5)", Math.SQRT2],      ["erf(1)", 0.8427007929497149],  ["erf(-2)", -0.9953222650189527], ["ldexp(-3,-1)", -1.5],
  ["ceil(-1.5)", -1],              ["floor(1.5)", 1],               ["round(2.5)", 3],               ["round(-2.6)", -3],
  ["relu(2)", 2],                  ["elu(2)", 2],                   ["sign(0)", 1],                  ["sign(3)", 1],
  ["isNan(1)", 0],                 ["square(-3)", 9],               ["fmod(7,-3)", 1],               ["fmod(0.5,3)", 0.5],
  ["max(2,1)", 2],                 ["min(2,1)", 1],                 ["hamming(300,0)", 3],           ["bit(1,0)", 1],
  ["asinh(1)", 0.881373587019543], ["asinh(-1e-10)", -1e-10],      ["acosh(2)", 1.3169578969248166], ["atanh(0.5)", 0.5493061443340548],
  ["trunc(1.8)", 1],               ["round_even(-1.5)", -2],        ["round_even(0.49)", 0],         ["isInfinite(0/0)", 0],
  ["isInfinite(-1/0)", 1],              ["bit_and(-2,255)", 254],        ["bit_or(-8,3.9)", -5],          ["bit_xor(-1,1)", -2],
  ["bit_and(2^40+5,2^40+3)", 2 ** 40 + 1], ["bit_or(2^52,1)", 2 ** 52 + 1], ["bit_xor(2^52+7,-1)", -(2 ** 52) - 8],
  ["bit(1,1)", 0],                 ["bit(-1,8)", 0],                ["abs(2)", 2],                   ["fabs(-0.5)", 0.5],
] as const;

describe("scalar functions", () => {
  test.each(rows)("$name: $example.0 is $example.1", ({ name, example: [text, value] }) => {
    expect(evaluate(text, {}, dialectOf(name)).asNumber()).toBe(value);
  });

  test.each(rows.filter(({ name }) => scalarNamed(name) !== undefined))("the example of $name calls it", ({
    name,
    parameters,
    example,
  }) => {
    const [, called = "", args = ""] = /^(\w+)\((.*)\)$/.exec(example[0]) ?? [];
    expect(called).toBe(name);
    expect(args.split(",")).toHaveLength(parameters.length);
  });

  test.each(rows)("$name says what it does in a sentence", ({ description }) => {
    expect(description).toMatch(/^[-\w][^\n]*\.$/);
  });

  test.each(furtherValues)("%s is %d", (text, value) => {
    expect(Math.abs(evaluate(text).asNumber() - value)).toBeLessThanOrEqual(2 ** -51 * Math.abs(value));
  });

  /** A function of one number maps, one of two joins: the arguments of the examples, in tensors. */
  test.each(
    rows.filter(({ name, parameters }) => scalarNamed(name) !== undefined && parameters.length === 1),
  )("$name maps over the cells of a tensor", ({ name, example: [text, value] }) => {
    const argument = text.slice(name.length + 1, -1);
    const mapped = evaluate(`${name}(tensor(k{}):{a:${argument},b:${argument}})`);
    expect([...mapped.cells()].map((cell) => cell.value)).toEqual([value, value]);
    expect(mapped.type.toString()).toBe("tensor(k{})");
  });

  test.each(
    rows.filter(({ name, parameters }) => scalarNamed(name) !== undefined && parameters.length === 2),
  )("$name joins two tensors", ({ name, example: [text, value] }) => {
    const [left = "", right = ""] = text.slice(name.length + 1, -1).split(",");
    const joined = evaluate(`${name}(tensor(x[2]):[${left},${left}], tensor(y[1]):[${right}])`);
    expect(joined.toNested()).toEqual([[value], [value]]);
  });

  test("every function that can be called is a row", () => {
    expect(rows.filter(({ name }) => scalarNamed(name) !== undefined).map(({ name }) => name)).toEqual(
      scalarNames,
    );
    expect(scalarNamed("toString")).toBeUndefined();
    expect(scalarNamed("__proto__")).toBeUndefined();
  });
});

/** For each operator two texts with their values; the second shows which side is the left one, or an edge. */
// biome-ignore format: a table
const operatorExamples: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  "||": [["0 || 3", 1],      ["0 || 0", 0],     ["0/0 || 0", 1]],
  "&&": [["2 && 3", 1],      ["2 && 0", 0],     ["0/0 && 1", 1]],
  ">=": [["2 >= 2", 1],      ["1 >= 2", 0],     ["0/0 >= 0/0", 0]],
  ">":  [["3 > 2", 1],       ["2 > 3", 0],      ["2 > 2", 0]],
  "<=": [["2 <= 2", 1],      ["3 <= 2", 0],     ["0/0 <= 1", 0]],
  "<":  [["2 < 3", 1],       ["3 < 2", 0],      ["2 < 2", 0]],
  "~=": [["0.1+0.2 ~= 0.3", 1], ["1 ~= 1.001", 0], ["0/0 ~= 0/0", 0]],
  "!=": [["1 != 2", 1],      ["2 != 2", 0],     ["0/0 != 0/0", 1]],
  "==": [["2 == 2", 1],      ["1 == 2", 0],     ["0/0 == 0/0", 0]],
  "+":  [["1 + 2", 3],       ["1/0 + 1", Number.POSITIVE_INFINITY]],
  "-":  [["5 - 3", 2],       ["3 - 5", -2]],
  "*":  [["2 * 3", 6],       ["0 * (1/0)", Number.NaN]],
  "/":  [["6 / 4", 1.5],     ["1 / 0", Number.POSITIVE_INFINITY], ["0 / 0", Number.NaN]],
  "%":  [["7 % 3", 1],       ["-7 % 3", -1],    ["7 % 0", Number.NaN]],
  "^":  [["2 ^ 10", 1024],   ["2 ^ -1", 0.5],   ["2 ^ 3 ^ 2", 512], ["1 ^ (0/0)", Number.NaN]],
};

/** The levels of precedence, the loosest first (D1). */
const levels = [
  ["||"],
  ["&&"],
  [">=", ">", "<=", "<", "~=", "!=", "=="],
  ["+", "-"],
  ["*", "/", "%"],
  ["^"],
] as const;
const levelOf = (symbol: string): number =>
  levels.findIndex((symbols) => symbols.some((each) => each === symbol));

/** How `a first b second c` must be read. */
function grouped([a, first, b, second, c]: readonly [string, string, string, string, string]): string {
  const isLeft = levelOf(first) > levelOf(second) || (levelOf(first) === levelOf(second) && first !== "^");
  return isLeft ? `(${a} ${first} ${b}) ${second} ${c}` : `${a} ${first} (${b} ${second} ${c})`;
}

const pairs = operatorSymbols.flatMap((first) => operatorSymbols.map((second) => ({ first, second })));

/** What is read where a membership or a prefix stands among operators. */
// biome-ignore format: a table
const groupings = [
  ["0 && 1 in [1]", 0], ["1 + 1 in [2]", 1], ["2 in [2] + 1", 2], ["2 ^ 3 in [8]", 1], ["1 < 2 in [0]", 0], ["3 in [3] in [1]", 1], ["3 in [3] == 1", 1],
  ["-2 ^ 2", 4], ["!0 && 0", 0], ["2 - -2", 4], ["2 ^ -1", 0.5], ["-2 in [-2]", 1], ["!1 in [0]", 1], ["2 ^ 3 ^ 2", 512],
] as const;

describe("operators", () => {
  test.each(operatorSymbols)("%s has an example here", (symbol) => {
    expect(operatorExamples[symbol]?.length).toBeGreaterThan(1);
  });

  test.each(Object.values(operatorExamples).flat())("%s is %d", (text, value) => {
    expect(evaluate(text).asNumber()).toBe(value);
  });

  test.each(operatorSymbols)("the function behind %s gives the same", (symbol) => {
    const { compute } = scalarFunctions[operators[symbol].function];
    for (const [left, right] of [
      [5, 3],
      [3, 5],
      [2, 2],
      [0, 1],
      [-7, 3],
    ] as const) {
      expect(evaluate(`(${left}) ${symbol} (${right})`).asNumber()).toBe(compute(left, right));
    }
  });

  test.each(pairs)("a $first b $second c is read by the levels of the two", ({ first, second }) => {
    for (const [a, b, c] of [
      ["7", "2", "3"],
      ["2", "3", "2"],
      ["0", "1", "0"],
      ["1", "0", "0"],
      ["3", "3", "1"],
      ["0.5", "2", "4"],
    ] as const) {
      const [plain, marked] = [`${a} ${first} ${b} ${second} ${c}`, grouped([a, first, b, second, c])];
      expect(evaluate(plain).asNumber(), `${plain} as ${marked}`).toBe(evaluate(marked).asNumber());
    }
  });

  test("all operators have a level", () => {
    expect(levels.flat().toSorted()).toEqual([...operatorSymbols].toSorted());
  });

  test.each(groupings)("%s is %d", (text, value) => {
    expect(evaluate(text).asNumber()).toBe(value);
  });

  // biome-ignore format: a table
  test.each([["!0", 1], ["!3", 0], ["!(0/0)", 0], ["-(2)", -2], ["- -2", 2], ["!!5", 1], ["-!0", -1], ["!-0", 1], ["-0", -0]] as const)("%s is %d", (text, value) => {
    expect(evaluate(text).asNumber()).toBe(value);
  });

  test("there are two unary operators", () => {
    expect(Object.keys(prefixes)).toEqual(["!", "-"]);
  });
});

const nan = "0/0";

/** Cells, and what each aggregator makes of them. */
// biome-ignore format: a table
const aggregated: Readonly<Record<string, readonly (readonly [cells: string, value: number])[]>> = {
  avg:    [["1,2,6", 3],   ["5", 5],    [`1,${nan}`, Number.NaN]],
  count:  [["7,7,7", 3],   ["0", 1],    [`0,${nan}`, 2]],
  max:    [["1,3,2", 3],   ["-5,-7", -5], [`1,${nan},2`, 2], [nan, Number.NEGATIVE_INFINITY]],
  median: [["9,1,5", 5],   ["10,9,2,1", 5.5], ["-1,-10,-2", -2], [`1,2,${nan}`, Number.NaN]],
  min:    [["3,1,2", 1],   ["-5,-7", -7], [`${nan},1,2`, 1], [nan, Number.POSITIVE_INFINITY]],
  prod:   [["2,3,4", 24],  ["-5", -5],  ["0,1/0", Number.NaN]],
  sum:    [["1,2,3", 6],   ["-5", -5],  ["1/0,-1/0", Number.NaN]],
};

const tensorOf = (cells: string): string => `tensor(x[${cells.split(",").length}]):[${cells}]`;
const triples = Object.entries(aggregated).flatMap(([name, all]) =>
  all.map(([cells, value]) => ({ name, cells, value })),
);

describe("aggregators", () => {
  test.each(aggregatorNames)("%s has examples here", (name) => {
    expect(aggregated[name]?.length).toBeGreaterThan(2);
  });

  test.each(triples)("$name of $cells is $value", ({ name, cells, value }) => {
    expect(evaluate(`reduce(${tensorOf(cells)}, ${name})`).asNumber()).toBe(value);
    expect(evaluate(`reduce(${tensorOf(cells)}, ${name}, x)`).asNumber()).toBe(value);
    expect(evaluate(`${name}(${tensorOf(cells)}, x)`).asNumber()).toBe(value);
    expect(evaluate(`${name}(${tensorOf(cells)})`).asNumber()).toBe(value);
  });

  test.each(aggregatorNames)("%s of no cells is 0", (name) => {
    expect(evaluate(`reduce(tensor(k{}):{}, ${name})`).asNumber()).toBe(0);
    expect(evaluate(`reduce(tensor(k{},x[2]):{}, ${name}, k)`).toString()).toBe("tensor(x[2]):[0.0, 0.0]");
    expect(evaluate(`reduce(tensor(k{},x[2]):{}, ${name}, x)`).toString()).toBe("tensor(k{}):{}");
  });

  /** In dialect vespa a NaN stays where it comes first, and is passed over where it comes later (D17). */
  // biome-ignore format: a table
  test.each([
    { text: `max(${tensorOf(`${nan},1,2`)}, x)`, value: Number.NaN }, { text: `max(${tensorOf(`1,${nan},2`)}, x)`, value: 2 },
    { text: `min(${tensorOf(`${nan},1,2`)}, x)`, value: Number.NaN }, { text: `min(${tensorOf(`2,${nan},1`)}, x)`, value: 1 },
    { text: `max(${nan}, 1)`, value: Number.NaN },                    { text: `max(1, ${nan})`, value: 1 },
    { text: `min(${nan}, 1)`, value: Number.NaN },                    { text: `min(1, ${nan})`, value: 1 },
  ])("in dialect vespa $text is $value", ({ text, value }) => {
    expect(evaluate(text, {}, { dialect: "vespa" }).asNumber()).toBe(value);
  });

  test.each(["max", "min"])("a NaN on either side of %s is NaN", (name) => {
    expect(evaluate(`${name}(${nan}, 1)`).asNumber()).toBeNaN();
    expect(evaluate(`${name}(1, ${nan})`).asNumber()).toBeNaN();
  });

  test.each(Object.entries(aggregators))("%s says what it does in a sentence", (_, { description }) => {
    expect(description).toMatch(/^[A-Z][^\n]*\.$/);
  });
});
