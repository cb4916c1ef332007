import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command } from "../../command.js";

/** Responses that `sphex capture` makes tests of: what it writes is read as it was meant, and tells right from wrong. */

const schema = `schema a {
  document a {
    field n type double { indexing: attribute }
    field x type string { indexing: index }
    field t type tensor<float>(k{}) { indexing: attribute }
  }
  rank-profile plain {
    function inverse() { expression: 1 / attribute(n) }
    function score() { expression: 3 + 1 }
    function ranking() { expression: attribute(n) + 7 }
    function scores() { expression: attribute(n) + 8 }
    first-phase { expression: inverse + score }
    match-features: attribute(n) attribute(t) inverse score ranking scores
  }
  rank-profile normalized {
    function fused() { expression: reciprocal_rank(bm25(x)) }
    first-phase { expression: bm25(x) }
    global-phase { expression: fused }
    match-features: bm25(x)
  }
  rank-profile by-rank {
    first-phase { expression: attribute(n) }
    second-phase { expression: 10 - firstPhaseRank }
    match-features: attribute(n)
  }
  rank-profile listed {
    first-phase { expression: attribute(n) }
    match-features: attribute(n) sum(attribute(t)) bm25(x)
  }
  rank-profile lacking {
    first-phase { expression: attribute(n) }
    match-features: attribute(n) sum(attribute(t))
  }
}
`;

interface Hit {
  readonly relevance: number | string;
  readonly matchfeatures: object;
}

/** The test that a response becomes, and whether it passes: as it is, and with other numbers in what is expected. */
async function captured(profile: string, hits: readonly Hit[]) {
  const { run, folder } = command();
  const children = hits.map(({ relevance, matchfeatures }, at) => ({
    id: `id:a:a::${at}`,
    relevance,
    fields: { matchfeatures },
  }));
  mkdirSync(join(folder, "schemas"));
  mkdirSync(join(folder, "tests"));
  writeFileSync(join(folder, "schemas/a.sd"), schema);
  // JSON.stringify has no negative zero.
  writeFileSync(
    join(folder, "response.json"),
    JSON.stringify({ root: { children } }).replaceAll('"-0"', "-0.0"),
  );
  const { out, err } = await run(["capture", "response.json", "--profile", profile]);
  const path = join(folder, "tests/captured.rank-test.yaml");
  const passes = async (text: string): Promise<boolean> => {
    writeFileSync(path, text);
    return (await run(["test"])).code === 0;
  };
  return { err, out, passes };
}

test.each([
  [
    "the sign of zero, in numbers and in cells",
    "plain",
    [
      {
        relevance: "-Infinity",
        matchfeatures: {
          "attribute(n)": "-0",
          inverse: "-Infinity",
          "attribute(t)": { type: "tensor<float>(k{})", cells: { a: "-0" } },
        },
      },
    ],
    ['"attribute(n)": -0.0', '"a":-0.0'],
    ["-Infinity", "5"],
  ],
  [
    "functions that are called as what a test expects",
    "plain",
    [
      {
        relevance: 4.5,
        matchfeatures: { "attribute(n)": 2, score: 4, ranking: 9, scores: 10, inverse: 0.5 },
      },
    ],
    [
      '"rankingExpression(score)": 4',
      '"rankingExpression(ranking)": 9',
      '"rankingExpression(scores)": 10',
      '"inverse": 0.5',
    ],
    ['(ranking)": 9', '(ranking)": 8'],
  ],
  [
    "hits whose scores are normalized by a function",
    "normalized",
    [
      { relevance: 1 / 61, matchfeatures: { "bm25(x)": 3 } },
      { relevance: 1 / 62, matchfeatures: { "bm25(x)": 2 } },
    ],
    ["scores:"],
    [`${1 / 62}`, "0.5"],
  ],
  [
    "hits whose scores depend on their rank",
    "by-rank",
    [
      { relevance: 9, matchfeatures: { "attribute(n)": 3 } },
      { relevance: 8, matchfeatures: { "attribute(n)": 2 } },
    ],
    ["scores:"],
    [": 8", ": 7"],
  ],
  [
    "expressions in a list of features",
    "listed",
    [
      {
        relevance: 3,
        matchfeatures: {
          "attribute(n)": 3,
          "sum(attribute(t))": 5,
          "bm25(x)": 1,
          "attribute(t)": { type: "tensor<float>(k{})", cells: { a: 5 } },
        },
      },
    ],
    ['"sum(attribute(t))": 5'],
    ['"sum(attribute(t))": 5', '"sum(attribute(t))": 6'],
  ],
  [
    "expressions of what the response lacks",
    "lacking",
    [{ relevance: 3, matchfeatures: { "attribute(n)": 3, "sum(attribute(t))": 5 } }],
    ["score: 3"],
    ["score: 3", "score: 4"],
  ],
] as const)("%s", async (_, profile, hits, lines, [from, to]) => {
  const { err, out, passes } = await captured(profile, hits);
  expect(err).toBe("");
  for (const line of lines) expect(out).toContain(line);
  expect(await passes(out)).toBe(true);
  const wrong = out.slice(0, out.indexOf("expect:")) + out.slice(out.indexOf("expect:")).replace(from, to);
  expect(wrong).not.toBe(out);
  expect(await passes(wrong)).toBe(false);
});
