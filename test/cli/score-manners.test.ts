import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Command, command } from "../command.js";

/** How documents and values are written, and how values are shown, in `sphex score` and `sphex test` alike. */
const schema = `schema doc {
  document doc {
    field brand type string { indexing: attribute }
    field price type double { indexing: attribute }
    field id type string { indexing: attribute }
    field v type tensor<float>(x[64]) { indexing: attribute }
  }
  rank-profile whole {
    function length() { expression: sum(attribute(v)) }
    function numbers() { expression: attribute(v) * query(w) }
    first-phase { expression: attribute(price) * query(w) + length }
    match-features: attribute(brand)
  }
}
`;
const v = Array.from({ length: 64 }, (_, at) => at);
const length = (63 * 64) / 2;

function shop(files: Readonly<Record<string, unknown>>): Command {
  const own = command();
  mkdirSync(join(own.folder, "schemas"));
  for (const [name, data] of Object.entries({ "schemas/doc.sd": schema, ...files }))
    writeFileSync(join(own.folder, name), typeof data === "string" ? data : JSON.stringify(data));
  return own;
}

const asked = ["score", "--profile", "whole", "--document", "doc.json", "--set", "query(w)=2"];

describe("sphex score", () => {
  const doc = { "doc.json": { brand: "Red Star", price: 5, v } };

  test("shortens what is long, in a pipe as well, and not with --full", async () => {
    const { out } = await shop(doc).run(asked);
    const lines = out.trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(out).toMatch(/^feature +attribute\(brand\) .*\n +attribute\(price\) .*\n +attribute\(v\) .*…/m);
    const whole = await shop(doc).run([...asked, "--full"]);
    expect(whole.out).toContain("62.0, 63.0]");
    expect(whole.out).not.toContain("…");
  });

  test("shows texts as texts", async () => {
    const { out } = await shop(doc).run(asked);
    expect(out).toMatch(/^match-features +attribute\(brand\) +"Red Star"$/m);
    expect(out).toMatch(/^feature +attribute\(brand\) +"Red Star" +document$/m);
    const json = JSON.parse((await shop(doc).run([...asked, "--json"])).out);
    expect(json.features["attribute(brand)"]).toMatchObject({ text: "Red Star", origin: "document" });
  });

  test("takes values by --set, as other commands do", async () => {
    const { out } = await shop(doc).run([...asked, "--json"]);
    expect(JSON.parse(out).score).toBe(5 * 2 + length);
  });
});

test("values by --set take the place of those of the query in whatever is computed from them", async () => {
  const near = `schema doc {
  document doc { field v type tensor<float>(x[2]) { indexing: attribute } }
  rank-profile near {
    inputs { query(q) tensor<float>(x[2]) }
    first-phase { expression: closeness(field, v) + sum(query(q)) * 100 }
  }
}
`;
  const files = {
    "schemas/doc.sd": near,
    "doc.json": { v: [0, 0] },
    "query.json": {
      yql: "select * from doc where {targetHits: 9}nearestNeighbor(v, q)",
      "input.query(q)": [3, 4],
    },
  };
  const scored = ["score", "--profile", "near", "--document", "doc.json", "--query", "query.json", "--json"];
  const score = async (...more: readonly string[]): Promise<unknown> =>
    JSON.parse((await shop(files).run([...scored, ...more])).out).score;
  expect(await score()).toBeCloseTo(1 / (1 + 5) + 700, 9);
  expect(await score("--set", "query(q)=[0,1]")).toBeCloseTo(1 / (1 + 1) + 100, 9);
  const wrong = await shop(files).run([...scored, "--set", "query(q)=[1,2,3]"]);
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out).problems).toMatchObject([
    { message: "query(q) must be an array of 2 numbers" },
  ]);
});

const fields = { brand: "x", price: 5, v };

