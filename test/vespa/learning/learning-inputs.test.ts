import { expect, test } from "vitest";
import { checkPackage, learn, readLabelledRows, readPackage, soundProfile } from "../../../src/vespa.js";
import { filesOf } from "../../packages.js";

/** What inputs have that are given a value in place of their default, where rank profiles learn: losses are computed here by hand. */

const schema = (input: string, properties = ""): string => `schema doc {
  document doc {
    field title type string { indexing: index }
  }
  rank-profile linear {
    inputs {
      query(a) double: 0.5
      ${input}
    }
    ${properties}
    first-phase { expression: query(a) * bm25(title) + query(b) * fieldMatch(title) }
  }
}
`;

/** The label and the two features of documents. */
const lists = {
  q1: [
    [1, 1, 4],
    [0, 2, 1],
  ],
  q2: [
    [2, 0, 3],
    [0, 1, 0],
    [1, 3, 2],
  ],
} as const;

const { rows } = readLabelledRows({
  name: "rows",
  text: Object.entries(lists)
    .flatMap(([query, list]) =>
      list.map(
        ([label, title, match], at) =>
          `{"query_id":"${query}","doc_id":"d${at}","label":${label},"bm25(title)":${title},"fieldMatch(title)":${match}}`,
      ),
    )
    .join("\n"),
});

function optionsOf(files: Readonly<Record<string, string>>) {
  const read = readPackage(filesOf(files));
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "linear", span);
  const usual = { loss: "pairwise", epochs: 1, rate: 0.05, decay: 0, depth: 10, folds: 0, seed: 0 } as const;
  return { ...usual, package: read, profile };
}

/** What is lost where the weights are 0.5 and 2: of each two documents the logarithm of the odds, of each list the mean. */
const lost = (() => {
  const ofPair = (better: number, worse: number): number => Math.log(1 + Math.exp(worse - better));
  // The scores are 8.5 and 3; 6, 0.5 and 5.5, of which the third has the middle label.
  return (ofPair(8.5, 3) + (ofPair(6, 0.5) + ofPair(6, 5.5) + ofPair(5.5, 0.5)) / 3) / 2;
})();

test.each([
  undefined,
  "default",
])("a query profile has what it inherits, and gives values to inputs that are not learnt: %s", async (queryProfile) => {
  const base = "search/query-profiles/base.xml";
  const options = optionsOf({
    "schemas/doc.sd": schema("query(b) double: 0"),
    [base]: `<query-profile id="base">
  <field name="ranking.features.query(b)">2</field>
  <field name="half">0.5</field>
</query-profile>
`,
    "search/query-profiles/default.xml": `<query-profile id="default" inherits="base">
  <field name="ranking.features.query(a)">%{half}</field>
</query-profile>
`,
  });
  const { parameters, loss } = await learn(rows, { ...options, queryProfile });
  // What is substituted has no number of its own to write.
  expect(parameters.map(({ name, written }) => [name, written.source.name])).toEqual([["query(b)", base]]);
  expect(loss.before).toBeCloseTo(lost, 12);
});

test.each([
  ["query(b)", "query(b) double: 0"],
  ["$b", "query(b) double"],
])("a number is taken and not learnt that rank-properties have as %s", async (key, input) => {
  const options = optionsOf({ "schemas/doc.sd": schema(input, `rank-properties { ${key}: 2 }`) });
  const { parameters, loss } = await learn(rows, options);
  expect(parameters.map(({ name }) => name)).toEqual(["query(a)"]);
  expect(loss.before).toBeCloseTo(lost, 12);
  const codes = { problems: [{ code: "learning/parameter" }] };
  await expect(learn(rows, { ...options, only: ["query(b)"] })).rejects.toMatchObject(codes);
});
