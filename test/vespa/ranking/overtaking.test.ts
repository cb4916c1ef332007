import { describe, expect, test } from "vitest";
import { scoreTerms } from "../../../src/vespa/ranking/program/score-terms.js";
import {
  checkPackage,
  explainingTerms,
  explanationText,
  overtakingIn,
  soundProfile,
} from "../../../src/vespa.js";
import { packageOf, schemaWith } from "../../packages.js";

/** What explains that a query wins or loses: two documents that change places, and the terms of the score that make them. */
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

describe("the terms of a score", () => {
  const termsOf = (expression: string, more = ""): string[] => {
    const profiles = `rank-profile p { ${more}\n first-phase { expression: ${expression} } }`;
    const read = packageOf({ "schemas/doc.sd": schemaWith(profiles) });
    return scoreTerms(soundProfile(read, checkPackage(read), "p", nowhere)).map(({ name }) => name);
  };
  const price = "attribute(price)";

  test.each<[string, readonly string[]]>([
    [price, [price]],
    [`${price} + 2 * now - now / 3 * 4`, [price, "2 * now", "- now / 3 * 4"]],
    [`2 * ${price} + (now - 1) * 3`, [`2 * ${price}`, "(now - 1) * 3"]],
    [`${price} * now`, [`${price} * now`]],
    [`${price} + 1 > now`, [`${price} + 1 > now`]],
    ["total", ["now", price]],
    ["total()", ["now", price]],
    ["2 * total", ["2 * total"]],
  ])("%s", (expression, expected) => {
    expect(
      termsOf(
        expression,
        `function total() { expression: sum\n}\nfunction sum() { expression: now + ${price}\n}`,
      ),
    ).toEqual(expected);
  });
});

describe("documents that change places", () => {
  const relevance = (document: string): number => ({ a: 2, b: 1 })[document] ?? 0;

  test.each<[string, string, string | undefined]>([
    ["x a y", "a x y", "a over x"],
    ["x y b a", "x a y b", "a over y"],
    ["x y b a", "b x y a", "b over x"],
    ["x y", "y x", undefined],
    ["x a", "x a", undefined],
    ["a x", "x a", undefined],
    ["x y", "a x y", "a over x"],
  ])("%s, then %s", (before, after, expected) => {
    const found = overtakingIn({ before: before.split(" "), after: after.split(" "), relevance });
    expect(found === undefined ? undefined : `${found.document} over ${found.over}`).toBe(expected);
  });
});

test("the terms that explain most come first, and are told with what they were", () => {
  const before = new Map([
    ["bm25", 1],
    ["age", -2],
    ["same", 5],
    ["old", 0.5],
  ]);
  const after = new Map([
    ["bm25", 1.25],
    ["age", 2],
    ["same", 5],
    ["new", 0.7512345],
  ]);
  const terms = explainingTerms(before, after);
  expect(terms.map(({ name }) => name)).toEqual(["age", "new", "old"]);
  expect(explanationText({ document: "1", over: "2" }, terms)).toBe(
    "1 over 2: age +2, was -2; new +0.7512, was not there; without old, which was +0.5",
  );
});
