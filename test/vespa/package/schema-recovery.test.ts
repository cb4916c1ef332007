import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Span } from "../../../src/language/source/span.js";
import { parseSchema } from "../../../src/vespa/package/syntax/parse.js";
import { checkPackage } from "../../../src/vespa.js";
import { holds } from "../../chance.js";
import { accidents, noise } from "../../language/accidents.js";
import { expectPlaced, inTime } from "../../outcome.js";
import { packageOf } from "../../packages.js";
import { plainSchema, withStatement } from "./schema-texts.js";

/**
 * What nobody knows in a schema is stepped over, what is wrong is told once, and neither hides anything else: the other
 * statements are read as if it were not there.
 */
const read = (text: string) => parseSchema({ name: "s.sd", text });

/** What a text says: its tree with the texts of spans in their place, lines and spaces made alike. */
function meaning(text: string, without = ""): unknown {
  const isOmitted = (value: unknown): boolean =>
    without !== "" && isNode(value) && value.keyword.text === without;
  return JSON.parse(
    JSON.stringify(read(text).items, (key, value: unknown) => {
      if (key === "span") return undefined;
      if (Array.isArray(value)) return value.filter((each) => !isOmitted(each));
      return isSpan(value) ? said(value) : value;
    }),
  );
}

const said = ({ source, start, end }: Span): string =>
  source.text.slice(start, end).replace(/\s+/g, " ").trim();
const isSpan = (value: unknown): value is Span =>
  typeof value === "object" && value !== null && "source" in value && "start" in value;
const isNode = (value: unknown): value is { keyword: { text: string; span: Span }; span: Span } =>
  typeof value === "object" && value !== null && "keyword" in value && "span" in value;

const everywhere = ["schema", "document", "field", "setting", "profile", "phase", "model"];

test("the schema of these tests has nothing wrong", () => {
  expect(read(plainSchema).problems.map((each) => each.message)).toEqual([]);
});

describe("a statement of the future is stepped over", () => {
  // biome-ignore format: a list
  const statements = [
    "future-thing", "future-thing: 3", "future-thing a: b, c  # and so on", "future-thing name { }", "future-thing name inherits b, c {\n a: 3\n}",
    "future-thing { a { b: { c } } }", "future-thing: a { b: 1 } c", "future-thing a\n{\n b\n}", "future-thing(a, b): [1, 2", "future-thing: don't", 'future-thing: "}" \'{\' \\" \\',
    "future-thing: [", "future-thing )", "future-thing type tensor(x{},y[3])", "future-thing { rank-profile p { expression: ??? } function }", "future-thing = += <> // /* http://a.b/c?d=e",
    "future-thing { # it's\n }", "future-thing: å🐝 \u2028 \0 `$ {a}`", "future-thing: a\\\n",
  ];

  test.each(statements)("%s", (statement) => {
    for (const { text } of withStatement(statement, everywhere)) {
      expect(
        read(text).problems.map((each) => each.message),
        text,
      ).toEqual([]);
      expect(meaning(text, "future-thing")).toEqual(meaning(plainSchema));
    }
  });
});

