import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CompiledProfiles } from "../../../src/cli/score/compiled-profiles.js";
import { meanInterval } from "../../../src/vespa/judging/intervals.js";
import { measures } from "../../../src/vespa/judging/measures.js";
import {
  checkPackage,
  comparisons,
  distributionOf,
  distributionRemark,
  evaluateQueries,
  readJudgments,
  readQueries,
} from "../../../src/vespa.js";
import { type Command, command } from "../../command.js";
import { first, packageOf, schemaWith } from "../../packages.js";

/** How good an order is, with values worked out by hand. */
describe("measures of one list", () => {
  const all = [3, 1, 2];
  const best = 7 + 3 / Math.log2(3) + 1 / 2;

  test.each([
    ["NDCG@", 10, (7 + 1 / 2) / best],
    ["MRR", 10, 1],
    ["MAP", 10, (1 + 2 / 3) / 3],
    ["recall@", 10, 2 / 3],
    ["precision@", 10, 2 / 10],
    ["NDCG@", 1, 1],
    ["recall@", 1, 1 / 3],
    ["precision@", 2, 1 / 2],
  ] as const)("%s%d is %f", (name, depth, expected) => {
    expect(measures[name]({ relevances: [3, 0, 1], all, depth })).toBeCloseTo(expected, 12);
  });

  // As gdeval and trec_eval have it: less than not relevant is not relevant.
  test("documents that are less than not relevant gain and cost nothing", () => {
    const list = { relevances: [-2, 3, -1], all: [3, -1, -2], depth: 3 };
    expect(measures["NDCG@"](list)).toBeCloseTo(1 / Math.log2(3), 12);
    expect(measures["NDCG@"]({ relevances: [-1], all: [-1], depth: 1 })).toBe(0);
    expect(measures.MRR(list)).toBe(1 / 2);
    expect(measures.MAP(list)).toBe(1 / 2);
  });

  test("nothing relevant is 0, and never no number", () => {
    for (const measure of Object.values(measures))
      for (const relevances of [[], [0, 0]]) expect(measure({ relevances, all: [0], depth: 10 })).toBe(0);
    expect(measures.MRR({ relevances: [0, 0, 0, 2], all: [2], depth: 1 })).toBe(1 / 4);
  });
});

describe("judgments", () => {
  const read = (text: string): unknown =>
    [...readJudgments({ name: "judgments", text }).judgments].map(([query, documents]) => [
      query,
      [...documents],
    ]);
  const expected = [
    [
      "q1",
      [
        ["a", 2],
        ["b", 0],
      ],
    ],
    ["q2", [["a", 1]]],
  ];

  test.each([
    "q1 0 a 2\nq1 0 b 0\n\nq2 0 a 1\n",
    "q1\t0\ta\t2\r\nq1\tQ0\tb\t0\r\nq2\t0\ta\t1",
    "q1,a,2\nq1,b,0\nq2,a,1",
    'qid,rel,"docid"\nq1,2,a\nq1,0,b\nq2,1,a',
    '{"q1":{"a":2,"b":0},"q2":{"a":1}}',
    '[{"query":"q1","document":"a","relevance":2},{"qid":"q1","docid":"b","rel":0},{"query":"q2","document":"a","relevance":1}]',
  ])("%j", (text) => expect(read(text)).toEqual(expected));

  test("in CSV may have commas, quotes and line breaks in quotes", () =>
    expect(read('query,document,relevance\r\n"a, b","say ""x""\n",1\r\n# none\r\nc,d,-2')).toEqual([
      ["a, b", [['say "x"', 1]]],
      ["c", [["d", -2]]],
    ]));

  test.each([
    "q1 0 a",
    "q1 0 a high",
    "q1,a\nq1,b",
    '{"q1":{"a":"high"}}',
    "[1]",
  ])("%j is refused", (text) => {
    const { problems } = readJudgments({ name: "judgments", text });
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["judging/line"]));
  });

  test("queries have ids", () => {
    const { queries, problems } = readQueries({
      name: "queries",
      text: '{"id":"q1","input.query(w)":2}\n{"qid":7,"hits":3}\n{"hits":4}',
    });
    expect(
      queries.map(({ id, query }) => [id, [...query.inputs.keys(), ...query.parameters.keys()]]),
    ).toEqual([
      ["q1", ["query(w)"]],
      ["7", ["hits"]],
    ]);
    expect(problems.map(({ code }) => code)).toEqual(["judging/query"]);
  });
});

