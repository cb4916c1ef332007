import { describe, expect, test } from "vitest";
import {
  checkPackage,
  Document,
  hitsOfSchema,
  Ranking,
  readFeed,
  readQuery,
  type Scorer,
  soundProfile,
  statisticsOf,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Fields outside of a document, which Vespa makes of others when the document is fed. */

const schema = (expression: string, fields: string): string => `schema doc {
  document doc {
    field title type string { indexing: summary | index }
    field body type string { indexing: summary }
    field price type int { indexing: attribute }
    field old type int { indexing: attribute }
    field tags type array<string> { indexing: summary }
    field shape type tensor<float>(x[2]) { indexing: attribute }
    struct person { field age type int {} }
    field people type array<person> { indexing: summary }
  }
  field code type int { indexing: input title | to_int | attribute }
  field vector type tensor<float>(x[2]) { indexing: input title | embed e | attribute }
  field boost type float { indexing: attribute
    attribute: mutable }
  ${fields}
  rank-profile p {
    first-phase { expression: ${expression} }
  }
}`;

interface Asked {
  readonly expression: string;
  readonly fields?: string;
  readonly document: object;
  readonly yql?: string;
  /** Whether the schema has no tensors. */
  readonly isPlain?: boolean;
}

const documentOf = (fields: object, isWhole = true): Document => {
  const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
  return new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), 1000, isWhole);
};

function asked({ expression, fields = "", document, yql, isPlain = false }: Asked, isWhole = true) {
  const text = schema(expression, fields);
  const read = packageOf({
    "schemas/doc.sd": isPlain ? text.replace(/field \w+ type tensor.*\n/g, "") : text,
  });
  const where = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "p", where);
  const { hits } = hitsOfSchema([{ document: documentOf(document, isWhole) }], profile);
  const documents = hits.map((each) => each.document);
  const statistics = statisticsOf(documents, [...profile.fields.values()]);
  const query =
    yql === undefined
      ? undefined
      : readQuery({ name: "query", text: JSON.stringify({ yql: `select * from doc where ${yql}` }) }).query;
  const scorer = new Ranking({ package: read, profile }).scorer({ query, cells: 1000, statistics });
  return { scorer, document: documents[0] ?? documentOf({}) };
}

/** The score of a document, or why a feature has no value. */
function outcomeOf(scorer: Scorer, document: Document): unknown {
  const outcome = scorer.values(["first-phase"], { document }).get("first-phase");
  if (outcome?.kind !== "missing") return outcome?.value.asNumber();
  return outcome.missing.map(({ reason }) => reason);
}

function scoreOf(of: Asked, isWhole = true): unknown {
  const { scorer, document } = asked(of, isWhole);
  return outcomeOf(scorer, document);
}

const notSaid = (field: string): unknown => [{ kind: "not in document", field }];

test.each<[string, object, unknown]>([
  ["attribute(code)", { title: "7" }, notSaid("code")],
  ["attribute(code)", { title: "7", code: 7 }, 7],
  ["attribute(code)", {}, Number.NaN],
  ["sum(attribute(vector))", { title: "7" }, notSaid("vector")],
  ["sum(attribute(vector))", { title: "7", vector: [1, 2] }, 3],
  ["sum(attribute(vector))", {}, 0],
  ["attribute(boost)", { title: "7" }, Number.NaN],
])("%s of %j is %j", (expression, document, expected) =>
  expect(scoreOf({ expression, document })).toEqual(expected));

const field = (type: string, indexing: string): string => `field made type ${type} { indexing: ${indexing} }`;
const isText = (text: string): string => `if (attribute(made) == "${text}", 1, 0)`;

describe("what is only put together is there", () => {
  test.each<[string, string, object, string, unknown]>([
    ["int", "input price | attribute", { price: 7 }, "attribute(made)", 7],
    ["int", "input price | summary | attribute", { price: 7 }, "attribute(made)", 7],
    ["int", "{ input price | attribute; }", { price: 7 }, "attribute(made)", 7],
    ["int", "input price | attribute", { price: 7, made: 8 }, "attribute(made)", 8],
    ["int", "input price | attribute", {}, "attribute(made)", Number.NaN],
    ["int", "input old || input price | attribute", { price: 7 }, "attribute(made)", 7],
    ["int", "input old || input price | attribute", { price: 7, old: 6 }, "attribute(made)", 6],
    ["array<string>", "input tags | attribute", { tags: ["a", "b"] }, "attribute(made).count", 2],
    ["tensor<float>( x[2] )", "input shape | attribute", { shape: [3, 4] }, "sum(attribute(made))", 7],
    ["string", "input title | exact | attribute", { title: "A b" }, isText("A b"), 1],
    ["string", 'input title . ", " . input body | attribute', { title: "a", body: "b" }, isText("a, b"), 1],
    ["string", 'input title . "\\n\\"" | attribute', { title: "a" }, isText('a\\n\\"'), 1],
    ["string", 'input title . ", " . input body | attribute', { title: "a" }, isText(""), 1],
    ["string", '(input title || "") . (input body || "-") | attribute', { title: "a" }, isText("a-"), 1],
    ["string", '(input title || "") . (input body || "-") | attribute', {}, isText("-"), 1],
    ["string", '"new" | attribute', {}, isText("new"), 1],
  ])("%s: %s of %j", (type, indexing, document, expression, expected) =>
    expect(scoreOf({ expression, document, fields: field(type, indexing) })).toEqual(expected));
});