describe("a mistake in a statement is told once, and hides nothing else", () => {
  // biome-ignore format: a table
  test.each([
    ["schema, document",  "field { indexing: index }"],
    ["schema, document",  "field a string { indexing: index }"],
    ["schema, document",  "field a type { indexing: index }"],
    ["schema, document",  "field a type map<string { indexing: index }"],
    ["schema, document",  "field a type int["],
    ["schema",            "import field ref.a {}"],
    ["schema",            "import ref.a as a {}"],
    ["schema",            "rank-profile { first-phase { expression: 1 } }"],
    ["schema",            "rank-profile lonely"],
    ["schema",            "document again inherits { }"],
    ["schema, profile",   "constant { type: tensor(x[2]) }"],
    ["schema, profile",   "constants: 3"],
    ["schema, profile",   "onnx-model { file: a.onnx }"],
    ["field",             "indexing attribute"],
    ["field",             "struct-field { indexing: attribute }"],
    ["setting",           "stemming: none,"],
    ["profile",           "function { expression: 1 }"],
    ["profile",           "function f(a b) { expression: a }"],
    ["profile",           "function f(a { expression: a }"],
    ["profile",           "function f() = 1"],
    ["profile",           "inputs: 3"],
    ["profile",           "first-phase: now"],
    ["profile",           "match-features bm25(title)"],
    ["profile",           "summary-features inherits { now }"],
    ["profile",           "match-features: bm25(title"],
    ["profile",           "rank-properties"],
    ["phase",             "expression now"],
    ["model",             "input: a"],
    ["model",             "input a b"],
    ["model",             "file: 'a.onnx'"],
  ])("%s: %s", (blocks, statement) => {
    const changed = withStatement(statement, blocks.split(", "));
    expect(changed).not.toEqual([]);
    for (const { text, start, end } of changed) {
      const { problems } = read(text);
      expect(problems.map((each) => each.message), text).toHaveLength(1);
      for (const { span } of problems) expect([start <= span.start, span.end <= end], text).toEqual([true, true]);
      expect(meaning(text), text).toEqual(meaning(plainSchema));
    }
  });

  test("before a block it leaves the block to be read", () => {
    const text = plainSchema.replace(
      "rank-profile main inherits base, other {",
      "rank-profile main inherit base {",
    );
    expect(read(text).problems.map((each) => each.description.found)).toEqual(["`inherit`"]);
    expect(JSON.stringify(meaning(text))).toContain("twice(query(q))");
  });

  test("a text that is no schema is told so a thousand times at most", () => {
    expect(read("field a\n".repeat(5000)).problems).toHaveLength(1000);
  });
});

