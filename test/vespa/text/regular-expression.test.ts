import { describe, expect, test } from "vitest";
import { regularExpression } from "../../../src/vespa/text/regular-expression.js";
import { numbersByChance, seeds } from "../../chance.js";
import { Random } from "../../grammar/sentences.js";

describe("regular expressions of queries", () => {
  test.each<[string, string, boolean]>([
    ["", "", true],
    ["a|", "b", true],
    ["^(?:ab|c)+$", "abcab", true],
    ["^(ab|c)+$", "abca", false],
    ["a{2,3}b", "xaab", true],
    ["^a{2,3}$", "aaaa", false],
    ["^a{2,}$", "aaaa", true],
    ["^a{2}?$", "aa", true],
    ["\\d+\\.\\d", "v1.5", true],
    ["\\d+\\.\\d", "v1x5", false],
    ["[^a-c]", "abc", false],
    ["[]x]", "]", true],
    ["[a-]", "-", true],
    [".", "\n", false],
    ["\\S\\s\\W", "a  ", true],
  ])("%s in %j", (expression, value, expected) => {
    expect(regularExpression(expression, true)?.(value)).toBe(expected);
  });

  test("in any case, but where a field tells them apart", () => {
    expect(regularExpression("É[A-C]", false)?.("éb")).toBe(true);
    expect(regularExpression("[^a]", false)?.("A")).toBe(false);
    expect(regularExpression("a", true)?.("A")).toBe(false);
  });

  test.each([
    "(",
    "a)",
    "*",
    "a**",
    "a{1}{2}",
    "a{3,2}",
    "a{2000}",
    "(?=a)",
    "\\bx",
    "[z-a]",
    "[[:alpha:]]",
    "(?i)a",
    "\\p{L}",
    "[a",
  ])("%s is not read", (expression) => expect(regularExpression(expression, true)).toBeUndefined());

  test("nested repetitions take time in proportion to the text", () => {
    const found = regularExpression("^(a+)+$", true);
    expect(found?.(`${"a".repeat(50_000)}b`)).toBe(false);
    expect(regularExpression("((((a{9}){9}){9}){9}){9}", true)).toBeUndefined();
    expect(regularExpression("(".repeat(100_000), true)).toBeUndefined();
  });

  test("finds what JavaScript finds", () => {
    const random = new Random(numbersByChance());
    const pick = <T>(list: readonly T[]): T => random.of(list);
    const expression = (depth: number): string => {
      const inner = (): string => expression(depth - 1);
      const kinds = [
        () => pick(["a", "b", "c", ".", "[ab]", "[^b]", "[a-b]", "\\w", "\\d"]),
        () => `${inner()}${inner()}`,
        () => `(${inner()}|${inner()})`,
        () => `(?:${inner()})${pick(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?"])}`,
        () => pick([`^${inner()}`, `${inner()}$`]),
      ];
      return depth === 0 ? pick(["a", "b", "c", "."]) : pick(kinds)();
    };
    for (const _ of seeds(400)) {
      const text = expression(4);
      const value = Array.from({ length: random.below(8) }, () => pick(["a", "b", "c", "A", "1"])).join("");
      for (const isCased of [true, false])
        expect([text, value, regularExpression(text, isCased)?.(value)]).toEqual([
          text,
          value,
          new RegExp(text, isCased ? "u" : "iu").test(value),
        ]);
    }
  });
});
