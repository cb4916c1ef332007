import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../src/formats/json/json.js";
import { parseJson } from "../../src/formats/json/parse.js";
import type { Json, JsonValue } from "../../src/formats/json/value.js";
import { parseType } from "../../src/program/options.js";
import { holds } from "../chance.js";
import { inTime } from "../outcome.js";

/** Which texts are JSON, where another stops being so, and what they hold: by hand, and against the engine's own reader. */

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
  ['["a\nb"]',             3, 4, "an escape, such as \\n for a line break"],
  ['["\\x"]',              2, 4, "a JSON escape, such as \\\\"],
  ['["abc',                1, 2, "a text that ends with a quote"],
  ['{"at position 3":}',  17, 18, "a value"],
])("%j is no JSON", (text, start, end, expected) => {
  const { tree, problems } = reading("tensor(x[2])", text);
  expect(tree).toBeUndefined();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: "json/syntax", span: { start, end } });
  expect(problems[0]?.message).toBe(`this is not JSON: ${expected} must stand here`);
});

test.each([
  ["[1, NaN]", 'write it as a text, such as "NaN"'],
  ["[1, -Infinity]", 'write it as a text, such as "NaN"'],
  ["['a']", "texts stand in double quotes"],
  ["{'a':1}", "texts stand in double quotes"],
  ["// one\n[1]", "JSON has no comments"],
  ["[1, # one\n2]", "JSON has no comments"],
  ["[1, 2,]", "leave out the last comma"],
  ['{"a":1,}', "leave out the last comma"],
  ['{"a":}', undefined],
  ["[1 2]", undefined],
])("%j has the hint %j", (text, hint) => {
  expect(reading("tensor(x[2])", text).problems[0]?.description.hint).toBe(hint);
});

/** What the engine's own reader makes of a text; nothing where it refuses it. */
function parsed(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A value as plain data, from what it says part by part. Members are set as own ones, whatever they are called. */
function plain(value: JsonValue): Json {
  if (value.kind === "array") return Array.from(value.items(), plain);
  if (value.kind === "object")
    return Object.fromEntries(Array.from(value.entries(), ([key, each]) => [key, plain(each)]));
  return value.string ?? value.number ?? { null: null, true: true, false: false }[value.written] ?? null;
}

/** A text is read just if the engine reads it, and then as the same value. */
function agree(text: string): void {
  const { tree, problems } = parseJson({ name: "a.json", text });
  const expected = parsed(text);
  expect(tree !== undefined, JSON.stringify(text)).toBe(expected !== undefined);
  expect(problems).toHaveLength(tree === undefined ? 1 : 0);
  for (const { span } of problems) {
    expect(span.start).toBeLessThanOrEqual(span.end);
    expect(span.end).toBeLessThanOrEqual(text.length);
  }
  if (tree === undefined || expected === undefined) return;
  expect(plain(tree)).toEqual(expected.value);
  expect(tree.value).toEqual(expected.value);
}

// biome-ignore format: a list
const parts = [
  ..."{}[]:,\" \n\r\t\\-+.0123456789eEtfnu/", '"a"', '"b"', '"__proto__"', '{"a":', '[1,', '"\\u00', '\\u00e9', "\\ud83d", "\ud83d", "\ude00", "\\uD83D\\uDE00",
  "true", "false", "null", "tru", "nulll", "NaN", "Infinity", "-Infinity", "0x1F", "01", "-0", "-", "1.", ".5", "1e", "1e5", "1E+05", "-0.5e-3", "1e400", "9007199254740993",
  "\u00a0", "\ufeff", "\u2028", "\v", "\f", "\0", "\x7f", "\x1f", "é", "🐝", "'a'", "//", "/**/", "undefined", "+1",
];

test("texts of chance are JSON just if an engine says so, with the same values", () => {
  const part = fc.constantFrom(...parts);
  const spoilt = fc
    .record({
      text: fc.oneof(
        fc.json(),
        fc.json({ stringUnit: "binary" }),
        fc.jsonValue().map((each) => JSON.stringify(each, null, 1)),
      ),
      changes: fc.array(fc.record({ at: fc.noBias(fc.nat()), cut: fc.nat(2), part }), { maxLength: 2 }),
    })
    .map(({ text, changes }) =>
      changes.reduce((before, { at, cut, part }) => {
        const place = at % (before.length + 1);
        return before.slice(0, place) + part + before.slice(place + cut);
      }, text),
    );
  const soup = fc.array(part, { maxLength: 12 }).map((all) => all.join(""));
  holds(fc.property(fc.oneof({ weight: 3, arbitrary: spoilt }, soup), agree), 4000);
});

test("every text of a few characters is read as an engine reads it", () => {
  const characters = [...'{}[]:," \\-.01eEu', "a", "true", "null"];
  let texts = [""];
  for (let length = 0; length < 3; length++)
    texts = ["", ...texts.flatMap((text) => characters.map((each) => text + each))];
  for (const text of texts.flatMap((each) => [each, `[${each}]`, `{"a":1${each}}`])) {
    const { tree } = parseJson({ name: "a.json", text });
    // What both refuse is what most are.
    if (tree !== undefined || parsed(text) !== undefined) agree(text);
  }
});

test("a value knows where it and its key are written", () => {
  const repeated = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", "-2.50", '"a"', '"\\u0061"', "null", "true", "[]", "{}"),
      fc.array(tie("text"), { maxLength: 3 }).map((all) => `[ ${all.join(" , ")}]`),
      fc
        .array(fc.tuple(fc.constantFrom('"a"', '"\\u0061"', '"b c"', '"__proto__"'), tie("text")), {
          maxLength: 4,
        })
        .map((all) => `{${all.map(([key, value]) => `\n${key} : ${value}`).join(",")} }`),
    ),
  })).text;
  const look = (value: JsonValue, outer: { start: number; end: number }): void => {
    const { span, keySpan } = value;
    expect(JSON.parse(value.written)).toEqual(value.value);
    expect([outer.start <= keySpan.start, keySpan.start <= span.start, span.end <= outer.end]).toEqual([
      true,
      true,
      true,
    ]);
    for (const inner of value.items()) look(inner, span);
    if (value.kind !== "object") return;
    const members = [...value.items()];
    for (const each of members) {
      expect(JSON.parse(each.span.source.text.slice(each.keySpan.start, each.keySpan.end))).toBe(each.key);
      const last = members.findLast(({ key }) => key === each.key);
      expect(value.member(`${each.key}`)?.span).toEqual(last?.span);
      expect(value.entries().get(`${each.key}`)?.span).toEqual(last?.span);
    }
  };
  holds(
    fc.property(repeated, (text) => {
      const { tree } = parseJson({ name: "a.json", text });
      if (tree === undefined) throw new Error(`${text} is JSON`);
      look(tree, { start: 0, end: text.length });
    }),
    1000,
  );
});

