import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseType, Tensor } from "../../../src/index.js";
import { withNumbers } from "../../../src/vespa/learning/written-numbers.js";
import {
  checkPackage,
  editedFiles,
  type LearnOptions,
  learn,
  readLabelledRows,
  readPackage,
  soundProfile,
} from "../../../src/vespa.js";
import { command } from "../../command.js";
import { filesOf } from "../../packages.js";
import { patient } from "../../patience.js";

/** Rank profiles that learn their numbers from labelled features. */

const schema = `schema doc {
  document doc {
    field title type string { indexing: index }
  }
  rank-profile linear {
    inputs {
      query(a) double: 0.5   # weights
      query(b) double: 0
    }
    first-phase { expression: query(a) * bm25(title) + query(b) * fieldMatch(title) }
  }
  rank-profile constants {
    constants {
      w tensor(i[2]): [0.5, 0.0]
      bias: 3.0
    }
    function both() { expression: tensor(i[2]):[bm25(title), fieldMatch(title)] }
    first-phase { expression: bm25(title) }
    second-phase { expression: constant(bias) + sum(both * constant(w)) }
  }
  rank-profile fused inherits linear {
    global-phase { expression: reciprocal_rank(firstPhase) }
  }
}
`;

function setting(profile: string, files: Readonly<Record<string, string>> = {}) {
  const read = readPackage(filesOf({ "schemas/doc.sd": schema, ...files }));
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  return { package: read, profile: soundProfile(read, checkPackage(read), profile, span) };
}

const usual = { loss: "pairwise", epochs: 200, rate: 0.05, decay: 0, depth: 10, folds: 0, seed: 0 } as const;

const rowsOf = (rows: readonly (readonly [query: string, label: number, title: number, match: number])[]) =>
  readLabelledRows({
    name: "rows",
    text: rows
      .map(([query, label, title, match], at) =>
        JSON.stringify({
          ...{ query_id: query, doc_id: `d${at}`, relevance_label: label },
          ...{ "match_bm25(title)": title, "match_fieldMatch(title)": match },
        }),
      )
      .join("\n"),
  }).rows;

const few = rowsOf([
  ["q1", 1, 1, 4],
  ["q1", 0, 2, 1],
  ["q2", 2, 0, 3],
  ["q2", 0, 1, 0],
  ["q2", 1, 3, 2],
  ["alike", 1, 3, 2],
  ["alike", 1, 2, 2],
]);

const learnt = async (profile: string, options: Partial<LearnOptions> = {}, rows = few) =>
  await learn(rows, { ...usual, ...setting(profile), ...options });

const softplus = (x: number): number => Math.log(1 + Math.exp(x));

