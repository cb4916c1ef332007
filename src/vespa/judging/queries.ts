import { parseSequence } from "../../formats/json/sequence.js";
import { append } from "../../language/source/lists.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";
import { type Query, sorted } from "../documents/query.js";
import { problem } from "./messages.js";

/** A query request, and the name that judgments have for it. */
export interface NamedQuery {
  readonly id: string;
  readonly query: Query;
}

const idNames = ["id", "qid", "query_id", "queryId", "_id"];

/** Query requests one after another, or as an array; each with its id among its parameters. */
export function readQueries(source: Source): {
  readonly queries: readonly NamedQuery[];
  readonly problems: readonly Problem[];
} {
  const queries: NamedQuery[] = [];
  const problems: Problem[] = [];
  for (const { tree, problems: own } of parseSequence(source)) {
    append(problems, own);
    for (const each of tree?.kind === "array" ? tree.items() : tree === undefined ? [] : [tree]) {
      const id = idNames.map((name) => each.member(name)?.scalar).find((value) => value !== undefined);
      if (each.kind !== "object" || id === undefined)
        problems.push(problem("judging/query", each.span, { path: each.path }));
      else
        queries.push({
          id: `${id}`,
          query: sorted([...each.entries()].filter(([name]) => !idNames.includes(name))),
        });
    }
  }
  return { queries, problems };
}