describe("what means nothing changes nothing", () => {
  // biome-ignore format: a table
  test.each<readonly [string, (text: string) => string]>([
    ["line ends of Windows",       (text) => text.replaceAll("\n", "\r\n")],
    ["line ends of old Macs",      (text) => text.replaceAll("\n", "\r")],
    ["a byte order mark",          (text) => `\ufeff${text}`],
    ["tabs and other spaces",      (text) => text.replace(/^ +/gm, "\t\u00a0\f")],
    ["empty lines",                (text) => text.replaceAll("\n", "\n\n \t\n")],
    ["comments at ends of lines",  (text) => text.replaceAll("\n", " # { it's \" }\n")],
    ["comments between lines",     (text) => text.replaceAll("\n", "\n# } don't {\n")],
  ])("%s", (_, change) => {
    const text = change(plainSchema);
    expect(read(text).problems.map((each) => each.message)).toEqual([]);
    const withoutComments = (tree: unknown): string =>
      JSON.stringify(tree).replace(/ ?# (?:\{ it's \\" \}|\} don't \{|a comment with a \})/g, "");
    expect(withoutComments(meaning(text))).toBe(withoutComments(meaning(plainSchema)));
  });
});

/** Every statement stands in the one around it, and begins with its keyword. */
function expectSpans(value: unknown, around: Span): void {
  if (Array.isArray(value)) for (const each of value) expectSpans(each, around);
  else if (isSpan(value)) {
    expect([around.start <= value.start, value.start <= value.end, value.end <= around.end]).toEqual([
      true,
      true,
      true,
    ]);
  } else if (typeof value === "object" && value !== null) {
    const inner = isNode(value) ? value.span : around;
    for (const each of Object.values(value)) expectSpans(each, each === inner ? around : inner);
    if (!isNode(value)) return;
    const { keyword } = value;
    const { source, start, end } = keyword.span;
    expect([start, source.text.slice(start, end)]).toEqual([value.span.start, keyword.text]);
  }
}

test.each([
  plainSchema,
  plainSchema.replaceAll("\n", "\r\n"),
  `\ufeff${plainSchema}`,
])("every part has its place", (text) => {
  const { items } = read(text);
  const [schema] = items;
  const source = schema?.span.source ?? { name: "", text };
  expect(source.text).toBe(text);
  expectSpans(items, { source, start: 0, end: text.length });
});

describe("bad texts", () => {
  const small = plainSchema.split("\n").slice(50, 80).join("\n");

  // biome-ignore format: a table
  test.each([
    { what: "schemas after accidents", texts: accidents([plainSchema, small, "schema a { document a { field b type int { } } }"]), count: 250 },
    { what: "runs of noise",           texts: noise,                                                                            count: 400 },
  ])("$count $what are read or refused", ({ texts, count }) => {
    holds(fc.property(texts, (text) => {
        const { items, problems } = inTime(() => read(text));
        expectPlaced(problems, text);
        expectSpans(items, { source: { name: "", text }, start: 0, end: text.length });
        for (const each of checkPackage(packageOf({ "schemas/s.sd": text })).problems) expect(each.message).not.toBe("");
      }), count);
  });

  // biome-ignore format: a table
  test.each<readonly [string, (count: number) => string]>([
    ["{",            (count) => "{".repeat(count)],
    ["}",            (count) => "}".repeat(count)],
    ["{}",           (count) => "{}".repeat(count)],
    ["{ and }",      (count) => "{".repeat(count) + "}".repeat(count)],
    ["quotes",       (count) => `"'`.repeat(count)],
    ["escapes",      (count) => `"\\'\\`.repeat(count)],
    ["slashes",      (count) => `/\\"`.repeat(count)],
    ["dots",         (count) => "-.".repeat(count)],
    ["numbers",      (count) => "1e".repeat(count)],
    ["types",        (count) => `field a type ${"a<".repeat(count)}`],
    ["tensors",      (count) => "tensor<tensor(".repeat(count)],
    ["brackets",     (count) => `rank-profile a { inputs { a: ${"[(".repeat(count)} } }`],
    ["profiles",     (count) => "rank-profile a { ".repeat(count)],
    ["settings",     (count) => "attribute: index { rank ".repeat(count)],
    ["keywords",     (count) => "field ".repeat(count)],
    ["mistakes",     (count) => "function\nfield a\nrank-profile b c\n".repeat(count)],
    ["constants",    (count) => `rank-profile a { constants { ${"a:\n".repeat(count)} } }`],
    ["expressions",  (count) => `rank-profile a { first-phase { expression: ${"a+".repeat(count)}\n} }`],
    ["properties",   (count) => `rank-profile a { rank-properties { ${"a(:".repeat(count)} } }`],
    ["empty lines",  (count) => "\n".repeat(count)],
    ["comments",     (count) => "#\n".repeat(count)],
  ])("100,000 %s are no more than can be read", (_, make) => {
    const text = make(100_000);
    expectPlaced(inTime(() => read(text)).problems.slice(0, 3), text);
  });
});

describe("a brace that was forgotten, or is one too many, is found by how far in its lines begin", () => {
  const text = `schema s {
  document s {
    field a type int {
      indexing: attribute
    }
    field b type int { indexing: attribute }
  }
}
`;
  const problems = (changed: string) =>
    read(changed).problems.map(({ code, span, related }) => {
      const lineOf = (at: number): number => changed.slice(0, at).split("\n").length;
      return [code, lineOf(span.start), ...related.map((each) => lineOf(each.span.start))];
    });

  test("where it was forgotten", () => {
    expect(problems(text.replace("    }\n", ""))).toEqual([["schema/unclosed", 3]]);
    expect(problems(text.replace("  }\n}", "}"))).toEqual([["schema/unclosed", 2]]);
  });

  test("the one that closes what it is not meant for", () => {
    const [first] = problems(text.replace("indexing: attribute\n", "indexing: attribute }\n"));
    expect(first).toEqual(["schema/unopened", 8, 2, 5]);
  });

  test("of lines that all begin alike the innermost", () => {
    expect(problems("schema s {\ndocument s {\n}")).toEqual([["schema/unclosed", 1]]);
  });
});