describe("a document is the same to `score` and `test`", () => {
  test.each<[string, object, string?]>([
    ["as it is fed", { put: "id:a:doc::1", fields }],
    ["as a visit prints it", { id: "id:a:doc::1", fields }],
    ["its fields alone", fields],
    ["its fields with an id", { id: "id:a:doc::1", ...fields }],
    ["its fields, of which one is called id", { id: "sku-1", ...fields }, "sku-1"],
  ])("%s", async (_, document, id) => {
    const expected = `profile: whole
document: doc.json
query: { query(w): 2 }
expect: { score: ${10 + length}${id === undefined ? "" : `, attribute(brand): '${fields.brand}'`} }
`;
    const inline = expected.replace("doc.json", JSON.stringify(document));
    const own = shop({ "doc.json": document, "a.rank-test.yaml": expected, "b.rank-test.yaml": inline });
    const scored = await own.run([...asked, "--json"]);
    expect(JSON.parse(scored.out).score).toBe(10 + length);
    expect(await own.run(["test", "."])).toMatchObject({ code: 0, err: "" });
    const piped = await own.run(["test", "-"], {
      stdin: [expected.replace("expect", "name: piped\nexpect")],
    });
    expect(piped).toMatchObject({ code: 0, err: "", out: expect.stringContaining("piped") });
  });

  test("a test from stdin is not watched", async () => {
    expect(await shop({}).run(["test", "-", "--watch"])).toMatchObject({
      code: 2,
      err: "sphex: --watch needs a file\n",
    });
  });
});

describe("scores that a test expects", () => {
  const documents = "[{ id: a, price: 1 }, { id: b, price: 3 }]";
  const run = (scores: string) =>
    shop({
      "a.rank-test.yaml": `profile: whole
documents: ${documents}
query: { query(w): 2 }
features: { length: 0 }
expect:
  scores: ${scores}
`,
    }).run(["test", "a.rank-test.yaml"]);

  test.each([
    "{ a: 2, b: 6 }",
    "[{ b: 6 }, { a: 2 }]",
    "[{ id: b, score: 6 }, { id: a, score: 2 }]",
    "[6, 2]",
    "[6]",
  ])("%s", async (scores) => expect(await run(scores)).toMatchObject({ code: 0, err: "" }));

  test.each<[string, RegExp]>([
    ["[2, 6]", /hit 1/],
    ["[{ id: b, score: 5 }]", /\bb\b.*6/],
    ["[6, 2, 1]", /no such hit/],
  ])("%s fails", async (scores, message) => {
    const { code, out, err } = await run(scores);
    expect(code).toBe(1);
    expect(out + err).toMatch(message);
  });
});

describe("a rank profile that nobody names, or that has no first phase", () => {
  const feed = `${JSON.stringify({ put: "id:a:doc::1", fields: { title: "a b" } })}\n${JSON.stringify({ put: "id:a:doc::2", fields: { title: "b" } })}\n`;
  const two = (profiles: string): Command =>
    shop({
      "schemas/doc.sd": `schema doc {
  document doc { field title type string { indexing: index } }
  ${profiles}
}
`,
      "feed.jsonl": feed,
    });

  test("of several, the one that is called default counts", async () => {
    const own = two(
      "rank-profile default { first-phase { expression: 7 } } rank-profile other { first-phase { expression: 8 } }",
    );
    const { code, out, err } = await own.run(["score", "--documents", "feed.jsonl", "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(
      out
        .split("\n")
        .slice(0, 2)
        .map((line) => JSON.parse(line).score),
    ).toEqual([7, 7]);
    const none = two("rank-profile a { first-phase { expression: 7 } } rank-profile b inherits a {}");
    expect((await none.run(["score", "--documents", "feed.jsonl"])).err).toMatch(
      /which rank profile is meant/,
    );
  });

  test("a feed without a query is listed, with what is missing", async () => {
    const own = two("rank-profile words { }");
    const listed = await own.run(["score", "--documents", "feed.jsonl", "--statistics", "feed"]);
    expect(listed).toMatchObject({ code: 0, out: "id:a:doc::1\nid:a:doc::2\n" });
    expect(listed.err).toMatch(
      /not ranked: the profile has no first phase, and nativeRank: the query has no terms/,
    );
    const json = await own.run(["score", "--documents", "feed.jsonl", "--json"]);
    expect(json.code).toBe(0);
    expect(
      json.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([1, 2].map((at) => ({ id: `id:a:doc::${at}`, missing: ["nativeRank"] })));
    expect((await own.run(["score", "--documents", "feed.jsonl", "--feature", "nativeRank=2"])).out).toMatch(
      /2\.0/,
    );
  });
});
