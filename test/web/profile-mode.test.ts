import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ProfileForm } from "../../src/web/profile/profile-form.js";
import type { ProfileRequest } from "../../src/web/profile/profile-request.js";
import { ProfileScorer } from "../../src/web/profile/profile-scorer.js";
import { rangeFor } from "../../src/web/profile/scalar-inputs.js";

/** Rank profile mode of the page, on the package of the examples. Expected values are those of its rank tests. */
const root = new URL("../../examples/rank-profiles/", import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8");
const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) =>
  path.replaceAll("\\", "/"),
);
const files = paths
  .filter((path) => /^(?:schemas|constants)\/./.test(path))
  .map((path) => ({ path, text: textOf(path) }));
const features = Object.fromEntries(
  Object.entries<unknown>(JSON.parse(textOf("features.json"))).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ]),
);

const request: ProfileRequest = {
  files,
  profile: undefined,
  documents: textOf("documents.jsonl"),
  query: textOf("query.json"),
  features,
  documentFeatures: {},
  response: "",
  now: 1_700_000_000,
  countsWords: false,
  selected: undefined,
};
const report = (more: Partial<ProfileRequest> = {}) => new ProfileScorer().report({ ...request, ...more });
const shortId = (id: string): string => id.split("::")[1] ?? id;

describe("rank profile mode", () => {
  test("ranks the documents, and shows every value of the best", async () => {
    const { hits, profile, profiles, problems, values, missing, selected } = await report();
    expect(problems).toEqual([]);
    expect(missing).toEqual([]);
    expect(profile).toBe("hybrid");
    expect(profiles).toEqual(["base", "hybrid", "recent", "maxsim", "chunked", "learned"]);
    expect(hits.map(({ id }) => shortId(id))).toEqual(["chairs", "tables", "lamps"]);
    expect(hits[0]?.score).toBeCloseTo(2 / 61, 9);
    expect(hits[2]?.score).toBeCloseTo(1 / 63 + 1 / 62, 9);
    expect(shortId(selected ?? "")).toBe("chairs");
    const numbers = Object.fromEntries(values.map(({ name, value }) => [name, Number(value)]));
    expect(numbers).toMatchObject({ text: 3.5, fresh: 0.25, popular: 2, likeness: 1, "first-phase": 5.75 });
    expect(values.every(({ type }) => type === "tensor()")).toBe(true);
  });

  test("a document is selected by its id", async () => {
    const { values } = await report({ selected: "id:press:article::lamps" });
    expect(values.find(({ name }) => name === "fresh")?.value).toBe("0.0");
    expect(values.find(({ name }) => name === "popular")?.value).toBe("0.0");
  });

  test("what is missing is a form to fill in, and all else is shown", async () => {
    const { hits, missing, values } = await report({ features: {} });
    expect(missing.map(({ name, type }) => [name, type])).toEqual([
      ["bm25(body)", "tensor()"],
      ["bm25(title)", "tensor()"],
    ]);
    expect(missing.map(({ example }) => example)).toEqual(["0", "0"]);
    expect(hits.map(({ id, score }) => [shortId(id), score])).toEqual([
      ["chairs", undefined],
      ["tables", undefined],
      ["lamps", undefined],
    ]);
    const byName = new Map(values.map((each) => [each.name, each]));
    expect(byName.get("popular")?.value).toBe("2.0");
    expect(byName.get("text")).toMatchObject({ value: undefined, missing: ["bm25(body)", "bm25(title)"] });
  });

  test("a feature of one document moves it alone", async () => {
    const own = { "id:press:article::lamps": { "bm25(title)": "9" } };
    const { hits } = await report({ profile: "recent", documentFeatures: own });
    expect(hits.map(({ id }) => shortId(id))[0]).toBe("lamps");
  });

  test("sliders have the numbers of the query, and move the ranking", async () => {
    const scorer = new ProfileScorer();
    const before = await scorer.report({ ...request, profile: "recent" });
    expect(before.scalars.map(({ name, value }) => [name, value])).toEqual([
      ["bm25(body)", 0.5],
      ["bm25(title)", 1.5],
      ["query(freshness_weight)", 0.5],
    ]);
    expect(before.hits.map(({ id }) => shortId(id))).toEqual(["chairs", "tables", "lamps"]);
    const moved = { ...features, "query(freshness_weight)": "10" };
    const after = await scorer.report({ ...request, profile: "recent", features: moved });
    // Tables are newer: a freshness of 1 against a half, which outweighs that chairs are read ten times as often.
    expect(after.hits.map(({ id }) => shortId(id))).toEqual(["tables", "chairs", "lamps"]);
    const again = await scorer.report({ ...request, profile: "recent" });
    expect(again.hits).toEqual(before.hits);
  });

  test("a slider has room on both sides of its number", () => {
    expect(rangeFor(0.5)).toEqual({ least: 0, most: 1, step: 0.01 });
    expect(rangeFor(0)).toEqual({ least: 0, most: 1, step: 0.01 });
    expect(rangeFor(10)).toEqual({ least: 0, most: 20, step: 0.2 });
    expect(rangeFor(-3)).toEqual({ least: -10, most: 10, step: 0.1 });
  });

  test("a captured response is compared, with what it says as features", async () => {
    const { hits, problems } = await report({ features: {}, response: textOf("response.json") });
    expect(problems.filter(({ isError }) => isError)).toEqual([]);
    expect(hits.map(({ id, before }) => [shortId(id), before?.rank])).toEqual([
      ["chairs", 1],
      ["tables", 2],
      ["lamps", 3],
    ]);
    expect(hits[0]?.before?.score).toBeCloseTo(2 / 61, 9);
    expect(hits[0]?.score).toBeCloseTo(2 / 61, 6);
  });

  test("profiles with tensors, and constants in files", async () => {
    const { values, profile } = await report({ profile: "learned", selected: "id:press:article::chairs" });
    expect(profile).toBe("learned");
    const signals = values.find(({ name }) => name === "signals");
    expect(signals?.type).toBe("tensor<float>(signal[3])");
    expect(signals?.value).toBe("[1.5, 1.0, 0.25]");
  });

  /** A schema that multiplies a number of 21. */
  const schemaTimes = (factor: number) =>
    `schema a { document a { field n type int { indexing: attribute } } rank-profile p { first-phase { expression: attribute(n) * ${factor} } } }`;
  const scoresOf = async (files: ProfileRequest["files"]) => {
    const { hits, problems } = await report({ files, documents: '{"n": 21}', query: "", features: {} });
    return { problems, scores: hits.map(({ score }) => score) };
  };
  const doubled = { problems: [], scores: [42] };

  test("a profile that was chosen and has another name since makes way for the one that is meant", async () => {
    const schema = schemaTimes(2);
    const named = [{ path: "a.sd", text: schema.replace("rank-profile p", "rank-profile other") }];
    const { profile, problems } = await report({
      files: named,
      profile: "p",
      documents: '{"n": 21}',
      ...{ features: {}, query: "" },
    });
    expect(problems).toEqual([]);
    expect(profile).toBe("other");
  });

  test("a schema alone, and a package below a folder, are packages too", async () => {
    for (const path of ["a.sd", "schemas/a.sd", "my-app/src/main/application/schemas/a.sd"])
      expect(await scoresOf([{ path, text: schemaTimes(2) }]), path).toEqual(doubled);
  });

  test("of a package and its copies that were built or are for tests, the package counts", async () => {
    const copies = [
      { path: "app/target/application/schemas/a.sd", text: schemaTimes(3) },
      { path: "app/src/test/application/schemas/a.sd", text: schemaTimes(5) },
    ];
    for (const path of [
      "app/src/main/application/schemas/a.sd",
      "app/deeper/than/all/copies/are/schemas/a.sd",
    ]) {
      const files = [...copies, { path, text: schemaTimes(2) }];
      for (const order of [files, files.toReversed()]) expect(await scoresOf(order), path).toEqual(doubled);
    }
  });

  test("of a package and its copies, the schema that is typed is that of the package", () => {
    const files = ["target/application", "src/test/application", "src/main/application"].map((folder) => ({
      path: `app/${folder}/schemas/a.sd`,
      text: folder,
    }));
    const form = new ProfileForm({ getItem: () => null, setItem: () => undefined }, 0);
    expect(form.take({ files, documents: "", query: "", response: "" })).toBe(true);
    expect(form.schema).toBe("src/main/application");
    form.setSchema("typed");
    expect(form.texts.files).toEqual([{ path: "app/src/main/application/schemas/a.sd", text: "typed" }]);
  });

  test("a form that another tab takes the place of tells so once, until it is kept again", () => {
    let told = 0;
    const form = new ProfileForm({ getItem: () => null, setItem: () => undefined }, 0);
    form.onTakenOver = () => told++;
    for (const key of ["another", "sphex-profile", "sphex-profile"]) form.hear({ key });
    expect(told).toBe(1);
    form.setSchema("typed");
    form.hear({ key: "sphex-profile" });
    expect(told).toBe(2);
  });

  test("without documents, the types are there", async () => {
    const { values, problems } = await report({ documents: "" });
    expect(problems).toEqual([]);
    expect(values.find(({ name }) => name === "likeness")?.type).toBe("tensor()");
  });

  // biome-ignore format: a table
  test.each([
    { says: "no schema",         more: { files: [{ path: "schemas/a.sd", text: "this is no schema" }] } },
    { says: "no profile",        more: { query: '{"ranking": "nobody"}' } },
    { says: "no document",       more: { documents: '{"put": 7}' } },
    { says: "half a document",   more: { documents: '{"put": "id:a:article::b", "fields": {' } },
    { says: "unknown field",     more: { documents: '{"titel": "Chairs"}' } },
    { says: "no query",          more: { query: "[1]" } },
    { says: "no tensor",         more: { query: '{"input.query(embedding)": "<b>"}' } },
    { says: "no response",       more: { response: "{}" } },
    { says: "no number",         more: { features: { "bm25(title)": "<img src=x onerror=alert(1)>" } } },
  ])("$says is a problem with its place, and not the end", async ({ more }) => {
    const { problems } = await report(more);
    expect(problems.some(({ isError }) => isError)).toBe(true);
    for (const { text } of problems) expect(text).toContain("┌ ");
  });

  test("nothing is asked without a package", async () => {
    const { profiles, problems, hits } = await report({ files: [] });
    expect({ profiles, problems, hits }).toEqual({ profiles: [], problems: [], hits: [] });
  });
});
