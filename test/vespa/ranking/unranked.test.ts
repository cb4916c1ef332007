import { expect, test } from "vitest";
import {
  checkPackage,
  Document,
  Ranking,
  rankDocuments,
  readFeed,
  readQuery,
  soundProfile,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Rank profiles that inherit `unranked`, which keeps the scores of no hits, and ranks none anew unless they say otherwise. */

const scoresBy = async (head: string, settings: string, parameters: object = {}): Promise<number[]> => {
  const read = packageOf({
    "schemas/doc.sd": `schema doc {
      document doc { field n type int { indexing: attribute } }
      rank-profile ${head} { ${settings} }
    }`,
  });
  const where = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "p", where);
  const feed = [1, 2].map((n) => JSON.stringify({ put: `id:a:doc::${n}`, fields: { n } })).join("\n");
  const hits = Array.from(readFeed({ name: "feed", text: feed }), ({ document }) => ({
    document: new Document(document?.id, document?.fields ?? new Map(), 1000),
  }));
  const { query } = readQuery({ name: "query", text: JSON.stringify(parameters) });
  const scorer = new Ranking({ package: read, profile }).scorer({ query, cells: 1000 });
  return (await rankDocuments(scorer, hits, { profile, query })).map(({ score }) => score);
};

const first = "first-phase { expression: attribute(n) }";
const second = "second-phase { expression: 10 * attribute(n) }";

test.each<[string, string, number[], object?]>([
  ["p inherits unranked", "", [0, 0]],
  ["p inherits unranked", first, [0, 0]],
  ["p inherits unranked", second, [0, 0]],
  ["p inherits unranked", `${first}\n${second}`, [0, 0]],
  ["p", `${first}\n${second}`, [20, 10]],
  ["p inherits unranked", "first-phase { expression: attribute(n)\nkeep-rank-count: 10 }", [2, 1]],
  ["p inherits unranked", `first-phase { keep-rank-count: 10 }\n${second}`, [0, 0]],
  ["p inherits unranked", "second-phase { expression: 10 * attribute(n)\nrerank-count: 5 }", [20, 10]],
  ["p inherits unranked", second, [20, 10], { "ranking.rerankCount": 5 }],
  [
    "p",
    "first-phase { expression: attribute(n)\nkeep-rank-count: 0 }\nsecond-phase { rerank-count: 0 }",
    [0, 0],
  ],
])("%s with %s", async (head, settings, expected, parameters) =>
  expect(await scoresBy(head, settings, parameters)).toEqual(expected));