// biome-ignore format: a table
test.each([
  [["a", "b c", "1"],   '$.a["b c"]["1"]'],
  [[0, "x", 12],        "$[0].x[12]"],
  [["a".repeat(41)],    `$["${"a".repeat(40)}…"]`],
  [Array(20).fill("a"), `$${".a".repeat(8)}…${".a".repeat(8)}`],
])("to what is at %j one gets by %s", (keys: readonly (string | number)[], path) => {
  const within = (inner: string, key: string | number): string =>
    typeof key === "number" ? `[${"0,".repeat(key)}${inner}]` : `{"z":0,${JSON.stringify(key)}:${inner}}`;
  const text = [...keys].reverse().reduce<string>(within, "7");
  let value = parseJson({ name: "a.json", text }).tree;
  for (const key of keys) value = typeof key === "number" ? [...(value?.items() ?? [])][key] : value?.member(key);
  expect([value?.number, value?.path]).toEqual([7, path]);
});

test("members are own ones, and only those that are written", () => {
  const { tree } = parseJson({ name: "a.json", text: '{"a":1,"__proto__":{"b":2},"\\"\\\\":3}' });
  expect(tree?.member("__proto__")?.member("b")?.number).toBe(2);
  expect(tree?.member('"\\')?.number).toBe(3);
  expect([tree?.member("b"), tree?.member("constructor"), tree?.member('\\"\\\\')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(tree?.member("a")?.member("a")).toBeUndefined();
});

test("numbers keep what is written", () => {
  const { tree } = parseJson({ name: "a.json", text: "[9007199254740993, 1.50, -0, 1e400]" });
  const items = [...(tree?.items() ?? [])];
  expect(items.map(({ written }) => written)).toEqual(["9007199254740993", "1.50", "-0", "1e400"]);
  expect(items.map(({ number }) => number)).toEqual([9007199254740992, 1.5, -0, Number.POSITIVE_INFINITY]);
});

test.each([
  ["brackets that close", "[".repeat(500_000) + "]".repeat(500_000), 0],
  ["brackets that do not", "[".repeat(1_000_000), 1],
  ["objects in each other", `${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}`, 0],
  ["a long number", "1".repeat(5_000_000), 0],
  ["a long word", `${"1".repeat(5_000_000)}x`, 1],
  ["a long text", `"${"a\\n".repeat(1_000_000)}"`, 0],
  ["a text without an end", `"${'\\"'.repeat(1_000_000)}`, 1],
  ["space", " ".repeat(5_000_000), 1],
])("%s take no longer than they are long", (_, text, problems) => {
  expect(inTime(() => parseJson({ name: "a.json", text })).problems).toHaveLength(problems);
});