describe("intervals", () => {
  test("of equal values nothing else may be expected", () => {
    expect(meanInterval([0.5, 0.5, 0.5])).toEqual({ least: 0.5, greatest: 0.5 });
  });

  test("they hold the mean, are the same for a seed, and lie within the values", () => {
    const values = [0, 0.2, 0.4, 0.6, 0.8, 1];
    const { least, greatest } = meanInterval(values, 7);
    expect(least).toBeGreaterThan(0);
    expect(least).toBeLessThan(0.5);
    expect(greatest).toBeGreaterThan(0.5);
    expect(greatest).toBeLessThan(1);
    expect(meanInterval(values, 7)).toEqual({ least, greatest });
    expect(meanInterval(values, 8)).not.toEqual({ least, greatest });
    // The mean of 6 such values deviates by 0.14: about twice that to both sides.
    expect(greatest - least).toBeGreaterThan(0.4);
    expect(greatest - least).toBeLessThan(0.7);
  });

  test("a comparison is of the queries that both have", () => {
    const judgments = new Map([
      ["q1", new Map([["a", 1]])],
      ["q2", new Map([["a", 1]])],
    ]);
    const before = evaluateQueries([{ id: "q1", documents: ["b", "a"] }], judgments, 10);
    const after = evaluateQueries(
      [
        { id: "q1", documents: ["a", "b"] },
        { id: "q2", documents: ["b", "id:x:y::a"] },
        { id: "q3", documents: [] },
      ],
      judgments,
      10,
    );
    expect(after.unjudged).toBe(1);
    expect(after.queries[1]?.scores.MRR).toBe(1 / 2);
    const found = comparisons(before, after).find(({ measure }) => measure === "MRR");
    expect(found).toMatchObject({
      before: 0.5,
      after: 1,
      difference: 0.5,
      interval: { least: 0.5, greatest: 0.5 },
    });
  });
});

