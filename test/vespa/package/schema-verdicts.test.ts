import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";
import { smallSchemas } from "./schema-verdicts/schemas.js";

/**
 * Whether small schemas, each with one text in one place, are refused by `sphex check` as they are by Vespa's config server (8.700):
 * schema-verdicts/recorded.jsonl has what that says of each, and Verdicts.java how it was asked.
 */
interface Verdict {
  readonly name: string;
  readonly refused?: string;
}

const recorded: readonly Verdict[] = readFileSync(
  new URL("schema-verdicts/recorded.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Where the verdicts are others, and why. */
// biome-ignore format: a table
const others: Readonly<Record<string, string>> = {
  "expression of a function: abs(-(-attribute(n)))": "it is content nodes that have no abs",
  "key of a rank property: (a": "a parenthesis that nothing closes is most probably a slip",
};

const errorsOf = (text: string): readonly string[] => {
  const read = packageOf({ "schemas/a.sd": text });
  const problems = [...read.problems, ...checkPackage(read).problems];
  return problems.filter(({ severity }) => severity === "error").map(({ code }) => code);
};

test("each schema has a verdict", () => {
  expect(recorded.map(({ name }) => name)).toEqual(smallSchemas.map(({ name }) => name));
  expect(new Set(recorded.map(({ name }) => name)).size).toBe(recorded.length);
  expect(recorded.filter(({ refused }) => refused !== undefined).length).toBeGreaterThan(300);
});

test("what Vespa refuses is refused, and what it takes is taken, but for what has a reason", () => {
  const different = smallSchemas.flatMap(({ name, text }, at) => {
    const { refused } = recorded[at] ?? { name };
    const errors = errorsOf(text);
    return errors.length > 0 === (refused !== undefined)
      ? []
      : [`${name} | ${refused ?? "taken"} | ${errors.join(", ")}`];
  });
  expect(different.filter((each) => others[each.split(" | ", 1)[0] ?? ""] === undefined)).toEqual([]);
  expect(
    Object.keys(others).filter((name) => !different.some((each) => each.startsWith(`${name} |`))),
  ).toEqual([]);
});
