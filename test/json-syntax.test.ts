import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../src/formats/json/json.js";
import { faultIn } from "../src/formats/json/syntax.js";
import { parseType } from "../src/program/options.js";

/** Where a text stops being JSON, by hand, and against the engine's own reader. */

const reading = (type: string, text: string) => readJson({ name: "a.json", text }, parseType(type));

// biome-ignore format: a table
test.each([
  ["[1 2]",                3, 4, "a comma or ]"],
  ["[1,2",                 4, 4, "a comma or ]"],
  ["[1,",                  3, 3, "a value"],
  ["[",                    1, 1, "a value or ]"],
  ["",                     0, 0, "a value"],
  ["[1,]",                 3, 4, "a value"],
  ['{"a":}',               5, 6, "a value"],
  ['{"a":1,}',             7, 8, "a key in quotes"],
  ["{a:1}",                1, 2, "a key in quotes, or }"],
  ['{"a" 1}',              5, 6, "a colon"],
  ['{"a":1 "b":2}',        7, 8, "a comma or }"],
  ["[1]\n]",               4, 5, "nothing more"],
  ["[NaN]",                1, 4, "a value or ]"],
  ["[01]",                 1, 3, "a value or ]"],
  ["[1.]",                 1, 3, "a value or ]"],
  ["['a']",                1, 2, "a value or ]"],
  ['["a\nb"]',             3, 4, "an escape, as \\n is of a line break"],
  ['["\\x"]',              2, 4, "an escape of JSON, such as \\\\"],
  ['["abc',                1, 2, "a text that a quote ends"],
  ['{"at position 3":}',  17, 18, "a value"],
])("%j is no JSON", (text, start, end, wanted) => {
  const { tree, problems } = reading("tensor(x[2])", text);
  expect(tree).toBeUndefined();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: "json/syntax", span: { start, end } });
  expect(problems[0]?.message).toBe(`this is not JSON: ${wanted} must stand here`);
});

test("a text has a fault just if an engine refuses it", () => {
  const part = fc.constantFrom(...'{}[]:," \n\\', '"a"', "1", "-0.5e3", "null", "tru", "\\u00e9", "01", "é");
  const spoilt = fc
    .record({ value: fc.jsonValue(), at: fc.nat(), cut: fc.nat(2), part })
    .map(({ value, at, cut, part }) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      return text.slice(0, place) + part + text.slice(place + cut);
    });
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(
      fc.oneof(
        spoilt,
        fc.array(part).map((all) => all.join("")),
      ),
      (text) => {
        const fault = faultIn(text, 0, text.length);
        expect(fault === undefined).toBe(isJson(text));
        if (fault === undefined) return;
        expect(fault.start).toBeLessThanOrEqual(fault.end);
        expect(fault.end).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 5000 },
  );
});
