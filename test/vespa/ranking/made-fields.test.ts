import { expect, test } from "vitest";
import { checkPackage, Document, Ranking, readFeed, soundProfile } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Fields outside of a document, which Vespa makes of others when the document is fed, and which nothing makes here. */

const schema = (expression: string): string => `schema doc {
  document doc {
    field title type string { indexing: summary }
  }
  field code type int { indexing: input title | to_int | attribute }
  field vector type tensor<float>(x[2]) { indexing: input title | embed e | attribute }
  field boost type float { indexing: attribute
    attribute: mutable }
  rank-profile p { first-phase { expression: ${expression} } }
}`;

/** The score of a document, or why a feature has no value. */
function scoreOf(expression: string, fields: object): unknown {
  const read = packageOf({ "schemas/doc.sd": schema(expression) });
  const where = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "p", where);
  const scorer = new Ranking({ package: read, profile }).scorer({ query: undefined, cells: 1000 });
  const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
  const document = new Document("1", entry?.document?.fields ?? new Map(), 1000);
  const outcome = scorer.values(["first-phase"], { document }).get("first-phase");
  if (outcome?.kind !== "missing") return outcome?.value.asNumber();
  return outcome.missing.map(({ reason }) => reason);
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
])("%s of %j is %j", (expression, fields, expected) => expect(scoreOf(expression, fields)).toEqual(expected));

test("document after document", () => {
  const read = packageOf({ "schemas/doc.sd": schema("attribute(code)") });
  const where = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "p", where);
  const scorer = new Ranking({ package: read, profile }).scorer({ query: undefined, cells: 1000 });
  const texts = [{ title: "7", code: 7 }, { title: "8", code: 8 }, { title: "9", code: 9 }, { title: "1" }];
  const documents = texts.map((fields) => {
    const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
    return new Document("1", entry?.document?.fields ?? new Map(), 1000);
  });
  const numbers = documents.slice(0, 3).map((document) => scorer.number("first-phase", { document }));
  expect(numbers).toEqual([7, 8, 9]);
  const last = documents.at(-1) ?? new Document("1", new Map(), 1000);
  expect(() => scorer.number("first-phase", { document: last })).toThrow(/ranking\/missing/);
});
