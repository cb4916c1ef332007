import { describe, expect, test } from "vitest";
import { parseJson, SphexError } from "../../../src/index.js";
import { labels, weightedSet } from "../../../src/vespa/ranking/features/collections.js";
import { Document, readFeed } from "../../../src/vespa.js";
import { attribute, cells, scored, scoreOf } from "../ranking/profile-score.js";

/** Attributes of documents and texts of queries, as the features that read them see them. */

describe("an attribute", () => {
  // biome-ignore format: a table
  test.each([
    { expression: "attribute(n)",                       type: "double",              value: 2.5,                         score: 2.5 },
    { expression: "attribute(n)",                       type: "float",               value: 0.1,                         score: Math.fround(0.1) },
    { expression: "attribute(n)",                       type: "int",                 value: -7,                          score: -7 },
    { expression: "attribute(n)",                       type: "bool",                value: true,                        score: 1 },
    { expression: "isNan(attribute(n))",                type: "int",                 value: undefined,                   score: 1 },
    { expression: "isNan(attribute(n))",                type: "double",              value: null,                        score: 1 },
    { expression: "attribute(n)",                       type: "bool",                value: undefined,                   score: 0 },
    { expression: 'attribute(n) == "red"',              type: "string",              value: "red",                       score: 1 },
    { expression: 'attribute(n) == "red"',              type: "string",              value: "blue",                      score: 0 },
    { expression: "attribute(n).count",                 type: "array<int>",          value: [4, 5, 6],                   score: 3 },
    { expression: "attribute(n).count",                 type: "array<int>",          value: undefined,                   score: 0 },
    { expression: "attribute(n).count",                 type: "int",                 value: 9,                           score: 1 },
    { expression: "attribute(n,1)",                     type: "array<int>",          value: [4, 5, 6],                   score: 5 },
    { expression: "attribute(n).count",                 type: "int",                 value: undefined,                   score: 1 },
    { expression: "attribute(n).count",                 type: "weightedset<string>", value: { a: 3, b: 4 },              score: 2 },
    { expression: "attribute(n,b).count",               type: "weightedset<string>", value: { a: 3, b: 4 },              score: 0 },
    { expression: "attribute(n,1).count",               type: "array<int>",          value: [4, 5, 6],                   score: 0 },
    { expression: "attribute(n).weight",                type: "weightedset<string>", value: { a: 3, b: 4 },              score: 0 },
    { expression: 'attribute(n,b) == "b"',              type: "weightedset<string>", value: { a: 3, b: 4 },              score: 1 },
    { expression: "attribute(n,c)",                     type: "weightedset<string>", value: { a: 3, b: 4 },              score: 0 },
    { expression: "attribute(n,5)",                     type: "weightedset<int>",    value: { "5": 7, "-5": 9 },         score: 5 },
    { expression: "attribute(n,-5)",                    type: "weightedset<int>",    value: { "5": 7, "-5": 9 },         score: -5 },
    { expression: "attribute(n,-5).weight",             type: "weightedset<int>",    value: { "5": 7, "-5": 9 },         score: 9 },
    { expression: "attribute(n,6).contains",            type: "weightedset<int>",    value: { "5": 7, "-5": 9 },         score: 0 },
    { expression: "isNan(attribute(n))",                type: "byte",                value: -128,                        score: 1 },
    { expression: "attribute(n)",                       type: "byte",                value: -127,                        score: -127 },
    { expression: "isNan(attribute(n))",                type: "int",                 value: -2147483648,                 score: 1 },
    { expression: "attribute(n,0)",                     type: "array<int>",          value: [-2147483648],               score: -2147483648 },
    { expression: "isNan(attribute(n,0))",              type: "array<byte>",         value: [-128],                      score: 1 },
    { expression: "attribute(n,0)",                     type: "array<float>",        value: [0.1],                       score: Math.fround(0.1) },
    { expression: "attribute(n,-1)",                    type: "array<int>",          value: [4, 5, 6],                   score: 4 },
    { expression: "reduce(tensorFromLabels(attribute(n), d), count)", type: "float", value: 0.5,                         score: 0 },
    { expression: "reduce(tensorFromLabels(attribute(n), d), count)", type: "array<double>", value: [1, 2],              score: 0 },
    { expression: "reduce(tensorFromLabels(attribute(n), d), count)", type: "weightedset<string>", value: { a: 3 },      score: 0 },
    { expression: 'tensorFromLabels(attribute(n), d){d:""}', type: "string",         value: undefined,                   score: 1 },
    { expression: 'tensorFromLabels(attribute(n), d){d:"-2147483648"}', type: "int", value: undefined,                   score: 1 },
    { expression: "reduce(tensorFromWeightedSet(attribute(n), d), count)", type: "array<string>", value: ["a"],          score: 0 },
    { expression: "attribute(n,3)",                     type: "array<int>",          value: [4, 5, 6],                   score: 0 },
    { expression: "attribute(n,b).weight",              type: "weightedset<string>", value: { a: 3, b: 4 },              score: 4 },
    { expression: "attribute(n,c).weight",              type: "weightedset<string>", value: { a: 3, b: 4 },              score: 0 },
    { expression: "attribute(n,b).contains",            type: "weightedset<string>", value: { a: 3, b: 0 },              score: 1 },
    { expression: "sum(attribute(n))",                  type: "tensor<float>(x[2])", value: [1, 2],                      score: 3 },
    { expression: "sum(attribute(n))",                  type: "tensor<float>(x[2])", value: undefined,                   score: 0 },
    { expression: "reduce(attribute(n), count)",        type: "tensor<float>(x[2])", value: undefined,                   score: 2 },
    { expression: "reduce(attribute(n), count)",        type: "tensor(k{},x[2])",    value: undefined,                   score: 0 },
    { expression: "sum(attribute(n){k:b})",             type: "tensor<int8>(k{},x[2])", value: { a: "0102", b: "03FF" }, score: 2 },
    { expression: "sum(tensorFromLabels(attribute(n)){n:v2})", type: "array<string>", value: ["v1", "v2"],              score: 1 },
    { expression: "sum(tensorFromLabels(attribute(n), d), d)", type: "array<int>",   value: [7, 8, 7],                   score: 2 },
    { expression: "tensorFromLabels(attribute(n), d){d:one}",  type: "string",       value: "one",                       score: 1 },
    { expression: "sum(tensorFromWeightedSet(attribute(n), d))", type: "weightedset<string>", value: { a: 1, b: 2 },     score: 3 },
    { expression: "tensorFromWeightedSet(attribute(n)){n:b}",  type: "weightedset<string>", value: { a: 1, b: 2 },       score: 2 },
  ])("$expression of a $type that is $value is $score", async ({ expression, type, value, score }) => {
    const document = value === undefined ? {} : { n: value };
    expect(await scoreOf(expression, { fields: attribute("n", type), document })).toBe(score);
  });

  test("has labels with all of their digits", () => {
    const text = '[9007199254740993, -9223372036854775808, 7, 1.0, 2.50, "a", true]';
    const { tree } = parseJson({ name: "document", text });
    expect([...labels.ofValue(tree).keys()]).toEqual([
      "9007199254740993",
      "-9223372036854775808",
      "7",
      "1",
      "2.5",
      "a",
    ]);
    const items = '[{"item":9007199254740993,"weight":4}]';
    const listed = weightedSet.ofValue(parseJson({ name: "document", text: items }).tree);
    expect([...listed]).toEqual([["9007199254740993", 4]]);
  });

  test("of structs makes a tensor of several dimensions", async () => {
    const fields = `struct item { field name type string {} field region type string {} field price type float {} }
      field items type array<item> { struct-field name { indexing: attribute } }`;
    const items = [
      { name: "apple", region: "eu", price: 1.5 },
      { name: "apple", region: "us", price: 2 },
      { name: "pear", region: "eu", price: 4 },
      { name: "plum" },
    ];
    const tensor = "tensorFromStructs(attribute(items), name, region, price, float)";
    const asked = { fields, document: { items } };
    expect(await scoreOf(`sum(${tensor}{region:eu})`, asked)).toBe(5.5);
    // A plum has the text and the number that are stored where there is none.
    expect(await scoreOf(`reduce(${tensor}, count)`, asked)).toBe(4);
    expect(await scoreOf(`isNan(${tensor}{name:plum,region:""})`, asked)).toBe(1);
  });

  test("that a struct-field in another names is that member of a member", async () => {
    const fields = `struct named { field n type string {} }
      struct item inherits named { field w type float {} }
      field mp type map<string, item> {
        struct-field value {
          struct-field n { indexing: attribute }
          indexing: summary
          struct-field w { indexing: attribute }
        }
      }`;
    const document = { mp: { a: { n: "x", w: 0.1 }, b: { w: 4 } } };
    const score = (expression: string) => scoreOf(expression, { fields, document });
    expect(await score("attribute(mp.value.w,0)")).toBe(Math.fround(0.1));
    expect(await score("attribute(mp.value.w).count")).toBe(2);
    expect(await score('attribute(mp.value.n,0) == "x"')).toBe(1);
    expect(await score("foreach(attributes, N, attribute(N).count, true, sum)")).toBe(4);
  });

  test("that is a member of structs, or of a map, is an array", async () => {
    const fields = `struct named { field n type string {} }
      struct item inherits named { field w type float {} field z type int {} field b type byte {} }
      field sa type array<item> {
        struct-field n { indexing: attribute }
        struct-field w { indexing: attribute }
        struct-field z { indexing: attribute }
        struct-field b { indexing: attribute }
      }
      field mp type map<string, item> {
        struct-field key { indexing: attribute }
        struct-field value.w { indexing: attribute }
      }
      field mi type map<int, long> {
        struct-field key { indexing: attribute }
        struct-field value { indexing: attribute }
      }`;
    const sa = [{ n: "x", w: 0.1, z: 3 }, { n: "y" }, { w: 3 }];
    const mp = { a: { w: 1 }, b: { n: "q" } };
    const document = { sa, mp, mi: { "7": 70, "-8": 80 } };
    const score = (expression: string) => scoreOf(expression, { fields, document });
    expect(await score("attribute(sa.w,0)")).toBe(Math.fround(0.1));
    expect(await score("attribute(sa.w).count")).toBe(3);
    expect(await score('attribute(sa.n,1) == "y"')).toBe(1);
    // A text that is missing is empty, a number what is stored for none: of a byte alone, NaN.
    expect(await score('attribute(sa.n,2) == ""')).toBe(1);
    expect(await score("isNan(attribute(sa.w,1))")).toBe(1);
    expect(await score("attribute(sa.z,1)")).toBe(-(2 ** 31));
    expect(await score("isNan(attribute(sa.b,0))")).toBe(1);
    expect(await score("attribute(sa.z,9)")).toBe(0);
    expect(await score("attribute(mp.key).count")).toBe(2);
    expect(await score('attribute(mp.key,1) == "b"')).toBe(1);
    expect(await score("attribute(mp.value.w,0)")).toBe(1);
    expect(await score("attribute(mi.key,1) + attribute(mi.value,1)")).toBe(72);
    expect(await score("tensorFromLabels(attribute(sa.n), d){d:y}")).toBe(1);
    expect(await score("reduce(tensorFromLabels(attribute(sa.w), d), count)")).toBe(0);
    // The labels are x, y and the empty text; a whole number that is missing is a label, too.
    const structs = "tensorFromStructs(attribute(sa), n, w, float)";
    expect(await score(`reduce(${structs}, count)`)).toBe(3);
    expect(await score(`isNan(${structs}{n:y})`)).toBe(1);
    expect(await score(`${structs}{n:""}`)).toBe(3);
    expect(await score('tensorFromStructs(attribute(sa), z, w, float){z:"-2147483648"}')).toBe(3);
    expect(await score("tensorFromStructs(attribute(mp), key, value.w, float){key:a}")).toBe(1);
    expect(await score("tensorFromStructs(attribute(mi), key, value, double){key:7}")).toBe(70);
  });

  test.each([
    ["byte", "300", "a whole number from -128 to 127"],
    ["int", "3000000000", "a whole number from -2147483648 to 2147483647"],
    ["long", "3.7", "a whole number from -9223372036854775808 to 9223372036854775807"],
    ["long", "9223372036854775808", "a whole number from -9223372036854775808 to 9223372036854775807"],
    ["int", "1.0", "a whole number from -2147483648 to 2147483647"],
    ["array<int>", "3000000000", "a whole number from -2147483648 to 2147483647"],
  ])("of type %s is refused where it is %s", async (type, written, expected) => {
    const isArray = type.startsWith("array");
    const { scorer } = await scored(isArray ? "attribute(n,0)" : "attribute(n)", {
      fields: attribute("n", type),
    });
    const value = isArray ? `[${written}]` : written;
    const text = `{"put":"id:a:doc::1","fields":{"n":${value}}}`;
    const [entry] = [...readFeed({ name: "document", text })];
    const document = new Document("1", entry?.document?.fields ?? new Map(), cells);
    try {
      scorer.number("first-phase", { document });
      expect.unreachable();
    } catch (error) {
      const [problem] = error instanceof SphexError ? error.problems : [];
      expect(problem?.code).toBe("ranking/field");
      expect(problem?.description.expected).toBe(expected);
      expect(problem?.span.source.text.slice(problem.span.start, problem.span.end)).toBe(written);
    }
  });

  test("of type long has all whole numbers of 64 bits, and a float may be too large", async () => {
    const { scorer } = await scored("attribute(n)", { fields: attribute("n", "long") });
    const text = '{"put":"id:a:doc::1","fields":{"n":9223372036854775807}}';
    const [entry] = [...readFeed({ name: "document", text })];
    const document = new Document("1", entry?.document?.fields ?? new Map(), cells);
    expect(scorer.number("first-phase", { document })).toBe(2 ** 63);
    const large = { fields: attribute("n", "float"), document: { n: 1e39 } };
    expect(await scoreOf("attribute(n)", large)).toBe(Number.POSITIVE_INFINITY);
  });

  // What each is to the reader of documents of Vespa 8.600.
  test.each([
    ["byte", "5", 5],
    ["int", "+5", 5],
    ["long", "-12", -12],
    ["float", "1.5", 1.5],
    ["double", " 1e5 ", 1e5],
    ["double", "1d", 1],
    ["float", "-Infinity", Number.NEGATIVE_INFINITY],
    ["float", "NaN", Number.NaN],
    ["bool", "TRUE", 1],
    ["bool", "false", 0],
  ])("of type %s may be the text '%s'", async (type, n, expected) =>
    expect(await scoreOf("attribute(n)", { fields: attribute("n", type), document: { n } })).toBe(expected));

  test.each([
    ["int", " 5"],
    ["int", "0x10"],
    ["int", ""],
    ["double", ""],
    ["double", "1 2"],
    ["bool", "yes"],
    ["array<int>", 5],
    ["array<int>", [1, null]],
    ["weightedset<string>", { a: 1.5 }],
    ["weightedset<string>", { a: true }],
    ["weightedset<string>", ["a"]],
  ])("of type %s cannot be %j", async (type, n) => {
    const key = type.startsWith("weightedset")
      ? "attribute(n,a).weight"
      : type === "array<int>"
        ? "attribute(n,0)"
        : "attribute(n)";
    const failure = await scoreOf(key, { fields: attribute("n", type), document: { n } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ problems: [{ code: "ranking/field" }] });
  });

  test("of a text may be a number, which is the text that is written", async () => {
    const text = (document: object): Promise<unknown> =>
      scoreOf("attribute(n)", { fields: attribute("n", "string"), document });
    expect(await text({ n: 5 })).toBe(await text({ n: "5" }));
    expect(await text({ n: true })).toBe(await text({ n: "true" }));
  });

  test("of a weight may be a text", async () =>
    expect(
      await scoreOf("attribute(n,a).weight", {
        fields: attribute("n", "weightedset<string>"),
        document: { n: { a: "3" } },
      }),
    ).toBe(3));

  test("of another type than its field is refused where it is written", async () => {
    const failure = await scoreOf("attribute(n)", {
      fields: attribute("n", "double"),
      document: { n: "one" },
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SphexError);
    const [problem] = (failure as SphexError).problems; // looked at above
    expect(problem?.code).toBe("ranking/field");
    expect(problem?.span.source.text.slice(problem.span.start, problem.span.end)).toBe('"one"');
  });
});

describe("the text of a rank property", () => {
  // The weight of a key is the whole number that begins behind the colon: none does in `0.5x`, `+4` and ` 5`.
  const asked = {
    query: { "ranking.properties.w": "{a:1,b:0.5, c:2.9,d:-3,e:x,f:+4,g: 5,h:0x1F,i:3000000000,j}" },
  };
  const weight = (key: string): string => `tensorFromWeightedSet(query(w), d){d:${key}}`;

  test.each([
    ["a", 1],
    ["b", 0],
    ["c", 2],
    ["d", -3],
    ["e", 0],
    ["f", 0],
    ["g", 0],
    ["h", 31],
    ["i", 0],
  ])("has for %s the weight %d", async (key, expected) => {
    expect(await scoreOf(weight(key), asked)).toBe(expected);
  });

  test("makes a cell for each key, and none where it has no brackets around it", async () => {
    expect(await scoreOf("reduce(tensorFromWeightedSet(query(w), d), count)", asked)).toBe(9);
    const other = { query: { "ranking.properties.w": "a:1,b:2" } };
    expect(await scoreOf("reduce(tensorFromWeightedSet(query(w), d), count)", other)).toBe(0);
    expect(await scoreOf(weight("a"), { query: { "ranking.properties.w": "(a:4)" } })).toBe(4);
  });

  test("is what an input of the request becomes, and then it is no number that it should be", async () => {
    const query = { "input.query(w)": "{a:4}" };
    const { scorer, hit, ranking, request } = await scored(weight("a"), { query });
    expect(scorer.number("first-phase", hit)).toBe(4);
    expect(ranking.warnings(request)).toEqual([]);
    const both = await scored(`${weight("a")} + query(w)`, { query });
    expect(both.ranking.warnings(both.request).map((each) => each.code)).toEqual([
      "ranking/undeclared-input",
    ]);
  });
});