describe("what a step changes is missing", () => {
  test.each<[string, string, object]>([
    ["string", "input title | lowercase | attribute", { title: "A" }],
    ["string", "(input title | lowercase) . input body | attribute", { title: "A", body: "b" }],
    ["string", 'input title . "\\x41" | attribute', { title: "A" }],
    ["long", "input price | attribute", { price: 7 }],
    ["string", "{ input title | attribute; input body | attribute; }", { title: "a" }],
    ["string", "get_language | attribute", { title: "a" }],
    ["long", "now | attribute", {}],
  ])("%s: %s of %j", (type, indexing, document) => {
    const asked = { expression: "attribute(made)", document, fields: field(type, indexing) };
    expect(scoreOf(asked)).toEqual(notSaid("made"));
  });

  test("of a document of a response, what it does not say may be there", () => {
    const fields = field("int", "input old || input price | attribute");
    const expression = "attribute(made)";
    expect(scoreOf({ expression, fields, document: { price: 7 } }, false)).toEqual(notSaid("made"));
    expect(scoreOf({ expression, fields, document: { price: 7, old: 6 } }, false)).toBe(6);
  });
});

test("words and members of what is put together", () => {
  const fields = `field made type string { indexing: input title . " " . input body | index
      index: enable-bm25 }
    field persons type array<person> { indexing: input people | summary
      struct-field age { indexing: attribute } }
    fieldset both { fields: title, made }`;
  const document = { title: "a", body: "c", people: [{ age: 3 }, { age: 4 }] };
  const expression = "fieldTermMatch(made,0).firstPosition + 10 * attribute(persons.age,1)";
  expect(scoreOf({ expression, fields, document, yql: 'made contains "c"' })).toBe(41);
});

describe("of several fields, each has to be said", () => {
  test("foreach of attributes", () => {
    const fields = field("int", "input title | to_int | attribute");
    const scored = (document: object): unknown =>
      scoreOf({
        expression: 'foreach(attributes,N,attribute(N),">6",count)',
        fields,
        document,
        isPlain: true,
      });
    expect(scored({ price: 7, title: "7" })).toEqual(notSaid("code"));
    expect(scored({ price: 7, title: "7", code: 7 })).toEqual(notSaid("made"));
    expect(scored({ price: 7, title: "7", code: 7, made: 7 })).toBe(3);
    expect(scored({ price: 7 })).toBe(1);
  });

  test("a feature of all fields in which words are searched", () => {
    const made = `field made type string { indexing: input body | lowercase | index }
      fieldset both { fields: title, made }`;
    const of = (expression: string, yql: string, document: object): unknown =>
      scoreOf({ expression, fields: made, document, yql });
    expect(of("nativeFieldMatch", 'both contains "a"', { title: "a", body: "A" })).toEqual(notSaid("made"));
    expect(of("nativeFieldMatch", 'title contains "a"', { title: "a", body: "A" })).toBeGreaterThan(0);
    expect(of("nativeFieldMatch(title)", 'both contains "a"', { title: "a", body: "A" })).toBeGreaterThan(0);
    expect(of("nativeFieldMatch", 'both contains "a"', { title: "a" })).toBeGreaterThan(0);
  });
});

test("document after document", () => {
  const { scorer } = asked({ expression: "attribute(code)", document: {} });
  const texts = [{ title: "7", code: 7 }, { title: "8", code: 8 }, { title: "9", code: 9 }, { title: "1" }];
  const documents = texts.map((fields) => documentOf(fields));
  const numbers = documents.slice(0, 3).map((document) => scorer.number("first-phase", { document }));
  expect(numbers).toEqual([7, 8, 9]);
  const last = documents.at(-1) ?? documentOf({});
  expect(() => scorer.number("first-phase", { document: last })).toThrow(/ranking\/missing/);
});
