import { error, quoted, shortened } from "../../language/source/message.js";
import { problemsOf } from "../../language/source/problem.js";

const expectedParts = {
  qrels: "query 0 document relevance",
  csv: "query,document,relevance",
  json: '{"query":{"document":relevance}}, or a list of {"query":…,"document":…,"relevance":…}',
  query: 'a query request with an id: {"id":"q1","input.query(q)":…}',
};

export type ExpectedInJudgments = keyof typeof expectedParts;

/** What can be wrong with judgments and the queries that they are about. */
export const judgingMessages = {
  "judging/line": error(({ text, expected }: { text: string; expected: ExpectedInJudgments }) => ({
    message: "this judgment cannot be read",
    found: quoted(shortened(text)),
    expected: expectedParts[expected],
  })),
  "judging/query": error((_: { readonly path: string }) => ({
    message: "this query cannot be judged",
    expected: expectedParts.query,
  })),
  "judging/none": error(({ queries, judged }: { queries: number; judged: number }) => ({
    message: "no query has a judgment",
    found: `${queries} queries, and judgments of ${judged} others`,
    expected: "the same ids in both",
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/judging": typeof judgingMessages;
  }
}

export const problem = problemsOf<"vespa/judging">(judgingMessages);
