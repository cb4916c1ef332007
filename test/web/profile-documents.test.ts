import { describe, expect, test } from "vitest";
import type { ProfileRequest } from "../../src/web/profile/profile-request.js";
import { ProfileScorer } from "../../src/web/profile/profile-scorer.js";

/** Which documents a number counts for that is filled in or moved, and which profiles and features are told apart, in rank profile mode. */

const schema = (name: string, profile: string): string => `schema ${name} {
  document ${name} {
    field n type double { indexing: attribute }
    field x type string { indexing: index }
  }
  ${profile}
}`;

const doubled = "rank-profile p { first-phase { expression: attribute(n) * 2 } }";
const request: ProfileRequest = {
  files: [{ path: "schemas/a.sd", text: schema("a", doubled) }],
  profile: undefined,
  documents: "",
  query: "",
  features: {},
  documentFeatures: {},
  response: "",
  now: undefined,
  countsWords: false,
  selected: undefined,
};

const report = (more: Partial<ProfileRequest>, scorer = new ProfileScorer()) =>
  scorer.report({ ...request, ...more });

const scoresOf = async (more: Partial<ProfileRequest>, scorer?: ProfileScorer) => {
  const { hits, problems } = await report(more, scorer);
  expect(problems.filter(({ isError }) => isError)).toEqual([]);
  return Object.fromEntries(hits.map(({ id, score }) => [id, score]));
};

test.each([
  "3,2",
  "abc",
  "tensor(x[2]):[1,2]",
])("a feature that is filled in as %s is told, and asked for again", async (text) => {
  const files = [
    {
      path: "schemas/a.sd",
      text: schema("a", "rank-profile p { first-phase { expression: bm25(x) + attribute(n) } }"),
    },
  ];
  const asked = { files, documents: JSON.stringify([{ put: "id:a:a::1", fields: { n: 1 } }]) };
  const { problems, missing, hits } = await report({ ...asked, features: { "bm25(x)": text } });
  expect(problems.filter(({ isError }) => isError)).toHaveLength(1);
  expect([missing.map(({ name }) => name), hits.map(({ id }) => id)]).toEqual([["bm25(x)"], ["id:a:a::1"]]);
  expect((await report({ ...asked, features: { "bm25(x)": "2" } })).hits[0]?.score).toBe(3);
});

describe("a feature that some hits of a response lack", () => {
  const child = (id: number, matchfeatures: object) => ({
    id: `id:a:a::${id}`,
    relevance: 1,
    fields: { matchfeatures },
  });
  const children = [child(1, { "bm25(x)": 3 }), child(2, { other: 1 }), child(3, { "bm25(x)": 7 })];
  const captured = {
    files: [
      { path: "schemas/a.sd", text: schema("a", "rank-profile p { first-phase { expression: bm25(x) } }") },
    ],
    response: JSON.stringify({ root: { children } }),
  };

  test("is asked for, and the others are ranked", async () => {
    const { hits, missing } = await report(captured);
    expect(hits.map(({ id, score }) => [id, score])).toEqual([
      ["id:a:a::3", 7],
      ["id:a:a::1", 3],
      ["id:a:a::2", undefined],
    ]);
    expect(missing.map(({ name }) => name)).toEqual(["bm25(x)"]);
  });

  test("is filled in for those that lack it", async () => {
    const scores = await scoresOf({ ...captured, features: { "bm25(x)": "5" } });
    expect(scores).toEqual({ "id:a:a::1": 3, "id:a:a::2": 5, "id:a:a::3": 7 });
    const moved = await scoresOf({
      ...captured,
      features: { "bm25(x)": "5" },
      documentFeatures: { "id:a:a::1": { "bm25(x)": "9" } },
    });
    expect(moved).toEqual({ "id:a:a::1": 9, "id:a:a::2": 5, "id:a:a::3": 7 });
  });
});

test("a number of one document is that of the document that is shown under its id", async () => {
  const documents = [{ put: "id:b:b::1", fields: { n: 1 } }, { fields: { n: 10 } }, { fields: { n: 20 } }]
    .map((each) => JSON.stringify(each))
    .join("\n");
  expect(await scoresOf({ documents })).toEqual({ "1": 20, "2": 40 });
  expect(await scoresOf({ documents, documentFeatures: { "1": { "attribute(n)": "50" } } })).toEqual({
    "1": 100,
    "2": 40,
  });
  expect(await scoresOf({ documents, documentFeatures: { "2": { "attribute(n)": "50" } } })).toEqual({
    "1": 20,
    "2": 100,
  });
});

test("profiles of one name in two schemas are told apart", async () => {
  const files = ["a", "b"].map((name, at) => ({
    path: `schemas/${name}.sd`,
    text: schema(name, doubled.replace("2", `${at + 2}`)),
  }));
  const own = { files, documents: '{"fields":{"n":5}}' };
  const { profiles, profile } = await report(own);
  expect([profiles, profile]).toEqual([["a.p", "b.p"], "b.p"]);
  for (const [profile, score] of [
    ["a.p", 10],
    ["b.p", 15],
  ] as const) {
    const found = await report({ ...own, profile });
    expect([found.profile, found.hits.map((hit) => hit.score)]).toEqual([profile, [score]]);
  }
});

test("a value of another type than the last is not refused", async () => {
  const scorer = new ProfileScorer();
  const model = schema(
    "a",
    "rank-profile p { onnx-model taste { file: taste.onnx } first-phase { expression: sum(onnx(taste).out) } }",
  );
  const own = { files: [{ path: "schemas/a.sd", text: model }], documents: '{"fields":{"n":5}}' };
  const given = (value: string) => ({ ...own, features: { "onnx(taste).out": value } });
  expect(await scoresOf(given("tensor(d0[1]):[3]"), scorer)).toEqual({ "1": 3 });
  expect(await scoresOf(given("tensor(d0[2]):[3,4]"), scorer)).toEqual({ "1": 7 });
});

test("a feature whose type nobody knows is asked for", async () => {
  const text = schema(
    "a",
    "rank-profile p { onnx-model taste { file: taste.onnx } first-phase { expression: sum(onnx(taste).out) } }",
  );
  const { missing } = await report({
    files: [{ path: "schemas/a.sd", text }],
    documents: '{"fields":{"n":5}}',
  });
  expect(missing.map(({ name, type }) => [name, type])).toEqual([["onnx(taste).out", undefined]]);
});
