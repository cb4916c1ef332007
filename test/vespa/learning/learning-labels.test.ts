import { describe, expect, test } from "vitest";
import { SphexError } from "../../../src/index.js";
import { decimalText } from "../../../src/vespa/package/schemas/written-values.js";
import {
  checkPackage,
  editedFiles,
  type LearnOptions,
  type Learnt,
  learn,
  readJudgments,
  readLabelledRows,
  readPackage,
  soundProfile,
} from "../../../src/vespa.js";
import { filesOf } from "../../packages.js";

/** Which documents are the same, and how relevant they are, where rank profiles learn: measures and losses are computed here by hand. */

const schema = (
  constants = "",
  expression = "query(w) * attribute(a) + query(v) * attribute(b)",
): string => `schema d {
  document d {
    field a type double { indexing: attribute }
    field b type double { indexing: attribute }
  }
  ${constants}
  rank-profile p {
    inputs {
      query(w) double: 1.0
      query(v) double: 0.5
    }
    first-phase { expression: ${expression} }
  }
}
`;

const usual = { loss: "pairwise", epochs: 10, rate: 0.05, decay: 0, depth: 10, folds: 1, seed: 0 } as const;

/** What is learnt of texts of rows, with judgments as CSV. */
async function learntOf(
  texts: readonly string[],
  options: Partial<LearnOptions> = {},
  judgments?: string,
  files: Readonly<Record<string, string>> = { "schemas/d.sd": schema() },
): Promise<Learnt> {
  const judged = judgments === undefined ? undefined : readJudgments({ name: "judgments", text: judgments });
  const parsed = texts.map((text, at) => readLabelledRows({ name: `rows${at}`, text }, judged?.judgments));
  expect(parsed.flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual([]);
  const read = readPackage(filesOf(files));
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  return await learn(
    parsed.flatMap(({ rows }) => rows),
    {
      ...usual,
      ...{ package: read, profile: soundProfile(read, checkPackage(read), "p", span) },
      ...{ judgments: judged?.judgments, ...options },
    },
  );
}

const head = "query_id,doc_id,relevance_label,attribute(a),attribute(b)";
const csv = (...lines: readonly string[]): string => [head, ...lines].join("\n");

const ndcg = ({ before }: Learnt): number[] => before.queries.map(({ scores }) => scores["NDCG@"]);
const discount = (rank: number): number => 1 / Math.log2(rank + 1);

/** The codes of what a failed attempt reports. */
async function codesOf(attempt: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}

describe("the ids of queries and documents", () => {
  test.each([
    ["9007199254740993", "9007199254740992"],
    ["007", "7"],
    ["1.0", "1"],
  ])("are what is written: %s is not %s", async (one, other) => {
    const rows = csv(`${one},a,1,1,0`, `${one},b,0,2,0`, `${other},c,0,3,0`, `${other},d,1,4,0`);
    expect(ndcg(await learntOf([rows]))).toEqual([discount(2), 1]);
    const json = rows
      .split("\n")
      .slice(1)
      .map((line) => line.split(","))
      .map(
        ([query, document, label, a, b]) =>
          `{"query_id":${query?.startsWith("0") ? `"${query}"` : query},"doc_id":"${document}","label":${label},"attribute(a)":${a},"attribute(b)":${b}}`,
      );
    expect(ndcg(await learntOf([json.join("\n")]))).toEqual([discount(2), 1]);
  });

  test("find their judgments", async () => {
    const rows = "query_id,doc_id,attribute(a),attribute(b)\nq1,0010,2,0\nq1,0011,1,0\nq1,x,3,0";
    const judgments = "query,document,relevance\nq1,0010,3\nq1,0011,0\nq1,x,1";
    const [found] = ndcg(await learntOf([rows], {}, judgments));
    expect(found).toBeCloseTo((1 + 7 * discount(2)) / (7 + discount(2)), 12);
  });

  test("tell documents apart that come from several files without ids", async () => {
    const rows = (first: number, second: number): string =>
      `query_id,relevance_label,attribute(a),attribute(b)\nq1,${first},1,0\nq1,${second},2,0`;
    const learnt = await learntOf([rows(2, 0), rows(1, 0)]);
    expect([learnt.rows, learnt.repeated]).toEqual([4, 0]);
    for (const { scores } of learnt.before.queries)
      for (const score of Object.values(scores)) expect(score).toBeLessThanOrEqual(1);
  });
});

describe("a document that comes again in its query", () => {
  test("counts once, and it is said how often", async () => {
    const learnt = await learntOf([csv("q1,a,1,3,0", "q1,a,1,3,0", "q1,b,0,2,0")]);
    expect([learnt.rows, learnt.repeated]).toEqual([2, 1]);
    expect(learnt.before.queries.map(({ scores }) => scores)).toEqual([
      { "NDCG@": 1, MRR: 1, MAP: 1, "recall@": 1, "precision@": 0.1 },
    ]);
  });

  test("has one label", async () => {
    const codes = await codesOf(() => learntOf([csv("q1,a,1,3,0", "q1,a,0,3,0", "q1,b,0,2,0")]));
    expect(codes).toEqual(["learning/labels"]);
  });
});

describe("a label that is no number", () => {
  const judgments = "query,document,relevance\nq1,a,1\nq1,b,0";

  test.each([
    csv("q1,a,high,3,0", "q1,b,0,2,0"),
    csv("q1,a,0x2,3,0", "q1,b,0,2,0"),
    csv("q1,a,NaN,3,0", "q1,b,0,2,0"),
    '{"query_id":"q1","doc_id":"a","label":"2","attribute(a)":3,"attribute(b)":0}',
    '{"query_id":"q1","doc_id":"a","label":true,"attribute(a)":3,"attribute(b)":0}',
  ])("is refused, also where there are judgments: %s", (text) => {
    const judged = readJudgments({ name: "judgments", text: judgments }).judgments;
    for (const each of [undefined, judged]) {
      const { rows, problems } = readLabelledRows({ name: "rows", text }, each);
      expect(problems.map(({ code }) => code)).toEqual(["learning/row"]);
      expect(rows.map(({ document }) => document)).not.toContain("a");
    }
  });

  test("is one of the judgments where it is empty", async () => {
    const learnt = await learntOf([csv("q1,a,,3,0", "q1,b,,4,0")], {}, judgments);
    expect(ndcg(learnt)).toEqual([discount(2)]);
  });
});

describe("judgments", () => {
  const rows = "query_id,doc_id,attribute(a),attribute(b)\nq1,a,1,0\nq1,b,2,3\nq1,c,0,1";

  test("of documents that no row has count as not found", async () => {
    const judgments = "query,document,relevance\nq1,a,2\nq1,b,0\nq1,c,1\nq1,absent,3";
    const learnt = await learntOf([rows], {}, judgments);
    // The scores are 1, 3.5 and 0.5.
    const best = 7 + 3 * discount(2) + discount(3);
    expect(ndcg(learnt)[0]).toBeCloseTo((3 * discount(2) + discount(3)) / best, 12);
    expect(learnt.before.queries[0]?.scores["recall@"]).toBeCloseTo(2 / 3, 12);
  });

  test.each([
    "query,document,score,relevance\nq1,a,0.1,2\nq1,b,7.5,0\nq1,c,0.2,1",
    "id,query,document,relevance\n1,q1,a,2\n2,q1,b,0\n3,q1,c,1",
    "relevance,document,query\n2,a,q1\n0,b,q1\n1,c,q1",
    "query-id,corpus-id,score\nq1,a,2\nq1,b,0\nq1,c,1",
  ])("are in the column of their own name, and otherwise of another one: %s", (text) => {
    const { judgments, problems } = readJudgments({ name: "judgments", text });
    expect(problems).toEqual([]);
    expect([...(judgments.get("q1") ?? [])]).toEqual([
      ["a", 2],
      ["b", 0],
      ["c", 1],
    ]);
  });
});

describe("columns of features", () => {
  test.each([
    ["more fields than the header has", csv("q1,a,1,5,3", "q1,b,0,1,000,2")],
    ["fewer fields", csv("q1,a,1,5,3", "q1,b,0,1")],
    ["a column twice", `${head},attribute(a)\nq1,a,1,5,3,-5\nq1,b,0,1,0,-1`],
  ])("are refused with %s", (_, text) => {
    const { problems } = readLabelledRows({ name: "rows", text });
    expect(problems.map(({ code }) => code)).toEqual(["csv/shape"]);
  });
});

describe("what is learnt", () => {
  test("of one query that tells anything is not judged by what others teach", async () => {
    const learnt = await learntOf([csv("q1,a,0,1,0", "q1,b,1,2,3", "q1,c,0,0,1")], { folds: 5 });
    expect(learnt.heldOut).toBeUndefined();
    expect(ndcg(learnt)).toEqual([1]);
  });

  test.each([1, 10, 1000])("moves no further than a decay of %d lets it", async (decay) => {
    const rows = [csv("q1,a,1,1,0", "q1,b,0,0,0")];
    const { numbers } = await learntOf(rows, { only: ["query(w)"], decay, epochs: 2000 });
    // A unit moves the score by 1 over the deviation of the slopes 1 and 0, which is a half.
    const minimised = (w: number): number => Math.log(1 + Math.exp(-w)) + decay * ((w - 1) / 2) ** 2;
    let [low, high] = [0, 4];
    for (let step = 0; step < 200; step++) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
      if (minimised(left) < minimised(right)) high = right;
      else low = left;
    }
    expect(numbers[0]).toBeCloseTo(low, 2);
  });

  test("of a list with labels below 0 is what 0 teaches", async () => {
    const rows = (negative: number): string =>
      csv(`q1,a,${negative},1,0`, "q1,b,0,2,3", "q1,c,0,0,1", "q2,c,0,3,1", "q2,d,1,4,5", "q2,e,3,0,1");
    const [below, zero] = [
      await learntOf([rows(-2)], { loss: "listwise" }),
      await learntOf([rows(0)], { loss: "listwise" }),
    ];
    const [, second] = [...below.before.queries];
    expect(second?.id).toBe("q2");
    // The list q1, which has no gain at all, adds nothing to the loss.
    expect(below.loss.before).toBeGreaterThan(0);
    const scores = [3.5, 6.5, 0.5];
    const total = Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
    const entropy = (1 / 8) * (total - 6.5) + (7 / 8) * (total - 0.5);
    expect(below.loss.before).toBeCloseTo(entropy / 2, 10);
    expect(zero.loss.before).toBeCloseTo(entropy, 10);
  });

  test("is refused where two constants have their numbers in one file", async () => {
    const constants = ["w1", "w2"]
      .map((name) => `constant ${name} { type: tensor(x[2]) file: constants/k.json }`)
      .join("\n");
    const features = "tensor(x[2]):[attribute(a),attribute(b)]";
    const files = {
      "schemas/d.sd": schema(
        constants,
        `sum(constant(w1) * ${features}) + sum(constant(w2) * ${features} * ${features})`,
      ),
      "constants/k.json": '{"values":[1.0, 2.0]}',
    };
    const rows = [csv("q1,a,1,1,0", "q1,b,0,2,3")];
    expect(await codesOf(() => learntOf(rows, {}, undefined, files))).toEqual(["learning/parameter"]);
    const one = await learntOf(rows, { only: ["constant(w2)"] }, undefined, files);
    expect(editedFiles(one).map(({ source }) => source.name)).toEqual(["constants/k.json"]);
  });

  test.each([
    [9.10459e-7, "0.000000910459"],
    [-1e-300, `-0.${"0".repeat(299)}1`],
    [1e21, "1000000000000000000000.0"],
    [-1.25e22, "-12500000000000000000000.0"],
    [3, "3.0"],
    [0.1, "0.1"],
    [-2.5, "-2.5"],
    [1e20, "100000000000000000000.0"],
  ])("is written without an exponent: %d", (value, text) => {
    expect(decimalText(value)).toBe(text);
    expect(Number(text)).toBe(value);
  });
});