describe("learning", () => {
  test("makes a pairwise loss smaller that is computed by hand", async () => {
    const { loss, numbers, rows, alike, before, after } = await learnt("linear");
    const [first, second] = [0.5 * -1, [0.5 * -1, 0.5 * -3, 0.5 * 2]] as const; // of each pair the margin
    const ofSecond = second.reduce((sum, margin) => sum + softplus(-margin), 0) / 3;
    expect(loss.before).toBeCloseTo((softplus(-first) + ofSecond) / 2, 12);
    expect(loss.after).toBeLessThan(0.1);
    expect([rows, alike]).toEqual([5, 1]);
    expect(numbers[1]).toBeGreaterThan(1);
    const ndcg = (of: typeof before) => of.queries.map(({ scores }) => scores["NDCG@"]);
    expect(ndcg(after)).toEqual([1, 1]);
    expect(ndcg(before)[0]).toBeCloseTo(1 / Math.log2(3), 12);
  });

  test("makes a listwise loss smaller that is computed by hand", async () => {
    const { loss } = await learnt("linear", { loss: "listwise" });
    const entropy = (scores: readonly number[], gains: readonly number[]): number => {
      const total = Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
      const all = gains.reduce((sum, gain) => sum + gain, 0);
      return scores.reduce((sum, score, at) => sum + ((gains[at] ?? 0) / all) * (total - score), 0);
    };
    expect(loss.before).toBeCloseTo((entropy([0.5, 1], [1, 0]) + entropy([0, 0.5, 1.5], [3, 0, 1])) / 2, 12);
    expect(loss.after).toBeLessThan(loss.before / 2);
  });

  test("begins where all scores are the same", async () => {
    const { loss } = await learnt(
      "linear",
      {},
      few.map((row) => ({ ...row, features: new Map(row.features) })),
    );
    expect(loss.after).toBeLessThan(loss.before);
    const zero = await learn(few, {
      ...usual,
      ...setting("linear", { "schemas/doc.sd": schema.replace("double: 0.5", "double: 0") }),
    });
    expect(zero.loss.before).toBeCloseTo(Math.log(2), 12);
    expect(zero.loss.after).toBeLessThan(0.1);
  });

  test("finds the last phase that looks at one document at a time, and what it uses", async () => {
    const names = async (profile: string) => {
      const { phase, parameters } = await learnt(profile, { epochs: 1 });
      return [phase, ...parameters.map(({ name }) => name)];
    };
    expect(await names("fused")).toEqual(["first-phase", "query(a)", "query(b)"]);
    expect(await names("constants")).toEqual(["second-phase", "constant(bias)", "constant(w)"]);
  });

  test("leaves alone what moves all scores alike", async () => {
    const { parameters, numbers } = await learnt("constants");
    expect(parameters[0]?.name).toBe("constant(bias)");
    expect(numbers[0]).toBe(3);
    expect(numbers[2]).toBeGreaterThan(1);
  });

  test.each([
    "pairwise",
    "listwise",
  ] as const)("leaves that alone beside a decay, too, by %s", async (loss) => {
    // The second feature is the same in each list.
    const rows = rowsOf(
      ["q1", "q2", "q3"].flatMap((query, list) =>
        [0, 1, 2, 1, 0, 2].map((label, at) => [query, label, label + 0.7 * at, 0.1 + 0.3 * list] as const),
      ),
    );
    const { numbers } = await learnt("constants", { loss, decay: 0.01 }, rows);
    expect([numbers[0], numbers[2]]).toEqual([3, 0]);
    expect(numbers[1]).not.toBe(0.5);
  });

  test("judges each query by what others teach, and does the same again for the same seed", async () => {
    const some = rowsOf(
      Array.from({ length: 8 }, (_, query) =>
        [0, 1, 2].map(
          (label) => [`q${query}`, label, (query * 7 + label * 5) % 4, label + 0.1 * query] as const,
        ),
      ).flat(),
    );
    const options = { folds: 4, epochs: 100, rate: 0.1 };
    const first = await learnt("linear", options, some);
    const again = await learnt("linear", options, some);
    expect(first.heldOut?.queries.map(({ id }) => id).sort()).toEqual(
      [...Array(8).keys()].map((at) => `q${at}`),
    );
    expect(first.heldOut?.queries.every(({ scores }) => scores["NDCG@"] === 1)).toBe(true);
    expect(again).toEqual(first);
  });

  test("writes numbers where they stand, and nothing else", async () => {
    const [file] = editedFiles(await learnt("linear"));
    const [before, after] = [schema, file?.text ?? ""].map((text) => text.split("\n"));
    const changed = before?.flatMap((line, at) => (line === after?.[at] ? [] : [at]));
    expect(changed).toEqual([6, 7]);
    expect(after?.[6]).toMatch(/^ {6}query\(a\) double: -?\d+\.\d+ {3}# weights$/);
    const [other] = editedFiles(await learnt("constants", { only: ["constant(w)"] }));
    expect(other?.text).toMatch(/w tensor\(i\[2\]\): \[-?[\d.]+, -?[\d.]+\]\n {6}bias: 3\.0\n/);
  });

  test("writes inputs to a query profile that has them", async () => {
    const path = "search/query-profiles/default.xml";
    const xml = `<query-profile id="default">
  <field name="ranking.features.query(b)">0.25</field>
  <field name="hits">10</field>
</query-profile>
`;
    const of = setting("linear", { [path]: xml });
    const options = { ...usual, ...of, queryProfile: "default", only: ["query(b)"] };
    const [file, ...others] = editedFiles(await learn(few, options));
    expect(others).toEqual([]);
    expect(file?.source.name).toBe(path);
    expect(file?.text.replace(/>[\d.]+<\/field>/, ">0.25</field>")).toBe(xml);
    expect(file?.text).not.toBe(xml);
  });

  test.each([
    ["learning/parameter", { only: ["query(c)"] }],
    ["learning/phase", { phase: "global-phase" }],
    ["learning/query-profile", { queryProfile: "other" }],
    ["learning/not-finite", { rate: 1e308 }],
  ] as const)("reports %s", async (code, options) => {
    await expect(learnt("linear", options)).rejects.toMatchObject({ problems: [{ code }] });
  });

  test("reports rows that lack a feature, and judgments that say nothing", async () => {
    const lacking = few.map((row) => ({
      ...row,
      features: new Map([...row.features].filter(([name]) => !name.includes("fieldMatch"))),
    }));
    await expect(learnt("linear", {}, lacking)).rejects.toMatchObject({
      problems: Array.from({ length: 5 }, () => ({ code: "learning/feature" })),
    });
    await expect(learnt("linear", {}, few.slice(5))).rejects.toMatchObject({
      problems: [{ code: "learning/lists" }],
    });
  });
});

describe("labelled rows", () => {
  const read = (text: string, judgments?: Parameters<typeof readLabelledRows>[1]) =>
    readLabelledRows({ name: "rows", text }, judgments);
  const plain = (text: string, judgments?: Parameters<typeof readLabelledRows>[1]) =>
    read(text, judgments).rows.map(({ query, document, relevance, features }) => [
      ...[query, document, relevance],
      Object.fromEntries([...features].map(([name, value]) => [name, value.value])),
    ]);
  const expected = [["1", "d", 0.5, { "bm25(title)": 2, "match_bm25(title)": 2 }]];

  test("are those of pyvespa's collector, as CSV and as JSON", () => {
    const head = "query_id,doc_id,relevance_label,relevance_score,match_bm25(title),rank_bm25(title)";
    expect(plain(`${head}\r\n1,d,0.5,9.0,2.0,\r\n`)).toEqual(expected);
    const row = '{"query_id":1,"doc_id":"d","relevance_label":0.5,"relevance_score":9,"match_bm25(title)":2}';
    expect(plain(`{"results":[${row}]}`)).toEqual(expected);
    expect(plain(row)).toEqual(expected);
  });

  test("have features of their own, and labels from judgments", () => {
    const judgments = new Map([["q", new Map([["a", 2]])]]);
    const text =
      '{"query":"q","document":"a","features":{"f":1}}\n{"query":"q","document":"b","features":{"f":3}}';
    expect(plain(text, judgments)).toEqual([
      ["q", "a", 2, { f: 1 }],
      ["q", "b", 0, { f: 3 }],
    ]);
  });

  test("are hits of responses", () => {
    const judgments = new Map([["q", new Map([["1", 1]])]]);
    const hit = { id: "id:n:doc::1", relevance: 1, fields: { matchfeatures: { "bm25( title )": 4 } } };
    const text = JSON.stringify({ id: "q", root: { children: [hit] } });
    expect(plain(text, judgments)).toEqual([["q", "id:n:doc::1", 1, { "bm25(title)": 4 }]]);
  });

  test.each([
    "{}",
    "[1]",
    "a,b\n1,2",
    "query_id\n",
    '{"query_id":"q","f":1}',
    '{"root":{"children":[]}}',
    "",
  ])("that are none are reported: %s", (text) => {
    expect(read(text).problems.map(({ code }) => code)).toContain("learning/row");
  });
});

describe("numbers in a text", () => {
  const type = parseType("tensor(x[2],y[2])");
  const read = (text: string): Tensor | undefined => {
    const nested = JSON.parse(text) as number[][];
    return Tensor.from(type, nested, { axes: ["y", "x"] });
  };

  test("are found by what their reader makes of them", () => {
    expect(withNumbers("[ [1, -2.5e0], [3,4] ]", [10, 20, 30, 0.125], read)).toBe(
      "[ [10.0, 30.0], [20.0,0.125] ]",
    );
  });

  test("stay where the reader finds other cells", () => {
    expect(withNumbers("[[1,2],[3,4]]", [1, 2, 3], read)).toBeUndefined();
    expect(withNumbers("[[1,2],[3,4]]", [1, 2, 3, 4], () => undefined)).toBeUndefined();
    expect(withNumbers("[[1,2],[3,4]]", [1, 2, 3, 4], () => read("[[0,0],[0,0]]"))).toBeUndefined();
  });
});

describe("the example", () => {
  const example = new URL("../../../examples/learning/", import.meta.url);
  const { folder, run } = command();
  const prepared = async () => {
    cpSync(new URL("ranking", example), join(folder, "ranking"), { recursive: true });
    const { dataOf } = (await import(new URL("data.js", example).href)) as {
      dataOf: (name: string) => unknown;
    };
    writeFileSync(join(folder, "features.json"), JSON.stringify(dataOf("ranking")));
  };
  const train = ["train", "ranking", "--features", "features.json", "--json"];

  test("learns to put nearly all good articles first, and writes the weights", patient, async () => {
    await prepared();
    const { code, out, err } = await run([...train, "--profile", "hybrid"]);
    expect([code, err]).toEqual([0, ""]);
    const { heldOut, written } = JSON.parse(out);
    expect(heldOut.measures["NDCG@10"].before).toBeLessThan(0.8);
    expect(heldOut.measures["NDCG@10"].after).toBeGreaterThan(0.94);
    expect(heldOut.measures["NDCG@10"].interval[0]).toBeGreaterThan(0.1);
    expect(written).toBe("ranking/schemas/article.sd");
    const again = await run([...train, "--profile", "hybrid", "--folds", "1", "--epochs", "1", "--dry-run"]);
    expect(JSON.parse(again.out).after.measures["NDCG@10"].before).toBeGreaterThan(0.94);
  });

  test("learns a network, and with --dry-run changes nothing", patient, async () => {
    await prepared();
    const path = join(folder, "ranking/schemas/article.sd");
    const before = readFileSync(path, "utf8");
    const { out } = await run([...train, "--profile", "neural", "--folds", "2", "--dry-run"]);
    expect(JSON.parse(out).heldOut.measures["NDCG@10"].after).toBeGreaterThan(0.93);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test.each([
    ["changed", "it has changed since it was read", (path: string) => writeFileSync(path, "schema other {}")],
    ["gone", "there is no such file", rmSync],
  ])("writes nothing where a schema is %s meanwhile", patient, async (_, reason, change) => {
    await prepared();
    const rows = readFileSync(join(folder, "features.json"), "utf8");
    /** The package has been read when the features are. */
    function* rowsAfterChange(): Generator<string> {
      change(join(folder, "ranking/schemas/article.sd"));
      yield rows;
    }
    const args = [
      "train",
      "ranking",
      "--features",
      "-",
      "--profile",
      "hybrid",
      "--folds",
      "1",
      "--epochs",
      "1",
    ];
    const { code, err } = await run(args, { stdin: rowsAfterChange() });
    expect([code, err.trim()]).toEqual([2, expect.stringContaining(reason)]);
  });

  test("says what is wrong with how it is called", async () => {
    await prepared();
    expect((await run(["train", "ranking"])).err).toContain("--features");
    expect((await run(["train", "ranking", "--profile", "base", "--features", "features.json"])).code).toBe(
      1,
    );
  });
});
