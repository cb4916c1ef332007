import { SphexError } from "../../language/source/problem.js";
import type { LabelledRow } from "./labelled-rows.js";
import { byQuery } from "./lists.js";
import { problem } from "./messages.js";

/**
 * The rows of each query, of which none has the document of another: a list has a document once, and would be better than the best
 * with it twice. What comes again with the same label is left out.
 * @throws SphexError where a document has two labels.
 */
export function distinctRows(rows: readonly LabelledRow[]): ReadonlyMap<string, readonly LabelledRow[]> {
  const conflicts: { readonly row: LabelledRow; readonly first: LabelledRow }[] = [];
  const distinct = Array.from(byQuery(rows), ([query, list]) => {
    const byDocument = new Map<string, LabelledRow>();
    for (const row of list) {
      const first = byDocument.get(row.document);
      if (first === undefined) byDocument.set(row.document, row);
      else if (first.relevance !== row.relevance) conflicts.push({ row, first });
    }
    return [query, [...byDocument.values()]] as const;
  });
  if (conflicts.length === 0) return new Map(distinct);
  throw new SphexError(
    conflicts
      .slice(0, mostProblems)
      .map(({ row: { document, query, relevance, span }, first }) =>
        problem("learning/labels", span, { document, query, labels: [first.relevance, relevance] }, [
          { span: first.span, label: "the other label" },
        ]),
      ),
  );
}

/** The most documents with two labels that are reported. */
const mostProblems = 20;
