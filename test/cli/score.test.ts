import { describe, expect, test } from "vitest";
import type { Outcome } from "../command.js";
import { documents, shop } from "./shop.js";

/** `sphex score` and `sphex test`, as somebody uses them in a folder with a package. */
const plain = ["score", "--profile", "plain", "--query", "query.json"];

describe("sphex score", () => {
  test("a document may be its fields alone, as in tests", async () => {
    const own = shop({ "bare.json": { price: 5, v: [1, 0] } });
    const given = ["--feature", "bm25(title)=0.5", "--json"];
    const [bare, fed] = [
      await own.run([...plain, "--document", "bare.json", ...given]),
      await own.run([...plain, "--document", "doc.json", ...given]),
    ];
    expect(bare.code).toBe(0);
    expect(JSON.parse(bare.out).score).toBe(JSON.parse(fed.out).score);
  });

  test("labels of documents may be numbers, which Vespa reads as texts", async () => {
    const cells = [0, 1].map((v) => ({ address: { x: v }, value: v + 1 }));
    const own = shop({ "numbered.json": { price: 5, v: { cells } } });
    const given = ["--document", "numbered.json", "--feature", "bm25(title)=0.5", "--json"];
    const { code, out } = await own.run([...plain, ...given]);
    expect(code).toBe(0);
    // Twice 2 · 1 + 1 · 2, and 0.5.
    expect(JSON.parse(out).score).toBe(8.5);
    const other = shop({ "query.json": { "input.query(q)": { cells } } });
    expect((await other.run([...plain, "--document", "doc.json"])).code).toBe(1);
  });

  test("shows all that a profile makes of a document, and where its features come from", async () => {
    const { code, out, err } = await shop().run([
      ...plain,
      "--document",
      "doc.json",
      "--feature",
      "bm25(title)=0.5",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`score                             4.5
phase           first-phase       4.5
function        likeness          2.0
match-features  likeness          2.0
                bm25(title)       0.5
                attribute(price)  5.0
feature         attribute(price)  5.0                             document
                attribute(v)      tensor<float>(x[2]):[1.0, 0.0]  document
                bm25(title)       0.5                             given
                query(q)          tensor<float>(x[2]):[2.0, 1.0]  query
                query(weight)     2.0                             default
`);
  });

  test("shows what it can where features are missing, with a file to fill in", async () => {
    const { code, out, err } = await shop().run([...plain, "--document", "doc.json"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^phase +first-phase +lacks bm25\(title\)\nfunction +likeness +2\.0\n/);
    expect(out).toMatch(/^missing +bm25\(title\) +tensor\(\) +it is computed from words: use --statistics$/m);
    expect(err).toMatch(
      /^error: first-phase cannot be computed without bm25\(title\) .*\n.*schemas\/doc.sd:16:/,
    );
    expect(err).toMatch(/\{\n {2}"bm25\(title\)": 0\n\}\n$/);
  });

  test("takes features from files, the command line and a response, the nearer ones first", async () => {
    const own = shop({ "features.json": { "bm25(title)": 10 } });
    const one = [...plain, "--document", "doc.json", "--json"];
    const score = async (...more: string[]): Promise<number> =>
      JSON.parse((await own.run([...one, ...more])).out).score;
    expect(await score("--response", "response.json")).toBe(4.5);
    expect(await score("--response", "response.json", "--features", "features.json")).toBe(14);
    expect(await score("--features", "features.json", "--feature", "bm25(title)=20")).toBe(24);
  });

  test("ranks a feed, and honours rerank counts", async () => {
    const arguments_ = ["score", "--profile", "cheap", "--query", "query.json", "--documents", "feed.jsonl"];
    const { code, out } = await shop().run([...arguments_, "--feature", "bm25(title)=0", "--json"]);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    // First phase: 4, 6 and 2. The best two lose their prices: 4 - 5 = -1 and 6 - 50 = -44. The third moves from 2,
    // on a range of 4 to 6, to one of -44 to -1: -44 + (2 - 4) * 43 / 2 = -87.
    expect(lines.map(({ rank, id, score }) => [rank, id, score])).toEqual([
      [1, "id:shop:doc::1", -1],
      [2, "id:shop:doc::2", -44],
      [3, "id:shop:doc::3", -87],
    ]);
    expect(lines[1]).toMatchObject({ "first-phase": 6, "second-phase": -44, matchfeatures: { likeness: 3 } });
  });

  test("shows which hits of a response would move", async () => {
    const own = shop();
    const same = await own.run([...plain, "--compare", "response.json", "--documents", "feed.jsonl"]);
    expect(same.out.split("\n").map((line) => line.replace(/ +/g, " "))).toEqual([
      "rank was document score was",
      " 1 1 id:shop:doc::2 7.0 7.0",
      " 2 2 id:shop:doc::1 4.5 4.5",
      "",
    ]);
    const { out } = await own.run([
      ...plain.with(2, "cheap"),
      ...["--compare", "response.json", "--documents", "feed.jsonl", "--json"],
    ]);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: "id:shop:doc::1", before: { rank: 2, score: 4.5 }, after: { rank: 1, score: -0.5 } },
      { id: "id:shop:doc::2", before: { rank: 1, score: 7 }, after: { rank: 2, score: -43 } },
    ]);
  });

  test("takes from the response what cannot be computed, and says so", async () => {
    const { out, err } = await shop().run([
      ...plain,
      "--compare",
      "response.json",
      "--feature",
      "query(weight)=3",
    ]);
    expect(err).toBe("taken from the response: likeness\n");
    expect(out).toMatch(/^ +1 +1 +id:shop:doc::2 +10\.0 +7\.0$/m);
  });

  test("explains a function, and says which cells made it", async () => {
    const own = shop();
    const explained = await own.run([...plain, "--document", "doc.json", "--explain", "likeness"]);
    expect(explained.out).toContain("input attribute(v)");
    const why = await own.run([...plain, "--document", "doc.json", "--why", "likeness"]);
    expect(why.out).toMatch(/query\(q\) \* attribute\(v\) +\{x:0\} +2\.0/);
    for (const option of ["--explain", "--why"]) {
      const { code, out, err } = await own.run([...plain, "--document", "doc.json", option, "first-phase"]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("first-phase cannot be computed without bm25(title)");
    }
  });

  // biome-ignore format: a table
  test.each([
    { args: ["--profile", "broken"],                         code: 1, says: /no function or rank feature called atribute/ },
    { args: ["--profile", "plan"],                           code: 1, says: /there is no rank profile plan/ },
    { args: [],                                              code: 1, says: /which rank profile is meant\?/ },
    { args: ["--profile", "plain", "--document", "no.json"], code: 2, says: /cannot read no.json: there is no such file/ },
    { args: ["--profile", "plain", "--now", "soon"],         code: 2, says: /--now soon is neither/ },
    { args: ["--profile", "plain", "--nearest", "v"],        code: 2, says: /--nearest v: write/ },
    { args: ["--profile", "plain", "--top", "all"],          code: 2, says: /--top <count>.*It must be a whole number/ },
    { args: ["--profile", "plain", "--why", "liking"],       code: 2, says: /computes nothing called liking, but first-phase, likeness/ },
  ])("says what is wrong with $args", async ({ args, code, says }) => {
    const outcome: Outcome = await shop().run(["score", ...args]);
    expect(outcome.err).toMatch(says);
    expect(outcome.code).toBe(code);
  });

  test("says which document is none, and ranks the others", async () => {
    const own = shop({
      "feed.jsonl": `${JSON.stringify(documents[0])}\n{"put":1}\n${JSON.stringify(documents[1])}`,
    });
    const { code, out, err } = await own.run([
      ...plain,
      "--documents",
      "feed.jsonl",
      "--feature",
      "bm25(title)=0",
    ]);
    expect(code).toBe(1);
    expect(err).toMatch(/feed\.jsonl:2:/);
    expect(out.match(/id:shop:doc/g)).toHaveLength(2);
  });

  test("a file without a document is a mistake of the call", async () => {
    const own = shop({ "none.json": "\n", "removed.json": '{"remove":"id:shop:doc::1"}' });
    for (const file of ["none.json", "removed.json"]) {
      const { code, err } = await own.run([...plain, "--document", file]);
      expect([code, err]).toEqual([2, `sphex: there is no document in ${file}\n`]);
    }
  });

  test("tells all that is wrong with a document, and each unknown field of a feed once", async () => {
    const own = shop({
      "bad.json": '{"fields":{"price":"cheap","v":[1,2,3]}}',
      "feed.jsonl": [1, 2].map((id) => `{"put":"id:shop:doc::${id}","fields":{"prise":1}}\n`).join(""),
    });
    const bad = await own.run([...plain, "--document", "bad.json", "--feature", "bm25(title)=0"]);
    expect(bad.code).toBe(1);
    // The characters at which "cheap" and [1,2,3] begin, counted in the text above.
    expect(bad.err.match(/bad\.json:1:\d+/g)).toEqual(["bad.json:1:20", "bad.json:1:32"]);
    const feed = await own.run([...plain, "--documents", "feed.jsonl", "--feature", "bm25(title)=0"]);
    expect(feed.err.match(/the schema doc has no field prise/g)).toHaveLength(1);
    expect(feed.err).toContain("did you mean price?");
    expect(feed.code).toBe(1);
    expect(feed.out.match(/id:shop:doc/g)).toHaveLength(2);
  });

  test("tells all that is wrong with a query, and with a search that is named", async () => {
    const own = shop({ "wrong.json": '{"input.query(q)":[1,2,3],"input.query(weight)":"much"}' });
    const wrong = await own.run(["score", ".", "--profile", "plain", "--query", "wrong.json"]);
    expect(wrong.code).toBe(1);
    // The characters at which [1,2,3] and much (behind its quote) begin, counted in the text above.
    expect(wrong.err.match(/wrong\.json:1:\d+/g)).toEqual(["wrong.json:1:19", "wrong.json:1:50"]);
    for (const [nearest, says] of [
      ["w=q", "the schema has no field w"],
      ["v=p", "the rank profile has no input query(p)"],
    ] as const) {
      const { code, err } = await own.run([...plain, "--nearest", nearest]);
      expect([code, err]).toEqual([2, `sphex: --nearest ${nearest}: ${says}\n`]);
    }
  });
});

test("the distributions of what is a function and a match feature are shown once", async () => {
  const given = ["--documents", "feed.jsonl", "--feature", "bm25(title)=0.5", "--distributions"];
  const { code, out } = await shop().run([...plain, ...given]);
  expect(code).toBe(0);
  const names = out
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(names).toEqual(["function", "first-phase", "likeness", "bm25(title)", "attribute(price)"]);
  const lines = (await shop().run([...plain, ...given, "--json"])).out.trim().split("\n");
  // Of 50, 5 and 1.
  expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
    ...{ name: "attribute(price)", count: 3, notFinite: 0, least: 1, median: 5, greatest: 50 },
    tenths: [2, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  });
});