test("the median of an even count lies between the two in the middle, and huge numbers have tenths, too", () => {
  expect(distributionOf("f", [4, 1, 3, 2])).toMatchObject({ least: 1, median: 2.5, greatest: 4 });
  expect(distributionOf("f", [0, 690])).toMatchObject({ median: 345 });
  expect(distributionOf("f", [1.5e308, 1.7e308])).toMatchObject({ median: 1.6e308 });
  expect(distributionOf("f", [5e-324, 5e-324])).toMatchObject({ median: 5e-324 });
  expect(distributionOf("f", [])).toMatchObject({ count: 0, median: Number.NaN });
  const tenths = [1, 0, 0, 0, 0, 1, 0, 0, 0, 1];
  expect(distributionOf("f", [-1.5e308, 0, 1.5e308])).toMatchObject({ median: 0, tenths });
  expect(distributionOf("f", [0, 5e-324])).toMatchObject({
    least: 0,
    greatest: 5e-324,
    tenths: [1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  });
});

test("distributions tell what is dead, not finite, or crowded at one end", () => {
  const many = Array.from({ length: 20 }, (_, at) => at);
  expect(distributionOf("f", [...many, Number.NaN])).toMatchObject({
    ...{ count: 21, notFinite: 1, least: 0, median: 9.5, greatest: 19 },
    tenths: [2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
  });
  const remark = (values: readonly number[]): string => distributionRemark(distributionOf("f", values));
  expect(remark(many)).toBe("");
  expect(remark([...many, Number.POSITIVE_INFINITY])).toBe("1 not finite");
  expect(remark([2, 2, 2])).toBe("the same for all");
  expect(remark(many.map((each) => (each === 0 ? 0 : 1)))).toBe("almost all near the greatest");
  expect(remark(many.map((each) => (each === 0 ? 1 : 0)))).toBe("almost all near the least");
});

const schema = (expression: string): string => `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field stars type double { indexing: attribute }
  }
  rank-profile plain {
    inputs { query(w) double: 0 }
    function worth() { expression: query(w) * attribute(stars) }
    first-phase { expression: ${expression} }
  }
  rank-profile cheap inherits plain {
    first-phase { expression: -attribute(price) }
  }
}
`;

function shop(): Command {
  const own = command();
  const files: Readonly<Record<string, string>> = {
    "now/schemas/doc.sd": schema("worth - attribute(price)"),
    "before/schemas/doc.sd": schema("attribute(price)"),
    "feed.jsonl": [
      { put: "id:s:doc::a", fields: { price: 1, stars: 0 } },
      { put: "id:s:doc::b", fields: { price: 2, stars: 3 } },
    ]
      .map((each) => JSON.stringify(each))
      .join("\n"),
    "queries.jsonl": '{"id":"q1"}\n{"id":"q2"}',
    "qrels.txt": "q1 0 a 1\nq2 0 b 1\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(own.folder, name, ".."), { recursive: true });
    writeFileSync(join(own.folder, name), text);
  }
  return own;
}

const judged = [
  "--profile",
  "plain",
  "--documents",
  "feed.jsonl",
  "--queries",
  "queries.jsonl",
  "--judgments",
  "qrels.txt",
];

describe("sphex score --judgments", () => {
  test("tells the measures of a profile", async () => {
    // Of q1 the first document is relevant, of q2 the second: half of 1, and of 1 over log2(3).
    const { code, out, err } = await shop().run(["score", "now", ...judged, "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { measures: found, queries } = JSON.parse(out);
    expect(found["NDCG@10"].mean).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 12);
    expect(found.MRR.mean).toBe(0.75);
    expect(found["precision@10"].mean).toBeCloseTo(0.1, 12);
    expect(queries.q2.MRR).toBe(0.5);
    expect(
      (await shop().run(["score", "now", ...judged, "--at", "1"])).out,
    ).toBe(`measure      mean    95 % interval
NDCG@1       0.5000  0.0000 … 1.0000
MRR          0.7500  0.5000 … 1.0000
MAP          0.7500  0.5000 … 1.0000
recall@1     0.5000  0.0000 … 1.0000
precision@1  0.5000  0.0000 … 1.0000
2 judged queries
`);
  });

  test("compares packages and profiles query by query", async () => {
    const { out } = await shop().run(["score", "now", ...judged, "--against", "before"]);
    expect(out).toContain("MRR           0.7500  0.7500  +0.0000     -0.5000 … +0.5000");
    expect(out).toContain("1 win, 1 lose, 0 stay the same by NDCG@10\n  q1  +0.3691\n  q2  -0.3691\n");
    const same = await shop().run(["score", "now", ...judged, "--against-profile", "cheap"]);
    expect(same.out).toContain("0 win, 0 lose, 2 stay the same by NDCG@10");
  });

  test("sweeps an input", async () => {
    const { code, out } = await shop().run([
      "score",
      "now",
      ...judged,
      "--sweep",
      "query(w)=0..1:0.5",
      "--at",
      "1",
    ]);
    // From w = 1/3 on the other document is the first one: as good for one query as before for the other.
    expect({ code, out }).toEqual({
      code: 0,
      out: `query(w)  NDCG@1
0         0.5000  ████████████████████ best
0.5       0.5000  ████████████████████ best
1         0.5000  ████████████████████ best
`,
    });
  });

  test("a profile is compiled once, and once with its terms", () => {
    const read = packageOf({ "schemas/doc.sd": schemaWith("rank-profile p { first-phase: 1 + 2 }") });
    const { profile } = first(checkPackage(read).profiles);
    const compiled = new CompiledProfiles(read, new Map());
    const [plain, withTerms] = [false, true].map((hasTerms) => compiled.ranking(profile, { hasTerms }));
    expect(compiled.ranking(profile, { hasTerms: false })).toBe(plain);
    expect(compiled.ranking(profile, { hasTerms: true })).toBe(withTerms);
    expect(withTerms).not.toBe(plain);
  });

  test("shows how the values of functions lie", async () => {
    const { out } = await shop().run([
      "score",
      "now",
      "--profile",
      "plain",
      "--documents",
      "feed.jsonl",
      "--distributions",
    ]);
    expect(out.split("\n").map((line) => line.trimEnd())).toEqual([
      "function     least  median  greatest  tenths",
      "first-phase  -2.0   -1.5    -1.0      █        █",
      "worth        0.0    0.0     0.0       █           the same for all",
      "",
    ]);
  });

  test.each([
    [["--judgments", "qrels.txt"], "give --queries FILE and --documents FILE"],
    [[...judged.slice(2), "--sweep", "query(w)=0..x"], "write --sweep"],
    [[...judged.slice(2), "--at", "0"], "It must be a whole number above 0."],
  ])("%j is refused", async (flags, message) => {
    const { code, err } = await shop().run(["score", "now", ...flags]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
